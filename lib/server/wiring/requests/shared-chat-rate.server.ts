import { monotonicClock } from '@/lib/base/clocks'
import { createOwnRate, type OwnRate } from '@/lib/server/quota/rate'
import { countedAddress } from './client-address.server'

/*
 * Readers of a shared chat need no cookie, so nothing else counts them. Nobody may guess secrets, or make the store
 * read megabytes endlessly.
 */

interface Holder {
  readonly byAddress: OwnRate
  readonly together: OwnRate
}

/** A link posted in a class is opened by everyone there. */
const PER_ADDRESS = { burst: 120, perSecond: 2 }
const TOGETHER = { burst: 1_200, perSecond: 40 }

const key = Symbol.for('nod.shared-chats')
const slot = globalThis as typeof globalThis & { [key]?: Holder }
const holder = (): Holder =>
  (slot[key] ??= {
    byAddress: createOwnRate({ ...PER_ADDRESS, monotonic: monotonicClock }),
    together: createOwnRate({ ...TOGETHER, monotonic: monotonicClock }),
  })

/** Seconds to wait before this visitor may open a shared chat; 0: now. */
export function sharedChatWait(request: Request): number {
  const { byAddress, together } = holder()
  const address = countedAddress(request)
  return (address === null ? 0 : byAddress.wait(address)) || together.wait('everybody')
}
