import type { Settings } from '@/lib/server/settings/settings-table'

export interface Bind {
  readonly host: string
  /** Only this machine can connect. */
  readonly isLoopback: boolean
  /** Names that the operator allows besides those of this machine, in lower case. */
  readonly allowedHosts: readonly string[]
  /** One person's own: nobody else is let in by the address, a name or a token. */
  readonly isPersonal: boolean
}

/** `HOST`, `NOD_ALLOWED_HOSTS` (names, by commas) and `NOD_ACCESS_TOKEN`. */
export function readBind(settings: Pick<Settings, 'HOST' | 'NOD_ALLOWED_HOSTS' | 'NOD_ACCESS_TOKEN'>): Bind {
  const host = settings.HOST
  const allowedHosts = settings.NOD_ALLOWED_HOSTS.map((name) => name.toLowerCase())
  const isLoopback = isLoopbackName(host)
  return {
    host,
    isLoopback,
    allowedHosts,
    isPersonal: isLoopback && allowedHosts.length === 0 && settings.NOD_ACCESS_TOKEN === null,
  }
}

export function isLoopbackName(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name)
}

/**
 * Whether a request asks for this server by a name of its own. On a loopback bind everything else is a page elsewhere whose
 * name was pointed at this machine (DNS rebinding): the browser then takes it for our own origin. A public bind is asked
 * by names that only its operator knows; once they are listed, others are refused there too.
 */
export function isHostAllowed(request: Request, bind: Bind): boolean {
  if (!bind.isLoopback && bind.allowedHosts.length === 0) return true
  const asked = (request.headers.get('host') ?? new URL(request.url).host).trim().toLowerCase()
  const name = asked.replace(/:\d*$/, '')
  if (bind.allowedHosts.includes(name) || bind.allowedHosts.includes(asked)) return true
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || (bind.isLoopback && name === bind.host)
}
