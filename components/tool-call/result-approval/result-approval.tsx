'use client'

import { useId, useRef, useMemo, useState } from 'react'
import { SentenceText, ForeignText } from '@/components/ui/text/foreign-text'
import { invisibleText } from '@/lib/i18n/invisible-text'
import { t } from '@/lib/i18n/t'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { useCall } from '../scope/call-scope'
import { Sentence, sentenceAround } from '../sentence'
import { ResultApprovalToolbar } from './result-approval-toolbar'
import { useResultApproval, type ResultApprovalModel, resultApprovalText } from './use-result-approval'
import { checkBox, checkLabel, field } from '@/components/ui/recipes/field'
import { cardSay, cardNote, footButton, footGo, footEnd, CardBody, Meta, Fact, CardFoot } from '../styles/card'
import { Displays } from '../evidence/result-view'
import { LazyResourceLinks, ToolPages } from '../lazy-parts'
import { DraftText } from './draft-text'
import { FoundSecrets } from './found-secrets'
import { TextButton, Button } from '@/components/ui/controls/button'
import { otherMembers, resultChangesOf, draftResult, type ResultDraft } from '@/lib/shared/calls/result-draft'
import { useChat, useConversation } from '@/components/context/chat-context'
import { resultPictures } from '@/lib/client/files/attach/load-pictures'
import { shortName } from '@/lib/i18n/model-label'
import { useAllMessages } from '@/components/context/use-older'
import { useTools } from '@/components/context/tools-context'
import type { JsonValue } from '@/lib/base/json'
import { sentBefore, continuationText } from '@/lib/shared/prompt/continuation'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import { amendmentsOf, replyCalls } from '@/lib/client/state/parsed-reply'
import { callKey } from '@/lib/client/state/state'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'
import { normalizePath } from '@/lib/vfs/path'
import { Kbd } from '@/components/ui/controls/kbd'
import { Wait } from '@/components/ui/page/wait'

/** The two decisions, and what the model would receive. */
function ResultApprovalActions({ approval: { now, isChanged, busy, send, keep } }: { approval: ResultApprovalModel }) {
  const { current, filled } = useCall()
  const { tokens } = sizeOf(draftResult(now))
  const changes = changeText(now)
  return (
    <>
      <CardFoot look="gate">
        <Button
          look={filled ? 'go' : 'go-next'}
          className={footGo}
          aria-keyshortcuts="Meta+Enter Control+Enter"
          disabled={busy}
          onClick={send}
        >
          {t('gate.send')} {current ? <Kbd keys="mod+enter" /> : null}
        </Button>
        <Button
          className={footButton}
          aria-keyshortcuts="Meta+Backspace Control+Backspace"
          disabled={busy}
          onClick={keep}
        >
          {t('gate.keep')}
        </Button>
        <span className={footEnd({ holds: 'words' }, 'tabular-nums')} role="status">
          {changes.length === 0 ? t('gate.tokens', { tokens }) : t('gate.tokens-changed', { tokens, changes })}
        </span>
      </CardFoot>
      {busy ? <Wait className={cardNote()} what={t('wait.decision')} /> : null}
      {isChanged ? <p className={cardNote()}>{t('gate.told')}</p> : null}
    </>
  )
}

/** "trimmed", "4 redacted" */
const changeText = (draft: ResultDraft): readonly string[] =>
  resultChangesOf(draft).map((change) => {
    switch (change) {
      case 'trimmed':
        return t(draft.scope.kind === 'selection' ? 'gate.change.selection' : 'gate.change.trimmed')
      case 'redacted':
        return t('gate.change.redacted', { marks: draft.marks.length })
      case 'revealed':
      case 'edited':
      case 'file-reference':
        return t(`gate.change.${change}`)
    }
  })

/** Why a call's result waits, in a few words. */
function useResultApprovalReason(messageId: string, slot: number, tool: string, outcome: CallOutcome): string {
  return useConversation((view) =>
    resultApprovalText(tool, outcome, view.conversation?.settings.tools ?? defaultToolConfig, {
      finishedAt: view.calls.get(callKey(messageId, slot))?.finishedAt ?? null,
      importedAt: view.conversation?.importedAt,
    }),
  )
}

