import { t } from '@/lib/i18n/t'
import { isAmong } from '@/lib/server/accounts/proxy-header'
import { countedNetwork, isPrivate, isThisMachine } from '@/lib/server/http/forwarded'
import { readBind } from '@/lib/server/http/bind'
import { logLine } from '../log/log.server'
import { isRelayed, peerOf } from './peer-address.server'
import { settingsOrThrow } from '../settings.server'

/** What the proxy that is believed says: the server's entry leaves that one address of the header, or none that was only claimed. */
const addressByProxy = (request: Request): string | null =>
  request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() || null

/**
 * Where a visitor asks from: behind a trusted proxy what it wrote last, else the other end of the connection; null where
 * neither is known.
 */
export const clientAddress = (request: Request): string | null =>
  settingsOrThrow().NOD_TRUST_PROXY === 0 ? peerOf(request) : addressByProxy(request)

/**
 * What limits of an address are counted under; null: no one is, because all would be. Without a proxy that is believed it is the
 * other end of the connection. No one is counted from this machine itself, nor by a proxy of a private network that no one named,
 * which has everyone behind it; a stranger who only claims to speak for others is counted all the same.
 */
export function countedAddress(request: Request): string | null {
  const address = settingsOrThrow().NOD_TRUST_PROXY === 0 ? addressOfPeer(request) : addressByProxy(request)
  return address === null ? null : countedNetwork(address)
}

function addressOfPeer(request: Request): string | null {
  const peer = peerOf(request)
  if (peer === null) return null
  // It is known for one, and says who asks; where from, only to whom NOD_TRUST_PROXY lets it.
  if (isAmong(settingsOrThrow().NOD_AUTH_PROXIES)(peer)) return null
  const isNear = isThisMachine(peer) || isPrivate(peer)
  if (isRelayed(request)) tellUnnamedProxy(isNear)
  const isShared = isThisMachine(peer) || (isRelayed(request) && isNear)
  return isShared ? null : peer
}

const key = Symbol.for('nod.told-of-addresses')
const slot = globalThis as typeof globalThis & { [key]?: Set<string> }

/** Once a process each: limits that hold for no one, or for all together, are not to go unseen. */
function tellOnce(line: string): void {
  const told = (slot[key] ??= new Set())
  if (told.has(line)) return
  told.add(line)
  logLine('warn', line)
}

function tellUnnamedProxy(isNear: boolean): void {
  if (readBind(settingsOrThrow()).isPersonal) return
  tellOnce(t(isNear ? 'serve.unnamed-proxy' : 'serve.unnamed-stranger'))
}

/** Someone was held back for their address alone, which may be that of many. */
export function logForwardedAddress(): void {
  if (settingsOrThrow().NOD_TRUST_PROXY === 0) tellOnce(t('serve.held-back'))
}
