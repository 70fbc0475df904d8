import { isBlank } from '@/lib/base/text/is-blank'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/tool-config'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { messageParts } from './message-parts'
import { parsedReply } from './parsed-reply'
import type { ConversationState } from './state'

/** A reply that ended well and says nothing: `all`, it has no word at all; `answer`, it has thoughts only. */
export type EmptyReply = 'all' | 'answer'

/** What a finished reply lacks; null: it has an answer, or it did not finish and its end is told otherwise. */
export function emptyReply(
  { text, reasoning, outcome }: Pick<AssistantMessage, 'text' | 'reasoning' | 'outcome'>,
  reply: ParsedReply,
): EmptyReply | null {
  if (outcome !== 'finished') return null
  // Nearly every reply ends here; only what is left is put together.
  const answers = reply.segments.some((segment) => {
    if (segment.kind === 'text') return !isBlank(segment.said ?? text.slice(segment.start, segment.end))
    return segment.kind === 'broken' || (segment.kind === 'call' && segment.standing === 'live')
  })
  if (answers) return null
  const parts = messageParts(text, reply)
  // A call that is quoted in a thought is a part of the thought.
  const isAnswered = parts.some(
    (part) => part.kind === 'stack' && part.items.some((item) => item.kind !== 'grey' || item.place !== 'thought'),
  )
  if (isAnswered) return null
  const thought = !isBlank(reasoning) || parts.some((part) => part.kind === 'reasoning' && !isBlank(part.text))
  return thought ? 'answer' : 'all'
}

/** The same of a reply of an open chat. */
export const lacksOf = (message: AssistantMessage, view: ConversationState, tools: ToolSet): EmptyReply | null =>
  emptyReply(message, parsedReply(message, view.conversation?.settings.tools ?? defaultToolConfig, tools))
