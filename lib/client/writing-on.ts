import { hasEnded, isGated } from '@/lib/calls/message-calls'
import { lastCalls } from './reply-calls'
import type { ConversationState } from './state'

/** What becomes of the calls of the last reply when the user writes something else instead of settling them. */
export interface WritingOn {
  /** Not decided: they are skipped. */
  readonly waiting: number
  /** Ran, and their results wait for a look: those are kept here. */
  readonly gated: number
  /** Started, and not back yet: they are neither stopped nor waited for. */
  readonly unfinished: number
}

export function writingOn(view: ConversationState): WritingOn {
  const last = lastCalls(view)
  if (!last) return nothing
  return {
    waiting: last.waiting.length,
    gated: last.records.filter(isGated).length,
    unfinished: last.records.filter((record) => record.decision === 'run' && !hasEnded(record)).length,
  }
}

const nothing: WritingOn = { waiting: 0, gated: 0, unfinished: 0 }

/** The hint over the message field; '' where nothing is left behind. */
export function writingOnWords({ waiting, gated, unfinished }: WritingOn): string {
  const parts = [
    ...(waiting === 0 ? [] : [`skips ${counted(waiting, 'the waiting call', 'waiting calls')}`]),
    ...(gated === 0 ? [] : [`keeps ${counted(gated, 'the result that waits', 'results that wait')} from the model`]),
    ...(unfinished === 0
      ? []
      : [
          `does not stop ${counted(unfinished, 'the call that has not come back', 'calls that have not come back')}: ` +
            'the model is told so now, and how it ended with a later message',
        ]),
  ]
  const [last = '', ...before] = parts.toReversed()
  if (last === '') return ''
  return `Writing something else ${before.length === 0 ? last : `${before.toReversed().join(', ')}, and ${last}`}.`
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? one : `${count} ${many}`)
