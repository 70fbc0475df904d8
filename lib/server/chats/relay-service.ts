import { makeError } from '@/lib/i18n/t'
import type { McpTool, ToolServer } from '@/lib/shared/conversation/settings/tool-server'
import type { CallAnswer, CallProgress, RelayLine } from '@/lib/shared/mcp/call-answer'
import { agree, nameOfOperatorId } from '@/lib/shared/mcp/operator-server'
import type { Offer, OfferAsk } from '@/lib/shared/mcp/offers'
import { toolHash } from '@/lib/shared/mcp/tool-hash'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'
import type { StoredConversation } from '../store/ports/conversation-store'
import type { RelayCall } from '@/lib/shared/conversation/wire/call-requests'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import type { LoadBranch } from '../stored-chats/stored-conversations'
import type { ListedByHost, PreparedRelay } from '../tool-servers/operator-server'
import { findGrantedCall } from './granted-call'

/** The operator's tool servers: calls to them go through this app's server. */
export interface RelayService {
  /** Their names; none if the operator configured none. */
  operatorServers(): readonly string[]
  /** The tools that the server lists now. `id`: of the owner's row. */
  listOperatorServer(owner: string, id: string, signal: AbortSignal): Promise<ListedByHost>
  /** What a server that this owner added offers to people. It reaches a model only in a message that the user sends. */
  offerOfOperator(owner: string, id: string, ask: OfferAsk, signal: AbortSignal): Promise<Offer>
  /**
   * Runs a granted call, once per attempt. The request contains what the stored call says, and goes to the server of
   * its tool. The tool must be exactly what the owner approved and what the server lists. Rejects if nothing was sent.
   */
  relay(owner: string, conversationId: string, key: RelayCall, signal: AbortSignal): Promise<RelayLines>
}

export type RelayLines = AsyncGenerator<readonly RelayLine[], void, undefined>

export function createRelayService(
  { store, discoverTools, toolHost }: Pick<ChatServicePorts, 'store' | 'discoverTools' | 'toolHost'>,
  { load, readings }: { readonly load: LoadBranch; readonly readings: ReplyReadings },
): RelayService {
  const hostOf = (name: string) => {
    if (!toolHost) throw makeError('not-found', 'chat.relay-unknown', { name })
    return toolHost
  }

  /** The tool by the server's own name, as the owner approved it and as the chat uses it. */
  async function approvedTool(
    owner: string,
    { toolSets = [] }: StoredConversation,
    server: string,
    name: string,
  ): Promise<McpTool> {
    const ofChat = toolSets.find((one) => one.server === server)?.hash
    const known = (await store.listToolServers(owner)).find(({ id }) => id === server)
    const approved = known && agree(known.id, known.url) && known.isOn ? known.approvedHash : null
    if (ofChat === undefined || approved === null) throw makeError('conflict', 'chat.relay-not-approved')
    const [now, told] = await Promise.all(
      [approved, ofChat].map(async (hash) =>
        (await store.loadToolSet(owner, hash))?.find((tool) => tool.name === name),
      ),
    )
    if (!now || !told || (await toolHash(now)) !== (await toolHash(told))) {
      throw makeError('conflict', 'chat.relay-not-approved')
    }
    return now
  }

  return {
    operatorServers: () => toolHost?.names ?? [],

    listOperatorServer(owner, id, signal) {
      const name = nameOfOperatorId(id)
      if (name === null) throw makeError('not-found', 'server.nothing-here')
      return hostOf(name).list(owner, name, signal)
    },

    async offerOfOperator(owner, id, ask, signal) {
      const name = nameOfOperatorId(id)
      const known = (await store.listToolServers(owner)).find((one) => one.id === id)
      if (name === null || !known?.isOn || !agree(known.id, known.url))
        throw makeError('not-found', 'server.nothing-here')
      return hostOf(name).offer(owner, name, ask, signal)
    },

    async relay(owner, conversationId, key, signal) {
      const { stored, call } = await findGrantedCall(owner, conversationId, key, { load, readings, discoverTools })
      const remote = stored.tools.find(({ name }) => name === call.name)?.remote
      const name = remote ? nameOfOperatorId(remote.server) : null
      if (!remote || name === null) throw makeError('conflict', 'chat.relay-not-operator')
      const tool = await approvedTool(owner, stored, remote.server, remote.name)
      const prepared = await hostOf(name).prepare(owner, name, tool, signal)
      try {
        // Checked last, so that a server that does not start leaves the call unclaimed.
        if (signal.aborted) throw makeError('unavailable', 'chat.relay-stopped')
        if (!(await store.claimRelay(owner, conversationId, key))) throw makeError('call-not-open', 'chat.relay-taken')
      } catch (error) {
        prepared.release()
        throw error
      }
      const { timeoutMs } = stored.conversation.settings.tools
      return linesOf((options) => prepared.call(call.arguments, { ...options, timeoutMs }), signal)
    },
  }
}

/**
 * Refuses a row that would let a server pass for another kind: only servers that the operator configured have such an
 * id or address.
 */
export function refuseFalseOperator(
  id: string,
  { url }: Pick<ToolServer, 'url'>,
  names: readonly string[],
  isApproved: boolean,
): void {
  if (!agree(id, url)) throw makeError('bad-request', 'chat.relay-wrong-id')
  const name = nameOfOperatorId(id)
  // A server that the operator removed can still be switched off.
  if (name !== null && isApproved && !names.includes(name)) throw makeError('not-found', 'chat.relay-unknown', { name })
}

type Call = (options: {
  readonly signal: AbortSignal
  readonly onProgress: (progress: CallProgress) => void
}) => ReturnType<PreparedRelay['call']>

/** Sends the call now; yields the newest progress and then the answer. */
function linesOf(call: Call, signal: AbortSignal): RelayLines {
  let progress: CallProgress | null = null
  let answer: CallAnswer | null = null
  let wake = () => {}
  void call({
    signal,
    onProgress(next) {
      progress = next
      wake()
    },
  }).then((said) => {
    answer = said
    return wake()
  })
  return (async function* () {
    for (;;) {
      const lines: RelayLine[] = [...(progress ? [{ progress }] : []), ...(answer ? [{ answer }] : [])]
      const isOver = answer !== null
      progress = null
      if (lines.length > 0) yield lines
      if (isOver) return
      // More may have arrived while the reader handled the lines.
      if (progress === null && answer === null) await new Promise<void>((resolve) => (wake = resolve))
    }
  })()
}
