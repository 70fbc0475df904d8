import assert from 'node:assert/strict'
import type { RunReport, RunRequest } from './page'

/** Code for the sandbox, and the expected report. `HOST` and `STUN` in the code become the attacker's addresses. */
export interface SandboxCase extends RunRequest {
  readonly name: string
  /** Short for “returned this JSON value”. */
  readonly value?: unknown
  readonly expect?: (report: RunReport) => void
  /** Takes long, and others cover its subject on each change. */
  readonly nightly?: true
  /** The frame is removed before the run. */
  readonly breakBefore?: boolean
}

type Outcome = Pick<RunReport, 'outcome'>
type Events = Pick<RunReport, 'events'>

/** The text of the return value; fails if there is none. */
export function returnedText({ outcome }: Outcome): string {
  if (outcome.kind !== 'returned') throw new assert.AssertionError({ message: JSON.stringify(outcome) })
  return outcome.value
}

export function returned(report: Outcome): unknown {
  const text = returnedText(report)
  return report.outcome.kind === 'returned' && report.outcome.valueIsJson ? JSON.parse(text) : text
}

/** The text of the return value, or else the whole outcome. */
export const outcomeText = ({ outcome }: Outcome): string =>
  outcome.kind === 'returned' ? outcome.value : JSON.stringify(outcome)

export function messageOf({ outcome }: Outcome): string {
  if ('refusal' in outcome) return outcome.refusal.message
  return 'message' in outcome ? outcome.message : ''
}

export function threw({ outcome }: Outcome, pattern: RegExp): void {
  assert.equal(outcome.kind, 'threw', JSON.stringify(outcome))
  assert.match(messageOf({ outcome }), pattern)
}

export const timedOut = ({ outcome }: Outcome): void => assert.equal(outcome.kind, 'timed-out', JSON.stringify(outcome))

export const consoleOf = ({ events }: Events) => events.filter((event) => event.type === 'console')
export const lines = (report: Events): readonly string[] =>
  consoleOf(report).map(({ level, text }) => `${level}: ${text}`)
export const shown = ({ events }: Events) => events.filter((event) => event.type === 'display')
