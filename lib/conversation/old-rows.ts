import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { ToolExecuteStatus } from '@/lib/strategies/tool-context-def'
import type { CallRecord, KeptBy, LogEntry } from './conversation'

/*
 * Rows as they were before they said who: what closed a call stood in an empty hash and a sentence, who kept a result in
 * the words of its note. The migration of the tables and the import of older exports tell them in today's fields. Frozen:
 * these sentences stand in rows and files, and nowhere else any more.
 */

/** The note of results that were kept because the user wrote something else; a user may have typed it just as well. */
const LEFT_BEHIND = 'the user wrote something else'
const LIMIT = /^This call did not run: (?:one call|(\d+) calls) of one reply may run in this chat\.$/

type DecisionBody = Pick<CallRecord, 'callHash' | 'reason' | 'by'>

/** Who decided, or what closed the call. `cancelled`: it was stopped before it began, with the calls before it. */
export function decisionOfOld({ callHash, reason, by }: DecisionBody, cancelled: boolean): DecisionBody {
  if (cancelled) return { callHash, reason, by: { kind: 'run-stopped' } }
  if (callHash !== '') return { callHash, reason, by }
  if (reason === '') return { callHash: null, reason, by: { kind: 'overtaken' } }
  const limit = LIMIT.exec(reason)
  return limit
    ? { callHash: null, reason: '', by: { kind: 'limit', maxCalls: Number(limit[1] ?? 1) } }
    : { callHash: null, reason, by: { kind: 'unknown' } }
}

/** Moments of a call at which its result can have been kept without a click; null: there was none, or nobody knows it. */
export interface KeptMoments {
  /** When the message was written that took the results to the model. */
  readonly postedAt: number | null
  /** When it came back; only of one that the user had written on without. */
  readonly cameLateAt: number | null
  readonly importedAt: number | null
}

export type OldRelease = { readonly kind: string; readonly note: string; readonly releasedAt: number }

/** The release with who gave it. Without moments nobody knows who wrote that note. */
export function releaseOfOld<R extends OldRelease>(
  release: R,
  moments: KeptMoments | null,
): R & { readonly by: KeptBy } {
  if (release.kind !== 'withheld' || release.note !== LEFT_BEHIND) return { ...release, by: { kind: 'click' } }
  const kind = moments ? keeperAt(release.releasedAt, moments) : 'unknown'
  return { ...release, by: { kind }, note: kind === 'click' ? release.note : '' }
}

function keeperAt(at: number, { postedAt, cameLateAt, importedAt }: KeptMoments): KeptBy['kind'] {
  if (at === postedAt || at === cameLateAt) return 'overtaken'
  return at === importedAt ? 'imported' : 'click'
}

type OldEntry = Pick<LogEntry, 'seq' | 'at' | 'event' | 'messageId' | 'slot' | 'detail'>

/** A log whose details say who; an entry that says nothing else today is the same object. The whole tells what closed what. */
export function entriesOfOld<E extends OldEntry>(log: readonly E[]): readonly E[] {
  const cancelled = new Set(
    log.flatMap((entry) =>
      entry.event === 'call-stopped' && entry.detail['begun'] === false ? [attemptOf(entry)] : [],
    ),
  )
  /** Whatever was kept in the same breath as one of these was kept by nobody's click. */
  const closings = new Set(
    log.flatMap(({ event, at, messageId, slot, detail }) => {
      if (event === 'call-finished') return [`${at} ${messageId} ${slot}`]
      if (event !== 'results-sent' || !Array.isArray(detail['results'])) return []
      return detail['results'].map((sent) => `${at} ${messageId} ${isJsonObject(sent) ? Number(sent['slot']) : ''}`)
    }),
  )
  return log.map((entry) => {
    const detail = detailOfOld(entry, {
      neverBegan: cancelled.has(attemptOf(entry)),
      keptInPassing: closings.has(`${entry.at} ${entry.messageId} ${entry.slot}`),
    })
    return detail ? { ...entry, detail } : entry
  })
}

const attemptOf = ({ messageId, slot, detail }: OldEntry): string => `${messageId} ${slot} ${Number(detail['attempt'])}`

function detailOfOld(
  { event, detail }: OldEntry,
  { neverBegan, keptInPassing }: { readonly neverBegan: boolean; readonly keptInPassing: boolean },
): JsonObject | null {
  if (event === 'call-decided' && detail['callHash'] === '') {
    const reason = typeof detail['reason'] === 'string' ? detail['reason'] : ''
    const told = decisionOfOld({ callHash: '', reason, by: { kind: 'unknown' } }, false)
    return { ...detail, reason: told.reason, by: { ...told.by }, callHash: null }
  }
  if (event === 'call-stopped' && detail['begun'] === false) return { ...detail, by: { kind: 'run-stopped' } }
  if (event === 'call-finished' && detail['status'] === 'cancelled' && neverBegan) return { ...detail, begun: false }
  if (event !== 'result-released' || 'by' in detail) return null
  const passing = detail['note'] === LEFT_BEHIND && detail['release'] === 'withheld' && keptInPassing
  return passing ? { ...detail, by: { kind: 'overtaken' }, note: '' } : { ...detail, by: { kind: 'click' } }
}

/** Results told before a refused call and a kept result had statuses of their own were `denied`. */
export type OldStatus = ToolExecuteStatus | 'denied'

/** The status as it is told today: a kept result says that the call ran. */
export function statusOfOld(status: OldStatus, result: JsonValue): ToolExecuteStatus {
  if (status !== 'denied') return status
  const error = isJsonObject(result) ? result['error'] : null
  return typeof error === 'string' && error.startsWith('It ran') ? 'result_rejected' : 'execution_rejected'
}
