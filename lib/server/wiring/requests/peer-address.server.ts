import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** Set on every request by this process, replacing any value from the client. */
export const peerHeader = 'x-nod-peer'
/** Set in the same way if the peer claims to forward for another address. */
export const relayedHeader = 'x-nod-relayed'

interface RequestStart {
  readonly request: IncomingMessage
}

const key = Symbol.for('nod.peer-address')
const slot = globalThis as typeof globalThis & { [key]?: true }

/**
 * Routes see a request without its connection. Node emits every request before any handler runs: here the peer's
 * address is recorded in a header, and a client's own value is removed.
 */
export function notePeerAddresses(): void {
  if (slot[key]) return
  slot[key] = true
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
export const peerOf = (request: Request): string | null => (slot[key] ? request.headers.get(peerHeader) : null)

/** Whether the peer claims to forward for another address, trusted or not. */
export const isRelayed = (request: Request): boolean => slot[key] === true && request.headers.get(relayedHeader) === '1'
