'use client'

import type { Conversation, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import type { CallOutcome, CallRecord } from '@/lib/shared/conversation/call-record'
import { isLargeResult } from '@/lib/shared/calls/approval-policy'
import { t } from '@/lib/i18n/t'
import { errorText } from '@/lib/base/app-error'
import { useImperativeHandle, useReducer, useRef, type Dispatch } from 'react'
import type { ReleaseResult } from '@/lib/shared/conversation/wire/call-requests'
import {
  resultChangesOf,
  releaseOf,
  type ResultDraft,
  nextResultFile,
  edit,
  redact,
  replaceByFile,
  setScope,
  startResultDraft,
  undo,
  type ResultScope,
} from '@/lib/shared/calls/result-draft'
import { useCall, type ResultApprovalKeys } from '../scope/call-scope'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import type { Vfs } from '@/lib/vfs/vfs'
import type { JsonValue } from '@/lib/base/json'
import { vaultOf } from '@/lib/client/wiring/secrets.browser'
import { fillPlaceholders, holdsPlaceholder } from '@/lib/shared/secrets/placeholders'

/** A part of the draft's text, as UTF-16 offsets. */
interface TextRange {
  readonly start: number
  readonly end: number
}

/** The user's edits to a waiting result, until it is sent or withheld. */
export interface ResultApprovalState {
  /** The outcome as it is stored. */
  readonly stored: JsonValue
  /** The values that the model gets instead of their placeholders, by placeholder number. */
  readonly shown: ReadonlyMap<number, string>
  readonly draft: ResultDraft
  readonly note: string
  /** The selection; it stays when a button takes the focus. */
  readonly selected: TextRange | null
  /** The text being typed, not yet part of the draft; null while not editing. */
  readonly typed: string | null
  readonly errand: ResultApprovalRequest
}

/** A request to the server or the files. */
type ResultApprovalRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'refused'; readonly problem: string }

export type ResultApprovalEvent =
  | { readonly type: 'note-typed'; readonly note: string }
  | { readonly type: 'text-selected'; readonly range: TextRange | null }
  | { readonly type: 'scope-chosen'; readonly kind: ResultScope['kind'] }
  | { readonly type: 'selection-redacted' }
  | { readonly type: 'undone' }
  /** Chooses whether the model gets the value or its placeholder (null). Resets the draft. */
  | { readonly type: 'secret-shown'; readonly number: number; readonly value: string | null }
  /** Edit the whole result instead of its one long text. */
  | { readonly type: 'widened' }
  | { readonly type: 'text-typed'; readonly text: string }
  | { readonly type: 'typing-kept' }
  | { readonly type: 'typing-dropped' }
  | { readonly type: 'errand-started' }
  /** Null on success. */
  | { readonly type: 'errand-ended'; readonly problem: string | null }
  | { readonly type: 'file-written'; readonly path: string }

export const startResultApproval = (result: JsonValue, problem: string | null = null): ResultApprovalState => ({
  stored: result,
  shown: new Map(),
  draft: startResultDraft(result),
  note: '',
  selected: null,
  typed: null,
  errand: errandAfter(problem),
})

/** The draft as it would be sent now, including the text being typed. */
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
    case 'secret-shown':
      return showSecret(state, event.number, event.value)
    case 'widened': {
      const { original, revealed } = state.draft
      return withDraft(state, startResultDraft(original, { whole: true, revealed }))
    }
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

function showSecret(state: ResultApprovalState, number: number, value: string | null): ResultApprovalState {
  const shown = new Map(state.shown)
  if (value === null) shown.delete(number)
  else shown.set(number, value)
  const result = fillPlaceholders(state.stored, (one) => shown.get(one))
  return { ...withDraft(state, startResultDraft(result, { revealed: shown.size > 0 })), shown, typed: null }
}

/** A selection's offsets are valid only for their own text. */
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

