import { isJsonObject } from '@/lib/base/json'
import type { PlannedCall, StoredConversation } from '@/lib/server/store/ports/conversation-store'
import { isGated, needsDecision, runsAreUsedUp, type MessageCall } from '@/lib/shared/calls/message-calls'
import { decidedResult, releasedResult, takenNote } from '@/lib/shared/prompt/decided-result'
import { storedInThisBrowser } from '@/lib/shared/conversation/settings/who'
import { stoppedOutcome } from '@/lib/shared/conversation/stopped-outcome'
import type {
  AssistantMessage,
  CallOutcome,
  CallRecord,
  ClosedBy,
  Message,
  ToolResult,
} from '@/lib/shared/conversation/conversation'

/** What closing needs besides the stored rows; all pure. */
export interface ClosePorts {
  /** The calls of a finished reply by slot, as they stand with what the user changed; none for any other reply. */
  readonly readCalls: (message: AssistantMessage) => readonly MessageCall[]
  /** The teaching text for a call that cannot run. */
  readonly describeProblem: (call: MessageCall['call'], message: AssistantMessage) => string
  /** What a stopped run had said by then waits for a look that it will not get. */
  readonly isUnseen: (call: CallRecord, outcome: CallOutcome) => boolean
  readonly now: number
}

const MAX_NOTED_FILES = 40

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
  const { maxCallsPerReply: maxCalls } = stored.conversation.settings.tools
  const by: ClosedBy = runsAreUsedUp(live, rowOf, maxCalls) ? { kind: 'limit', maxCalls } : { kind: 'overtaken' }
  for (const one of live) {
    const before = rowOf(one.slot) ?? null
    // A call that was decided keeps its result, also when its tool was switched off since.
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
  // Rows of calls that nobody can read any more, the reply or what made them calls being damaged, go with the others.
  const read = new Set(live.map(({ slot }) => slot))
  for (const before of stored.calls) {
    if (before.messageId !== parent.id || before.postedIn !== null || read.has(before.slot)) continue
    calls.push({ before, after: { ...before, postedIn: userMessageId } })
  }
  return { calls, results }
}

export const findRow = (stored: StoredConversation, messageId: string, slot: number): CallRecord | undefined =>
  stored.calls.find((call) => call.messageId === messageId && call.slot === slot)

/** The row of a call that nobody decided. */
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
 * A result that waits for a look is kept: the user wrote something else instead of letting it go. A call that the user
 * stopped is settled as stopped. One that was started and has not come back stays open: whether it runs on in some page
 * nobody here knows, so the model is told just that, and how it ended once that is known.
 */
function closeCall(call: CallRecord, { now, isUnseen }: ClosePorts): CallRecord {
  if (isGated(call)) return { ...call, release: storedInThisBrowser('overtaken', now) }
  if (call.decision !== 'run' || call.outcome || !call.stopped) return call
  const outcome = stoppedOutcome(call.stopped)
  const ended = { ...call, outcome, finishedAt: now }
  // Nobody looked at what it had said by then.
  return isUnseen(call, outcome) ? { ...ended, gated: true, release: storedInThisBrowser('overtaken', now) } : ended
}

/**
 * Calls of the branch that the model was told are unfinished, that have ended since, and of which it has not been told.
 * `path`: root → the message that is answered.
 */
export function lateResults(
  stored: StoredConversation,
  path: readonly Message[],
  readCalls: ClosePorts['readCalls'],
): readonly ToolResult[] {
  const users = path.filter((message) => message.role === 'user')
  const told = new Set(users.flatMap(({ late = [] }) => late.map(keyOf)))
  const open = users.flatMap(({ results }) => results.filter(({ status }) => status === 'unfinished'))
  return open.flatMap((result) => {
    const row = findRow(stored, result.messageId, result.slot)
    const reply = path.find((message) => message.id === result.messageId)
    if (!row?.outcome || told.has(keyOf(result)) || reply?.role !== 'assistant') return []
    const live = readCalls(reply).find(({ slot }) => slot === result.slot)
    const { messageId, slot, callId, name } = result
    const { notes, ...ended } = releasedResult(row, row.outcome, live ? takenNote(live) : [])
    const note = [...notes, filesNote(row.outcome)].filter((part) => part !== '').join(' ')
    return [{ messageId, slot, callId, name, ...ended, ...(note && { note }) }]
  })
}

const keyOf = ({ messageId, slot }: Pick<ToolResult, 'messageId' | 'slot'>): string => `${messageId}:${slot}`

/** Files that it changed, named even where its result is kept: the model works on them. */
function filesNote({ files, result }: CallOutcome): string {
  const told = isJsonObject(result) && 'files' in result
  if (!files || files.total === 0 || told) return ''
  const listed = files.changes.slice(0, MAX_NOTED_FILES).map(({ path, change }) => `${change} ${path}`)
  const left = files.total - listed.length
  const all = `${listed.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
  return files.kept ? `Files changed: ${all}.` : `The user kept its changes away from the files: ${all}.`
}
