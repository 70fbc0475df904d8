import { AppError } from '@/lib/base/app-error'
import type { ChatRequest, ChatResponse } from '@/lib/conversation/api-types'
import type { AppendAnswer, AppendPlan, StoredBranch } from '@/lib/store/store'
import { describeProblem } from '@/lib/strategies/teaching-error'
import { loadAppendLine, loadOlder } from './append-line'
import { fitPrompt, type FittedPrompt } from './fit-prompt'
import { planAppend } from './plan-append'
import type { ChatServicePorts } from './chat-service-ports'
import type { RunStarter } from './chat-service-start'
import type { ReplyReadings } from './reply-readings'
import type { StoredConversations } from './stored-conversations'

/** An append that lost a race against a click is planned again on what stands now. */
const APPEND_TRIES = 4

/**
 * What a client says, from the request to the reply that is being written: planned on one loading of the line that it goes on,
 * stored in one transaction, and answered by a run that is asked with what was loaded then.
 */
export function createAppend(
  {
    store,
    clock,
    newId,
    discoverTools,
    models,
    builder,
    boundary,
  }: Pick<ChatServicePorts, 'store' | 'clock' | 'newId' | 'discoverTools' | 'models' | 'builder' | 'boundary'>,
  parts: { readonly chats: StoredConversations; readonly runs: RunStarter; readonly readings: ReplyReadings },
): (owner: string, request: ChatRequest) => Promise<ChatResponse> {
  const { chats, runs, readings } = parts

  const toolsOf = ({ conversation, tools }: StoredBranch) => discoverTools(conversation.settings.tools, tools)

  function plan(stored: StoredBranch, append: ChatRequest['append']): AppendPlan {
    const tools = toolsOf(stored)
    const known = { ...stored, messages: [...stored.messages, ...stored.answers] }
    return planAppend(known, append, {
      readCalls: (message) => readings.callsOf(message, tools, stored.amendments),
      describeProblem: (call, message) => describeProblem(call, tools, message.strategy),
      newId,
      now: clock.now(),
    })
  }

  const fit = (owner: string, line: Parameters<typeof fitPrompt>[0], planned: AppendPlan): Promise<FittedPrompt> =>
    fitPrompt(
      line,
      planned,
      (stored) => ({ tools: toolsOf(stored), builder, readings, boundary }),
      (stored, count) => loadOlder(chats, owner, stored, count),
    )

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

  return async (owner, request) => {
    const { conversationId: id, append } = request
    const repeated = await store.findAppend(owner, id, append.id)
    if (repeated) return answerTo(owner, repeated)
    for (let tries = 1; ; tries += 1) {
      const admission = runs.admit(owner)
      let started = false
      try {
        const line = await loadAppendLine(chats, (model) => models.windowTokens(model), owner, request)
        const planned = plan(line.stored, append)
        const prompt = await fit(owner, line, planned)
        const { trimmed } = prompt
        const kept = trimmed ? { ...planned, reply: { ...planned.reply, trimmed } } : planned
        const answer = await store.append(owner, id, append.id, kept, clock.now())
        if (!answer.replayed) {
          runs.start(owner, prompt, answer, admission)
          started = true
        }
        return await answerTo(owner, answer)
      } catch (error) {
        const raced = error instanceof AppError && error.code === 'call-not-open' && append.kind === 'user'
        if (!raced || tries === APPEND_TRIES) throw error
      } finally {
        if (!started) admission.leave()
      }
    }
  }
}
