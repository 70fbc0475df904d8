import { monotonicClock } from '@/lib/base/clocks'
import { createOwnRate, type OwnRate } from '@/lib/server/quota/rate'
import { countedAddress } from '../requests/client-address.server'

/*
 * Wrong access tokens are counted by address first, then all together: a stranger who guesses must not keep new
 * visitors from entering the right token. The total still limits guesses from many addresses.
 */

interface Holder {
  readonly byAddress: OwnRate
  readonly together: OwnRate
}

const PER_ADDRESS = { burst: 20, perSecond: 0.05 }
const TOGETHER = { burst: 200, perSecond: 1 }
const EVERYBODY = 'everybody'

const key = Symbol.for('nod.wrong-tokens')
const slot = globalThis as typeof globalThis & { [key]?: Holder }
const holder = (): Holder =>
  (slot[key] ??= {
    byAddress: createOwnRate({ ...PER_ADDRESS, monotonic: monotonicClock }),
    together: createOwnRate({ ...TOGETHER, monotonic: monotonicClock }),
  })

/** Whether this visitor must wait before trying a token, even the right one: otherwise guesses would be unlimited. */
export function mustWaitWithToken(request: Request): boolean {
  const { byAddress, together } = holder()
  const address = countedAddress(request)
  return (address !== null && byAddress.isEmpty(address)) || together.isEmpty(EVERYBODY)
}

/** Counts a wrong token. A refusal for its address does not count for others. */
export function countWrongToken(request: Request): void {
  const { byAddress, together } = holder()
  const address = countedAddress(request)
  if (address !== null && byAddress.wait(address) > 0) return
  together.wait(EVERYBODY)
}
