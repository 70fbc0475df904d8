import type { CallRecord } from '@/lib/chat/conversation'
import type { CallSegment, ParsedReply } from '@/lib/strategies/segment'

/** A live call of a finished reply. Calls with a problem have a slot too, but can't run. */
export interface MessageCall {
  readonly slot: number
  readonly call: CallSegment
  readonly runnable: boolean
}

/** The live calls of a reply in their order; `slot` counts them from 0. Quoted and foreign calls have no slot. */
export function messageCalls(reply: ParsedReply): readonly MessageCall[] {
  const calls: MessageCall[] = []
  for (const segment of reply.segments) {
    if (segment.kind !== 'call' || segment.standing !== 'live') continue
    calls.push({ slot: calls.length, call: segment, runnable: segment.problem === null })
  }
  return calls
}

/** Nothing more can happen to the call: it was denied, skipped, or ran and its outcome is stored. */
export function isSettled(record: CallRecord | undefined): boolean {
  return record !== undefined && (record.decision !== 'run' || record.outcome !== null)
}

/** The runnable calls that still need a decision or an outcome. */
export function openCalls(
  calls: readonly MessageCall[],
  recordOf: (slot: number) => CallRecord | undefined,
): readonly MessageCall[] {
  return calls.filter((call) => call.runnable && !isSettled(recordOf(call.slot)))
}

/** The runnable calls that nobody decided yet: what "N calls wait for you" counts. */
export function waitingCalls(
  calls: readonly MessageCall[],
  recordOf: (slot: number) => CallRecord | undefined,
): readonly MessageCall[] {
  return calls.filter((call) => call.runnable && recordOf(call.slot) === undefined)
}

/** True when the results of a reply may go to the model: it has live calls, and every runnable one is settled. */
export function allSettled(calls: readonly MessageCall[], recordOf: (slot: number) => CallRecord | undefined): boolean {
  return calls.length > 0 && openCalls(calls, recordOf).length === 0
}
