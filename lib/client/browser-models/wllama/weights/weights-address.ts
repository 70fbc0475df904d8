import { makeError } from '@/lib/i18n/t'

export interface WeightsAddress {
  readonly url: URL
  /** The file's name. */
  readonly name: string
}

/** `https://huggingface.co/a/b/blob/main/x.gguf` is a page about the file, `…/resolve/…` the file. */
const pageOfFile = /^(\/[^/]+\/[^/]+)\/blob\//

/**
 * Reads a typed address, if this server allows weights from it.
 * @param hosts sources as in a Content-Security-Policy: `https://huggingface.co`, `https://*.hf.co`,
 * `http://127.0.0.1:*`
 * @throws {AppError} `bad-request` if it is no address, `forbidden` if its host is not among them
 */
export function readWeightsAddress(text: string, hosts: readonly string[]): WeightsAddress {
  const written = text.trim()
  const whole = /^[a-z][a-z\d+.-]*:/i.test(written) && !/^[\w.-]+:\d/.test(written) ? written : `https://${written}`
  if (!/[^\s/]\.|localhost|\[/.test(written) || !URL.canParse(whole))
    throw makeError('bad-request', 'wllama.no-address')
  const url = new URL(whole)
  if (!/^https?:$/.test(url.protocol) || url.hostname === '') throw makeError('bad-request', 'wllama.no-address')
  url.hash = ''
  if (url.hostname === 'huggingface.co') url.pathname = url.pathname.replace(pageOfFile, '$1/resolve/')
  if (!hosts.some((source) => isOf(url, source))) {
    if (url.protocol === 'http:') throw makeError('bad-request', 'wllama.not-https', { host: url.host })
    const names = hosts.map((source) => source.replace(/^https:\/\//, '')).join(', ')
    throw makeError('forbidden', 'wllama.host-not-allowed', { host: url.host, hosts: names })
  }
  return { url, name: nameOf(url) }
}

function nameOf(url: URL): string {
  const last = url.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last) || url.host
  } catch {
    return last
  }
}

/** Whether a policy with this source allows the address. */
function isOf(url: URL, source: string): boolean {
  const [, scheme = '', host = '', port = ''] = /^(https?:)\/\/(.+?)(?::(\d+|\*))?$/.exec(source) ?? []
  if (url.protocol !== scheme) return false
  const isHost = host.startsWith('*.') ? url.hostname.endsWith(host.slice(1)) : url.hostname === host
  const own = url.port || (scheme === 'https:' ? '443' : '80')
  return isHost && (port === '*' || own === (port || (scheme === 'https:' ? '443' : '80')))
}

/** The hosts that a policy allows beside its own origin. */
export function hostsOfPolicy(policy: string): readonly string[] {
  const [, sources = ''] = /(?:^|;)\s*connect-src ([^;]*)/.exec(policy) ?? []
  return sources.split(/\s+/).filter((source) => /^https?:\/\//.test(source))
}
