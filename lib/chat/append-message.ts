import { AppError } from '@/lib/base/app-error'
import type { ChatRequest, ChatResponse } from '@/lib/conversation/api-types'
import type { AppendAnswer, AppendPlan, StoredConversation } from '@/lib/store/store'
import { describeProblem } from '@/lib/strategies/teaching-error'
import { claimOfAppend } from './claim-of-append'
import { anonymousVisitor, type Visitor } from './fair-use-limits'
import { planAppend } from './plan-append'
import type { ChatServicePorts } from './chat-service-ports'
import type { RunStarter } from './chat-service-start'
import type { ReplyReadings } from './reply-readings'
import type { StoredConversations } from './stored-conversations'

/** An append that lost a race against a click is planned again on what stands now. */
const APPEND_TRIES = 4

/**
 * What a client says, from the request to the reply that is being written: planned on one loading of the conversation,
 * stored in one transaction, and answered by a run that is asked with what was loaded then.
 */
export function createAppend(
  { store, clock, newId, discoverTools, models, limits }: ChatServicePorts,
  parts: { readonly chats: StoredConversations; readonly runs: RunStarter; readonly readings: ReplyReadings },
): (owner: string, request: ChatRequest, visitor?: Visitor) => Promise<ChatResponse> {
  const { chats, runs, readings } = parts

  function plan(stored: StoredConversation, append: ChatRequest['append']): AppendPlan {
    const tools = discoverTools(stored.conversation.settings.tools, stored.tools)
    return planAppend(stored, append, {
      readCalls: (message) => readings.callsOf(message, tools, stored.amendments),
      describeProblem: (call, message) => describeProblem(call, tools, message.strategy),
      newId,
      now: clock.now(),
    })
  }

  async function answerTo(owner: string, answer: AppendAnswer): Promise<ChatResponse> {
    const { conversation, reply, userMessage, calls } = answer
    const { id, title, updatedAt } = conversation
    const known = answer.replayed ? await store.summariseConversation(owner, id) : null
    return {
      runId: reply.runId,
      message: userMessage,
      replyId: reply.id,
      calls,
      conversation,
      summary: known ?? { id, title, updatedAt, running: true, waitingCalls: 0 },
    }
  }

  return async (owner, { conversationId: id, append, create }, visitor = anonymousVisitor) => {
    const repeated = await store.findAppend(owner, id, append.id)
    if (repeated) return answerTo(owner, repeated)
    for (let tries = 1; ; tries += 1) {
      const admission = runs.admit()
      let started = false
      try {
        const stored = await (create ? chats.loadOrCreate(owner, { id, settings: create }) : chats.load(owner, id))
        const planned = plan(stored, append)
        const { contextTokens } = models.info(planned.reply.model)
        const claim = claimOfAppend(owner, visitor, planned, { stored, limits, contextTokens, waits: admission.waits })
        const answer = await store.append(owner, id, append.id, { ...planned, claim }, clock.now())
        if (!answer.replayed) {
          runs.start(owner, stored, answer, admission)
          started = true
        }
        return await answerTo(owner, answer)
      } catch (error) {
        // The same request may have been answered meanwhile, which is what stands in its way.
        const answered = error instanceof AppError ? await store.findAppend(owner, id, append.id) : null
        if (answered) return answerTo(owner, answered)
        const raced = error instanceof AppError && error.code === 'call-not-open' && append.kind === 'user'
        if (!raced || tries === APPEND_TRIES) throw error
      } finally {
        if (!started) admission.leave()
      }
    }
  }
}
