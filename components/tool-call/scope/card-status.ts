import type { IconName } from '@/components/ui/icon'
import { neverBegan } from '@/lib/conversation/stopped-outcome'
import type { CallState } from '@/lib/calls/call-state'
import type { CallEntry } from './use-message-calls'

/** A state's own glyph and word: colour is never alone. */
export interface CardStatus {
  readonly glyph: IconName
  readonly word: string
  readonly tone: 'plain' | 'wait' | 'ok' | 'bad' | 'warn'
}

export const cardStatus: Readonly<Record<CallState['status'], CardStatus>> = {
  pending: { glyph: 'more', word: 'being written', tone: 'plain' },
  not_offered: { glyph: 'no', word: 'can’t run', tone: 'plain' },
  awaiting_approval: { glyph: 'wait', word: 'waiting for you', tone: 'wait' },
  queued: { glyph: 'more', word: 'waits for its turn', tone: 'plain' },
  executing: { glyph: 'spinner', word: 'running', tone: 'plain' },
  awaiting_result_approval: { glyph: 'wait', word: 'result waits for you', tone: 'wait' },
  completed: { glyph: 'ok', word: 'done', tone: 'ok' },
  error: { glyph: 'cross', word: 'failed', tone: 'bad' },
  cancelled: { glyph: 'cross', word: 'stopped by you', tone: 'bad' },
  execution_rejected: { glyph: 'no', word: 'denied', tone: 'plain' },
  skipped: { glyph: 'no', word: 'skipped', tone: 'plain' },
  interrupted: { glyph: 'cut', word: 'interrupted', tone: 'warn' },
  result_rejected: { glyph: 'no', word: 'result not sent', tone: 'plain' },
  not_found: { glyph: 'cross', word: 'no such tool', tone: 'bad' },
  not_runnable: { glyph: 'cross', word: 'can’t run', tone: 'bad' },
}

/** A run whose changes to files wait for the user. */
export const reviewStatus: CardStatus = { glyph: 'wait', word: 'its changes wait for you', tone: 'wait' }
/** Granted, behind as many as run at once. */
export const turnStatus: CardStatus = cardStatus.queued
/** Stopped with the calls before it, so that nothing of it ran. */
export const cancelledStatus: CardStatus = { glyph: 'no', word: 'cancelled', tone: 'plain' }
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
