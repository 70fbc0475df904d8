import { monotonicClock } from '@/lib/base/clocks'
import { createOwnRate, type OwnRate } from '@/lib/server/quota/rate'
import { countedAddress, logForwardedAddress } from './client-address.server'

/*
 * A visitor without a cookie becomes somebody new, with limits of their own. Who throws cookies away would so have no
 * limits at all: newcomers are counted by address, and all together.
 */

interface Holder {
  readonly byAddress: OwnRate
  readonly together: OwnRate
}

/** An office behind one address may come in at once; nobody needs thousands. */
const PER_ADDRESS = { burst: 60, perSecond: 0.2 }
const TOGETHER = { burst: 600, perSecond: 5 }

const key = Symbol.for('nod.newcomers')
const slot = globalThis as typeof globalThis & { [key]?: Holder }
const holder = (): Holder =>
  (slot[key] ??= {
    byAddress: createOwnRate({ ...PER_ADDRESS, monotonic: monotonicClock }),
    together: createOwnRate({ ...TOGETHER, monotonic: monotonicClock }),
  })

/**
 * What requests of newcomers are counted under: one bucket an address, so that nobody escapes it by throwing cookies away and nobody
 * empties it for newcomers from elsewhere; one for all whose address is not known.
 */
export const newVisitorSubject = (request: Request): string => `newcomers of ${countedAddress(request) ?? 'no address'}`

/** Seconds to wait before this visitor may become somebody new; 0: now. */
export function newVisitorWait(request: Request): number {
  const { byAddress, together } = holder()
  const address = countedAddress(request)
  const wait = address === null ? 0 : byAddress.wait(address)
  if (wait > 0) logForwardedAddress()
  return wait || together.wait('everybody')
}
