import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { CallAmendment, CallRecord, InnerCall } from '@/lib/shared/conversation/call-record'
import { neverBegan } from '@/lib/shared/conversation/stopped-outcome'
import type { CallSegment, ParsedReply } from '@/lib/protocols/types/segment'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { relayBudget } from '@/lib/sandbox/limits'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

/** A call of a finished reply that the user decides on. Calls with a problem have a slot too, but can't run. */
export interface MessageCall {
  readonly slot: number
  /** What would run: as the model asked, or as the user amended it. */
  readonly call: CallSegment
  readonly runnable: boolean
  /** What the model asked, if the user changed it; null if nothing was changed, or nothing could be read. */
  readonly asked: CallToWrite | null
  /** The user changed what runs. */
  readonly changed: boolean
  /** The user's change can't be read, so the call keeps its original form and can't run. Left out: it can. */
  readonly changeLost?: true
  /** Quoted, foreign or broken, and accepted as a call by the user. */
  readonly promoted: boolean
}

/** Slots of promoted calls have their own range, so that promoting one never renumbers another. Offsets stay below 2^30. */
const PROMOTED_FROM = 2 ** 30

/** The slot of a quoted, foreign or broken call that begins at this offset of its reply. */
export const promotedSlot = (start: number): number => PROMOTED_FROM + start
export const isPromotedSlot = (slot: number): boolean => slot >= PROMOTED_FROM
/** Where it begins in its reply. */
export const promotedFrom = (slot: number): number => slot - PROMOTED_FROM

/** Matches, converts and checks a call that the user wrote, like one of the model's (`toolContextBuilder.readCall`). */
export type ReadWrittenCall = (
  call: CallToWrite,
) => Pick<CallSegment, 'name' | 'arguments' | 'repairs' | 'coercions' | 'problem'>

/** The amendments of one message, and the function that reads them. */
export interface Amended {
  readonly amendments: readonly CallAmendment[]
  readonly read: ReadWrittenCall
}

const unamended: Amended = {
  amendments: [],
  read: () => {
    throw new Error('nothing is amended')
  },
}

/** The calls of a reply in order. `slot` counts the live ones from 0, whatever else was promoted. */
export function messageCalls(reply: ParsedReply, { amendments, read }: Amended = unamended): readonly MessageCall[] {
  const bySlot = new Map(amendments.map((amendment) => [amendment.slot, amendment]))
  const calls: MessageCall[] = []
  let live = 0
  for (const segment of reply.segments) {
    if (segment.kind !== 'call' && segment.kind !== 'broken') continue
    const isLive = segment.kind === 'call' && segment.standing === 'live'
    const slot = isLive ? live++ : promotedSlot(segment.start)
    const amendment = bySlot.get(slot)
    if (!isLive && !amendment) continue
    const call = effectiveCall(segment, amendment ?? null, read)
    if (!call) continue
    const changeLost = amendment?.unreadable === true
    const changed = changeLost || amendment?.call != null
    calls.push({
      slot,
      call,
      runnable: call.problem === null && !changeLost,
      asked: changed && segment.kind === 'call' ? { name: segment.name, arguments: segment.arguments } : null,
      changed,
      ...(changeLost && { changeLost }),
      promoted: !isLive,
    })
  }
  return calls
}

function effectiveCall(
  segment: Extract<ParsedReply['segments'][number], { kind: 'call' | 'broken' }>,
  amendment: CallAmendment | null,
  read: ReadWrittenCall,
): CallSegment | null {
  if (segment.kind === 'broken') {
    if (!amendment?.call) return null
    const { start, end } = segment
    const place = { kind: 'call', start, end, id: `lifted_${start}`, standing: 'live', dialect: '' } as const
    return { ...place, verdict: 'repaired', ...read(amendment.call) }
  }
  if (!amendment) return segment
  if (amendment.call) return { ...segment, standing: 'live', ...read(amendment.call) }
  // Accepted without a change: a duplicate may run twice if the user approves it twice.
  const problem = segment.problem?.code === 'duplicate' ? null : segment.problem
  return { ...segment, standing: 'live', problem }
}

/**
 * Nothing more can happen to the call: it was denied or skipped, or it ran and its result needs nothing more from the
 * user.
 */
export function isSettled(record: CallRecord | undefined): boolean {
  if (record === undefined) return false
  return record.decision !== 'run' || (record.outcome !== null && !isGated(record))
}

/** It returned, or the user stopped it and it has ended. */
export const hasEnded = ({ outcome, stopped }: CallRecord): boolean => outcome !== null || stopped?.outcome != null

/** It counts toward the call limit of its reply. */
export const usesRun = (record: CallRecord | undefined): boolean =>
  record?.decision === 'run' && !neverBegan(record.stopped)

