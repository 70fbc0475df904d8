import { err, ok, type Result } from '@/lib/base/result'

/*
 * Addresses of pages that a model asks for. The card and the server both use this function, so the server fetches the
 * address that the card shows.
 */

/** A longer address can carry out more data than a page needs. */
export const maxAddressCharacters = 2_000
export const maxQueryCharacters = 400

export type AddressFlaw = 'malformed' | 'scheme' | 'credentials' | 'long'

/** The address as the server would send it, without its fragment. */
export function readWebAddress(text: string): Result<URL, AddressFlaw> {
  const written = text.trim()
  if (written.length > maxAddressCharacters) return err('long')
  if (!URL.canParse(written)) return err('malformed')
  const url = new URL(written)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return err('scheme')
  // The URL parser drops or repairs these, so it would fetch another address than the written one.
  if (/[\s\\\p{Cc}]/u.test(written) || !/^https?:\/\//i.test(written)) return err('malformed')
  const authority = /^[^/]*\/\/([^/?#]*)/.exec(written)?.[1] ?? ''
  if (authority.includes('@') || url.username !== '' || url.password !== '') return err('credentials')
  url.hash = ''
  // `example.com.` is the same host.
  const name = url.hostname.replace(/\.$/, '')
  if (name === '' || name.endsWith('.')) return err('malformed')
  if (name !== url.hostname) url.hostname = name
  return url.href.length > maxAddressCharacters ? err('long') : ok(url)
}

const plainPath = 200

/** The origin of an address that carries little away: without a query, with a short path. Null: any other. */
export function plainOrigin(text: string): string | null {
  const read = readWebAddress(text)
  if (!read.ok || read.value.href.includes('?') || read.value.pathname.length > plainPath) return null
  return read.value.origin
}

/** Host names without the brackets of IPv6. */
export const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/** The host decoded from punycode (`xn--…`); null if it is not in punycode. */
export function unicodeHost(hostname: string): string | null {
  if (!hostname.includes('xn--')) return null
  const labels = hostname.split('.').map((label) => (label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label))
  return labels.includes(null) ? null : labels.join('.')
}

/** RFC 3492, section 6.2. Null: not punycode. */
function decodePunycode(encoded: string): string | null {
  if (encoded === '') return null
  const output: number[] = []
  const dash = encoded.lastIndexOf('-')
  for (const letter of dash > 0 ? encoded.slice(0, dash) : '') output.push(letter.codePointAt(0) ?? 0)
  let [code, bias, at] = [128, 72, 0]
  let read = dash > 0 ? dash + 1 : 0
  while (read < encoded.length) {
    const before = at
    let weight = 1
    for (let k = 36; ; k += 36) {
      const digit = digitOf(encoded.charCodeAt(read++))
      if (digit < 0) return null
      at += digit * weight
      const threshold = k <= bias ? 1 : Math.min(26, k - bias)
      if (digit < threshold) break
      weight *= 36 - threshold
      if (weight > 0x7fffffff) return null
    }
    const length = output.length + 1
    bias = adaptBias(at - before, length, before === 0)
    code += Math.floor(at / length)
    at %= length
    if (code > 0x10ffff) return null
    output.splice(at++, 0, code)
  }
  return String.fromCodePoint(...output)
}

function digitOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  return code >= 0x41 && code <= 0x5a ? code - 0x41 : -1
}

function adaptBias(delta: number, length: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / 700) : delta >> 1
  left += Math.floor(left / length)
  let k = 0
  for (; left > 455; k += 36) left = Math.floor(left / 35)
  return k + Math.floor((36 * left) / (left + 38))
}
