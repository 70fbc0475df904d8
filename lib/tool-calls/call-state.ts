import type { CallOutcome, CallRecord } from '@/lib/chat/conversation'

/**
 * The state of one call. Derived, never stored: a function of the message's text, the decision row and (in this tab)
 * what runs now. `deriveCallState` in this folder is the only place that makes one.
 */
export type CallState =
  | { readonly status: 'awaiting_approval' }
  | { readonly status: 'executing'; readonly here: boolean; readonly startedAt: number; readonly attempt: number }
  | { readonly status: 'completed'; readonly outcome: CallOutcome; readonly posted: boolean }
  | { readonly status: 'error'; readonly outcome: CallOutcome; readonly posted: boolean }
  | { readonly status: 'cancelled'; readonly outcome: CallOutcome; readonly posted: boolean }
  | { readonly status: 'execution_rejected'; readonly reason: string; readonly posted: boolean }
  | { readonly status: 'skipped' }
  | { readonly status: 'interrupted'; readonly attempt: number; readonly posted: boolean }
  /** No such tool, invalid arguments, disabled or duplicate: shown, not runnable. */
  | { readonly status: 'not_runnable'; readonly posted: boolean }

export type { CallRecord }
