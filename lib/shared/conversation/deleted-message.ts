import type { Message, UserMessage } from './conversation'
import type { ToolResult } from './call-record'

/*
 * A message that the user deleted. Its row stays, without content, so that the branch keeps its structure: replies,
 * versions and the files of later calls still find their place. A deleted reply loses its calls and their results. A
 * deleted user message loses its text and its attachments, but not the results that it sent to the model: those belong
 * to the previous reply.
 */

/** Removes a message's content. */
export function withoutContent(message: Message): Message {
  const { id, conversationId, parentId, createdAt } = message
  const base = { id, conversationId, parentId, createdAt, deleted: true } as const
  if (message.role === 'user') {
    const { results, late } = message
    return { ...base, role: 'user', text: '', results, ...(late && { late }) }
  }
  const { strategy, toolsEnabled, model, outcome, usage, runId } = message
  const about = { strategy, toolsEnabled, model, outcome, usage, runId }
  return { ...base, role: 'assistant', text: '', reasoning: '', failure: null, ...about }
}

/** The results of a deleted reply that a later message contained. */
export interface TakenResults {
  readonly results: readonly ToolResult[]
  readonly late: readonly ToolResult[]
}

/** A message without the results of one reply; null: it contains none. */
export function withoutResults(
  message: UserMessage,
  replyId: string,
): { readonly message: UserMessage; readonly taken: TakenResults } | null {
  const isOf = (result: ToolResult) => result.messageId === replyId
  const { late = [], ...rest } = message
  const taken = { results: message.results.filter(isOf), late: late.filter(isOf) }
  if (taken.results.length + taken.late.length === 0) return null
  const left = late.filter((result) => !isOf(result))
  const results = message.results.filter((result) => !isOf(result))
  return { message: { ...rest, results, ...(left.length > 0 && { late: left }) }, taken }
}

/** The same message with those results again. */
export function withResults(message: UserMessage, { results, late }: TakenResults): UserMessage {
  const known = message.late ?? []
  return {
    ...message,
    results: [...results, ...message.results].toSorted((one, other) => one.slot - other.slot),
    ...(late.length + known.length > 0 && { late: [...late, ...known] }),
  }
}

/** Restores the message. `now`: its row, whose results may have changed since it was deleted. */
export function withContent(now: Message, before: Message): Message {
  if (now.role === 'assistant' || before.role === 'assistant') return before
  const { late: _late, ...rest } = before
  return { ...rest, results: now.results, ...(now.late && { late: now.late }) }
}
