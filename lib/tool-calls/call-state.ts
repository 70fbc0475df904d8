import type { CallOutcome, ReplyOutcome } from '@/lib/chat/conversation'

/**
 * The state of one call. Derived, never stored: a function of the message's text, the decision row and (in this tab)
 * what runs now. `deriveCallState` in this folder is the only place that makes one.
 */
export type CallState =
  /** The reply did not finish, so nothing in it may run; `outcome` null while it is still being written. */
  | { readonly status: 'not_offered'; readonly outcome: Exclude<ReplyOutcome, 'finished'> | null }
  | { readonly status: 'awaiting_approval' }
  /** Clicked in this tab; runs when the calls before it are through. */
  | { readonly status: 'queued' }
  | { readonly status: 'executing'; readonly here: boolean; readonly startedAt: number; readonly attempt: number }
  | { readonly status: 'completed'; readonly outcome: CallOutcome; readonly posted: boolean }
  | { readonly status: 'error'; readonly outcome: CallOutcome; readonly posted: boolean }
  /** Stopped by the user. Until it is settled it may run again, or be told to the model as it is. */
  | {
      readonly status: 'cancelled'
      readonly outcome: CallOutcome
      readonly attempt: number
      readonly settled: boolean
      readonly posted: boolean
    }
  | { readonly status: 'execution_rejected'; readonly reason: string; readonly posted: boolean }
  | { readonly status: 'skipped' }
  /** Its tab went away while it ran; `settled` as with `cancelled`. */
  | { readonly status: 'interrupted'; readonly attempt: number; readonly settled: boolean; readonly posted: boolean }
  /** No such tool, invalid arguments, disabled or duplicate: shown, not runnable. */
  | { readonly status: 'not_runnable'; readonly posted: boolean }
