import { BlockList, isIPv4, isIPv6, isIP } from 'node:net'
import { bareHost } from '@/lib/shared/web/web-address'
import type { WebFault } from '@/lib/shared/web/web-answer'

/*
 * The addresses that the server may connect to on a user's behalf. IPv4: everything outside of the IANA registry of
 * special addresses. IPv6: everything assigned for public use (2000::/3) without its special parts. So addresses that
 * contain an IPv4 address (mapped, NAT64, 6to4, Teredo) are never public.
 */

const specialV4 = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure serves its virtual machines here.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  specialV4.addSubnet(network, prefix, 'ipv4')
}

const publicV6 = new BlockList()
publicV6.addSubnet('2000::', 3, 'ipv6')

const specialV6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  specialV6.addSubnet(network, prefix, 'ipv6')
}

/** Whether this is a public internet address of one machine. Invalid addresses are not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, 'ipv4')
  // An address with a zone (`%eth0`) is link-local.
  if (!isIPv6(address) || address.includes('%')) return false
  return publicV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

const intranetV4 = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  intranetV4.addSubnet(network, prefix, 'ipv4')
}

const intranetV6 = new BlockList()
intranetV6.addSubnet('fc00::', 7, 'ipv6')
intranetV6.addAddress('::1', 'ipv6')

const metadataV6 = new BlockList()
metadataV6.addSubnet('fd00:ec2::', 32, 'ipv6')

/**
 * Whether this is an address of the operator's own networks or of this machine: allowed only for a host and port that
 * the operator listed. Addresses where clouds serve credentials are excluded.
 */
export function isIntranetAddress(address: string): boolean {
  if (isIPv4(address)) return intranetV4.check(address, 'ipv4')
  if (!isIPv6(address) || address.includes('%')) return false
  return intranetV6.check(address, 'ipv6') && !metadataV6.check(address, 'ipv6')
}

/** This machine, under any of its names. */
export const isLoopbackAddress = (address: string): boolean => /^127\.|^::1$|^(?:0*:){7}0*1$/.test(address)

/*
 * Which hosts page reading may connect to. `public`: any host with public addresses. `listed`: only the operator's
 * hosts. A host that is listed with a port (`http://10.0.0.5:8080`) may be in the operator's own networks, because
 * nobody adds a port by accident.
 */

export interface ReachSettings {
  readonly mode: 'listed' | 'public'
  /**
   * Policy sources, as returned by `readHosts`: `https://example.com`, `https://*.example.com`, `http://10.0.0.5:8080`.
   */
  readonly hosts: readonly string[]
  /** This server, which must not send requests to itself. */
  readonly own: {
    /** Lower case, without ports. */
    readonly names: ReadonlySet<string>
    readonly addresses: () => ReadonlySet<string>
    readonly port: number
  }
}

export type Permit =
  | {
      readonly ok: true
      /** Checks every address of the host before connecting. */
      readonly admits: (address: string) => boolean
      /** The operator listed this exact host and port, whose name may be known only to this machine. */
      readonly isOnPurpose: boolean
    }
  | { readonly ok: false; readonly why: WebFault }

export type Reach = (url: URL) => Permit

interface Listed {
  readonly protocol: string
  readonly host: string
  readonly isWildcard: boolean
  /** Null: 80 and 443. */
  readonly port: string | null
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

function readListed(source: string): Listed | null {
  const found = /^(https?:)\/\/(\*\.)?(\[[^\]]+\]|[^:]+)(?::(\d+|\*))?$/.exec(source)
  if (!found) return null
  const [, protocol = '', wildcard, host = '', port] = found
  return {
    protocol,
    host: host.replace(/^\[|\]$/g, ''),
    isWildcard: wildcard !== undefined,
    port: port === undefined || port === '*' ? null : port,
  }
}

const isOf = ({ host, isWildcard }: Listed, name: string): boolean =>
  isWildcard ? name.endsWith(`.${host}`) : name === host

export function createReach({ mode, hosts, own }: ReachSettings): Reach {
  const listed = hosts.flatMap((source) => readListed(source) ?? [])
  const isOwnName = (name: string) => own.names.has(name) || name === 'localhost' || name.endsWith('.localhost')

  return (url) => {
    const name = bareHost(url)
    const port = url.port === '' ? (defaultPorts[url.protocol] ?? '') : url.port
    const onPurpose = listed.some(
      (one) => one.port === port && one.protocol === url.protocol && !one.isWildcard && isOf(one, name),
    )
    if (onPurpose) {
      const isSelf = (address: string) =>
        port === String(own.port) && (isLoopbackAddress(address) || own.addresses().has(address))
      return {
        ok: true,
        isOnPurpose: true,
        admits: (address) => (isPublicAddress(address) || isIntranetAddress(address)) && !isSelf(address),
      }
    }
    if (isOwnName(name)) return { ok: false, why: 'own' }
    const isListed = listed.some((one) => one.port === null && isOf(one, name))
    if (mode === 'listed' && !isListed) return { ok: false, why: 'not-listed' }
    if (port !== '80' && port !== '443') return { ok: false, why: 'port' }
    if (isIP(name) !== 0 && !isPublicAddress(name)) return { ok: false, why: 'not-public' }
    return {
      ok: true,
      isOnPurpose: false,
      admits: (address) => isPublicAddress(address) && !own.addresses().has(address),
    }
  }
}
