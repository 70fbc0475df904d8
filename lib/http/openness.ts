import { plural } from '@/lib/base/locale'
import type { Bind } from './bind'

export interface Openness {
  readonly bind: Bind
  readonly port: string
  /** A token is asked for. */
  readonly guarded: boolean
  /** Labels of the providers that cost somebody money: those with a key. */
  readonly paid: readonly string[]
  /** This machine's addresses in its networks. */
  readonly addresses: readonly string[]
}

/**
 * What a start says of who can come in: nothing for a server of this machine alone, else one line a fact with the way
 * to close it. Nothing here is a guess: what stands in front of the server is not known to it, and not spoken of.
 */
export function opennessLines({ bind, port, guarded, paid, addresses }: Openness): readonly string[] {
  if (bind.isLoopback && bind.allowedHosts.length === 0) return []
  const everywhere = ['0.0.0.0', '::', '[::]'].includes(bind.host)
  const reachable = everywhere ? addresses : bind.isLoopback ? [] : [bind.host]
  const lines: string[] = []
  if (!bind.isLoopback) {
    const where = reachable.map((address) => `http://${address.includes(':') ? `[${address}]` : address}:${port}`)
    lines.push(`Open to the network${where.length > 0 ? `: ${where.join(' · ')}` : ` (bound to ${bind.host})`}`)
  }
  if (bind.allowedHosts.length > 0) lines.push(`Answers to: ${bind.allowedHosts.join(', ')} (NOD_ALLOWED_HOSTS)`)
  if (guarded) lines.push('Who has the access token gets in (NOD_ACCESS_TOKEN).')
  else {
    lines.push('Whoever reaches it gets in: set NOD_ACCESS_TOKEN to 16 random characters or more to ask for a token.')
    if (paid.length > 0)
      lines.push(
        `They chat at your cost: ${paid.join(', ')} ${plural(paid.length, { one: 'has', other: 'have' })} a key of yours.`,
      )
  }
  if (!bind.isLoopback) {
    lines.push(
      'Browsers run tool calls only over HTTPS or on localhost: put a proxy with a certificate in front for everybody else.',
    )
  }
  return lines
}
