import type { IncomingMessage } from 'node:http'
import { NOBODY, visitorOf, type ProxyTrust } from '@/lib/server/http/forwarded'

/** `X-Forwarded-For`, `-Proto`, `-Host`, `-Port` and whatever else is called so, and the standard's one header for all of it. */
const FORWARDED = /^(?:x-forwarded-.*|forwarded|x-real-ip)$/

/**
 * Takes from a request what is not believed of its forwarded headers, and writes what is: one address, one protocol, one name.
 * Behind this, nobody needs to ask who wrote them. A peer that is gone already has no address, and nobody believes it. `kept`: names, in
 * lower case, of headers that whoever reads them judges by the address and a secret (`X-Forwarded-User`).
 */
export function trustForwarded(request: IncomingMessage, trust: ProxyTrust, kept: readonly string[] = []): void {
  const peer = request.socket.remoteAddress ?? ''
  const visitor = visitorOf(peer, request.headers, peer === '' ? NOBODY : trust)
  for (const name of Object.keys(request.headers)) {
    if (FORWARDED.test(name) && !kept.includes(name)) delete request.headers[name]
  }
  request.headers['x-forwarded-for'] = visitor.address
  request.headers['x-forwarded-proto'] = visitor.proto
  if (visitor.host === null) delete request.headers['x-forwarded-host']
  else request.headers['x-forwarded-host'] = visitor.host
}
