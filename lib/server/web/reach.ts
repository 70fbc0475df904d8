import { isIP } from 'node:net'
import { bareHost } from '@/lib/shared/web/web-address'
import type { WebFault } from '@/lib/shared/web/web-answer'
import { isIntranetAddress, isLoopbackAddress, isPublicAddress } from './public-address'

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
