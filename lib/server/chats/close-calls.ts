import { isJsonObject } from '@/lib/base/json'
import type { PlannedCall, StoredConversation } from '@/lib/server/store/ports/conversation-store'
import { isGated, needsDecision, runsAreUsedUp, type MessageCall } from '@/lib/shared/calls/message-calls'
import { decidedResult, releasedResult, takenNote } from '@/lib/shared/prompt/decided-result'
import { withheldWithoutClick, stoppedOutcome } from '@/lib/shared/conversation/stopped-outcome'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { CallOutcome, CallRecord, ClosedBy, ToolResult } from '@/lib/shared/conversation/call-record'

/** What closing calls needs in addition to the stored rows; all pure. */
export interface ClosePorts {
  /** The calls of a finished reply by slot, with the user's amendments; none for any other reply. */
  readonly readCalls: (message: AssistantMessage) => readonly MessageCall[]
  /** The teaching text for a call that cannot run. */
  readonly describeProblem: (call: MessageCall['call'], message: AssistantMessage) => string
  /** The partial output of a stopped run needs a review that it will not get. */
  readonly isUnseen: (call: CallRecord, outcome: CallOutcome) => boolean
  readonly now: number
}

const MAX_NOTED_FILES = 40

/**
 * Gives every call of the parent its result: the decided outcome, `skipped` if it was not decided, or the teaching text
 * if it could not run. Rows change only if they were not posted before (an edited message reuses the same results).
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
  const { maxCallsPerReply: maxCalls } = stored.conversation.settings.tools
  const by: ClosedBy = runsAreUsedUp(live, rowOf, maxCalls) ? { kind: 'limit', maxCalls } : { kind: 'overtaken' }
  for (const one of live) {
    const before = rowOf(one.slot) ?? null
    // A decided call keeps its result, even if its tool was switched off since.
    if (!needsDecision(one) && !before) {
      const status = one.call.problem?.code === 'unknown-tool' ? 'not_found' : 'error'
      const { slot, call } = one
      const result = { error: ports.describeProblem(call, parent) }
      results.push({ messageId: parent.id, slot, callId: call.id, name: call.name, status, result, durationMs: null })
      continue
    }
    const closed = closeCall(before ?? undecidedCall(parent, one, by, ports.now), ports)
    if (before?.postedIn == null) calls.push({ before, after: { ...closed, postedIn: userMessageId } })
    results.push({ messageId: parent.id, ...decidedResult(closed, one) })
  }
  // Also includes rows of calls that can't be read any more because the reply or its format is damaged.
  const read = new Set(live.map(({ slot }) => slot))
  for (const before of stored.calls) {
    if (before.messageId !== parent.id || before.postedIn !== null || read.has(before.slot)) continue
    calls.push({ before, after: { ...before, postedIn: userMessageId } })
  }
  return { calls, results }
}

export const findRow = (stored: StoredConversation, messageId: string, slot: number): CallRecord | undefined =>
  stored.calls.find((call) => call.messageId === messageId && call.slot === slot)

/** The row of a call that was never decided. */
const undecidedCall = (
  parent: AssistantMessage,
  { slot, call }: MessageCall,
  by: ClosedBy,
  now: number,
): CallRecord => ({
  messageId: parent.id,
  slot,
  callId: call.id,
  name: call.name,
  callHash: null,
  decision: 'skip',
  reason: '',
  runnerId: null,
  attempt: 1,
  decidedAt: now,
  outcome: null,
  changed: null,
  by,
  gated: false,
  release: null,
  finishedAt: null,
  postedIn: null,
})

/**
 * A result that waits for review is withheld: the user sent a message instead of releasing it. A call that the user
 * stopped is settled as stopped. A call that was started without an outcome stays open, because it may still run in
 * some page. The model learns that, and gets the outcome once it is known.
 */
function closeCall(call: CallRecord, { now, isUnseen }: ClosePorts): CallRecord {
  if (isGated(call)) return { ...call, release: withheldWithoutClick('overtaken', now) }
  if (call.decision !== 'run' || call.outcome || !call.stopped) return call
  const outcome = stoppedOutcome(call.stopped)
  const ended = { ...call, outcome, finishedAt: now }
  // Nobody reviewed the partial output.
  return isUnseen(call, outcome) ? { ...ended, gated: true, release: withheldWithoutClick('overtaken', now) } : ended
}

/**
 * Calls of the branch that the model knows as unfinished, that have ended since, and whose outcome it has not
 * received. `path`: root → the message that is answered.
 */
export function lateResults(
  stored: StoredConversation,
  path: readonly Message[],
  readCalls: ClosePorts['readCalls'],
): readonly ToolResult[] {
  const users = path.filter((message) => message.role === 'user')
  const reported = new Set(users.flatMap(({ late = [] }) => late.map(keyOf)))
  const open = users.flatMap(({ results }) => results.filter(({ status }) => status === 'unfinished'))
  return open.flatMap((result) => {
    const row = findRow(stored, result.messageId, result.slot)
    const reply = path.find((message) => message.id === result.messageId)
    if (!row?.outcome || reported.has(keyOf(result)) || reply?.role !== 'assistant') return []
    const live = readCalls(reply).find(({ slot }) => slot === result.slot)
    const { messageId, slot, callId, name } = result
    const { notes, ...ended } = releasedResult(row, row.outcome, live ? takenNote(live) : [])
    const note = [...notes, filesNote(row.outcome)].filter((part) => part !== '').join(' ')
    return [{ messageId, slot, callId, name, ...ended, ...(note && { note }) }]
  })
}

const keyOf = ({ messageId, slot }: Pick<ToolResult, 'messageId' | 'slot'>): string => `${messageId}:${slot}`

/** Names the files that the call changed, even if its result is withheld: the model works on them. */
function filesNote({ files, result }: CallOutcome): string {
  const namesFiles = isJsonObject(result) && 'files' in result
  if (!files || files.total === 0 || namesFiles) return ''
  const listed = files.changes.slice(0, MAX_NOTED_FILES).map(({ path, change }) => `${change} ${path}`)
  const left = files.total - listed.length
  const all = `${listed.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
  return files.kept ? `Files changed: ${all}.` : `The user kept its changes away from the files: ${all}.`
}
