import { t } from '@/lib/i18n/t'
import { hasEnded, isGated } from '@/lib/shared/calls/message-calls'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { worksOnLast } from './open-conversations'
import { lastCalls } from './turn'
import type { ConversationState } from './state'
import { isBlank } from '@/lib/base/text/is-blank'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import type { ParsedReply } from '@/lib/protocols/types/segment'
import { messageParts } from './message-parts'
import { parsedReply } from './parsed-reply'

/** What becomes of the calls of the last reply when the user writes something else instead of settling them. */
export interface WritingOn {
  /** Not decided: they are skipped. */
  readonly waiting: number
  /** Ran, and their results wait for a look: those are kept here. */
  readonly gated: number
  /** Started, and not back yet: they are neither stopped nor waited for. */
  readonly unfinished: number
}

export function writingOn(view: ConversationState, tools: ToolSet): WritingOn {
  const last = lastCalls(view, tools)
  // While calls run here a message waits for them.
  if (!last || worksOnLast(view)) return nothing
  return {
    waiting: last.waiting.length,
    gated: last.records.filter(isGated).length,
    unfinished: last.records.filter((record) => record.decision === 'run' && !hasEnded(record)).length,
  }
}

const nothing: WritingOn = { waiting: 0, gated: 0, unfinished: 0 }

/** The hint over the message field; '' where nothing is left behind. */
export function pendingCallsText({ waiting, gated, unfinished }: WritingOn): string {
  const what = [
    ...(waiting === 0 ? [] : [t('waiting.skips', { count: waiting })]),
    ...(gated === 0 ? [] : [t('waiting.keeps', { count: gated })]),
    ...(unfinished === 0 ? [] : [t('waiting.goes-on', { count: unfinished })]),
  ]
  return what.length === 0 ? '' : t('waiting.write-on', { what })
}

/** The first call that waits to be run, and what it would do, in our own words. */
export interface FirstAsk {
  readonly name: string
  /** "Write 418 B to /notes/list.md, a new file", as far as that is known without the files; '' of a tool that is not here. */
  readonly ask: string
}

/** What the last message asks first; null: nothing waits to be run. */
export function firstAsk(view: ConversationState, tools: ToolSet): FirstAsk | null {
  const [first] = lastCalls(view, tools)?.waiting ?? []
  if (!first) return null
  const { name, arguments: args } = first.call
  const sentence = tools.get(name)?.card.summarize(args).sentence ?? []
  return { name, ask: sentence.map((part) => (typeof part === 'string' ? part : part.code)).join('') }
}

/** How many calls of the last message wait for the user's word: to run, to keep what they changed, or to let their results out. */
export function waitingCount(view: ConversationState, tools: ToolSet): number {
  const last = lastCalls(view, tools)
  if (!last) return 0
  // One whose decision could not be made waits again; its card says why.
  const waiting = last.waiting.filter(({ slot }) => last.liveOf(slot)?.problem !== null)
  const asked = last.calls.filter(({ slot }) => {
    const live = last.liveOf(slot)
    return live?.review ?? live?.question ?? live?.inner?.some(({ stage }) => stage === 'asked')
  })
  return waiting.length + last.records.filter(isGated).length + asked.length
}

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
