import { makeError } from '@/lib/i18n/t'
import type { DecideCallResponse, DecideInner, FinishInner } from '@/lib/shared/conversation/wire/call-requests'
import type { CallRecord, InnerCall } from '@/lib/shared/conversation/call-record'
import { innerLimits, innerMessageCall, innerOf } from '@/lib/shared/calls/message-calls'
import type { McpTool } from '@/lib/shared/conversation/settings/tool-server'
import type { OriginMarker } from '@/lib/shared/origin/mark-calls'
import type { StoredConversation } from '@/lib/server/store/ports/conversation-store'
import type { ChatServicePorts } from '../stored-chats/chat-service-ports'
import { justReply, replyOf, whyNot, type CallReader, type LoadBranch } from '../stored-chats/stored-conversations'
import { loadGrounds, refuseUnlessCovered } from './chat-service-approval'

/** Tools that code calls while it runs. */
export interface InnerService {
  /** Stores the decision on such a call, once. A decision without a click is checked as for any call. */
  decideInner(owner: string, conversationId: string, request: DecideInner): Promise<DecideCallResponse>
  /** Stores its outcome, once. The code gets the result after that. */
  finishInner(owner: string, conversationId: string, request: FinishInner): Promise<CallRecord>
}

/** The tools of a server as its owner approved them; none if it is off. */
async function approvedTools(
  store: Pick<ChatServicePorts['store'], 'listToolServers' | 'loadToolSet'>,
  owner: string,
  server: string,
): Promise<readonly McpTool[]> {
  const known = (await store.listToolServers(owner)).find(({ id }) => id === server)
  const hash = known?.isOn ? known.approvedHash : null
  return hash === null ? [] : ((await store.loadToolSet(owner, hash)) ?? [])
}

export function createInnerService(
  {
    store,
    clock,
    toolFacts,
    limits,
    discoverTools,
  }: Pick<ChatServicePorts, 'store' | 'clock' | 'toolFacts' | 'limits' | 'discoverTools'>,
  parts: {
    readonly load: LoadBranch
    readonly callsIn: (stored: StoredConversation) => CallReader
    readonly marker: OriginMarker
  },
): InnerService {
  const { load, callsIn, marker } = parts
  const maxBytes = limits.fair.maxBytesPerOwner
  const notRunning = async (owner: string, conversationId: string) => {
    await load(owner, conversationId, { head: null })
    return makeError('call-not-open', 'chat.call.not-running')
  }

  /** A call that the page of an ended call asks for: of a tool that its server's approved list lets pages use. */
  async function decideForPage(
    owner: string,
    conversationId: string,
    { messageId, slot, attempt, runnerId, n, name, decision, reason = '', ...request }: DecideInner,
  ): Promise<DecideCallResponse> {
    const stored = await load(owner, conversationId, justReply(messageId))
    const outer = stored.calls.find((row) => row.messageId === messageId && row.slot === slot)
    const remote = stored.tools.find((tool) => tool.name === outer?.name)?.remote
    const approved = remote ? await approvedTools(store, owner, remote.server) : []
    const shows = approved.find((tool) => tool.name === remote?.name)?.page !== undefined
    if (!shows || !approved.some((tool) => tool.name === name && tool.visibility !== 'model')) {
      throw makeError('conflict', 'chat.call.not-from-page', { tool: name })
    }
    const inner: InnerCall = {
      n,
      attempt,
      name,
      arguments: request.arguments,
      decision,
      reason,
      by: { kind: 'click' },
      decidedAt: clock.now(),
      outcome: null,
      page: true,
    }
    const key = { messageId, slot, attempt, runnerId }
    const answer = await store.decideInner(owner, conversationId, key, inner, { maxInner: innerLimits.calls }, maxBytes)
    if (answer) return answer
    throw await notRunning(owner, conversationId)
  }

  return {
    async decideInner(owner, conversationId, request) {
      if (request.page) return decideForPage(owner, conversationId, request)
      const { messageId, slot, attempt, runnerId, n, name, decision, reason = '', by = { kind: 'click' } } = request
      const stored = await load(owner, conversationId, justReply(messageId))
      const outer = stored.calls.find((row) => row.messageId === messageId && row.slot === slot)
      const toolOf = (one: string) => toolFacts(one, stored.tools)
      const tool = toolOf(name)
      const { tools } = stored.conversation.settings
      const isOffered = discoverTools(tools, stored.tools).some((spec) => spec.name === name && spec.disabled !== true)
      if (!outer || !toolOf(outer.name)?.policy.callsTools || !tool?.policy.fromCode || !isOffered) {
        throw makeError('conflict', 'chat.call.not-from-code', { tool: name })
      }
      if (decision !== 'run' && by.kind !== 'click') throw makeError('conflict', 'chat.call.no-by-you')
      const inner: InnerCall = {
        n,
        attempt,
        name,
        arguments: request.arguments,
        decision,
        reason,
        by,
        decidedAt: clock.now(),
        outcome: null,
      }
      let holds = null
      if (by.kind !== 'click') {
        const message = replyOf(stored, messageId)
        const code = callsIn(stored)(message).find((call) => call.slot === slot)
        if (!code) throw makeError('call-not-open', whyNot(message, code))
        const facts = { message, found: innerMessageCall(code, inner), tool, attempt: 1, now: clock.now() }
        holds = await refuseUnlessCovered(by, {
          ...facts,
          ...(await loadGrounds(load, owner, stored, facts)),
          callsIn,
          origins: { owner, marker, toolFacts },
          within: { slot, calls: innerOf(outer) },
        })
      }
      const key = { messageId, slot, attempt, runnerId }
      const basis = { maxInner: innerLimits.calls, ...(holds && { holds }) }
      const answer = await store.decideInner(owner, conversationId, key, inner, basis, maxBytes)
      if (answer) return answer
      throw await notRunning(owner, conversationId)
    },

    async finishInner(owner, conversationId, { outcome, ...key }) {
      const call = await store.finishInner(owner, conversationId, key, outcome, clock.now(), maxBytes)
      if (call) return call
      throw await notRunning(owner, conversationId)
    },
  }
}
