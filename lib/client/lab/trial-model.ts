import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'

/** Who writes the replies of trials: a model of the server, or one of this browser. */
export interface TrialModel {
  /** The lines of one reply as they come. Throws `TrialRefused` when it was not asked; aborts with the signal's reason. */
  ask(request: TrialRequest, signal: AbortSignal): AsyncIterable<TrialLine>
}

/** Why a reply could not be had: no verdict on the model. */
export class TrialRefused extends Error {
  /** When to come again; null: nobody said. */
  readonly retryAfterSeconds: number | null
  /** To ask again would change nothing (a wrong key, a model that is gone, a lab that is switched off). */
  readonly isFinal: boolean

  constructor(message: string, { retryAfterSeconds = null as number | null, isFinal = false } = {}) {
    super(message)
    this.name = 'TrialRefused'
    this.retryAfterSeconds = retryAfterSeconds
    this.isFinal = isFinal
  }
}
