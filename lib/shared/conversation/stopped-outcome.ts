import type { CallOutcome, ResultRelease, StoppedRun, ToolResult, WithheldBy } from './call-record'
import type { ResultToWrite } from '@/lib/protocols/types/tool-context-def'

/** The user stopped it, and its page never reported what it had done by then. */
const unseen: CallOutcome = {
  status: 'cancelled',
  result: { error: 'The user stopped this call. What it had done by then is not known.' },
  durationMs: null,
  console: [],
  displays: [],
}

/** The user stopped the calls before it. */
const notBegun: CallOutcome = {
  status: 'cancelled',
  result: { error: 'The user stopped the calls before this one. It did not run.' },
  durationMs: 0,
  console: [],
  displays: [],
}

/** The remaining calls of a batch, when the user stops one of them. `at`: when. */
export const stoppedWithOthers = (at: number): StoppedRun => ({ at, outcome: notBegun, begun: false })

/** It was cancelled with the calls before it: it has a row but did not run. A later attempt may run. */
export const neverBegan = (stopped: StoppedRun | null | undefined): boolean => stopped?.begun === false

/** The server required a sign-in for the call, or an address to be opened first: nothing ran. */
export const neededUser = (outcome: CallOutcome | null): boolean =>
  outcome?.said?.some(({ reason }) => reason === 'told.remote-sign-in' || reason === 'told.remote-open') === true

/** The end of a run that the user stopped and that did not return by itself. */
export const stoppedOutcome = (stopped: StoppedRun): CallOutcome =>
  stopped.outcome ?? (neverBegan(stopped) ? notBegun : unseen)

/** If a page that does not know of a stop reports an interruption, it is stored as the stop that it was. */
export function asStopped(outcome: CallOutcome, stopped: StoppedRun | undefined): CallOutcome {
  if (!stopped || outcome.status !== 'interrupted') return outcome
  const { files } = outcome
  return { ...stoppedOutcome(stopped), ...(files && !stopped.outcome && { files }) }
}

/** A result as a strategy writes it: changes and notes come before it. */
export const resultToWrite = ({
  callId,
  name,
  status,
  result,
  note,
}: Pick<ToolResult, 'callId' | 'name' | 'status' | 'result' | 'note'>): ResultToWrite => ({
  id: callId,
  name,
  status,
  result: note ? { note, result } : result,
})

/** A result that was withheld without a click. `at`: epoch milliseconds. */
export const withheldWithoutClick = (kind: Exclude<WithheldBy['kind'], 'click'>, at: number): ResultRelease => ({
  kind: 'withheld',
  by: { kind },
  note: '',
  releasedAt: at,
})
