import { BlockList, isIPv4, isIPv6 } from 'node:net'

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
