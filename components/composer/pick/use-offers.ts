'use client'

import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { localStorageOrNull } from '@/lib/base/features.browser'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'
import type { Asked } from '@/lib/client/mcp/remote-server'
import type { createToolServers } from '@/lib/client/mcp/tool-servers'
import { storageSpace } from '@/lib/client/outbox/outbox'
import { pageWho } from '@/lib/client/wiring/nod-api.browser'
import { toolServersKey } from '@/lib/client/wiring/tools/chat-tools.browser'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import { hostOf, type ToolServer } from '@/lib/shared/conversation/settings/tool-server'

type Servers = Pick<ReturnType<typeof createToolServers>, 'load' | 'getState' | 'subscribe' | 'offer'>

/** A server, and its list if it was requested in this page. */
export interface OfferingServer {
  readonly server: Pick<ToolServer, 'id' | 'name' | 'url'>
  readonly listed: Offer | null
}

export interface Offers {
  readonly servers: readonly OfferingServer[]
  /** List headings by server; `servers` is the heading for servers that were not asked yet. */
  readonly groups: Readonly<Record<string, string>>
  /** Which server is being asked, or why it failed; a sentence. */
  readonly note: string | null
  /** Asks a server for its list, which is cached in this page; null on failure, with the reason in `note`. */
  readonly ask: (server: OfferingServer['server'], asked: OfferRequest) => Promise<Offer | null>
}

/** Lists by `ID what`, cached until a reload. */
const lists = new Map<string, Offer>()

/** The tool server code loads only if there are servers. */
async function loadServers(): Promise<Servers | null> {
  const local = localStorageOrNull()
  if (!local || storageSpace(local, pageWho).getItem(toolServersKey) === null) return null
  const { toolServers } = await loadPart(() => import('@/lib/client/wiring/tools/tool-servers.browser'))
  await toolServers.load()
  return toolServers
}

const nobody = () => () => {}
const none: readonly OfferingServer[] = []

/** The user's tool servers and what they offer. A server is asked only when the user picks it. */
export function useOffers(what: 'prompts' | 'resources', load = loadServers): Offers {
  const [servers, setServers] = useState<Servers | null>(null)
  const [note, setNote] = useState<string | null>(null)
  const [, setCount] = useState(0)
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    load().then(
      (found) => isThere.current && setServers(found),
      () => undefined,
    )
    return () => {
      isThere.current = false
    }
  }, [load])
  const known = useSyncExternalStore(
    servers?.subscribe ?? nobody,
    () => servers?.getState() ?? null,
    () => null,
  )

  const offering =
    known
      ?.filter(({ server }) => server.isOn)
      .map(({ server }) => ({ server, listed: lists.get(`${server.id} ${what}`) ?? null })) ?? none
  return {
    servers: offering,
    groups: {
      servers: t('pick.servers'),
      ...Object.fromEntries(
        offering.map(({ server }) => [server.id, t('pick.from', { name: asUntrusted(server.name) })]),
      ),
    },
    note,
    async ask(server, asked) {
      if (!servers) return null
      const name = asUntrusted(server.name)
      setNote(t('pick.asking', { name }))
      const answer = await servers.offer(server.id, asked)
      if (!isThere.current) return null
      setNote(answer.ok ? null : failureWords(answer, server))
      if (!answer.ok) return null
      if (asked.ask !== what) return answer.value
      lists.set(`${server.id} ${what}`, answer.value)
      setCount((count) => count + 1)
      if (answer.value[what].length === 0) setNote(t(`pick.no-${what}`, { name }))
      return answer.value
    },
  }
}

function failureWords({ failure }: Extract<Asked<Offer>, { ok: false }>, { url }: Pick<ToolServer, 'url'>): string {
  const host = asUntrusted(hostOf(url))
  if (failure.kind === 'sign-in') return t('pick.sign-in', { host })
  if (failure.kind === 'not-mcp') return t('pick.refused', { host, why: asUntrusted(failure.message.slice(0, 200)) })
  if (failure.kind === 'http') return t('pick.refused', { host, why: asUntrusted(`HTTP ${failure.status}`) })
  return t('pick.failed', { host })
}
