import { availableParallelism } from 'node:os'
import { readBind } from '@/lib/server/http/bind'
import { proxyTrust, THIS_MACHINE, type ProxyTrust } from '@/lib/server/http/forwarded'
import type { Settings } from '@/lib/server/settings/settings-table'

export interface ServeSettings {
  readonly host: string
  readonly port: number
  readonly workers: number
  /** Null: wherever the build stands. */
  readonly basePath: string | null
  readonly trust: ProxyTrust
  /** Headers by which a proxy says who asks; who signs people in by them judges them. In lower case. */
  readonly namedBy: readonly string[]
  readonly graceMs: number
  /** The part of it in which requests are still taken. */
  readonly delayMs: number
}

/** How the server is reached, by how many processes, and whose word on visitors it takes. */
export const serveSettings = (settings: Settings, cores: () => number = availableParallelism): ServeSettings => ({
  host: settings.HOST,
  port: settings.PORT,
  workers: settings.NOD_WORKERS || cores(),
  basePath: settings.NOD_BASE_PATH?.replace(/\/+$/, '') ?? null,
  trust: proxyTrustOf(settings),
  namedBy: settings.NOD_AUTH.some((way) => way.toLowerCase() === 'header')
    ? [settings.NOD_AUTH_HEADER, settings.NOD_AUTH_HEADER_EMAIL].map((name) => name.toLowerCase())
    : [],
  graceMs: settings.NOD_SHUTDOWN_GRACE_MS,
  // Nobody balances what one person alone can reach.
  delayMs: readBind(settings).isPersonal ? 0 : Math.min(settings.NOD_SHUTDOWN_DELAY_MS, settings.NOD_SHUTDOWN_GRACE_MS),
})

/**
 * Who listens on this machine alone and is asked by other names has a proxy beside it: no one else can reach the port, so its
 * word is taken without being asked for. Whatever else believes a proxy says so in `NOD_TRUST_PROXY`.
 */
export function proxyTrustOf(settings: Settings): ProxyTrust {
  const { isLoopback, allowedHosts } = readBind(settings)
  const isBesideProxy = settings.NOD_TRUST_PROXY === 0 && isLoopback && allowedHosts.length > 0
  return isBesideProxy ? THIS_MACHINE : proxyTrust(settings.NOD_TRUST_PROXY)
}
