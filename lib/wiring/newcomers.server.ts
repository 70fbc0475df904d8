import { createRateLimit, type RateLimit } from '@/lib/chat/owner-rate'
import { settingsOrThrow } from './settings.server'

/*
 * A visitor without a cookie becomes somebody new, with limits of their own. Who throws cookies away would so have no
 * limits at all: newcomers are counted by address, and all together.
 */

interface Holder {
  readonly byAddress: RateLimit
  readonly together: RateLimit
}

/** An office behind one address may come in at once; nobody needs thousands. */
const PER_ADDRESS = { burst: 60, perSecond: 0.2 }
const TOGETHER = { burst: 600, perSecond: 5 }

const key = Symbol.for('nod.newcomers')
const slot = globalThis as typeof globalThis & { [key]?: Holder }
const holder = (): Holder =>
  (slot[key] ??= {
    byAddress: createRateLimit({ ...PER_ADDRESS, now: Date.now }),
    together: createRateLimit({ ...TOGETHER, now: Date.now }),
  })

/** Seconds to wait before this visitor may become somebody new; 0: now. */
export function newcomerWait(request: Request): number {
  const { byAddress, together } = holder()
  const address = addressOf(request)
  return (address === null ? 0 : byAddress.take(address)) || together.take('everybody')
}

/** What the proxy in front wrote last; without one that is trusted, an address is only what a client claims. */
function addressOf(request: Request): string | null {
  if (!settingsOrThrow().NOD_TRUST_PROXY) return null
  return request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() || null
}
