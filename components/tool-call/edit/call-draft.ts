import type { Refusal } from '@/lib/base/app-error'
import { isJsonObject, type JsonObject } from '@/lib/base/json'
import { jsonErrorAt } from '@/lib/base/text/json-error-at'
import { err, ok, type Result } from '@/lib/base/result'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import { makeRefusal } from '@/lib/i18n/t'

/** A call that is being edited. Both views have the same arguments. */
export interface CallDraft {
  readonly name: string
  readonly arguments: JsonObject
  readonly view: DraftView
  readonly saving: DraftSaving
}

/** `problem`: the text is not JSON yet, so the previous arguments apply. */
export type DraftView =
  | { readonly kind: 'form' }
  | { readonly kind: 'raw'; readonly text: string; readonly problem: Refusal | null }

export type DraftSaving =
  | { readonly kind: 'none' }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'refused'; readonly problem: string | Refusal }

export type DraftEvent =
  | { readonly type: 'tool-chosen'; readonly name: string }
  | { readonly type: 'arguments-changed'; readonly arguments: JsonObject }
  | { readonly type: 'raw-typed'; readonly text: string }
  | { readonly type: 'view-chosen'; readonly view: DraftView['kind'] }
  | { readonly type: 'saving-started' }
  | { readonly type: 'saving-refused'; readonly problem: string }

export const startCallDraft = ({ name, arguments: args }: CallToWrite): CallDraft => ({
  name,
  arguments: args,
  view: { kind: 'form' },
  saving: { kind: 'none' },
})

export function reduceDraft(draft: CallDraft, event: DraftEvent): CallDraft {
  switch (event.type) {
    case 'tool-chosen':
      return { ...draft, name: event.name }
    case 'arguments-changed':
      return { ...draft, arguments: event.arguments }
    case 'raw-typed': {
      const read = readArguments(event.text)
      return read.ok
        ? { ...draft, arguments: read.value, view: { kind: 'raw', text: event.text, problem: null } }
        : { ...draft, view: { kind: 'raw', text: event.text, problem: read.error } }
    }
    case 'view-chosen':
      return chooseView(draft, event.view)
    case 'saving-started':
      return { ...draft, saving: { kind: 'under-way' } }
    case 'saving-refused':
      return { ...draft, saving: { kind: 'refused', problem: event.problem } }
  }
}

function chooseView(draft: CallDraft, kind: DraftView['kind']): CallDraft {
  if (kind === draft.view.kind) return draft
  if (kind === 'raw') {
    const text = JSON.stringify(draft.arguments, null, 2)
    return { ...draft, view: { kind, text, problem: null }, saving: { kind: 'none' } }
  }
  // Text that is not JSON yet stays in the raw view, because leaving it would lose it.
  return rawProblem(draft) === null
    ? { ...draft, view: { kind }, saving: { kind: 'none' } }
    : { ...draft, saving: { kind: 'refused', problem: makeRefusal('card-edit.keeps-raw') } }
}

/** Why the raw text can't be used as arguments; null if it can, or in the form. */
export const rawProblem = ({ view }: CallDraft): Refusal | null => (view.kind === 'raw' ? view.problem : null)

/** The arguments, or the error and its position. */
function readArguments(text: string): Result<JsonObject, Refusal> {
  const at = jsonErrorAt(text)
  if (at !== null) {
    const before = text.slice(0, at)
    const place = { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
    return err(makeRefusal(at >= text.trimEnd().length ? 'card-edit.not-yet' : 'card-edit.not-json', place))
  }
  const value: unknown = JSON.parse(text)
  return isJsonObject(value) ? ok(value) : err(makeRefusal('card-edit.no-object', { example: '{"path": "/"}' }))
}

/** A draft as stored in this browser: its tool, its arguments, and raw text that is not JSON yet. */
export function storedDraft({ name, arguments: args, view }: CallDraft): string {
  return JSON.stringify({ name, arguments: args, ...(view.kind === 'raw' && { text: view.text }) })
}

/** The draft with the stored one applied; unchanged if none is stored or it is unreadable. */
export function withStoredDraft(draft: CallDraft, kept: string | null): CallDraft {
  try {
    const stored: unknown = kept === null ? null : JSON.parse(kept)
    if (!isJsonObject(stored)) return draft
    const { name, arguments: args, text } = stored
    if (typeof name !== 'string' || !isJsonObject(args)) return draft
    const view = typeof text === 'string' ? ({ kind: 'raw', text, problem: null } as const) : draft.view
    return { ...draft, name, arguments: args, view }
  } catch {
    return draft
  }
}
