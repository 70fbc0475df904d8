import type { JsonValue } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'
import {
  edit,
  redact,
  replaceByFile,
  setScope,
  startResultDraft,
  undo,
  type ResultDraft,
  type ResultScope,
} from '@/lib/shared/calls/result-draft'

/** A part of the draft's text, as UTF-16 offsets. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** What a person makes of a result that waits, until it is sent or kept. */
export interface ResultApprovalState {
  readonly draft: ResultDraft
  readonly note: string
  /** What is selected on the page; it stays when a button takes the focus. */
  readonly selected: TextRange | null
  /** The text that is being typed, not yet part of the draft; null: the draft is read. */
  readonly typed: string | null
  readonly errand: ResultApprovalRequest
}

/** What was asked of the server or the files. */
export type ResultApprovalRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'refused'; readonly problem: string }

export type ResultApprovalEvent =
  | { readonly type: 'note-typed'; readonly note: string }
  | { readonly type: 'text-selected'; readonly range: TextRange | null }
  | { readonly type: 'scope-chosen'; readonly kind: ResultScope['kind'] }
  | { readonly type: 'selection-redacted' }
  | { readonly type: 'undone' }
  /** The whole result is to be changed, not just its one long text. */
  | { readonly type: 'widened' }
  | { readonly type: 'text-typed'; readonly text: string }
  | { readonly type: 'typing-kept' }
  | { readonly type: 'typing-dropped' }
  | { readonly type: 'errand-started' }
  /** Null: it was carried out. */
  | { readonly type: 'errand-ended'; readonly problem: string | null }
  | { readonly type: 'file-written'; readonly path: string }

export const startResultApproval = (result: JsonValue, problem: string | null = null): ResultApprovalState => ({
  draft: startResultDraft(result),
  note: '',
  selected: null,
  typed: null,
  errand: errandAfter(problem),
})

/** The draft as it would go out now: what is being typed counts, Send takes it along. */
export const resultDraftOf = ({ draft, typed }: ResultApprovalState): ResultDraft =>
  typed === null ? draft : edit(draft, typed)

export function reduceResultApproval(state: ResultApprovalState, event: ResultApprovalEvent): ResultApprovalState {
  switch (event.type) {
    case 'note-typed':
      return { ...state, note: event.note }
    case 'text-selected':
      return { ...state, selected: event.range }
    case 'scope-chosen':
      return chooseScope(state, event.kind)
    case 'selection-redacted': {
      const { selected, draft } = state
      return selected ? withDraft(state, redact(draft, selected.start, selected.end)) : state
    }
    case 'undone':
      return withDraft(state, undo(state.draft))
    case 'widened':
      return withDraft(state, startResultDraft(state.draft.original, { whole: true }))
    case 'text-typed':
      return { ...state, typed: event.text }
    case 'typing-kept':
      return { ...withDraft(state, resultDraftOf(state)), typed: null }
    case 'typing-dropped':
      return { ...state, typed: null }
    case 'errand-started':
      return { ...state, errand: { kind: 'under-way' } }
    case 'errand-ended':
      return refuse(state, event.problem)
    case 'file-written':
      return withDraft(state, replaceByFile(state.draft, event.path))
  }
}

function chooseScope(state: ResultApprovalState, kind: ResultScope['kind']): ResultApprovalState {
  const { draft, selected } = state
  if (kind !== 'selection') return withDraft(state, setScope(draft, { kind }))
  if (!selected) return refuse(state, t('gate.select-first'))
  return withDraft(state, setScope(draft, { kind, ...selected }))
}

/** Offsets of a selection hold for the text that they were taken from. */
const withDraft = (state: ResultApprovalState, draft: ResultDraft): ResultApprovalState => ({
  ...state,
  draft,
  selected: draft === state.draft ? state.selected : null,
  errand: { kind: 'none' },
})

const refuse = (state: ResultApprovalState, problem: string | null): ResultApprovalState => ({
  ...state,
  errand: errandAfter(problem),
})

function errandAfter(problem: string | null): ResultApprovalRequest {
  return problem === null ? { kind: 'none' } : { kind: 'refused', problem }
}
