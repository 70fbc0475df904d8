import type { RegisteredTool, RemoteTool } from '@/lib/shared/conversation/settings/registered-tool'
import type { McpTool, ToolServer } from '@/lib/shared/conversation/settings/tool-server'
import type { CallAnswer, ConnectFailure } from '@/lib/shared/mcp/call-answer'
import type { Comparison } from '@/lib/shared/mcp/compare-tools'
import type { ConnectedTools } from '@/lib/shared/tools/connected-tools'
import type { RemoteServer } from './remote-server'
import { runRemote } from './run-remote'

/*
 * Which approved tools of a server a chat offers now. Prompts hold only what was approved, so a server that has not answered
 * yet, or can't be reached, delays no message: what was last known of it is offered. A call of it goes out only once the server
 * has listed the tool exactly as it was approved.
 */

/** What this page knows of a server now. */
export type ServerStatus =
  | { readonly phase: 'unchecked' }
  /** `last`: the comparison of before. */
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

/** Nobody answers; the rest of the failures say that the server is not as it was. */
export const isUnreachable = ({ kind }: ConnectFailure): boolean => kind === 'unread' || kind === 'timeout'

/** The last comparison that there was, through checks that run or fail. */
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
  /** Lists its tools again where that was too long ago. */
  readonly check: () => Promise<void>
  readonly status: () => ServerStatus | undefined
  readonly onSignInNeeded: (failure: ConnectFailure) => void
}

/** A connection whose calls go out only while the server says of the tool what was approved. */
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
    // For the cards that wait.
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
  /** Lists the tools of a server again where that was too long ago, or failed. */
  readonly check: (id: string) => Promise<void>
  readonly onSignInNeeded: (id: string, failure: ConnectFailure) => void
}

/** What is connected in the chats of this page: what is offered, and nothing else. */
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

  /** `mark`: with which servers as they were. */
  function connect(conversationId: string, tools: readonly RegisteredTool[], mark = ''): void {
    inChats.get(conversationId)?.disconnect()
    const ends = offeredTools(tools, find).map(({ tool, remote, server, declared }) => {
      const open = () => remoteNow(server)
      return connected.connect(conversationId, tool, runRemote(open, remote, monotonic, conversationId, declared))
    })
    inChats.set(conversationId, { mark, tools, disconnect: () => ends.forEach((end) => end()) })
  }

  return {
    connect,
    /** A server for calls that go out only while it says of the tool what was approved. */
    remoteNow,
    /** After what is known of a server changed. */
    refresh() {
      for (const [conversationId, { tools, mark }] of inChats) connect(conversationId, tools, mark)
    },
    ids: () => [...inChats.keys()],
    /** Null: nothing was connected there yet. */
    markOf: (conversationId: string): string | null => inChats.get(conversationId)?.mark ?? null,
  }
}
