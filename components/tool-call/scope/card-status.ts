import type { IconName } from '@/components/ui/icon'
import { t, type NameIn } from '@/lib/i18n/t'
import { neverBegan } from '@/lib/shared/conversation/stopped-outcome'
import type { CallState } from '@/lib/shared/calls/call-state'
import type { CallEntry } from './use-message-calls'

/** A state's own glyph and word: colour is never alone. */
export interface CardStatus {
  readonly glyph: IconName
  readonly word: string
  readonly tone: 'plain' | 'wait' | 'ok' | 'bad' | 'warn'
}

type StateWord = Exclude<NameIn<'card-state'>, 'lost' | 'times'>

/** Its word is said when it is read. */
const status = (glyph: IconName, word: StateWord, tone: CardStatus['tone'] = 'plain'): CardStatus => ({
  glyph,
  tone,
  get word() {
    return t(`card-state.${word}`)
  },
})

export const cardStatus: Readonly<Record<CallState['status'], CardStatus>> = {
  pending: status('more', 'writing'),
  not_offered: status('no', 'not-runnable'),
  awaiting_approval: status('wait', 'waits', 'wait'),
  queued: status('more', 'waits-for-turn'),
  executing: status('spinner', 'running'),
  awaiting_result_approval: status('wait', 'result-waits', 'wait'),
  completed: status('ok', 'done', 'ok'),
  error: status('cross', 'failed', 'bad'),
  cancelled: status('cross', 'stopped', 'bad'),
  execution_rejected: status('no', 'denied'),
  skipped: status('no', 'skipped'),
  interrupted: status('cut', 'interrupted', 'warn'),
  result_rejected: status('no', 'result-not-sent'),
  not_found: status('cross', 'no-tool', 'bad'),
  not_runnable: status('cross', 'not-runnable', 'bad'),
}

/** A run whose changes to files wait for the user. */
export const reviewStatus: CardStatus = status('wait', 'changes-wait', 'wait')
/** Granted, behind as many as run at once. */
export const turnStatus: CardStatus = cardStatus.queued
/** Stopped with the calls before it, so that nothing of it ran. */
export const cancelledStatus: CardStatus = status('no', 'cancelled')
export const isCancelled = ({ state, record }: Pick<CallEntry, 'state' | 'record'>): boolean =>
  state.status === 'cancelled' && (record ? neverBegan(record.stopped) : state.outcome?.durationMs === 0)
export const isReviewing = (state: CallState): boolean => state.status === 'executing' && state.review !== undefined

/** True once the outcome stands: the card is then a "Tool result". */
export function isOutcome(state: CallState): boolean {
  switch (state.status) {
    case 'completed':
    case 'error':
    case 'cancelled':
    case 'execution_rejected':
    case 'skipped':
    case 'awaiting_result_approval':
    case 'result_rejected':
      return true
    case 'interrupted':
      return state.settled
    case 'pending':
    case 'not_offered':
    case 'not_found':
    case 'awaiting_approval':
    case 'queued':
    case 'executing':
    case 'not_runnable':
      return false
  }
}
