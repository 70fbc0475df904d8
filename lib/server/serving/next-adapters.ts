import type { IncomingMessage } from 'node:http'
import { NOBODY, visitorOf, type ProxyTrust } from '@/lib/server/http/forwarded'
import type { AssetManifest } from './asset'

/** `X-Forwarded-For`, `-Proto`, `-Host`, `-Port` and whatever else is called so, and the standard's one header for all of it. */
const FORWARDED = /^(?:x-forwarded-.*|forwarded|x-real-ip)$/

/**
 * Takes from a request what is not believed of its forwarded headers, and writes what is: one address, one protocol, one name.
 * Behind this, no one needs to ask who wrote them. A peer that is gone already has no address, and no one believes it. `kept`: names, in
 * lower case, of headers that anyone who reads them judges by the address and a secret (`X-Forwarded-User`).
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

type Log = (...said: readonly unknown[]) => void

const ITS_OWN = /Running next\.config\S* took/

/**
 * Does `work`, in which Next says how long its own configuration took, however quiet it was told to be: between lines of JSON that
 * would be none. All else is said by `console.log` as ever.
 */
export async function withoutNextTimings<T>(work: () => Promise<T>, output: { log: Log } = console): Promise<T> {
  const { log } = output
  output.log = (...said) => {
    if (!said.some((part) => typeof part === 'string' && ITS_OWN.test(part))) log(...said)
  }
  try {
    return await work()
  } finally {
    output.log = log
  }
}

/**
 * The built files with the service worker that the server's settings want under the one address that browsers know: where it
 * is not wanted, the one that takes itself away.
 */
export function withServiceWorker(
  manifest: AssetManifest,
  { basePath, keepsOffline }: { readonly basePath: string; readonly keepsOffline: boolean },
): AssetManifest {
  const { [`${basePath}/sw-off.js`]: off, ...served } = manifest
  return keepsOffline || off === undefined ? served : { ...served, [`${basePath}/sw.js`]: off }
}
