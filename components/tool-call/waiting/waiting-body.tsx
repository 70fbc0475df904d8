'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useEffect, useMemo, useState, type Ref, type RefObject } from 'react'
import { Button } from '@/components/ui/button'
import { CodeBlock } from '@/components/ui/code-block'
import { CopyButton } from '@/components/ui/copy-button'
import { Kbd } from '@/components/ui/kbd'
import { lazyPart } from '@/components/ui/lazy-part'
import { HiddenParts, useHiddenParts } from '@/components/ui/out-of-view'
import { TextButton } from '@/components/ui/text-button'
import type { GrantScope } from '@/lib/chat/conversation'
import type { FileBasis } from '@/lib/tool-calls/file-basis'
import type { CallToWrite, StrategyId, ToolSpec } from '@/lib/strategies/tool-context-def'
import { holdsMarks, marksSentence } from '@/lib/tool-calls/foreign-marks'
import { isReadByGuess } from '@/lib/tool-calls/read-by-guess'
import type { CallSummary, Look, ToolDefinition } from '@/lib/tools/tool'
import { CallEvidence, evidenceText } from '../evidence/call-evidence'
import { CallMeta } from '../card/call-meta'
import { ChangedCall, LiftedCall } from '../edit/changed-call'
import { codeParameter } from '../words/tool-facts'
import { GuessView } from './guess-view'
import { ReasonField } from './reason-field'
import { RememberLinks } from './remember-links'
import { Sentence } from '../sentence'
import { PartialChange } from './partial-change'
import { useCurrentFiles } from './use-current-files'
import { useLookOver, type LookKeys } from './use-look-over'
import type { CallEntry } from '../reply/use-message-calls'

const CallEditor = lazyPart(() => import('../edit/call-editor'), {
  what: 'The editor',
  loading: <p className="note-line inset">Loading the editor …</p>,
  close: ({ onCancel }) => onCancel,
})

/** What is open in the foot of a card: the reason for a denial, or the editor. */
export type CardPanel = 'reason' | 'edit' | null

export interface WaitingBodyProps {
  readonly conversationId: string
  readonly messageId: string
  readonly card: RefObject<HTMLElement | null>
  readonly entry: Pick<CallEntry, 'slot' | 'asked' | 'call' | 'changed' | 'lifted' | 'repeats' | 'problem'>
  readonly tool: ToolDefinition | undefined
  readonly tools: readonly ToolSpec[]
  /** As far as the arguments alone say. */
  readonly summary: CallSummary | null
  readonly strategy: StrategyId
  readonly raw: string
  /** The one filled button on screen, with its key hints. */
  readonly current: boolean
  readonly panel: CardPanel
  readonly onPanel: (panel: CardPanel) => void
  readonly onRun: () => void
  /** Asked before a key runs it. */
  readonly look: Ref<LookKeys>
  /** What of the files the card shows, so that Run holds to it. */
  readonly onLook: (basis: FileBasis) => void
  readonly onDeny: (reason: string) => void
  readonly onAmend: (call: CallToWrite | 'undo') => Promise<string | null>
  readonly onRemember: (kind: GrantScope['kind'], alsoRun: readonly number[]) => Promise<string | null>
}

export function WaitingBody(props: WaitingBodyProps) {
  const { entry, tool, raw, current, card, panel } = props
  // A sentence when the last click could not be carried out.
  const { call, problem } = entry
  const [showRaw, setShowRaw] = useState(false)
  const { look, basis, changed } = useCurrentFiles(props.conversationId, props.summary?.dependsOn ?? none, card)
  const summary = useMemo(
    () => (tool && basis ? tool.summarize(call.arguments, look) : props.summary),
    [tool, call, look, basis, props.summary],
  )
  const folded = useHiddenParts()
  const { evidence, said } = useLookOver(folded, props.look)
  const { onLook } = props
  useEffect(() => {
    if (basis) onLook(basis)
  }, [onLook, basis])
  return (
    <>
      <div ref={evidence} className="evidence">
        <HiddenParts report={folded.report}>
          <Sentence parts={summary?.sentence ?? [`Run `, { code: call.name }]} />
          <CallMeta call={call} tool={tool} strategy={props.strategy} repeats={entry.repeats} />
          <MarksLine call={call} />
          <CallChanges entry={entry} onUndo={() => props.onAmend('undo')} />
          {problem ? (
            <p className="card-say trouble" role="alert">
              <SaidText text={problem} />
            </p>
          ) : null}
          {isReadByGuess(call) && !entry.changed ? <GuessView raw={raw} call={call} strategy={props.strategy} /> : null}
          {panel === 'edit' ? null : showRaw ? (
            <div className="card-body">
              <CodeBlock label="As the model wrote it" text={raw} />
            </div>
          ) : (
            <>
              {changed && !problem ? (
                <p className="card-say muted" role="status">
                  The files changed while this waited. This is what would happen now.
                </p>
              ) : null}
              <Evidence entry={entry} tool={tool} summary={summary} onAmend={props.onAmend} files={look} />
            </>
          )}
        </HiddenParts>
      </div>
      {panel === 'edit' ? (
        <EditPanel
          call={call}
          tools={props.tools}
          nearest={null}
          onSave={props.onAmend}
          onClose={() => props.onPanel(null)}
        />
      ) : panel === 'reason' ? (
        <ReasonField onDeny={props.onDeny} onCancel={() => props.onPanel(null)} />
      ) : (
        <>
          <div className="card-foot">
            <Button
              look={current ? 'go' : 'go-next'}
              wide
              className="act"
              aria-keyshortcuts="Meta+Enter Control+Enter"
              onClick={props.onRun}
            >
              Run {current ? <Kbd keys="mod+enter" /> : null}
            </Button>
            <UnseenWords folded={folded.words} said={said} />
            <Button className="act" aria-keyshortcuts="E" onClick={() => props.onPanel('edit')}>
              Edit
            </Button>
            <Button
              wide
              className="act"
              aria-keyshortcuts="Meta+Backspace Control+Backspace"
              onClick={() => props.onDeny('')}
            >
              Deny {current ? <Kbd keys="mod+backspace" /> : null}
            </Button>
            <TextButton className="with-reason" aria-keyshortcuts="R" onClick={() => props.onPanel('reason')}>
              deny with a reason
            </TextButton>
            <span className="row end">
              <TextButton aria-pressed={showRaw} onClick={() => setShowRaw(!showRaw)}>
                raw
              </TextButton>
              <CopyButton text={() => (showRaw ? raw : evidenceText(summary, call.arguments))} />
            </span>
          </div>
          {isReadByGuess(call) || holdsMarks(call) ? null : (
            <RememberLinks
              messageId={props.messageId}
              slot={entry.slot}
              tool={tool}
              call={call}
              onRemember={props.onRemember}
            />
          )}
        </>
      )}
    </>
  )
}

