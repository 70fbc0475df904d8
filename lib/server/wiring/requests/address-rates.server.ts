import { monotonicClock } from '@/lib/base/clocks'
import { createOwnRate, type OwnRate } from '@/lib/server/quota/rate'
import { countedAddress } from './client-address.server'

// Requests that no cookie counts: by address first, then all together, so that many addresses are limited too.

interface Rates {
  readonly byAddress: OwnRate
  readonly together: OwnRate
}

/** How many tries at once, and how many more per second. */
interface Allowance {
  readonly burst: number
  readonly perSecond: number
}

const EVERYBODY = 'everybody'

/** One per process: routes are bundled apart. */
function ratesOf(name: string, perAddress: Allowance, together: Allowance): () => Rates {
  const key = Symbol.for(name)
  const slot = globalThis as typeof globalThis & { [key]?: Rates }
  return () =>
    (slot[key] ??= {
      byAddress: createOwnRate({ ...perAddress, monotonic: monotonicClock }),
      together: createOwnRate({ ...together, monotonic: monotonicClock }),
    })
}

// A stranger who guesses must not keep new visitors from entering the right token.
const wrongTokens = ratesOf('nod.wrong-tokens', { burst: 20, perSecond: 0.05 }, { burst: 200, perSecond: 1 })

/** Whether this visitor must wait before trying a token, even the right one: otherwise guesses would be unlimited. */
export function mustWaitWithToken(request: Request): boolean {
  const { byAddress, together } = wrongTokens()
  const address = countedAddress(request)
  return (address !== null && byAddress.isEmpty(address)) || together.isEmpty(EVERYBODY)
}

/** Counts a wrong token. A refusal for its address does not count for others. */
export function countWrongToken(request: Request): void {
  const { byAddress, together } = wrongTokens()
  const address = countedAddress(request)
  if (address !== null && byAddress.wait(address) > 0) return
  together.wait(EVERYBODY)
}

// Nobody may guess secrets of shared chats, or make the store read megabytes endlessly. A link posted in a class is
// opened by everyone there.
const sharedChats = ratesOf('nod.shared-chats', { burst: 120, perSecond: 2 }, { burst: 1_200, perSecond: 40 })

/** Seconds to wait before this visitor may open a shared chat; 0: now. */
export function sharedChatWait(request: Request): number {
  const { byAddress, together } = sharedChats()
  const address = countedAddress(request)
  return (address === null ? 0 : byAddress.wait(address)) || together.wait(EVERYBODY)
}
