import type { Settings } from '@/lib/server/settings/settings-table'
import { plural } from '@/lib/base/text/locale'

export interface Bind {
  readonly host: string
  /** Only this machine can connect. */
  readonly isLoopback: boolean
  /** Host names that the operator allows in addition to those of this machine, in lower case. */
  readonly allowedHosts: readonly string[]
  /** Used by one person: no address, name or token lets anyone else connect. */
  readonly isPersonal: boolean
}

/** `HOST`, `NOD_ALLOWED_HOSTS` (names, separated by commas) and `NOD_ACCESS_TOKEN`. */
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
 * Whether the request's host name is one of this server. On a loopback bind, any other name is a foreign page whose
 * name points to this machine (DNS rebinding), which the browser treats as our own origin. A public bind has names that
 * only its operator knows; once they are listed, others are refused there too.
 */
export function isHostAllowed(request: Request, bind: Bind): boolean {
  if (!bind.isLoopback && bind.allowedHosts.length === 0) return true
  const asked = (request.headers.get('host') ?? new URL(request.url).host).trim().toLowerCase()
  const name = asked.replace(/:\d*$/, '')
  if (bind.allowedHosts.includes(name) || bind.allowedHosts.includes(asked)) return true
  return name === 'localhost' || name === '127.0.0.1' || name === '[::1]' || (bind.isLoopback && name === bind.host)
}

export interface Openness {
  readonly bind: Bind
  readonly port: string
  /** An access token is required. */
  readonly guarded: boolean
  /** Who can chat without an account, and how accounts are created; null: there are no accounts. */
  readonly accounts: { readonly anonymous: boolean; readonly signUp: 'anyone' | 'invited' | 'elsewhere' } | null
  /** Labels of the providers that cost money: those with a key. */
  readonly paid: readonly string[]
  /** This machine's addresses in its networks. */
  readonly addresses: readonly string[]
}

/** A line that the operator should act on is a warning. */
export interface OpennessLine {
  readonly level: 'info' | 'warn'
  readonly text: string
}

/**
 * What the start-up log says about who can connect: nothing for a server of this machine alone, otherwise one line per
 * fact with the way to restrict it. Only facts: the server does not know what is in front of it, so that is not
 * mentioned.
 */
export function opennessLines({ bind, port, guarded, accounts, paid, addresses }: Openness): readonly OpennessLine[] {
  if (bind.isLoopback && bind.allowedHosts.length === 0) return []
  const everywhere = ['0.0.0.0', '::', '[::]'].includes(bind.host)
  const reachable = everywhere ? addresses : bind.isLoopback ? [] : [bind.host]
  const lines: OpennessLine[] = []
  const say = (text: string, level: OpennessLine['level'] = 'info') => void lines.push({ level, text })
  if (!bind.isLoopback) {
    const where = reachable.map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`)
    say(`Open to the network${where.length > 0 ? `: ${where.join(' · ')}` : ` (bound to ${bind.host})`}`)
  }
  if (bind.allowedHosts.length > 0) say(`Answers to: ${bind.allowedHosts.join(', ')} (NOD_ALLOWED_HOSTS)`)
  const anyoneChats = !guarded && (accounts === null || accounts.anonymous)
  const anyoneSignsUp = !guarded && accounts?.signUp === 'anyone'
  if (guarded) say('Who has the access token gets in (NOD_ACCESS_TOKEN).')
  if (anyoneChats) {
    const close =
      accounts === null
        ? 'set NOD_ACCESS_TOKEN to 16 random characters or more to ask for a token'
        : 'set NOD_AUTH_ANONYMOUS=off to ask everybody to sign in'
    say(`Whoever reaches it gets in: ${close}.`, 'warn')
  } else if (accounts?.anonymous === false) say('Only people with an account get in (NOD_AUTH_ANONYMOUS=off).')
  if (anyoneSignsUp)
    say('Whoever reaches it can make an account: add “invite” to NOD_AUTH to ask for an invitation.', 'warn')
  if (paid.length > 0 && (anyoneChats || anyoneSignsUp)) {
    const keys = plural(paid.length, { one: 'has', other: 'have' })
    say(`They chat at your cost: ${paid.join(', ')} ${keys} a key of yours.`, 'warn')
  }
  if (!bind.isLoopback) {
    say(
      'Browsers run tool calls only over HTTPS or on localhost: put a proxy with a certificate in front for everybody else.',
    )
  }
  return lines
}
