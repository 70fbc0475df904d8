import { BlockList, isIP } from 'node:net'

/*
 * A proxy describes the visitor in headers that anyone can write. They are trusted only as far as the operator's
 * setting says that proxies wrote the last entries, and are removed from all other requests.
 */

/**
 * Which proxies are trusted. `hops`: this many proxies are in front of every request; `networks`: any peer in these
 * networks is a proxy.
 */
export type ProxyTrust =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'networks'; readonly isProxy: (address: string) => boolean }

export const NOBODY: ProxyTrust = { kind: 'nobody' }

/** A proxy on the same machine. */
export const THIS_MACHINE = proxyTrust(['127.0.0.0/8', '::1/128'])

/** A machine of the same network or a container beside this one; never a peer from the internet. */
const PRIVATE = proxyTrust([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  'fc00::/7',
  'fe80::/10',
])

export const isThisMachine = (address: string): boolean => believesPeer(address, THIS_MACHINE)
export const isPrivate = (address: string): boolean => believesPeer(address, PRIVATE)

/** The parsed `NOD_TRUST_PROXY`: a number of proxies, or networks as `address` or `address/bits`. */
export function proxyTrust(proxies: number | readonly string[]): ProxyTrust {
  if (typeof proxies !== 'number') return networksOf(proxies)
  return proxies === 0 ? NOBODY : { kind: 'hops', hops: proxies }
}

export interface ForwardedVisitor {
  /** The address that connected to the first trusted proxy; the peer's own if there is none. */
  readonly address: string
  readonly proto: 'http' | 'https'
  /** The host that the visitor requested, if a trusted proxy passes it on in addition to `Host`. */
  readonly host: string | null
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Identifies the visitor by the peer's address and the trusted part of the forwarded headers. */
export function visitorOf(peer: string, headers: Headers, trust: ProxyTrust): ForwardedVisitor {
  const chain = [...listOf(headers['x-forwarded-for']).map(bareAddress), bareAddress(peer)]
  const hops = hopsOf(chain, trust)
  // A proxy that adds no address shortens the chain; then the outermost known address is used.
  const address = chain[Math.max(0, chain.length - 1 - hops)] ?? bareAddress(peer)
  return {
    address,
    proto: writtenBy(hops, headers['x-forwarded-proto'])?.toLowerCase() === 'https' ? 'https' : 'http',
    host: writtenBy(hops, headers['x-forwarded-host']),
  }
}

/** Whether the peer is a trusted proxy. */
export const believesPeer = (peer: string, trust: ProxyTrust): boolean => hopsOf([bareAddress(peer)], trust) > 0

/** How many trusted proxies are in front of us, counting the peer as the first. */
function hopsOf(chain: readonly string[], trust: ProxyTrust): number {
  if (trust.kind === 'nobody') return 0
  if (trust.kind === 'hops') return trust.hops
  const foreign = chain.findLastIndex((address) => !trust.isProxy(address))
  return chain.length - 1 - foreign
}

/** Each proxy appends to the header or replaces it: returns the list entry that the outermost trusted proxy wrote. */
function writtenBy(hops: number, header: string | readonly string[] | undefined): string | null {
  const list = listOf(header)
  return hops === 0 ? null : (list[Math.max(0, list.length - hops)] ?? null)
}

const listOf = (header: string | readonly string[] | undefined): readonly string[] =>
  (typeof header === 'string' ? header : (header ?? []).join(','))
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/**
 * The key under which requests of an address are counted. For IPv6 this is the /64 network of a household, which can
 * use any number of addresses.
 */
export function countedNetwork(address: string): string {
  const bare = bareAddress(address)
  if (isIP(bare) !== 6) return bare
  const [head = '', tail] = bare.split('::')
  const groupsOf = (part: string) => (part === '' ? [] : part.split(':'))
  const left = groupsOf(head)
  const right = groupsOf(tail ?? '').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]))
  const gap = Math.max(0, 8 - left.length - right.length)
  const groups = tail === undefined ? left : [...left, ...Array<string>(gap).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Without port, brackets and zone; an IPv4-mapped IPv6 address becomes its IPv4 address. */
function bareAddress(address: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(address) ?? []
  const [, withPort] = /^(\d+(?:\.\d+){3}):\d+$/.exec(address) ?? []
  const bare = (bracketed ?? withPort ?? address).replace(/%.*$/, '').toLowerCase()
  return /^[0:]*:ffff:/.test(bare) && isIP(bare) === 6 ? mappedOf(bare) : bare
}

/** `::ffff:7f00:1` and `0:0:0:0:0:ffff:127.0.0.1` are 127.0.0.1. Other addresses are returned unchanged. */
function mappedOf(address: string): string {
  const [, high = '', low = ''] =
    /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? []
  if (high === '') return address
  return [high, low].flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join('.')
}

function networksOf(networks: readonly string[]): ProxyTrust {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return {
    kind: 'networks',
    isProxy: (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6'),
  }
}
