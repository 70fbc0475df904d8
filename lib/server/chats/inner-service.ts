import { makeError } from '@/lib/i18n/t'
import type { DecideCallResponse, DecideInner, FinishInner } from '@/lib/shared/conversation/wire/call-requests'
import type { CallRecord, InnerCall } from '@/lib/shared/conversation/call-record'
import { innerLimits, innerMessageCall } from '@/lib/shared/calls/inner-call'
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

  return {
    async decideInner(owner, conversationId, request) {
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