const none: readonly string[] = []

/** What is folded away, beside Run; and why a key did not run it. */
function UnseenWords({ folded, said }: { folded: string; said: boolean }) {
  if (folded === '' && !said) return null
  return (
    <span className="small muted" role="status">
      {folded === '' ? 'It was not all in view: look it over, then press again.' : folded}
    </span>
  )
}

/** What of the call does not show what it is, and that it waits because of it. */
function MarksLine({ call }: { call: CallToWrite }) {
  const sentence = marksSentence(call)
  return sentence === '' ? null : (
    <p className="card-say amber" role="note">
      <SaidText text={sentence} /> It runs by a click on this card only.
    </p>
  )
}

/** The evidence; a change of a whole text can be taken in parts. */
function Evidence({
  entry,
  tool,
  summary,
  files,
  onAmend,
}: Pick<WaitingBodyProps, 'entry' | 'tool' | 'summary' | 'onAmend'> & { files: Look }) {
  const { call } = entry
  const asked = entry.asked ?? call
  const whole = <CallEvidence summary={summary} args={call.arguments} />
  const body = summary?.body
  const askedBody = useMemo(
    () => (tool && asked.name === tool.name ? tool.summarize(asked.arguments, files).body : null),
    [tool, asked, files],
  )
  const isWhole = body?.kind === 'diff' && body.whole && askedBody?.kind === 'diff' && askedBody.whole
  if (!isWhole || !tool?.argumentsFor || isReadByGuess(call) || body.before === null || askedBody.path !== body.path) {
    return whole
  }
  const { before } = body
  const take = async (after: string) => {
    if (after === askedBody.after) return onAmend('undo')
    const args = await tool.argumentsFor?.(asked.arguments, { before, after })
    return args ? onAmend({ name: asked.name, arguments: args }) : null
  }
  return (
    <PartialChange
      path={body.path}
      before={before}
      asked={askedBody.after}
      now={body.after}
      onTake={take}
      whole={whole}
    />
  )
}

/** What the user made of the call so far; `onUndo` is null once it was decided. */
export function CallChanges({
  entry,
  onUndo,
}: {
  entry: Pick<CallEntry, 'asked' | 'call' | 'changed' | 'lifted'>
  onUndo: (() => Promise<string | null>) | null
}) {
  const { asked, call, changed, lifted } = entry
  if (changed) return <ChangedCall asked={asked} now={{ name: call.name, arguments: call.arguments }} onUndo={onUndo} />
  return lifted ? <LiftedCall onUndo={onUndo} /> : null
}

/** The editor, loaded on first need. It closes when the change is stored. */
export function EditPanel({
  call,
  tools,
  nearest,
  onSave,
  onClose,
}: {
  call: CallToWrite
  tools: readonly ToolSpec[]
  nearest: readonly string[] | null
  onSave: (call: CallToWrite) => Promise<string | null>
  onClose: () => void
}) {
  const save = async (next: CallToWrite) => {
    const refused = await onSave(next)
    if (refused === null) onClose()
    return refused
  }
  return (
    <CallEditor
      call={{ name: call.name, arguments: call.arguments }}
      tools={tools}
      nearest={nearest}
      codeOf={codeParameter}
      onSave={save}
      onCancel={onClose}
    />
  )
}
