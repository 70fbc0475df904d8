import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import { makeError } from '@/lib/i18n/t'
import type { HeaderSettings } from '@/lib/shared/server-facts/account-rows'

export const proxySecretHeader = 'x-nod-proxy-secret'

export interface NamedUser {
  /** The user id and name at the proxy. */
  readonly user: string
  readonly email: string | null
}

/**
 * The user that a trusted proxy named in the request header; null: none. Throws AppError `forbidden` if the header did
 * not come from a trusted proxy.
 */
export type ReadProxyHeader = (headers: Headers, peer: string | null) => NamedUser | null

const MAX_NAME_CHARS = 200

/** `a.b.c.d`, `::1`, with or without `/bits`; null for anything else. */
export function addressRange(
  word: string,
): { readonly address: string; readonly bits: number; readonly family: 'ipv4' | 'ipv6' } | null {
  const [address = '', bits, ...rest] = word.split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  if (version === 0 || rest.length > 0 || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)))
    return null
  return { address, bits: bits === undefined ? most : Number(bits), family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Built once per setting: each request asks, and a list takes longer to build than to check. */
const lists = new WeakMap<readonly string[], BlockList>()

function listOf(ranges: readonly string[]): BlockList {
  const known = lists.get(ranges)
  if (known) return known
  const list = new BlockList()
  for (const range of ranges.map(addressRange)) if (range) list.addSubnet(range.address, range.bits, range.family)
  lists.set(ranges, list)
  return list
}

/** Whether an address is in one of the ranges; `::ffff:10.0.0.1` is `10.0.0.1`. */
export function isAmong(ranges: readonly string[]): (address: string | null) => boolean {
  const list = listOf(ranges)
  return (address) => {
    const plain = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
    const version = isIP(plain)
    return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
  }
}

export function createProxyHeader({ user, email, secret, proxies }: HeaderSettings): ReadProxyHeader {
  const isProxy = isAmong(proxies)
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const right = digest(secret)
  return (headers, peer) => {
    // HTTP white space is already removed. Any other blank may distinguish two users of the proxy.
    const named = headers.get(user) ?? ''
    if (named === '') return null
    const secretHeader = headers.get(proxySecretHeader)
    if (
      !isProxy(peer) ||
      secretHeader === null ||
      !timingSafeEqual(digest(secretHeader), right) ||
      named.length > MAX_NAME_CHARS
    ) {
      throw makeError('forbidden', 'accounts.forged-header')
    }
    const address = headers.get(email)?.trim().toLowerCase() ?? ''
    const own = named.includes('@') ? named.toLowerCase() : null
    return { user: named, email: isEmail(address) ? address : own !== null && isEmail(own) ? own : null }
  }
}

/** Good enough to catch typos; the form of an address can't prove whose it is. */
export const isEmail = (text: string): boolean =>
  /^[^\s@,;<>"]{1,64}@[^\s@,;<>"]+\.[^\s@,;<>".]+$/.test(text) && text.length <= 254