/**
 * What the model was already sent of a waiting result, as sentences based on everything sent in this chat; null until
 * all of it is loaded.
 */
function useSentBefore(call: CallToWrite, result: JsonValue): string | null {
  const tools = useTools()
  const messages = useAllMessages()
  const conversation = useConversation((view) => view.conversation)
  const amendments = useConversation((view) => view.amendments)
  const found = useMemo(() => {
    if (!messages) return null
    const config = conversation?.settings.tools ?? defaultToolConfig
    const callsOf = (reply: AssistantMessage): readonly CallToWrite[] =>
      replyCalls(reply, config, amendmentsOf({ amendments }, reply.id), tools).flatMap(({ call: now, asked }) =>
        asked ? [now, asked] : [now],
      )
    const named = tools.get(call.name)?.policy.paths?.(call.arguments) ?? []
    const paths = named.flatMap((path) => {
      const normal = normalizePath(path)
      return normal.ok ? [normal.value] : []
    })
    return sentBefore(result, { arguments: call.arguments, paths }, messages, callsOf)
  }, [call, result, tools, messages, conversation, amendments])
  return found && continuationText(found)
}

/** Data that is sent unchanged, besides the one long text that is reviewed. */
function OtherPendingResults({ approval: { state, on } }: { approval: ResultApprovalModel }) {
  const { draft } = state
  const others = Object.entries(otherMembers(draft))
  if (others.length === 0 || draft.file) return null
  return (
    <p className={cardNote({ look: 'ruled' })}>
      <span>
        {sentenceAround((put) =>
          t('gate.goes-along', {
            members: others.map(([name, value]) => put(<Member name={name} value={value} />)),
          }),
        )}
      </span>
      {draft.before === null ? (
        <TextButton onClick={() => on({ type: 'widened' })}>{t('gate.change-too')}</TextButton>
      ) : null}
    </p>
  )
}

const Member = ({ name, value }: { name: string; value: unknown }) => (
  <span>
    <ForeignText text={name} />{' '}
    <code>
      <ForeignText text={shortJson(value)} reading="code" />
    </code>
  </span>
)

const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** The result's text, to read, select and edit. Nothing if a file is sent instead. */
function ResultApprovalText({ approval: { state, on } }: { approval: ResultApprovalModel }) {
  const text = useRef<HTMLDivElement>(null)
  const { draft, selected, typed } = state
  if (typed !== null) {
    return (
      <textarea
        className="block max-h-[40dvh] w-full resize-y overflow-y-auto bg-code px-3.5 py-2 font-mono text-mono text-code-text [tab-size:2] focus-visible:-outline-offset-2 narrow:text-lg/5"
        aria-label={t('gate.result')}
        spellCheck={false}
        rows={16}
        value={typed}
        onChange={(event) => on({ type: 'text-typed', text: event.target.value })}
      />
    )
  }
  if (draft.file) return null
  return (
    <DraftText
      draft={draft}
      region={text}
      selected={selected}
      onSelect={() => on({ type: 'text-selected', range: selectionWithin(text.current) })}
    />
  )
}

/**
 * The selection inside `region`, as offsets in the text whose pieces have theirs in `data-at` and `data-to`. Null if
 * nothing is selected there. A piece that shows something else than its text counts whole.
 */
