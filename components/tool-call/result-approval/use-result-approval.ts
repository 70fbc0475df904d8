'use client'

import type { CallOutcome, CallRecord, Conversation, ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { isLargeResult } from '@/lib/shared/calls/approval-policy'
import { t } from '@/lib/i18n/t'
import { errorText } from '@/lib/base/app-error'
import { useImperativeHandle, useReducer, useRef, type Dispatch } from 'react'
import type { ReleaseResult } from '@/lib/shared/conversation/wire/api-types'
import { resultChangesOf, releaseOf, type ResultDraft, nextResultFile } from '@/lib/shared/calls/result-draft'
import { useCall, type ResultApprovalKeys } from '../scope/call-scope'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import {
  resultDraftOf,
  reduceResultApproval,
  startResultApproval,
  type ResultApprovalEvent,
  type ResultApprovalState,
} from './result-approval-state'
import type { Vfs } from '@/lib/vfs/vfs'

/** Why a result waits, as far as its row and the settings of now say; '' where they don't. */
export function resultApprovalWords(
  tool: string,
  outcome: CallOutcome,
  config: Pick<ToolCallConfig, 'resultGate' | 'toolRules'>,
  from: { readonly finishedAt: CallRecord['finishedAt']; readonly importedAt: Conversation['importedAt'] },
): string {
  // It was let through by nobody here: what came in with a file is looked at whatever the settings say.
  if (from.importedAt !== undefined && (from.finishedAt ?? 0) <= from.importedAt) return t('gate.why.imported')
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

/** Writes a result into the conversation's files under the next free number; never over another one. */
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
  /** The draft as it would go out now. */
  readonly now: ResultDraft
  readonly isChanged: boolean
  /** Something was asked and is not answered: until then nothing else is. */
  readonly busy: boolean
  /** Writes the text into a file of this chat and sends its path in its place. */
  readonly toFile: () => void
}

/** A result that waits: what of it goes to the model and in which form, and the two ways to decide. */
export function useResultApproval(outcome: CallOutcome, problem: string | null): ResultApprovalModel {
  const { conversationId, decide, refs } = useCall()
  const runtimeOf = useToolRuntime()
  const [state, on] = useReducer(reduceResultApproval, null, () => startResultApproval(outcome.result, problem))
  /** Two presses may come before the first one is drawn. */
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
    void errand(async () => ({ type: 'errand-ended', problem: await decide.release(what) }))
  const send = () => release(releaseOf(now, state.note.trim()))
  const keep = () => release({ kind: 'withheld', note: state.note.trim() })
  useImperativeHandle(refs.gate, () => ({ send, keep }))

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
