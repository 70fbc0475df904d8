import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { ReleaseResult } from '@/lib/shared/conversation/wire/call-requests'
import type { ResultChange } from '@/lib/shared/conversation/call-record'

/*
 * The user's edits of a result before the model gets it. Pure: each operation returns a new draft that remembers the
 * previous one. Redacted text is removed from the draft at once; only `undo` restores it. Offsets are UTF-16, in
 * `text`.
 */

/** How much of the text is sent. */
export type ResultScope =
  | { readonly kind: 'all' }
  /** The first and the last lines. */
  | { readonly kind: 'trim' }
  | { readonly kind: 'selection'; readonly start: number; readonly end: number }

export interface ResultDraft {
  readonly original: JsonValue
  /** The one text member of a result that is edited as text; null: the whole result is `text`. */
  readonly member: string | null
  /** The whole current text; redactions contain `REDACTED`. */
  readonly text: string
  /** Where the redactions begin, in order. */
  readonly marks: readonly number[]
  readonly scope: ResultScope
  readonly edited: boolean
  readonly redacted: boolean
  /** `original` is not the stored result: the user revealed values that placeholders replace there. */
  readonly revealed: boolean
  /** The workspace file that is sent instead of the text. */
  readonly file: { readonly path: string; readonly lines: number } | null
  readonly before: ResultDraft | null
}

export const REDACTED = '[redacted]'
export const TRIM_HEAD_LINES = 20
export const TRIM_TAIL_LINES = 5
/** Characters of one line that are kept when a result is trimmed. */
const TRIM_LINE_CHARACTERS = 500
/** A text member of this length, or with several lines, is shown as the result. */
const LONG_TEXT = 120

/** `whole`: edit the JSON of the result, not only its one long text. `revealed`: see `ResultDraft`. */
export function startResultDraft(original: JsonValue, { whole = false, revealed = false } = {}): ResultDraft {
  const member = whole ? null : longMember(original)
  return {
    original,
    member,
    text: member === null ? resultAsText(original) : resultAsText((original as JsonObject)[member] ?? ''),
    marks: [],
    scope: { kind: 'all' },
    edited: false,
    redacted: false,
    revealed,
    file: null,
    before: null,
  }
}

/** The result as the user reads and edits it: texts unchanged, the rest as JSON. */
const resultAsText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** A result such as `{path, content}` is shown as its content. Null if no text, or more than one, is long. */
function longMember(value: JsonValue): string | null {
  if (!isJsonObject(value)) return null
  const long = Object.entries(value).filter(
    ([, member]) => typeof member === 'string' && (member.length > LONG_TEXT || member.trimEnd().includes('\n')),
  )
  return long.length === 1 ? (long[0]?.[0] ?? null) : null
}

/** The other members of a result whose one text is edited; they are sent unchanged. */
export function otherMembers({ original, member }: ResultDraft): JsonObject {
  if (member === null || !isJsonObject(original)) return {}
  return Object.fromEntries(Object.entries(original).filter(([key]) => key !== member))
}

/** Removes `[start, end)` permanently. A range that touches another redaction includes it. */
export function redact(draft: ResultDraft, start: number, end: number): ResultDraft {
  let from = clamp(Math.min(start, end), draft.text.length)
  let to = clamp(Math.max(start, end), draft.text.length)
  if (from === to) return draft
  if (isLow(draft.text, from)) from -= 1
  if (isLow(draft.text, to)) to += 1
  for (const mark of draft.marks) {
    if (mark >= to || mark + REDACTED.length <= from) continue
    from = Math.min(from, mark)
    to = Math.max(to, mark + REDACTED.length)
  }
  const shift = REDACTED.length - (to - from)
  const marks = [
    ...draft.marks.filter((mark) => mark + REDACTED.length <= from),
    from,
    ...draft.marks.filter((mark) => mark >= to).map((mark) => mark + shift),
  ]
  const text = draft.text.slice(0, from) + REDACTED + draft.text.slice(to)
  return {
    ...draft,
    text,
    marks,
    scope: moveScope(draft.scope, from, to, REDACTED.length),
    redacted: true,
    before: draft,
  }
}

/** Applies an edited text. Redactions that the edit left alone stay marked. */
export function edit(draft: ResultDraft, text: string): ResultDraft {
  if (text === draft.text) return draft
  const shorter = Math.min(text.length, draft.text.length)
  let head = 0
  while (head < shorter && text[head] === draft.text[head]) head++
  let tail = 0
  while (tail < shorter - head && text.at(-1 - tail) === draft.text.at(-1 - tail)) tail++
  const to = draft.text.length - tail
  const length = text.length - tail - head
  const shift = length - (to - head)
  const marks = draft.marks.flatMap((mark) => {
    if (mark + REDACTED.length <= head) return [mark]
    return mark >= to ? [mark + shift] : []
  })
  return { ...draft, text, marks, scope: moveScope(draft.scope, head, to, length), edited: true, before: draft }
}

export function setScope(draft: ResultDraft, scope: ResultScope): ResultDraft {
  if (scope.kind === draft.scope.kind && scope.kind !== 'selection') return draft
  if (scope.kind !== 'selection') return { ...draft, scope, before: draft }
  const start = clamp(Math.min(scope.start, scope.end), draft.text.length)
  const end = clamp(Math.max(scope.start, scope.end), draft.text.length)
  return start === end ? draft : { ...draft, scope: { kind: 'selection', start, end }, before: draft }
}