/** The result waits for the user's review. */
export const isGated = (record: CallRecord): boolean =>
  record.outcome !== null && record.gated && record.release === null

/** The rows of a reply's calls. */
type RecordOf = (slot: number) => CallRecord | undefined

/**
 * The call waits for the user's decision. A call that can't run is reported to the model as it is, unless the user
 * edited it: then it waits until it is repaired, undone or denied, so that nothing is sent while it is being edited.
 */
export const needsDecision = ({
  runnable,
  changed,
  promoted,
}: Pick<MessageCall, 'runnable' | 'changed' | 'promoted'>) => runnable || changed || promoted

/** How many calls of the reply may still run. */
export const remainingRuns = (
  calls: readonly Pick<MessageCall, 'slot'>[],
  recordOf: RecordOf,
  maxCalls: number,
): number => Math.max(0, maxCalls - calls.filter(({ slot }) => usesRun(recordOf(slot))).length)

/** The reply's call limit is reached: undecided calls no longer wait, and the model learns that. */
export const runsAreUsedUp = (...of: Parameters<typeof remainingRuns>): boolean => remainingRuns(...of) === 0

/** The undecided calls, which "N calls wait for you" counts. `maxCalls`: how many calls of one reply may run. */
export function waitingCalls(
  calls: readonly MessageCall[],
  recordOf: RecordOf,
  maxCalls: number,
): readonly MessageCall[] {
  if (runsAreUsedUp(calls, recordOf, maxCalls)) return []
  return calls.filter((call) => needsDecision(call) && recordOf(call.slot) === undefined)
}

/** The calls that still need a decision, an outcome, or a review. */
export function openCalls(calls: readonly MessageCall[], recordOf: RecordOf, maxCalls: number): readonly MessageCall[] {
  const waiting = waitingCalls(calls, recordOf, maxCalls)
  return calls.filter((call) => {
    const record = recordOf(call.slot)
    return record ? !isSettled(record) : waiting.includes(call)
  })
}

/** True if the results of a reply may be sent to the model: it has calls, and none of them is open. */
export const allSettled = (calls: readonly MessageCall[], recordOf: RecordOf, maxCalls: number): boolean =>
  calls.length > 0 && openCalls(calls, recordOf, maxCalls).length === 0

/**
 * The rule for reading calls, used everywhere: a reply is read for calls only if it ended by itself and was made with
 * tools. A reply that is still written, broke off, was stopped, or was made without tools contains none, whatever its
 * text says.
 */
export const isReadForCalls = (message: ChatRow | undefined): message is AssistantMessage =>
  isHere(message) && message.role === 'assistant' && message.outcome === 'finished' && message.toolsEnabled

/** How the calls in a reply's text are read: by the server and by the browser, each with its own cache. */
export interface CallReading {
  /** Parses the whole text with its own strategy; called only for a reply that is read for calls. */
  readonly parse: (message: AssistantMessage) => ParsedReply
  /** A call that the user wrote in place of one of the model's. */
  readonly readCall: ReadWrittenCall
}

/** The current calls of a stored reply, with the user's edits; [] if the rule reads none. */
export function callsOf(
  message: ChatRow | undefined,
  amendments: readonly CallAmendment[],
  { parse, readCall }: CallReading,
): readonly MessageCall[] {
  return isReadForCalls(message) ? messageCalls(parse(message), { amendments, read: readCall }) : []
}

/** How many tools one run of code may call. */
export const innerLimits = { calls: relayBudget.toolCalls } as const

/** A tool that code calls, in the form of a call of the reply. `code` is the call whose code it is. */
export const innerMessageCall = (
  code: Pick<MessageCall, 'slot' | 'call'>,
  { name, arguments: args }: CallToWrite,
): MessageCall => ({
  slot: code.slot,
  call: { ...code.call, name, arguments: args, repairs: [], coercions: [], problem: null },
  runnable: true,
  asked: null,
  changed: false,
  // Lifted, repaired or changed code is itself asked about, so its inner calls are treated as plain calls.
  promoted: false,
})

/** The tools that a call's code called, whichever attempt that was: of each number the newest. In their order. */
export function innerOf({ inner = [] }: Pick<CallRecord, 'inner'> = {}): readonly InnerCall[] {
  const newest = new Map<number, InnerCall>()
  for (const one of inner) if (one.attempt >= (newest.get(one.n)?.attempt ?? 0)) newest.set(one.n, one)
  return [...newest.values()].toSorted((a, b) => a.n - b.n)
}

/** The inner calls of earlier attempts, by number. */
export const earlierInner = (record: CallRecord | undefined, attempt: number): ReadonlyMap<number, InnerCall> =>
  new Map(
    innerOf({ inner: (record?.inner ?? []).filter((one) => one.attempt < attempt) }).map(
      (one) => [one.n, one] as const,
    ),
  )
