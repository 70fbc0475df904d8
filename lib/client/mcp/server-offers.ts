import type { ToolServer } from '@/lib/shared/conversation/settings/tool-server'
import type { Offer, OfferAsk } from '@/lib/shared/mcp/offers'
import type { Asked, RemoteServer } from './remote-server'

interface ServerOffersPorts {
  readonly find: (id: string) => { readonly server: ToolServer } | undefined
  readonly remoteOf: (server: ToolServer) => Pick<RemoteServer, 'connect' | 'offer'>
}

/** Lists what a server offers to people. Never rejects. */
export function serverOffers({ find, remoteOf }: ServerOffersPorts) {
  const connected = new Set<string>()
  return async (id: string, ask: OfferAsk): Promise<Asked<Offer>> => {
    const server = find(id)?.server
    if (!server) return { ok: false, failure: { kind: 'unread' } }
    const remote = remoteOf(server)
    if (connected.has(id)) {
      const answer = await remote.offer(ask)
      if (answer.ok) return answer
      // Its session or its worker may have ended: try once more, from the beginning.
      connected.delete(id)
    }
    const met = await remote.connect(server.url, server.era?.kind === 'legacy' ? 'legacy' : 'auto')
    if (!met.ok) return met
    const answer = await remote.offer(ask)
    if (answer.ok) connected.add(id)
    return answer
  }
}
