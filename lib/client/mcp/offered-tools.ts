import type { RegisteredTool, RemoteTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { McpTool, ToolServer } from '@/lib/shared/conversation/settings/tool-server'
import type { CallAnswer, ConnectFailure } from '@/lib/shared/mcp/call-answer'
import type { Comparison } from '@/lib/shared/mcp/compare-tools'
import type { ConnectedTools } from '@/lib/shared/tools/connected-tools'
import type { RemoteServer } from './remote-server'
import { runRemote } from './run-remote'

/*
 * Decides which approved tools of a server a chat offers now. Prompts contain only approved tools, so a slow or
 * unreachable server delays no message: the last known state is offered. A call is sent only once the server has listed
 * the tool exactly as it was approved.
 */

/** What this page knows of a server now. */
export type ServerStatus =
  | { readonly phase: 'unchecked' }
  /** `last`: the previous comparison. */
  | { readonly phase: 'checking'; readonly last: Comparison | null }
  /** `leftOut`: tools over the limit. */
  | { readonly phase: 'listed'; readonly at: number; readonly comparison: Comparison; readonly leftOut: number }
  | {
      readonly phase: 'failed'
      readonly at: number
      readonly failure: ConnectFailure
      readonly last: Comparison | null
    }

export interface KnownServer {
  readonly server: ToolServer
  readonly approved: readonly McpTool[]
  readonly status: ServerStatus
}

/** The server does not answer; all other failures mean that the server has changed. */
export const isUnreachable = ({ kind }: ConnectFailure): boolean => kind === 'unread' || kind === 'timeout'

/** The last comparison, kept while checks run or fail. */
export function lastComparison(status: ServerStatus): Comparison | null {
  if (status.phase === 'listed') return status.comparison
  return 'last' in status ? (status.last ?? null) : null
}

function toolsOffered({ approved, status }: KnownServer): readonly McpTool[] {
  if (status.phase === 'failed' && !isUnreachable(status.failure)) return []
  return lastComparison(status)?.usable ?? approved
}

interface OfferedTool {
  readonly tool: RegisteredTool
  readonly remote: RemoteTool
  readonly server: ToolServer
  readonly declared: McpTool
}

function offeredTools(
  tools: readonly RegisteredTool[],
  find: (id: string) => KnownServer | undefined,
): readonly OfferedTool[] {
  return tools.flatMap((tool) => {
    const { remote } = tool
    const one = remote && find(remote.server)
    if (!remote || !one?.server.isOn) return []
    const offered = toolsOffered(one).find(({ name }) => name === remote.name)
    return offered ? [{ tool, remote, server: one.server, declared: offered }] : []
  })
}

interface VerifiedPorts {
  /** Lists its tools again if the last list is too old. */
  readonly check: () => Promise<void>
  readonly status: () => ServerStatus | undefined
  readonly onSignInNeeded: (failure: ConnectFailure) => void
}

/** A connection that sends calls only while the server lists the tool as it was approved. */
const verified = (
  remote: Pick<RemoteServer, 'call'>,
  { check, status, onSignInNeeded }: VerifiedPorts,
): Pick<RemoteServer, 'call'> => ({
  async call(request, options) {
    const { signal } = options
    const stopped = new Promise<'stopped'>((resolve) => {
      if (signal.aborted) resolve('stopped')
      else signal.addEventListener('abort', () => resolve('stopped'), { once: true })
    })
    if ((await Promise.race([check(), stopped])) === 'stopped') return { kind: 'stopped' }
    const failure = whyNot(status(), request.name)
    if (failure) return { kind: 'not-sent', failure }
    const answer: CallAnswer = await remote.call(request, options)
    // Notifies the waiting cards.
    if (answer.kind === 'not-sent' && answer.failure.kind === 'sign-in') onSignInNeeded(answer.failure)
    return answer
  },
})

function whyNot(status: ServerStatus | undefined, name: string): ConnectFailure | null {
  if (status?.phase === 'failed') return status.failure
  if (status?.phase !== 'listed') return { kind: 'unread' }
  return status.comparison.usable.some((tool) => tool.name === name) ? null : { kind: 'changed' }
}

interface ChatConnectionsPorts {
  readonly connected: ConnectedTools
  readonly monotonic: () => number
  readonly find: (id: string) => KnownServer | undefined
  readonly remoteOf: (server: ToolServer) => RemoteServer
  /** Lists the tools of a server again if the last list is too old, or failed. */
  readonly check: (id: string) => Promise<void>
  readonly onSignInNeeded: (id: string, failure: ConnectFailure) => void
  /** A call was sent to the server. */
  readonly onUsed: (id: string) => void
}

/** The connected tools in the chats of this page: the offered ones, and no others. */
export function createChatConnections({ connected, monotonic, find, remoteOf, ...ports }: ChatConnectionsPorts) {
  const inChats = new Map<
    string,
    { readonly mark: string; readonly tools: readonly RegisteredTool[]; readonly disconnect: () => void }
  >()

  const remoteNow = (server: ToolServer) =>
    verified(remoteOf(server), {
      check: () => ports.check(server.id),
      status: () => find(server.id)?.status,
      onSignInNeeded: (failure) => ports.onSignInNeeded(server.id, failure),
    })

  /** `mark`: identifies the servers and their states. */
  function connect(conversationId: string, tools: readonly RegisteredTool[], mark = ''): void {
    inChats.get(conversationId)?.disconnect()
    const ends = offeredTools(tools, find).map(({ tool, remote, server, declared }) => {
      const open = () => noting(remoteNow(server), () => ports.onUsed(server.id))
      return connected.connect(conversationId, tool, runRemote(open, remote, monotonic, conversationId, declared))
    })
    inChats.set(conversationId, { mark, tools, disconnect: () => ends.forEach((end) => end()) })
  }

  return {
    connect,
    /** A server that sends calls only while it lists the tool as it was approved. */
    remoteNow,
    /** Call it after the knowledge of a server changed. */
    refresh() {
      for (const [conversationId, { tools, mark }] of inChats) connect(conversationId, tools, mark)
    },
    ids: () => [...inChats.keys()],
    /** Null: nothing was connected there yet. */
    markOf: (conversationId: string): string | null => inChats.get(conversationId)?.mark ?? null,
  }
}

const noting = (remote: Pick<RemoteServer, 'call'>, onSent: () => void): Pick<RemoteServer, 'call'> => ({
  async call(...request) {
    const answer = await remote.call(...request)
    if (answer.kind !== 'not-sent') onSent()
    return answer
  },
})
