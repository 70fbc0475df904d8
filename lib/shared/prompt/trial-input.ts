import type { AssistantMessage, Message, UserMessage } from '@/lib/shared/conversation/conversation'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { TrialRequest } from '@/lib/shared/conversation/wire/trial'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { buildModelInput, type ModelInput } from './model-messages'
import { createReplyReadings } from './reply-readings'

/**
 * Everything that a model gets for a trial: what a chat with these messages, replies and results would send, by the
 * same code. It is the same for the same request, so that a page can show it without asking the server.
 */
export function trialInput({ model, strategy, systemPrompt, tools, turns, reading }: TrialRequest): ModelInput {
  const path = turns.reduce<readonly Message[]>((before, turn, at) => [...before, messageOf(turn, at, before)], [])
  const settings = { ...defaultSettings(model), strategy, systemPrompt }
  const builder = toolContextBuilder
  const readings = createReplyReadings(builder)
  return buildModelInput({ conversation: { settings }, path, builder, readings, tools, ...(reading && { reading }) })

  function messageOf(turn: TrialRequest['turns'][number], at: number, before: readonly Message[]): Message {
    const parentId = before.at(-1)?.id ?? null
    const base = { id: `trial-${at}`, conversationId: 'trial', parentId, createdAt: 0 }
    if (turn.role === 'assistant') {
      return {
        ...base,
        role: 'assistant',
        text: turn.text,
        reasoning: '',
        strategy,
        toolsEnabled: true,
        model,
        outcome: 'finished',
        failure: null,
        usage: null,
        runId: 'trial',
        ...(reading && { reading }),
      } satisfies AssistantMessage
    }
    const results = turn.role === 'user' ? [] : turn.results
    return {
      ...base,
      role: 'user',
      text: turn.role === 'user' ? turn.text : '',
      results: results.map(({ slot, name, result }) => ({
        messageId: parentId ?? '',
        slot,
        callId: `call_${slot + 1}`,
        name,
        status: 'completed',
        result,
        durationMs: null,
      })),
    } satisfies UserMessage
  }
}