function selectionWithin(region: HTMLElement | null): { readonly start: number; readonly end: number } | null {
  const selection = region?.ownerDocument.getSelection() ?? null
  if (!region || !selection || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  if (!region.contains(range.commonAncestorContainer)) return null
  const pieces = [...region.querySelectorAll<HTMLElement>('[data-at]')].filter((piece) => range.intersectsNode(piece))
  const starts: number[] = []
  const ends: number[] = []
  for (const piece of pieces) {
    const at = Number(piece.dataset['at'])
    const whole = piece.dataset['whole'] !== undefined
    const from = !whole && piece.contains(range.startContainer) ? at + range.startOffset : at
    const to = !whole && piece.contains(range.endContainer) ? at + range.endOffset : Number(piece.dataset['to'])
    if (to > from) {
      starts.push(from)
      ends.push(to)
    }
  }
  const start = Math.min(...starts)
  const end = Math.max(...ends)
  return starts.length > 0 && end > start ? { start, end } : null
}

/** For a model that can see: the user decides whether it gets the pictures. */
function ShowPictures({ outcome }: { outcome: CallOutcome }) {
  const { decide } = useCall()
  const [isShown, setShown] = useState(false)
  const id = useConversation((view) => view.conversation?.settings.model ?? '')
  const model = useChat((state) => state.models?.models.find((one) => one.id === id))
  const count = resultPictures(outcome).length
  if (count === 0 || model?.seesImages !== true) return null
  return (
    <label className={checkLabel({}, 'px-3.5 pb-2.5 narrow:px-3 pointer-coarse:min-h-touch')}>
      <input
        type="checkbox"
        className={checkBox()}
        checked={isShown}
        onChange={({ target: { checked } }) => {
          setShown(checked)
          decide.showPictures(checked)
        }}
      />
      <SentenceText text={t('gate.show-pictures', { count, model: shortName(model) })} />
    </label>
  )
}

export interface ResultApprovalProps {
  readonly outcome: CallOutcome
  /** Why the last decision could not be stored. */
  readonly problem?: string | null
}

/** A waiting result: its content, which part of it is sent to the model, and in which form. */
export default function ResultApproval({ outcome, problem = null }: ResultApprovalProps) {
  const { messageId, entry, tool } = useCall()
  const { call, slot } = entry
  const approval = useResultApproval(outcome, problem)
  const { state, on } = approval
  const noteId = useId()
  const why = useResultApprovalReason(messageId, slot, call.name, outcome)
  const known = useSentBefore(call, outcome.result)
  const unseen = invisibleText(approval.now.text)
  return (
    <>
      <Sentence parts={[t('gate.size', { ...sizeOf(outcome.result), known: known ?? t('gate.looking') })]} />
      <Meta>
        {outcome.durationMs === null ? null : <Fact>{t('gate.took', { ms: outcome.durationMs })}</Fact>}
        {outcome.status === 'error' ? <Fact>{t('gate.it-failed')}</Fact> : null}
        {unseen === '' ? null : <Fact>{t('gate.holds', { unseen })}</Fact>}
        {why === '' ? null : (
          <Fact>
            <SentenceText text={why} />
          </Fact>
        )}
      </Meta>
      <CardBody>
        <ToolPages displays={outcome.displays} />
        <Displays displays={outcome.displays} />
        <ShowPictures outcome={outcome} />
        {tool?.policy.capabilities.network === 'remote' ? <LazyResourceLinks result={outcome.result} /> : null}
        <FoundSecrets approval={approval} />
        <ResultApprovalToolbar approval={approval} />
        <ResultApprovalText approval={approval} />
        <OtherPendingResults approval={approval} />
      </CardBody>
      <div className="sticky bottom-[var(--dock,0)] z-above bg-raised narrow:not-has-[[role=alert]]:contents short:not-has-[[role=alert]]:contents">
        <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-2 border-t border-line px-3.5 py-2.5 narrow:grid-cols-1 narrow:px-3">
          <label htmlFor={noteId}>{t('gate.note')}</label>
          <input
            className={field({}, 'narrow:h-touch narrow:text-lg/[inherit]')}
            id={noteId}
            placeholder={t('gate.note-hint')}
            maxLength={2000}
            value={state.note}
            onChange={(event) => on({ type: 'note-typed', note: event.target.value })}
          />
        </div>
        {state.errand.kind === 'refused' ? (
          <p data-part="say" className={cardSay({ tone: 'trouble' }, 'pb-2.5')} role="alert">
            <SentenceText text={state.errand.problem} />
          </p>
        ) : null}
        <ResultApprovalActions approval={approval} />
      </div>
    </>
  )
}

/** As the model gets it. */
function sizeOf(result: JsonValue): { readonly size: number; readonly tokens: number } {
  const text = typeof result === 'string' ? result : JSON.stringify(result)
  return { size: new TextEncoder().encode(text).byteLength, tokens: estimateTokens(text) }
}
