import { plural } from '@/lib/base/text/locale'
import type { Bind } from './bind'

export interface Openness {
  readonly bind: Bind
  readonly port: string
  /** A token is asked for. */
  readonly guarded: boolean
  /** Who chats without an account, and how an account is made; null: there are no accounts. */
  readonly accounts: { readonly anonymous: boolean; readonly signUp: 'anyone' | 'invited' | 'elsewhere' } | null
  /** Labels of the providers that cost somebody money: those with a key. */
  readonly paid: readonly string[]
  /** This machine's addresses in its networks. */
  readonly addresses: readonly string[]
}

/** What whoever runs the server should look at is a warning. */
export interface OpennessLine {
  readonly level: 'info' | 'warn'
  readonly text: string
}

/**
 * What a start says of who can come in: nothing for a server of this machine alone, else one line a fact with the way
 * to close it. Nothing here is a guess: what stands in front of the server is not known to it, and not spoken of.
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
