import type { CallOutcome, StoppedRun } from './conversation'

/** The user stopped it, and its page never said what it had done by then. */
const unseen: CallOutcome = {
  status: 'cancelled',
  result: { error: 'The user stopped this call. What it had done by then is not known.' },
  durationMs: null,
  console: [],
  displays: [],
}

/** How a run ends that the user stopped and that did not come back by itself. */
export const stoppedOutcome = ({ outcome }: StoppedRun): CallOutcome => outcome ?? unseen

/** What a page that knows nothing of a stop takes for an interruption is stored as the stop that it was. */
export function asStopped(outcome: CallOutcome, stopped: StoppedRun | undefined): CallOutcome {
  if (!stopped || outcome.status !== 'interrupted') return outcome
  const { files } = outcome
  return { ...stoppedOutcome(stopped), ...(files && !stopped.outcome && { files }) }
}
