import { english } from '@/lib/base/text/locale'
import { neutralise } from '@/lib/protocols/registry'
import { limitReached } from '@/lib/shared/calls/click-reasons'
import type { MessageCall } from '@/lib/shared/calls/message-calls'
import { holdsPlaceholder, placeholderNote } from '@/lib/shared/secrets/placeholders'
import type {
  CallOutcome,
  CallRecord,
  WithheldBy,
  ResultChange,
  ToolResult,
} from '@/lib/shared/conversation/call-record'
import { deniedByReviewer } from '@/lib/shared/conversation/wire/call-requests'
import type { CopyEnd } from '@/lib/shared/conversation/copy-scopes'

type ResultForModel = Pick<ToolResult, 'status' | 'result' | 'durationMs'> & { readonly notes: readonly string[] }

/** Longest description of changed arguments, in characters; the rest is cut. */
const MAX_NOTED_CHARS = 4_000

const UNFINISHED =
  'The user wrote on before this call had come back. It may still run: nothing is known of its result and of what it ' +
  'changes. How it ended is told once that is known.'

/** The result of one decided call, as the next message sends it to the model. */
export function decidedResult(call: DecidedCall, live: MessageCall): Omit<ToolResult, 'messageId'> {
  const { notes, ...result } = resultForModel(call, live)
  const note = [...notes, ...(holdsPlaceholder(result.result) ? [placeholderNote] : [])].join(' ')
  return { slot: live.slot, callId: live.call.id, name: live.call.name, ...result, ...(note && { note }) }
}

/** What the text about a call depends on. */
export type DecidedCall = Pick<CallRecord, 'decision' | 'by' | 'reason' | 'changed' | 'outcome' | 'release'>

function resultForModel(call: DecidedCall, live: MessageCall): ResultForModel {
  const reason = call.reason === '' ? {} : { reason: call.reason }
  switch (call.decision) {
    case 'deny':
      return {
        status: 'execution_rejected',
        result: {
          error: call.by.kind === 'reviewer' ? deniedByReviewer : 'The user denied this call.',
          ...reason,
        },
        durationMs: null,
        notes: [],
      }
    case 'skip':
      return { ...skipForModel(call), durationMs: null, notes: [] }
    case 'run':
      if (!call.outcome) {
        return {
          status: 'unfinished',
          result: { note: UNFINISHED },
          durationMs: null,
          notes: [...takenNote(live), ...changedNote(call)],
        }
      }
      return releasedResult(call, call.outcome, [...takenNote(live), ...changedNote(call)])
  }
}

function skipForModel(call: DecidedCall): Pick<ResultForModel, 'status' | 'result'> {
  switch (call.by.kind) {
    case 'limit':
      return { status: 'error', result: { error: limitReached(call.by.maxCalls) } }
    case 'overtaken':
      return { status: 'skipped', result: { error: 'The user wrote something else instead of running this call.' } }
    case 'unknown':
      return { status: 'skipped', result: { error: 'What the user decided on this call can no longer be read.' } }
    case 'run-stopped':
    case 'click':
    case 'reviewer':
    case 'auto':
    case 'grant': {
      const reason = call.reason === '' ? {} : { reason: call.reason }
      return { status: 'skipped', result: { error: 'The user left this call out.', ...reason } }
    }
  }
}

/** The released part of the outcome, with how it was edited: never what was removed. */
export function releasedResult(
  { release }: DecidedCall,
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
      const what = release.changes.map((change) => changeText[change]).join(', ')
      const note = `The user changed this result before it was sent${what === '' ? '' : `: ${what}`}.`
      return { status, result: release.result, durationMs, notes: [...before, note, ...own] }
    }
    case 'withheld': {
      const ran =
        status === 'cancelled'
          ? 'The user stopped it while it ran, and what it had said by then was not sent'
          : 'It ran, but its result was not sent'
      const error = `${ran}: ${storedText[release.by.kind]}.`
      return {
        status: 'result_rejected',
        result: { error },
        durationMs: null,
        notes: [...before, ...own],
      }
    }
  }
}

const storedText: Record<WithheldBy['kind'], string> = {
  click: 'the user kept it',
  overtaken: 'the user wrote something else',
  imported: 'this chat was imported, and what it gave came along unseen',
  unknown: 'what the user said about it can no longer be read',
}

const changeText: Record<ResultChange, string> = {
  revealed: 'values are in the place of their placeholders',
  trimmed: 'parts were left out',
  redacted: 'parts were blacked out',
  edited: 'its text was edited',
  'file-reference': 'a reference to a file stands in its place',
}

export const takenNote = ({ promoted }: MessageCall): readonly string[] =>
  promoted ? ['This was not written as a call; the user took it as one.'] : []

function changedNote({ changed }: DecidedCall): readonly string[] {
  if (!changed) return []
  const text = JSON.stringify(changed.arguments)
  const shown = text.length <= MAX_NOTED_CHARS ? text : `${text.slice(0, MAX_NOTED_CHARS).toWellFormed()} … (cut here)`
  return [`The user changed the arguments before it ran: what ran was ${changed.name} with ${shown}.`]
}

/** The end of a copy, as the model reads it before the user's next message. */
export function copyEndText({ kind, changed, kept, leftOut, by, reviewer }: CopyEnd): string {
  const who = reviewer === undefined ? 'The user' : 'A reviewer'
  const files = (count: number) => english.plural(count, { one: 'one file', other: `${count} files` })
  if (kind === 'discarded') {
    return `Your calls ran on a copy of the files. ${who} discarded the copy. All files are as they were before it.`
  }
  if (by === 'grant') {
    return `Your calls ran on a copy of the files. An approval that the user gave before kept all changes (${files(kept)}). They are in the files now.`
  }
  if (kept === changed) {
    return `Your calls ran on a copy of the files. ${who} kept all changes (${files(kept)}). They are in the files now.`
  }
  const named = leftOut.map((path) => neutralise.json(JSON.stringify(path))).join(', ')
  const more = changed - kept - leftOut.length
  const rest = more > 0 ? ` and ${more} more` : ''
  return `Your calls ran on a copy of the files. The user kept the changes of ${files(kept)} and discarded those of ${files(changed - kept)}: ${named}${rest}. These are as they were before the copy.`
}
