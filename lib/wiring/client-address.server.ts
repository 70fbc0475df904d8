import { peerOf } from './peer-address.server'
import { settingsOrThrow } from './settings.server'

/**
 * Where a visitor asks from: behind a trusted proxy what it wrote last, else the other end of the connection; null where
 * neither is known.
 */
export function clientAddress(request: Request): string | null {
  if (!settingsOrThrow().NOD_TRUST_PROXY) return peerOf(request)
  return request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() || null
}
