import { err, ok, type Result } from '@/lib/base/result'
import type { McpTool, ToolPage, ToolServer } from '@/lib/shared/conversation/settings/tool-server'
import type { CallAnswer, CallRequest, ConnectFailure } from '@/lib/shared/mcp/call-answer'
import { type ToolList, toolPage } from '@/lib/shared/mcp/tool-page'
import type { KnownServer } from './offered-tools'
import type { Asked, RemoteServer } from './remote-server'
import type { Offer, OfferRequest } from '@/lib/shared/mcp/offers'

interface ServerOffersPorts {
  readonly find: (id: string) => { readonly server: ToolServer } | undefined
  readonly remoteOf: (server: ToolServer) => Pick<RemoteServer, 'connect' | 'offer'>
}

/** Lists what a server offers to people. Never rejects. */
function serverOffers({ find, remoteOf }: ServerOffersPorts) {
  const connected = new Set<string>()
  return async (id: string, ask: OfferRequest): Promise<Asked<Offer>> => {
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

/** How many texts are kept to be shown without another request. */
const MAX_KEPT = 6
/** The most pages of one server. */
const MAX_PAGES = 20
/** The time limit of a call that a page asked for, without progress. */
const PAGE_CALL_MS = 60_000

export interface ReadPage {
  readonly page: ToolPage
  readonly html: string
}

/**
 * The pages of tools (MCP Apps), as this browser page read them. A list of tools names a page only by its address, so
 * the page is read when a list first names it, and when it is opened: if the text has changed by then, it waits for
 * approval like a changed tool.
 */
export function createToolPages() {
  const texts = new Map<string, string>()
  /** The last read pages, by server and address. */
  const read = new Map<string, ToolPage>()
  const keyOf = (server: string, uri: string) => `${server} ${uri}`

  /** `server`: its id, or its address while it is tested. Null: the response is no page. */
  async function fetchPage(
    server: string,
    remote: Pick<RemoteServer, 'offer'>,
    uri: string,
    signal?: AbortSignal,
  ): Promise<Asked<ReadPage | null>> {
    const answer = await remote.offer({ ask: 'page', uri }, signal)
    if (!answer.ok) return answer
    if (!answer.value.page) return { ok: true, value: null }
    const { html } = answer.value.page
    const page = await toolPage(uri, answer.value.page)
    texts.delete(page.hash)
    texts.set(page.hash, html)
    for (const [oldest] of [...texts].slice(0, -MAX_KEPT)) texts.delete(oldest)
    read.set(keyOf(server, uri), page)
    return { ok: true, value: { page, html } }
  }

  return {
    read: fetchPage,
    /** The text of an approved page; undefined: it must be read. */
    textOf: (hash: string): string | undefined => texts.get(hash),
    /** The tools of a list with their pages. Pages that were read or approved before are not requested again. */
    async withPages(
      server: string,
      remote: Pick<RemoteServer, 'offer'>,
      { tools, pages }: ToolList,
      approved: readonly McpTool[],
      signal?: AbortSignal,
    ): Promise<readonly McpTool[]> {
      const known = new Map(approved.flatMap(({ page }) => (page ? [[page.uri, page] as const] : [])))
      for (const uri of [...new Set(pages.values())].slice(0, MAX_PAGES)) {
        const before = read.get(keyOf(server, uri)) ?? known.get(uri)
        if (before) known.set(uri, before)
        else {
          const answer = await fetchPage(server, remote, uri, signal)
          if (answer.ok && answer.value) known.set(uri, answer.value.page)
        }
      }
      return tools.map((tool) => {
        const page = known.get(pages.get(tool.name) ?? '')
        return page ? { ...tool, page } : tool
      })
    },
  }
}

/** Why a page of a tool is not opened. */
export type ClosedPage =
  | { readonly why: 'off' | 'changed' | 'no-page' }
  | { readonly why: 'unread'; readonly failure: ConnectFailure }

interface PageMethodsPorts {
  readonly find: (id: string) => KnownServer | undefined
  readonly pages: ReturnType<typeof createToolPages>
  readonly remoteNow: (server: ToolServer) => Pick<RemoteServer, 'call'>
  readonly remoteOf: (server: ToolServer) => RemoteServer
  readonly check: (id: string) => Promise<void>
}

/** User requests to servers: prompts, resources, and pages of tools (MCP Apps) with the calls that these ask for. */
export function pageMethods({ find, pages, remoteOf, remoteNow, check }: PageMethodsPorts) {
  const approvedOf = (id: string, tool: string) => {
    const known = find(id)
    return known?.server.isOn ? known.approved.find(({ name }) => name === tool) : undefined
  }
  /** Tools that pages of this server may ask for: approved, and not for models only. */
  const toolForPages = (id: string, tool: string): McpTool | null => {
    const approved = approvedOf(id, tool)
    return approved && approved.visibility !== 'model' ? approved : null
  }
  const offer = serverOffers({ find, remoteOf })
  return {
    /** What a stored server offers to people. */
    offer,
    toolForPages,
    /** The page of a tool, as it was approved. Never rejects. */
    async toolPage(id: string, tool: string): Promise<Result<string, ClosedPage>> {
      const approved = approvedOf(id, tool)
      if (!approved) return err({ why: 'off' })
      if (!approved.page) return err({ why: 'no-page' })
      const { uri, hash } = approved.page
      const kept = pages.textOf(hash)
      if (kept !== undefined) return ok(kept)
      const answer = await pages.read(id, { offer: (ask) => offer(id, ask) }, uri)
      if (!answer.ok) return err({ why: 'unread', failure: answer.failure })
      if (answer.value?.page.hash === hash) return ok(answer.value.html)
      // The check updates the list, too: the tool waits until its owner has read what changed.
      await check(id)
      return err({ why: answer.value ? 'changed' : 'no-page' })
    },
    /**
     * Sends a call that a page asked for and the user decided on. It is sent once, and no model gets it. Never rejects.
     */
    async callForPage(
      id: string,
      { name, args }: Pick<CallRequest, 'name' | 'args'>,
      options: Pick<Parameters<RemoteServer['call']>[1], 'signal' | 'onProgress' | 'of'>,
    ): Promise<CallAnswer> {
      const server = find(id)?.server
      if (!server || !toolForPages(id, name)) return { kind: 'not-sent', failure: { kind: 'changed' } }
      return remoteNow(server).call({ name, args, timeoutMs: PAGE_CALL_MS }, options)
    },
  }
}