/** Sends a reference to a file instead of the text; the caller has written `text` there. */
export const replaceByFile = (draft: ResultDraft, path: string): ResultDraft => ({
  ...draft,
  file: { path, lines: lineCount(draft.text) },
  before: draft,
})

/** The draft before the last change; the draft itself if nothing was changed. */
export const undo = (draft: ResultDraft): ResultDraft => draft.before ?? draft

/** Adjusts a selection when the range `[from, to)` beside or around it is replaced by `length` characters. */
function moveScope(scope: ResultScope, from: number, to: number, length: number): ResultScope {
  if (scope.kind !== 'selection') return scope
  const move = (at: number, isEnd: boolean): number => {
    if (at <= from) return at
    if (at >= to) return at + length - (to - from)
    return isEnd ? from + length : from
  }
  const start = move(scope.start, false)
  return { kind: 'selection', start, end: Math.max(start, move(scope.end, true)) }
}

/** One piece of what is sent, for display. Line numbers are those of the whole text, from 1. */
export type DraftLine =
  | {
      readonly kind: 'line'
      readonly number: number
      readonly start: number
      readonly text: string
      readonly cut: number
    }
  | { readonly kind: 'left-out'; readonly lines: number }

/** The lines that are sent, and how many are left out in between. `cut`: characters of the line that are left out. */
export function draftLines(draft: ResultDraft): readonly DraftLine[] {
  const { scope, text } = draft
  const from = scope.kind === 'selection' ? scope.start : 0
  const to = scope.kind === 'selection' ? scope.end : text.length
  const before = scope.kind === 'selection' ? lineCount(text.slice(0, from)) - 1 : 0
  const lines: DraftLine[] = []
  let start = from
  for (const [index, line] of text.slice(from, to).split('\n').entries()) {
    const kept = scope.kind === 'trim' ? wholeUnits(line, TRIM_LINE_CHARACTERS) : line
    lines.push({ kind: 'line', number: before + index + 1, start, text: kept, cut: line.length - kept.length })
    start += line.length + 1
  }
  if (scope.kind !== 'trim' || lines.length <= TRIM_HEAD_LINES + TRIM_TAIL_LINES + 1) return lines
  const left = lines.length - TRIM_HEAD_LINES - TRIM_TAIL_LINES
  return [
    ...lines.slice(0, TRIM_HEAD_LINES),
    { kind: 'left-out', lines: left },
    ...lines.slice(lines.length - TRIM_TAIL_LINES),
  ]
}

/** The text as it is sent. */
export function draftText(draft: ResultDraft): string {
  if (draft.scope.kind === 'all') return draft.text
  return draftLines(draft)
    .map((line) => {
      if (line.kind === 'left-out') return `… ${line.lines} lines left out …`
      return line.cut > 0 ? `${line.text}… ${line.cut} characters left out` : line.text
    })
    .join('\n')
}

/** The kinds of edits, in the order of the card's text. */
export function resultChangesOf(draft: ResultDraft): readonly ResultChange[] {
  const changes: ResultChange[] = draft.revealed ? ['revealed'] : []
  // A file contains the whole text, whatever part was chosen before.
  if (!draft.file && draft.scope.kind !== 'all' && draftText(draft) !== draft.text) changes.push('trimmed')
  if (draft.redacted) changes.push('redacted')
  if (draft.edited) changes.push('edited')
  if (draft.file) changes.push('file-reference')
  return changes
}

/** The result that the model gets. Text that is still JSON stays JSON. */
export function draftResult(draft: ResultDraft): JsonValue {
  const { original, member, file } = draft
  if (file) {
    const note = `The result is kept in the file ${file.path}, ${file.lines} lines. Read the parts you need with read_file and its offset and limit.`
    return { note, path: file.path, lines: file.lines }
  }
  if (resultChangesOf(draft).length === 0) return original
  const text = draftText(draft)
  if (member !== null) return { ...(original as JsonObject), [member]: text }
  return typeof original === 'string' ? text : (parseJson(text) ?? text)
}

/** The release that sends this draft. */
export function releaseOf(draft: ResultDraft, note: string): ReleaseResult['release'] {
  const changes = resultChangesOf(draft)
  return changes.length === 0 ? { kind: 'sent', note } : { kind: 'changed', result: draftResult(draft), changes, note }
}

/** The next free name among those in `/.nod/results`. */
export function nextResultFile(names: readonly string[]): string {
  const numbers = names.map((name) => Number(/^(\d{1,9})\.txt$/.exec(name)?.[1] ?? 0))
  return `/.nod/results/${Math.max(0, ...numbers) + 1}.txt`
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

const clamp = (at: number, max: number): number => Math.min(Math.max(0, at), max)
const lineCount = (text: string): number => text.split('\n').length
/** The second half of a surrogate pair, before which the text must not be cut. */
const isLow = (text: string, at: number): boolean =>
  /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))
const wholeUnits = (line: string, limit: number): string =>
  line.length <= limit ? line : line.slice(0, isLow(line, limit) ? limit - 1 : limit)
