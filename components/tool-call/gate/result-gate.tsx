'use client'

import { unseenWords } from '@/lib/base/foreign-text/unseen-words'
import { ForeignName, ForeignText, SaidText } from '@/components/ui/foreign-text'
import { useId, useImperativeHandle, useRef, useState, type Ref } from 'react'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import { SegmentedControl } from '@/components/ui/segmented-control'
import { TextButton } from '@/components/ui/text-button'
import { formatBytes } from '@/lib/base/format-bytes'
import { formatDuration } from '@/lib/base/format-duration'
import type { ReleaseResult } from '@/lib/chat/api-types'
import type { CallOutcome } from '@/lib/chat/conversation'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import { estimateTokens } from '@/lib/strategies/token-estimate'
import {
  changesOf,
  draftResult,
  edit,
  otherMembers,
  redact,
  releaseOf,
  replaceByFile,
  setScope,
  startDraft,
  textOf,
  undo,
  type ResultDraft,
} from '@/lib/tool-calls/result-draft'
import { DraftText } from './draft-text'
import { Meta } from '../card/call-meta'
import { keepResult } from './keep-result'
import { Sentence } from '../sentence'
import { selectionWithin } from './text-selection'
import { useGateWhy } from './use-gate-why'
import { useSentBefore } from './use-sent-before'
import { useToolRuntime } from '../tool-runtime-context'

export interface GateKeys {
  readonly send: () => void
  readonly keep: () => void
}

export interface ResultGateProps {
  readonly conversationId: string
  readonly messageId: string
  readonly slot: number
  readonly call: CallToWrite
  readonly outcome: CallOutcome
  /** The one filled button on screen. */
  readonly current: boolean
  /** Gives a sentence when it could not be stored. */
  readonly onRelease: (release: ReleaseResult['release']) => Promise<string | null>
  readonly keys: Ref<GateKeys>
}

type Mode = { readonly kind: 'read' } | { readonly kind: 'edit'; readonly text: string }

