import { t } from '@/lib/i18n/t'
import { hasEnded, isGated } from '@/lib/shared/calls/message-calls'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { worksOnLast } from './open-conversations'
import { lastCalls } from './turn'
import type { ConversationState } from './state'
import { isBlank } from '@/lib/base/text/characters'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import { messageParts, parsedReply } from './parsed-reply'

/** What becomes of the last reply's calls if the user sends another message instead of settling them. */
export interface WritingOn {
  /** Undecided calls: they are skipped. */
  readonly waiting: number
  /** Calls that ran and whose results wait for review: the results are kept here. */
  readonly gated: number
  /** Calls that have started and not returned: they are neither stopped nor awaited. */
  readonly unfinished: number
}

export function writingOn(view: ConversationState, tools: ToolSet): WritingOn {
  const last = lastCalls(view, tools)
  // While calls run here, a message waits for them.
  if (!last || worksOnLast(view)) return nothing
  return {
    waiting: last.waiting.length,
    gated: last.records.filter(isGated).length,
    unfinished: last.records.filter((record) => record.decision === 'run' && !hasEnded(record)).length,
  }
}

const nothing: WritingOn = { waiting: 0, gated: 0, unfinished: 0 }

/** The hint above the composer; '' if no calls are left. */
export function pendingCallsText({ waiting, gated, unfinished }: WritingOn): string {
  const what = [
    ...(waiting === 0 ? [] : [t('waiting.skips', { count: waiting })]),
    ...(gated === 0 ? [] : [t('waiting.keeps', { count: gated })]),
    ...(unfinished === 0 ? [] : [t('waiting.goes-on', { count: unfinished })]),
  ]
  return what.length === 0 ? '' : t('waiting.write-on', { what })
}

/** The first call that waits to be run, and a description of what it would do. */
export interface FirstWaitingCall {
  readonly name: string
  /** "Write 418 B to /notes/list.md, a new file", as far as known without reading the files; '' for an unknown tool. */
  readonly ask: string
}

/** The first waiting call of the last message; null: no call waits to be run. */
export function firstWaitingCall(view: ConversationState, tools: ToolSet): FirstWaitingCall | null {
  const [first] = lastCalls(view, tools)?.waiting ?? []
  if (!first) return null
  const { name, arguments: args } = first.call
  const sentence = tools.get(name)?.card.summarize(args).sentence ?? []
  return { name, ask: sentence.map((part) => (typeof part === 'string' ? part : part.code)).join('') }
}

/** How many calls of the last message wait for the user: to run, to keep their changes, or to release their results. */
export function waitingCount(view: ConversationState, tools: ToolSet): number {
  const last = lastCalls(view, tools)
  if (!last) return 0
  // A call whose decision could not be stored waits again; its card says why.
  const waiting = last.waiting.filter(({ slot }) => last.liveOf(slot)?.problem !== null)
  const asked = last.calls.filter(({ slot }) => {
    const live = last.liveOf(slot)
    return live?.review ?? live?.question ?? live?.inner?.some(({ stage }) => stage === 'asked')
  })
  return waiting.length + last.records.filter(isGated).length + asked.length
}

/** What a reply that ended well lacks: `all`, it has no text at all; `answer`, it has reasoning only. */
export type EmptyReply = 'all' | 'answer'

/** What a finished reply lacks; null: it has an answer, or its end is shown in another way. */
export function emptyReply(
  { text, reasoning, outcome }: Pick<AssistantMessage, 'text' | 'reasoning' | 'outcome'>,
  reply: ParsedReply,
): EmptyReply | null {
  if (outcome !== 'finished') return null
  // Nearly every reply returns here; only the rest is assembled.
  const answers = reply.segments.some((segment) => {
    if (segment.kind === 'text') return !isBlank(segment.said ?? text.slice(segment.start, segment.end))
    return segment.kind === 'broken' || (segment.kind === 'call' && segment.standing === 'live')
  })
  if (answers) return null
  const parts = messageParts(text, reply)
  // A call that is quoted in a thought is part of the thought.
  const isAnswered = parts.some(
    (part) => part.kind === 'stack' && part.items.some((item) => item.kind !== 'inactive' || item.place !== 'thought'),
  )
  if (isAnswered) return null
  const thought = !isBlank(reasoning) || parts.some((part) => part.kind === 'reasoning' && !isBlank(part.text))
  return thought ? 'answer' : 'all'
}

/** The same for a reply of an open chat. */
export const lacksOf = (message: AssistantMessage, view: ConversationState, tools: ToolSet): EmptyReply | null =>
  emptyReply(message, parsedReply(message, view.conversation?.settings.tools ?? defaultToolConfig, tools))