/** Why a result waits, according to its row and the current settings; '' if they give no reason. */
export function resultApprovalText(
  tool: string,
  outcome: CallOutcome,
  config: Pick<ToolCallConfig, 'resultGate' | 'toolRules'>,
  from: { readonly finishedAt: CallRecord['finishedAt']; readonly importedAt: Conversation['importedAt'] },
): string {
  // It was not released here: imported results are reviewed whatever the settings say.
  if (from.importedAt !== undefined && (from.finishedAt ?? 0) <= from.importedAt) return t('gate.why.imported')
  // No setting holds this result; the browser does, because it found secrets in it.
  return wordsOfSettings(tool, outcome, config) || (holdsPlaceholder(outcome.result) ? t('gate.why.secrets') : '')
}

function wordsOfSettings(
  tool: string,
  outcome: CallOutcome,
  config: Pick<ToolCallConfig, 'resultGate' | 'toolRules'>,
): string {
  const rule = Object.hasOwn(config.toolRules, tool) ? config.toolRules[tool]?.result : undefined
  const failed = outcome.status === 'error'
  if (rule === 'always') return t('gate.why.tool', { tool })
  if (config.resultGate === 'always') return t('gate.why.every')
  if (rule === 'on-error' && failed) return t('gate.why.tool-failed', { tool })
  if (config.resultGate !== 'large-or-failed') return ''
  if (failed) return t('gate.why.failed')
  return isLargeResult(outcome) ? t('gate.why.large') : ''
}

const FOLDER = '/.nod/results'

/** Writes a result into the conversation's files with the next free number; never overwrites one. */
async function withholdResult(
  vfs: Vfs,
  text: string,
): Promise<{ readonly path: string } | { readonly problem: string }> {
  const listed = await vfs.list(FOLDER)
  const path = nextResultFile(listed.ok ? listed.value.map((entry) => entry.name) : [])
  const written = await vfs.write(path, new TextEncoder().encode(text))
  if (!written.ok) return { problem: t('gate.no-file', { why: written.error.message }) }
  return { path }
}

export interface ResultApprovalModel extends ResultApprovalKeys {
  readonly state: ResultApprovalState
  readonly on: Dispatch<ResultApprovalEvent>
  /** The draft as it would be sent now. */
  readonly now: ResultDraft
  readonly isChanged: boolean
  /** A request is pending; no other starts until then. */
  readonly busy: boolean
  /** Writes the text into a file of this chat and sends the file's path instead. */
  readonly toFile: () => void
}

/** A waiting result: which part of it is sent to the model and in which form, and the two decisions. */
export function useResultApproval(outcome: CallOutcome, problem: string | null): ResultApprovalModel {
  const { conversationId, decide, refs } = useCall()
  const runtimeOf = useToolRuntime()
  const [state, on] = useReducer(reduceResultApproval, null, () => startResultApproval(outcome.result, problem))
  /** Two presses may come before the first is rendered. */
  const underWay = useRef(false)
  const now = resultDraftOf(state)

  const errand = async (ask: () => Promise<ResultApprovalEvent>) => {
    if (underWay.current) return
    underWay.current = true
    on({ type: 'errand-started' })
    try {
      on(await ask())
    } finally {
      underWay.current = false
    }
  }
  const release = (what: ReleaseResult['release']) =>
    void errand(async () => {
      const refused = await decide.release(what)
      // Once shown to the model, the value is no secret in this chat, and later results keep it.
      if (refused === null && what.kind !== 'withheld') await vaultOf(conversationId).show([...state.shown.keys()])
      return { type: 'errand-ended', problem: refused }
    })
  const send = () => release(releaseOf(now, state.note.trim()))
  const keep = () => release({ kind: 'withheld', note: state.note.trim() })
  useImperativeHandle(refs.resultKeys, () => ({ send, keep }))

  const toFile = () =>
    void errand(async () => {
      try {
        const { vfs } = await runtimeOf(conversationId)
        const kept = await withholdResult(vfs, state.draft.text)
        return 'path' in kept
          ? { type: 'file-written', path: kept.path }
          : { type: 'errand-ended', problem: kept.problem }
      } catch (error) {
        return { type: 'errand-ended', problem: t('gate.no-file', { why: errorText(error) }) }
      }
    })
  return {
    state,
    on,
    now,
    isChanged: resultChangesOf(now).length > 0,
    busy: state.errand.kind === 'under-way',
    send,
    keep,
    toFile,
  }
}
