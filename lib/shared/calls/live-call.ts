import type { CallOutcome } from '@/lib/shared/conversation/conversation'
import type { SandboxEvent } from '@/lib/sandbox/sandbox'
import type { FileReview } from '@/lib/shared/tools/tool-runtime'

/** A call that runs in this tab, or an outcome that is still on its way to the server. */
export interface LiveCall {
  /** True while it waits for the calls before it in a "Run all"; nothing was decided yet. */
  readonly queued?: boolean
  /** True while as many calls run as may at once: it was granted, and has not begun. `startedAt` is then where it began to wait. */
  readonly waitsForTurn?: boolean
  readonly startedAt: number
  readonly attempt: number
  readonly events: readonly SandboxEvent[]
  /** Set when it ended here and the server has not confirmed yet. */
  readonly outcome: CallOutcome | null
  /** It ran, and what it changed waits for the user's word (`CallActions.answerReview`); nothing has reached the files. */
  readonly review?: FileReview
  /** A sentence when deciding or saving failed; the card offers to try again. */
  readonly problem: string | null
  /**
   * True when it was booked behind a call that failed, and was therefore not started: it waits again, and the batch may
   * be continued (`run` the rest), one left out (`skip`, then `run` the rest), or what is done be sent (`skip` the rest).
   */
  readonly leftOver?: boolean
}
