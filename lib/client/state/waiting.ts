import { isGated } from '@/lib/shared/calls/message-calls'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
import { lastCalls } from './reply-calls'
import type { ConversationState } from './state'

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
  const sentence = tools.get(name)?.summarize(args).sentence ?? []
  return { name, ask: sentence.map((part) => (typeof part === 'string' ? part : part.code)).join('') }
}

/** How many calls of the last message wait for the user's word: to run, to keep what they changed, or to let their results out. */
export function waitingCount(view: ConversationState, tools: ToolSet): number {
  const last = lastCalls(view, tools)
  if (!last) return 0
  // One whose decision could not be made waits again; its card says why.
  const waiting = last.waiting.filter(({ slot }) => last.liveOf(slot)?.problem !== null)
  const reviews = last.calls.filter(({ slot }) => last.liveOf(slot)?.review)
  return waiting.length + last.records.filter(isGated).length + reviews.length
}
