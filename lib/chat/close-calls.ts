import type { PlannedCall, StoredConversation } from '@/lib/store/store'
import { isGated, needsWord, runsAreUsedUp, type MessageCall } from '@/lib/tool-calls/message-calls'
import type { AssistantMessage, CallOutcome, CallRecord, ResultChange, ToolResult } from './conversation'

/** What closing needs besides the stored rows; all pure. */
export interface ClosePorts {
  /** The calls of a finished reply by slot, as they stand with what the user changed; none for any other reply. */
  readonly readCalls: (message: AssistantMessage) => readonly MessageCall[]
  /** The teaching text for a call that cannot run. */
  readonly describeProblem: (call: MessageCall['call'], message: AssistantMessage) => string
  readonly now: number
}

type ResultForModel = Pick<ToolResult, 'status' | 'result' | 'durationMs'> & { readonly notes: readonly string[] }

/** Longest account of changed arguments, characters; the rest is cut. */
const MAX_NOTED_CHARS = 4_000
const OVERTAKEN = 'the user wrote something else'

/**
 * Every call of the parent gets its result: as decided, `skipped` where nobody decided, the teaching text where it
 * could not run. Rows change only where they were not posted before (an edited message takes the same results again).
 */
export function closeCalls(
  stored: StoredConversation,
  parent: AssistantMessage,
  userMessageId: string,
  ports: ClosePorts,
): { readonly calls: readonly PlannedCall[]; readonly results: readonly ToolResult[] } {
  const calls: PlannedCall[] = []
  const results: ToolResult[] = []
  const live = ports.readCalls(parent)
  const rowOf = (slot: number) => findRow(stored, parent.id, slot)
  const full = runsAreUsedUp(live, rowOf, stored.conversation.settings.tools.maxCallsPerReply)
  for (const one of live) {
    const add = ({ notes, ...result }: ResultForModel) => {
      const note = notes.join(' ')
      const { slot, call } = one
      results.push({ messageId: parent.id, slot, callId: call.id, name: call.name, ...result, ...(note && { note }) })
    }
    const before = rowOf(one.slot) ?? null
    // A call that was decided keeps its result, also when its tool was switched off since.
    if (!needsWord(one) && !before) {
      const status = one.call.problem?.code === 'unknown-tool' ? 'not_found' : 'error'
      add({ status, result: { error: ports.describeProblem(one.call, parent) }, durationMs: null, notes: [] })
      continue
    }
    const closed = closeCall(before ?? undecidedCall(parent, one, full ? limitWords(stored) : '', ports.now), ports.now)
    if (before?.postedIn == null) calls.push({ before, after: { ...closed, postedIn: userMessageId } })
    add(resultForModel(closed, one))
  }
  return { calls, results }
}

export const findRow = (stored: StoredConversation, messageId: string, slot: number): CallRecord | undefined =>
  stored.calls.find((call) => call.messageId === messageId && call.slot === slot)

const limitWords = ({ conversation }: StoredConversation): string => {
  const limit = conversation.settings.tools.maxCallsPerReply
  return `This call did not run: ${limit === 1 ? 'one call' : `${limit} calls`} of one reply may run in this chat.`
}

/** The row of a call that nobody decided: it has no hash, because nothing was approved. `reason`: why it could not run. */
const undecidedCall = (
  parent: AssistantMessage,
  { slot, call }: MessageCall,
  reason: string,
  now: number,
): CallRecord => ({
  messageId: parent.id,
  slot,
  callId: call.id,
  name: call.name,
  callHash: '',
  decision: 'skip',
  reason,
  runnerId: null,
  attempt: 1,
  decidedAt: now,
  outcome: null,
  changed: null,
  by: { kind: 'click' },
  gated: false,
  release: null,
  finishedAt: null,
  postedIn: null,
})

/**
 * A call that was started and never came back is closed as interrupted: a late outcome must not contradict the model. A
 * result that waits for a look is kept: the user wrote something else instead of letting it go.
 */
function closeCall(call: CallRecord, now: number): CallRecord {
  if (isGated(call)) return { ...call, release: { kind: 'withheld', note: OVERTAKEN, releasedAt: now } }
  if (call.decision !== 'run' || call.outcome) return call
  const outcome: CallOutcome = {
    status: 'interrupted',
    result: { error: 'The run was interrupted; its effects are unknown.' },
    durationMs: null,
    console: [],
    displays: [],
  }
  return { ...call, outcome, finishedAt: now }
}

function resultForModel(call: CallRecord, live: MessageCall): ResultForModel {
  const reason = call.reason === '' ? {} : { reason: call.reason }
  switch (call.decision) {
    case 'deny':
      return {
        status: 'denied',
        result: { error: 'The user denied this call.', ...reason },
        durationMs: null,
        notes: [],
      }
    case 'skip':
      return { ...skipForModel(call), durationMs: null, notes: [] }
    case 'run':
      if (!call.outcome) throw new Error('a call that ran is closed before it is posted')
      return releasedResult(call, call.outcome, [...takenNote(live), ...changedNote(call)])
  }
}

function skipForModel(call: CallRecord): Pick<ResultForModel, 'status' | 'result'> {
  const chosen = call.callHash !== ''
  if (!chosen && call.reason !== '') return { status: 'error', result: { error: call.reason } }
  if (!chosen) {
    return { status: 'skipped', result: { error: 'The user wrote something else instead of running this call.' } }
  }
  const reason = call.reason === '' ? {} : { reason: call.reason }
  return { status: 'skipped', result: { error: 'The user left this call out.', ...reason } }
}

/** The outcome as far as the user let it out, with what was done to it: never what was taken out. */
function releasedResult(
  { release }: CallRecord,
  { status, result, durationMs }: CallOutcome,
  before: readonly string[],
): ResultForModel {
  const own = release && release.note !== '' ? [`The user says: “${release.note}”`] : []
  switch (release?.kind) {
    case undefined:
      return { status, result, durationMs, notes: before }
    case 'sent':
      return { status, result, durationMs, notes: [...before, ...own] }
    case 'changed': {
      const what = release.changes.map((change) => changeWords[change]).join(', ')
      const note = `The user changed this result before it was sent${what === '' ? '' : `: ${what}`}.`
      return { status, result: release.result, durationMs, notes: [...before, note, ...own] }
    }
    case 'withheld': {
      const overtaken = release.note === OVERTAKEN
      const error = `It ran, but its result was not sent: ${overtaken ? OVERTAKEN : 'the user kept it'}.`
      return { status: 'denied', result: { error }, durationMs: null, notes: [...before, ...(overtaken ? [] : own)] }
    }
  }
}

const changeWords: Record<ResultChange, string> = {
  trimmed: 'parts were left out',
  redacted: 'parts were blacked out',
  edited: 'its text was edited',
  'file-reference': 'a reference to a file stands in its place',
}

const takenNote = ({ lifted }: MessageCall): readonly string[] =>
  lifted ? ['This was not written as a call; the user took it as one.'] : []

function changedNote({ changed }: CallRecord): readonly string[] {
  if (!changed) return []
  const text = JSON.stringify(changed.arguments)
  const shown = text.length <= MAX_NOTED_CHARS ? text : `${text.slice(0, MAX_NOTED_CHARS).toWellFormed()} … (cut here)`
  return [`The user changed the arguments before it ran: what ran was ${changed.name} with ${shown}.`]
}
