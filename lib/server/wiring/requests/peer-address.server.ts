import { subscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'

/** Written on every request by this process alone, over whatever came under that name. */
export const peerHeader = 'x-nod-peer'
/** Likewise: present when the peer claims to forward for another address. */
export const relayedHeader = 'x-nod-relayed'

interface RequestStart {
  readonly request: IncomingMessage
}

const key = Symbol.for('nod.peer-address')
const slot = globalThis as typeof globalThis & { [key]?: true }

/**
 * Routes see a request without its connection. Node tells of every request before anyone handles it: here it is noted who
 * holds its other end, and what a client claims under that name goes.
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

/** The other end of the connection; null in a process that does not note it: then no header says it either. */
export const peerOf = (request: Request): string | null => (slot[key] ? request.headers.get(peerHeader) : null)

/** Whether the peer claims to forward for another address, trusted or not. */
export const isRelayed = (request: Request): boolean => slot[key] === true && request.headers.get(relayedHeader) === '1'
