import { t } from '@/lib/i18n/t'
import { hasEnded, isGated } from '@/lib/shared/calls/message-calls'
import type { ToolSet } from '@/lib/shared/tools/tool-registry'
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

export function writingOn(view: ConversationState, tools: ToolSet): WritingOn {
  const last = lastCalls(view, tools)
  if (!last) return nothing
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
