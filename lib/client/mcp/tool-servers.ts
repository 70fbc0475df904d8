import { msSince } from '@/lib/base/clocks'
import type { ApiAnswer } from '@/lib/client/api/api-failure'
import { ok } from '@/lib/base/result'
import type { ToolsOfChat } from '@/lib/shared/conversation/wire/api-types'
import type { RegisteredTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'
import { compareTools } from '@/lib/shared/mcp/compare-tools'
import { readToolList } from '@/lib/shared/mcp/tool-page'
import type { ConnectedTools } from '@/lib/shared/tools/connected-tools'
import type { ConnectedServer } from '@/lib/shared/mcp/call-answer'
import { cacheToolSet, withToolSets } from '@/lib/client/api/load-tool-sets'
import { type Asked, type RemoteServer, createServerConnections } from './remote-server'
import { createChatConnections, lastComparison, type KnownServer, type ServerStatus } from './offered-tools'
import { createToolPages, pageMethods } from './tool-pages'
import type { SignInResult, SignInStep } from './sign-in/sign-in-steps'

/** A list is compared again after this long, and on request. */
const FRESH_MS = 5 * 60_000
/** A server that used the older version is asked for the new one again after this long. */
const LEGACY_MS = 7 * 24 * 3_600_000
/** The longest wait of a message for servers: after that, approved tools are offered as they are. */
const PATIENCE_MS = 1_500

/** The result of testing a server. */
export interface Listed {
  readonly connected: ConnectedServer
  readonly tools: readonly McpTool[]
  /** The number of tools over the limit. */
  readonly leftOut: number
}

export interface ToolServersPorts {
  readonly api: {
    toolServers(): Promise<ApiAnswer<readonly ToolServer[]>>
    saveToolServer(id: string, body: ToolServerToSave): Promise<ApiAnswer<ToolServer>>
    removeToolServer(id: string): Promise<ApiAnswer<unknown>>
    toolSet(hash: string): Promise<ApiAnswer<readonly McpTool[]>>
    useToolServers(conversationId: string, servers: readonly string[]): Promise<ApiAnswer<ToolsOfChat>>
  }
  readonly open: (url: string) => RemoteServer
  readonly connected: ConnectedTools
  readonly now: () => number
  readonly monotonic: () => number
  readonly wait: (ms: number) => Promise<void>
  /** The tools of a chat changed. */
  readonly onTools: (conversationId: string, tools: readonly RegisteredTool[]) => void
  /** Whether there are any servers: the next visit loads them only then. */
  readonly onCount: (count: number) => void
  /** When this browser last sent calls to servers, epoch milliseconds. */
  readonly uses?: {
    readonly of: (id: string) => number | null
    /** Null: the server was removed. */
    readonly note: (id: string, at: number | null) => void
  }
}

interface ToList {
  readonly url: string
  readonly era: 'auto' | 'legacy'
  readonly pages: ReturnType<typeof createToolPages>
  /** Its id, or its address while it is tested. */
  readonly server: string
  readonly approved: readonly McpTool[]
  readonly signal?: AbortSignal
}

/** Connects, and reads the whole list, with pages that are new in it. */
async function list(
  remote: RemoteServer,
  { url, era, pages, server, approved, signal }: ToList,
): Promise<Asked<Listed>> {
  const met = await remote.connect(url, era, signal)
  if (!met.ok) return met
  const listed = await remote.list(signal)
  if (!listed.ok) return listed
  const read = readToolList(listed.value)
  const tools = await pages.withPages(server, remote, read, approved, signal)
  return { ok: true, value: { connected: met.value, tools, leftOut: read.leftOut } }
}

async function statusAfter(
  listed: Asked<Listed>,
  { server, approved, status: before }: KnownServer,
  at: number,
): Promise<ServerStatus> {
  if (!listed.ok) return { phase: 'failed', at, failure: listed.failure, last: lastComparison(before) }
  const { tools, leftOut } = listed.value
  return { phase: 'listed', at, comparison: await compareTools(tools, approved, server.declined), leftOut }
}

/** A stored server, with its approved tools. */
async function withApproved(
  api: Pick<ToolServersPorts['api'], 'toolSet'>,
  server: ToolServer,
): Promise<ApiAnswer<KnownServer>> {
  if (server.approvedHash === null) return ok({ server, approved: [], status: { phase: 'unchecked' } })
  const approved = await api.toolSet(server.approvedHash)
  if (!approved.ok) return approved
  cacheToolSet(server.approvedHash, approved.value)
  return ok({ server, approved: approved.value, status: { phase: 'unchecked' } })
}

async function loadAll(
  api: Pick<ToolServersPorts['api'], 'toolServers' | 'toolSet'>,
): Promise<ApiAnswer<readonly KnownServer[]>> {
  const answer = await api.toolServers()
  if (!answer.ok) return answer
  const all: KnownServer[] = []
  for (const one of await Promise.all(answer.value.map((server) => withApproved(api, server)))) {
    if (!one.ok) return one
    all.push(one.value)
  }
  return ok(all)
}

/** Which tools a chat got, and how they were checked. */
const markOf = (servers: readonly KnownServer[]): string =>
  servers
    .map(({ server, status }) => `${server.id} ${server.approvedHash} ${'at' in status ? status.at : ''}`)
    .join('\n')

/** The tool servers of this owner, as this page uses them. */
export function createToolServers(ports: ToolServersPorts) {
  const { api, connected, now } = ports
  let known: readonly KnownServer[] | null = null
  let loading: Promise<ApiAnswer<readonly KnownServer[]>> | null = null
  const listeners = new Set<() => void>()
  const connections = createServerConnections(ports.open)
  const pages = createToolPages()
  const checks = new Map<string, Promise<void>>()
  function show(next: readonly KnownServer[]): void {
    known = next
    ports.onCount(next.length)
    for (const listener of listeners) listener()
  }
  const put = (id: string, change: Partial<KnownServer>) =>
    show((known ?? []).map((one) => (one.server.id === id ? { ...one, ...change } : one)))
  const find = (id: string) => known?.find(({ server }) => server.id === id)

  const remoteOf = (server: ToolServer) => connections.remoteOf(server)

  async function load(): Promise<ApiAnswer<readonly KnownServer[]>> {
    const all = await loadAll(api)
    if (all.ok) show(all.value)
    return all
  }

  async function check(id: string): Promise<void> {
    const one = find(id)
    if (!one) return
    const { server } = one
    put(id, { status: { phase: 'checking', last: lastComparison(one.status) } })
    const isLegacy = server.era?.kind === 'legacy' && msSince(server.era.at, now()) < LEGACY_MS
    const era = isLegacy ? 'legacy' : 'auto'
    const listed = await list(remoteOf(server), { url: server.url, era, pages, server: id, approved: one.approved })
    put(id, { status: await statusAfter(listed, one, now()) })
    // Tools that it no longer lists are no longer offered.
    chats.refresh()
  }

  /** Its list, or its failure, is at most a few minutes old. */
  const isFresh = ({ status }: KnownServer) => 'at' in status && msSince(status.at, now()) <= FRESH_MS

  const chats = createChatConnections({
    connected,
    monotonic: ports.monotonic,
    find,
    remoteOf,
    async check(id): Promise<void> {
      const one = find(id)
      // A failed one may be back.
      if (one && (one.status.phase === 'failed' || !isFresh(one))) await servers.check(id)
    },
    onUsed: (id) => ports.uses?.note(id, now()),
    onSignInNeeded: (id, failure) => put(id, { status: { phase: 'failed', at: now(), failure, last: null } }),
  })

  const servers = {
    getState: () => known,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Once per page; again after a failure. */
    async load(): Promise<ApiAnswer<readonly KnownServer[]>> {
      if (known) return ok(known)
      loading ??= load()
      const answer = await loading
      loading = null
      return answer
    },
    /** Lists the tools of a server again and compares them with the approved ones. One check of a server at a time. */
    async check(id: string): Promise<void> {
      const running = checks.get(id) ?? check(id).finally(() => checks.delete(id))
      checks.set(id, running)
      await running
    },
    /**
     * Connects to a server that is not stored. `use` gets its connection for more requests. A server that requires a
     * sign-in stays open for it, until another one is tested, this one is stored, or `endTest`.
     */
    async test<T>(
      url: string,
      signal: AbortSignal,
      use: (remote: RemoteServer, listed: Asked<Listed>) => Promise<T>,
    ): Promise<T> {
      return connections.test(url, async (remote) => {
        const listed = await list(remote, { url, era: 'auto', pages, server: url, approved: [], signal })
        return {
          value: await use(remote, listed),
          isKept: remote.isSignedIn() || (!listed.ok && listed.failure.kind === 'sign-in'),
        }
      })
    },
    endTest: () => connections.endTest(),
    /** When this browser last sent it a call; null: never. */
    usedAt: (id: string): number | null => ports.uses?.of(id) ?? null,
    ...pageMethods({
      find,
      pages,
      remoteOf,
      remoteNow: chats.remoteNow,
      check: (id): Promise<void> => servers.check(id),
    }),
    ...signInMethods({
      known: () => known ?? [],
      connections,
      async check(id) {
        await servers.check(id)
        for (const conversationId of chats.ids()) await servers.prepare(conversationId)
      },
    }),
    async save(id: string, body: ToolServerToSave): Promise<ApiAnswer<ToolServer>> {
      const answer = await api.saveToolServer(id, body)
      if (!answer.ok) return answer
      const before = find(id)
      const approved = body.tools ?? before?.approved ?? []
      if (answer.value.approvedHash !== null) cacheToolSet(answer.value.approvedHash, approved)
      const one: KnownServer = { server: answer.value, approved, status: before?.status ?? { phase: 'unchecked' } }
      show(before ? (known ?? []).map((other) => (other.server.id === id ? one : other)) : [...(known ?? []), one])
      if (answer.value.isOn) await servers.check(id)
      for (const conversationId of chats.ids()) await servers.prepare(conversationId)
      return answer
    },
    async remove(id: string): Promise<ApiAnswer<unknown>> {
      const answer = await api.removeToolServer(id)
      if (!answer.ok) return answer
      const one = find(id)
      if (one) await remoteOf(one.server).signIn({ step: 'forget', url: one.server.url })
      connections.close(id)
      ports.uses?.note(id, null)
      show((known ?? []).filter(({ server }) => server.id !== id))
      for (const conversationId of chats.ids()) chats.connect(conversationId, [])
      for (const conversationId of chats.ids()) await servers.prepare(conversationId)
      return answer
    },
    /**
     * Makes the servers' tools usable in a stored chat, before a message is sent or when the chat is opened: compares
     * lists, switches the chat to the currently approved tools, and connects those that match. Never rejects.
     */
    async prepare(conversationId: string): Promise<void> {
      const loaded = await servers.load()
      if (!loaded.ok) return
      const on = () => (known ?? []).filter(({ server }) => server.isOn && server.approvedHash !== null)
      const stale = on().filter((one) => !isFresh(one))
      const checked = Promise.all(stale.map(({ server }) => servers.check(server.id)))
      await Promise.race([checked, ports.wait(PATIENCE_MS)])
      const mark = markOf(on())
      if (chats.markOf(conversationId) === mark) return
      if (on().length === 0 && chats.markOf(conversationId) === null) return
      const ids = on().map(({ server }) => server.id)
      const answer = await api.useToolServers(conversationId, ids)
      if (!answer.ok) return
      const whole = await withToolSets(answer.value, (hash) => api.toolSet(hash))
      if (!whole.ok) return
      chats.connect(conversationId, whole.value.tools, mark)
      ports.onTools(conversationId, whole.value.tools)
    },
  }

  return servers
}

interface SignInMethodsPorts {
  readonly known: () => readonly KnownServer[]
  readonly connections: ReturnType<typeof createServerConnections>
  /** Lists its tools again, also for the chats of this page. */
  readonly check: (id: string) => Promise<void>
}

function signInMethods({ known, connections, check }: SignInMethodsPorts) {
  const at = (url: string) => known().find(({ server }) => server.url === url)?.server
  return {
    /** A step of signing in to a server, stored or tested. */
    signIn(url: string, step: SignInStep): Promise<Asked<SignInResult>> {
      const stored = at(url)
      return (stored ? connections.remoteOf(stored) : connections.ofTest(url)).signIn(step)
    },
    isSignedIn: (id: string): boolean => connections.isSignedIn(id),
    /** Call it after signing in to a server: its tools become usable again in the chats of this page. */
    async signedIn(url: string): Promise<void> {
      const stored = at(url)
      if (stored) await check(stored.id)
    },
    /** Forgets the sign-in, in this tab and in this browser. */
    async signOut(id: string): Promise<void> {
      const one = known().find(({ server }) => server.id === id)
      if (!one) return
      await connections.remoteOf(one.server).signIn({ step: 'forget', url: one.server.url })
      await check(id)
    },
  }
}
