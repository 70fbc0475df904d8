import { peerOf } from './peer-address.server'
import { settingsOrThrow } from './settings.server'

/**
 * Who connected to the proxy that is believed: the server's entry leaves that one address of the header, or none that was only
 * claimed. Without such a proxy all may come from the address of one that nobody named, so that nobody is counted by it.
 */
export function visitorAddress(request: Request): string | null {
  if (settingsOrThrow().NOD_TRUST_PROXY === 0) return null
  return request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() || null
}

/**
 * Where a visitor asks from: behind a trusted proxy what it wrote last, else the other end of the connection; null where
 * neither is known.
 */
export const clientAddress = (request: Request): string | null =>
  settingsOrThrow().NOD_TRUST_PROXY === 0 ? peerOf(request) : visitorAddress(request)
