import type { IncomingMessage } from 'node:http'
import { NOBODY, visitorOf, type ProxyTrust } from '@/lib/server/http/forwarded'
import type { AssetManifest } from './asset'

/** `X-Forwarded-For`, `-Proto`, `-Host`, `-Port` and all others of that kind, and the standard `Forwarded` header. */
const FORWARDED = /^(?:x-forwarded-.*|forwarded|x-real-ip)$/

/**
 * Removes untrusted forwarded headers from a request, and writes the trusted values: one address, one protocol, one
 * host. Later code need not check who wrote them. A disconnected peer has no address and is never trusted. `kept`:
 * lower-case names of headers whose readers check the address and a secret themselves (`X-Forwarded-User`).
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

type Log = (...args: readonly unknown[]) => void

const ITS_OWN = /Running next\.config\S* took/

/**
 * Runs `work`, in which Next prints how long its own configuration took, even in quiet mode; that line would break a
 * log of JSON lines. All other output is printed as usual.
 */
export async function withoutNextTimings<T>(work: () => Promise<T>, output: { log: Log } = console): Promise<T> {
  const { log } = output
  output.log = (...args) => {
    if (!args.some((part) => typeof part === 'string' && ITS_OWN.test(part))) log(...args)
  }
  try {
    return await work()
  } finally {
    output.log = log
  }
}

/**
 * The built files with the service worker that the server's settings select, under its one URL. If it is disabled, a
 * service worker that unregisters itself is served.
 */
export function withServiceWorker(
  manifest: AssetManifest,
  { basePath, keepsOffline }: { readonly basePath: string; readonly keepsOffline: boolean },
): AssetManifest {
  const { [`${basePath}/sw-off.js`]: off, ...served } = manifest
  return keepsOffline || off === undefined ? served : { ...served, [`${basePath}/sw.js`]: off }
}
