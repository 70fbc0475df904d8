import { BlockList, isIP } from 'node:net'

/*
 * What a proxy in front says of the visitor is in headers that anyone can write. They are believed as far as the operator
 * says that the last ones were written by proxies of theirs, and are taken away from every other request.
 */

/** Whose word is taken. `hops`: this many proxies are in front of every request; `networks`: anyone who connects from there is one. */
export type ProxyTrust =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'hops'; readonly hops: number }
  | { readonly kind: 'networks'; readonly isProxy: (address: string) => boolean }

export const NOBODY: ProxyTrust = { kind: 'nobody' }

/** A proxy beside the server. */
export const THIS_MACHINE = proxyTrust(['127.0.0.0/8', '::1/128'])

/** A machine of the same network, a container beside this one: no one who comes from the internet. */
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

/** What `NOD_TRUST_PROXY` was read as: a number of proxies, or networks as `address` or `address/bits`. */
export function proxyTrust(proxies: number | readonly string[]): ProxyTrust {
  if (typeof proxies !== 'number') return networksOf(proxies)
  return proxies === 0 ? NOBODY : { kind: 'hops', hops: proxies }
}

export interface ForwardedVisitor {
  /** The address that connected to the first proxy that is believed; the peer's own where none is. */
  readonly address: string
  readonly proto: 'http' | 'https'
  /** The name that the visitor asked for, where a believed proxy passes it on beside `Host`. */
  readonly host: string | null
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Who is asking, by the address that connected and as much of the forwarded headers as is believed. */
export function visitorOf(peer: string, headers: Headers, trust: ProxyTrust): ForwardedVisitor {
  const chain = [...listOf(headers['x-forwarded-for']).map(bareAddress), bareAddress(peer)]
  const hops = hopsOf(chain, trust)
  // A proxy that names no one leaves the chain short: then the outermost address that is known.
  const address = chain[Math.max(0, chain.length - 1 - hops)] ?? bareAddress(peer)
  return {
    address,
    proto: writtenBy(hops, headers['x-forwarded-proto'])?.toLowerCase() === 'https' ? 'https' : 'http',
    host: writtenBy(hops, headers['x-forwarded-host']),
  }
}

/** Whether anyone who connects is a proxy that is believed. */
export const believesPeer = (peer: string, trust: ProxyTrust): boolean => hopsOf([bareAddress(peer)], trust) > 0

/** How many proxies that are believed are before us, the peer being the first. */
function hopsOf(chain: readonly string[], trust: ProxyTrust): number {
  if (trust.kind === 'nobody') return 0
  if (trust.kind === 'hops') return trust.hops
  const foreign = chain.findLastIndex((address) => !trust.isProxy(address))
  return chain.length - 1 - foreign
}

/** Each proxy appends or writes over: of a list the entry that the outermost believed one wrote. */
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
 * What requests from an address are counted under: of IPv6 the network of a household, /64, in which everyone has as many
 * addresses as they like.
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

/** Without port, brackets and zone; an IPv4 address in IPv6's clothes as itself. */
function bareAddress(address: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(address) ?? []
  const [, withPort] = /^(\d+(?:\.\d+){3}):\d+$/.exec(address) ?? []
  const bare = (bracketed ?? withPort ?? address).replace(/%.*$/, '').toLowerCase()
  return bare.replace(/^::ffff:(?=\d+\.)/, '')
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
