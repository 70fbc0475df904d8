import { AppError } from '@/lib/base/app-error'
import type { StoredConversation } from '@/lib/store/store'
import type { MessageCall } from '@/lib/tool-calls/message-calls'
import type { DecideCall, DecideCallResponse, FinishCall } from './api-types'
import type { ChatServicePorts } from './chat-service'
import type { AssistantMessage, CallRecord, ToolCallConfig } from './conversation'

export interface CallActions {
  /** Grants a call to one runner, once; what is granted is the call as it stands in the stored text. */
  decide(owner: string, conversationId: string, request: DecideCall): Promise<DecideCallResponse>
  /** Stores the outcome of a granted call, once. */
  finish(owner: string, conversationId: string, request: FinishCall): Promise<CallRecord>
}

interface CallActionPorts extends Pick<ChatServicePorts, 'store' | 'clock' | 'callHash'> {
  readonly load: (owner: string, id: string) => Promise<StoredConversation>
  readonly readCalls: (config: ToolCallConfig) => (message: AssistantMessage) => readonly MessageCall[]
}

export function callActions({ store, clock, callHash, load, readCalls }: CallActionPorts): CallActions {
  return {
    async decide(owner, conversationId, request) {
      const stored = await load(owner, conversationId)
      const message = stored.messages.find(({ id }) => id === request.messageId)
      if (message?.role !== 'assistant') throw new AppError('not-found', 'This reply is not in this chat.')
      const { slot, decision, runnerId, attempt } = request
      const found = readCalls(stored.conversation.settings.tools)(message).find((call) => call.slot === slot)
      if (!found?.runnable) {
        throw new AppError('call-not-open', whyNot(message, found))
      }
      const { call } = found
      const hash = await callHash(message.id, slot, call.name, call.arguments)
      if (hash !== request.callHash) {
        throw new AppError('conflict', 'This call is not the one that stands in the stored reply. Reload the page.')
      }
      const known = stored.calls.find((row) => row.messageId === message.id && row.slot === slot)
      if (!known && isPassed(stored, message.id)) {
        throw new AppError('call-not-open', 'The chat has gone on without this call, so it cannot be run any more.')
      }
      return store.decideCall(owner, conversationId, {
        messageId: message.id,
        slot,
        callId: call.id,
        name: call.name,
        callHash: hash,
        decision,
        reason: request.reason ?? '',
        runnerId,
        attempt,
        decidedAt: clock.now(),
        outcome: null,
        changed: null,
        by: { kind: 'click' },
        gated: false,
        release: null,
        finishedAt: null,
        postedIn: null,
      })
    },

    async finish(owner, conversationId, { outcome, ...key }) {
      const call = await store.finishCall(owner, conversationId, key, outcome, clock.now())
      if (call) return call
      await load(owner, conversationId)
      throw new AppError('call-not-open', 'This result belongs to no run that was granted here, so it is not kept.')
    },
  }
}

/** Results of this reply went to the model already; a call that was not runnable then must not run now. */
const isPassed = (stored: StoredConversation, messageId: string): boolean =>
  stored.messages.some(
    (message) => message.role === 'user' && message.results.some((result) => result.messageId === messageId),
  )

function whyNot(message: AssistantMessage, call: MessageCall | undefined): string {
  if (message.outcome === null) return 'This reply is still being written, so nothing in it can run yet.'
  if (message.outcome !== 'finished') return 'This reply did not finish, so nothing in it can run.'
  if (!call) return 'There is no such call in this reply.'
  return 'This call cannot run as it stands.'
}