/** A result that waits: what it holds, what of it goes to the model, and in which form. */
export default function ResultGate(props: ResultGateProps) {
  const { outcome, current, onRelease } = props
  const [draft, setDraft] = useState(() => startDraft(outcome.result))
  const [note, setNote] = useState('')
  const [mode, setMode] = useState<Mode>({ kind: 'read' })
  const [selected, setSelected] = useState<{ readonly start: number; readonly end: number } | null>(null)
  const [state, setState] = useState<{ busy: boolean; problem: string | null }>({ busy: false, problem: null })
  const text = useRef<HTMLDivElement>(null)
  const noteId = useId()
  const keepInFile = useKeepInFile(props.conversationId)
  const why = useGateWhy(props.messageId, props.slot, props.call.name, outcome)
  const known = useSentBefore(props.call, outcome.result)

  const apply = (next: ResultDraft) => {
    setDraft(next)
    setState({ busy: false, problem: null })
    if (next !== draft) setSelected(null)
  }
  const release = async (what: ReleaseResult['release']) => {
    if (state.busy) return
    setState({ busy: true, problem: null })
    setState({ busy: false, problem: await onRelease(what) })
  }
  /** What is being edited counts as edited: Send takes it along. */
  const settled = (): ResultDraft => (mode.kind === 'edit' ? edit(draft, mode.text) : draft)
  const send = () => void release(releaseOf(settled(), note.trim()))
  const keep = () => void release({ kind: 'withheld', note: note.trim() })
  useImperativeHandle(props.keys, () => ({ send, keep }))

  const choose = (kind: 'all' | 'trim' | 'selection') => {
    if (kind !== 'selection') return apply(setScope(draft, { kind }))
    if (!selected) return setState({ busy: false, problem: 'Select the part that may go out, then press Selection.' })
    apply(setScope(draft, { kind, ...selected }))
  }
  const toFile = async () => {
    setState({ busy: true, problem: null })
    const kept = await keepInFile(draft.text)
    if ('path' in kept) apply(replaceByFile(draft, kept.path))
    else setState({ busy: false, problem: kept.problem })
  }
  const now = settled()
  const changes = changesOf(now)
  const unseen = unseenWords(now.text)
  const tokens = estimateTokens(textOf(draftResult(now)))
  const others = Object.entries(otherMembers(draft))
  return (
    <>
      <Sentence parts={[`${sizeWords(outcome)} ${known}`]} />
      <Meta>
        {outcome.durationMs === null ? null : <span>done in {formatDuration(outcome.durationMs)}</span>}
        {outcome.status === 'error' ? <span>it failed</span> : null}
        {unseen === '' ? null : <span>it holds {unseen}</span>}
        {why === '' ? null : (
          <span>
            <SaidText text={why} />
          </span>
        )}
      </Meta>
      <div className="card-body">
        {draft.file ? (
          <div className="toolbar">
            <span className="muted">
              The model gets the path <ForeignName text={draft.file.path} /> and can read the file in pages.
            </span>
            <Button look="quiet" className="end" onClick={() => apply(undo(draft))}>
              Undo
            </Button>
          </div>
        ) : mode.kind === 'edit' ? (
          <div className="toolbar">
            <Button onClick={() => (apply(edit(draft, mode.text)), setMode({ kind: 'read' }))}>Done</Button>
            <Button look="quiet" onClick={() => setMode({ kind: 'read' })}>
              Cancel
            </Button>
          </div>
        ) : (
          <div className="toolbar">
            <SegmentedControl
              label="How much to send"
              value={draft.scope.kind}
              options={[
                { value: 'all', label: 'All' },
                { value: 'trim', label: 'Trim' },
                { value: 'selection', label: 'Selection' },
              ]}
              onChange={choose}
            />
            <Button
              look="quiet"
              disabled={selected === null}
              onClick={() => selected && apply(redact(draft, selected.start, selected.end))}
            >
              Redact selection
            </Button>
            <Button look="quiet" onClick={() => setMode({ kind: 'edit', text: draft.text })}>
              Edit
            </Button>
            <Button look="quiet" disabled={state.busy} onClick={() => void toFile()}>
              Replace by file reference
            </Button>
            <Button look="quiet" className="end" disabled={draft.before === null} onClick={() => apply(undo(draft))}>
              Undo
            </Button>
          </div>
        )}
        {mode.kind === 'edit' ? (
          <textarea
            className="field area raw gate-edit"
            aria-label="Result"
            spellCheck={false}
            rows={16}
            value={mode.text}
            onChange={(event) => setMode({ kind: 'edit', text: event.target.value })}
          />
        ) : draft.file ? null : (
          <DraftText
            draft={draft}
            region={text}
            selected={selected}
            onSelect={() => setSelected(selectionWithin(text.current))}
          />
        )}
        {others.length === 0 || draft.file ? null : (
          <p className="gate-others">
            <span>
              Goes along:{' '}
              {others.map(([name, value], index) => (
                <span key={name}>
                  {index === 0 ? '' : ', '}
                  <ForeignText text={name} />{' '}
                  <code>
                    <ForeignText text={shortJson(value)} reading="code" />
                  </code>
                </span>
              ))}
            </span>
            {draft.before === null ? (
              <TextButton onClick={() => setDraft(startDraft(outcome.result, { whole: true }))}>
                change that too
              </TextButton>
            ) : null}
          </p>
        )}
      </div>
      <div className="gate-end">
        <div className="pair">
          <label htmlFor={noteId}>Note to the model</label>
          <input
            className="field"
            id={noteId}
            placeholder="Optional. Goes along with the result."
            maxLength={2000}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
        </div>
        {state.problem ? (
          <p className="card-say trouble gate-trouble" role="alert">
            <SaidText text={state.problem} />
          </p>
        ) : null}
        <div className="card-foot gate-foot">
          <Button
            look={current ? 'go' : 'go-next'}
            className="act"
            aria-keyshortcuts="Meta+Enter Control+Enter"
            disabled={state.busy}
            onClick={send}
          >
            Send result {current ? <Kbd keys="mod+enter" /> : null}
          </Button>
          <Button
            className="act"
            aria-keyshortcuts="Meta+Backspace Control+Backspace"
            disabled={state.busy}
            onClick={keep}
          >
            Don’t send
          </Button>
          <span className="end muted small num" role="status">
            {[`about ${tokens.toLocaleString('en')} tokens`, changeWords(now)]
              .filter((part) => part !== '')
              .join(' · ')}
          </span>
        </div>
        {changes.length > 0 ? (
          <p className="gate-told">The model will be told that you changed this result, not what you took out.</p>
        ) : null}
      </div>
    </>
  )
}

function useKeepInFile(conversationId: string) {
  const runtimeOf = useToolRuntime()
  return async (text: string) => {
    try {
      const { vfs } = await runtimeOf(conversationId)
      return await keepResult(vfs, text)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { problem: `The result could not be kept as a file: ${why}` }
    }
  }
}

function sizeWords(outcome: CallOutcome): string {
  const text = typeof outcome.result === 'string' ? outcome.result : JSON.stringify(outcome.result)
  const size = formatBytes(new TextEncoder().encode(text).byteLength)
  return `Its result has ${size}, about ${estimateTokens(text).toLocaleString('en')} tokens.`
}

/** "trimmed, 4 redacted" */
function changeWords(draft: ResultDraft): string {
  return changesOf(draft)
    .map((change) => {
      switch (change) {
        case 'trimmed':
          return draft.scope.kind === 'selection' ? 'a selection' : 'trimmed'
        case 'redacted':
          return draft.marks.length > 0 ? `${draft.marks.length} redacted` : 'redacted'
        case 'edited':
          return 'edited'
        case 'file-reference':
          return 'as a file reference'
      }
    })
    .join(', ')
}

const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
