import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { t } from '@/lib/i18n/t'
import { isAmong } from '@/lib/server/accounts/proxy-header'
import { countedNetwork, isPrivate, isThisMachine } from '@/lib/server/http/forwarded'
import { readBind } from '@/lib/server/http/bind'
import { logLine } from '../log/log.server'
import { settingsOrThrow } from '../settings.server'
import { monotonicClock } from '@/lib/base/clocks'
import { createOwnRate, type OwnRate } from '@/lib/server/quota/rate'

/** Set on every request by this process, replacing any value from the client. */
export const peerHeader = 'x-nod-peer'
/** Set in the same way if the peer claims to forward for another address. */
export const relayedHeader = 'x-nod-relayed'

interface RequestStart {
  readonly request: IncomingMessage
}

const peerKey = Symbol.for('nod.peer-address')
const peerSlot = globalThis as typeof globalThis & { [peerKey]?: true }

/**
 * Routes see a request without its connection. Node emits every request before any handler runs: here the peer's
 * address is recorded in a header, and a client's own value is removed.
 */
export function recordPeerAddresses(): void {
  if (peerSlot[peerKey]) return
  peerSlot[peerKey] = true
  subscribe('http.server.request.start', (message) => {
    const { request } = message as RequestStart
    const { headers } = request
    const address = request.socket.remoteAddress
    if (address === undefined) delete headers[peerHeader]
    else headers[peerHeader] = address
    if (headers['x-forwarded-for'] || headers['x-real-ip'] || headers.forwarded) headers[relayedHeader] = '1'
    else delete headers[relayedHeader]
  })
}

/** The peer's address; null in a process that does not record it: then the header is not trusted either. */
export const peerOf = (request: Request): string | null => (peerSlot[peerKey] ? request.headers.get(peerHeader) : null)

/** Whether the peer claims to forward for another address, trusted or not. */
export const isRelayed = (request: Request): boolean =>
  peerSlot[peerKey] === true && request.headers.get(relayedHeader) === '1'

/**
 * The address from a trusted proxy: the server's entry keeps only that one in the header, or removes an untrusted one.
 */
const addressByProxy = (request: Request): string | null =>
  request.headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() || null

/**
 * The visitor's address: behind a trusted proxy the one that it wrote last, otherwise the peer's; null if neither is
 * known.
 */
export const clientAddress = (request: Request): string | null =>
  settingsOrThrow().NOD_TRUST_PROXY === 0 ? peerOf(request) : addressByProxy(request)

/**
 * The key for limits per address; null: not counted, because everyone would share it. Without a trusted proxy it is the
 * peer's address. Requests from this machine are not counted, and neither are those through an unconfigured proxy of a
 * private network, which represents everyone behind it. A stranger who only claims to be a proxy is counted.
 */
export function countedAddress(request: Request): string | null {
  const address = settingsOrThrow().NOD_TRUST_PROXY === 0 ? addressOfPeer(request) : addressByProxy(request)
  return address === null ? null : countedNetwork(address)
}

function addressOfPeer(request: Request): string | null {
  const peer = peerOf(request)
  if (peer === null) return null
  // It is known as a proxy that names the user; its address header counts only with NOD_TRUST_PROXY.
  if (isAmong(settingsOrThrow().NOD_AUTH_PROXIES)(peer)) return null
  const isNear = isThisMachine(peer) || isPrivate(peer)
  if (isRelayed(request)) logUnnamedProxy(isNear)
  const isShared = isThisMachine(peer) || (isRelayed(request) && isNear)
  return isShared ? null : peer
}

const key = Symbol.for('nod.told-of-addresses')
const slot = globalThis as typeof globalThis & { [key]?: Set<string> }

/** Logs a line once per process, so that it is noticed if a limit applies to nobody or to everyone together. */
function logOnce(line: string): void {
  const reported = (slot[key] ??= new Set())
  if (reported.has(line)) return
  reported.add(line)
  logLine('warn', line)
}

function logUnnamedProxy(isNear: boolean): void {
  if (readBind(settingsOrThrow()).isPersonal) return
  logOnce(t(isNear ? 'serve.unnamed-proxy' : 'serve.unnamed-stranger'))
}

/** Logs that a visitor was limited only by an address that many may share. */
export function logForwardedAddress(): void {
  if (settingsOrThrow().NOD_TRUST_PROXY === 0) logOnce(t('serve.held-back'))
}

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
  const ratesKey = Symbol.for(name)
  const holder = globalThis as typeof globalThis & { [ratesKey]?: Rates }
  return () =>
    (holder[ratesKey] ??= {
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
