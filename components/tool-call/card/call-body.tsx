'use client'

import { SaidText } from '@/components/ui/foreign-text'
import { useCallback, type Ref, type RefObject } from 'react'
import { useCallActions } from '@/components/chat/chat-context'
import { Button } from '@/components/ui/button'
import { lazyPart } from '@/components/ui/lazy-part'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'
import type { FileBasis } from '@/lib/tool-calls/file-basis'
import { needsWord } from '@/lib/tool-calls/message-calls'
import type { CallSummary, ToolDefinition } from '@/lib/tools/tool'
import { normalizePath } from '@/lib/vfs/path'
import type { CallCardProps } from './call-card'
import type { CallEntry } from '../reply/use-message-calls'
import { Meta } from './call-meta'
import { RunningBody } from '../running/running-body'
import { KeptBody } from '../settled/kept-body'
import { ReleasedNote } from '../settled/released-note'
import { Sentence } from '../sentence'
import {
  DeniedBody,
  FailedBody,
  FilesLine,
  OutcomeTabs,
  SkippedBody,
  UnsettledBody,
  type SkipWords,
} from '../settled/settled-body'
import { toldWords, unfinishedToldWords } from '../settled/told-words'
import { problemWords, unfinishedWords } from '../words/tool-words'
import { RanAlone } from '../settled/ran-alone'
import { ReasonField } from '../waiting/reason-field'
import type { GateKeys } from '../gate/result-gate'
import { UnrunnableBody } from '../no-call/unrunnable-body'
import type { LookKeys } from '../waiting/use-look-over'
import { CallChanges, EditPanel, WaitingBody, type CardPanel } from '../waiting/waiting-body'

const CallUndo = lazyPart(() => import('../changes/call-undo'), { what: 'Undo', look: 'line' })
const ResultGate = lazyPart(() => import('../gate/result-gate'), {
  what: 'The result',
  loading: <p className="note-line inset">Loading the result …</p>,
})
const ReviewBody = lazyPart(() => import('../running/review-body'), {
  what: 'The view of its changes',
  loading: <p className="note-line inset">Loading its changes …</p>,
})

export interface CallBodyProps extends CallCardProps {
  readonly card: RefObject<HTMLElement | null>
  readonly tool: ToolDefinition | undefined
  readonly summary: CallSummary | null
  readonly gate: Ref<GateKeys>
  readonly look: Ref<LookKeys>
  readonly panel: CardPanel
  /** A no still counts, though the call can't run. */
  readonly canDeny: boolean
  readonly onPanel: (panel: CardPanel) => void
  readonly onRun: () => void
  /** Its changes to files wait: kept or not. */
  readonly onReview: (answer: 'keep' | 'discard') => void
  readonly onDeny: (reason: string) => void
}

/** What stands below the head, by state. */
export function CallBody(props: CallBodyProps) {
  const { messageId, entry, summary, tool, strategy, raw } = props
  const { slot, call, state, live, problem } = entry
  const actions = useCallActions()
  const tell = () => actions.tellModel(messageId, slot)
  const amend = (next: CallToWrite | 'undo') => actions.amend(messageId, slot, next)
  const look = useCallback((basis: FileBasis) => actions.look(messageId, slot, basis), [actions, messageId, slot])
  const parts = {
    call,
    summary,
    raw,
    conversationId: props.conversationId,
    filePath: fileOf(props),
    changedBy: tool?.showsFirst === 'change' ? { messageId, slot } : null,
  }
  switch (state.status) {
    case 'awaiting_approval':
      return (
        <WaitingBody
          {...props}
          onLook={look}
          onAmend={amend}
          onRemember={(kind, alsoRun) => actions.remember(messageId, slot, kind, alsoRun)}
        />
      )
    case 'queued':
      return (
        <>
          <Meta>
            <span>It runs when the calls before it are through.</span>
          </Meta>
          <div className="card-foot flat">
            <Button className="act" onClick={() => actions.stop(messageId, slot)}>
              Don’t run
            </Button>
          </div>
        </>
      )
    case 'executing':
      return state.review ? (
        <ReviewBody review={state.review} current={props.current} onAnswer={props.onReview} />
      ) : (
        <RunningBody
          {...parts}
          told={unfinishedToldWords(entry)}
          tool={tool}
          live={live}
          here={state.here}
          timeoutMs={props.timeoutMs}
          onStop={() => actions.stop(messageId, slot)}
        />
      )
    case 'awaiting_result_approval':
      return (
        <ResultGate
          conversationId={props.conversationId}
          messageId={messageId}
          slot={slot}
          call={call}
          outcome={state.outcome}
          current={props.current}
          onRelease={(release) => actions.release(messageId, slot, release)}
          keys={props.gate}
        />
      )
    case 'completed':
      return (
        <>
          <Preface entry={entry} />
          <Unfinished entry={entry} />
          <FilesLine files={state.outcome.files} />
          <ReleasedNote release={state.release} posted={state.posted} />
          <OutcomeTabs {...parts} outcome={state.outcome} release={state.release} />
          <Undo {...props} />
          <Trouble problem={problem} onRetry={tell} />
        </>
      )
    case 'result_rejected':
      return (
        <>
          <KeptBody
            {...parts}
            outcome={state.outcome}
            note={state.note}
            posted={state.posted}
            toldUnfinished={unfinishedToldWords(entry)}
            onSend={() => actions.release(messageId, slot, { kind: 'sent', note: '' })}
          />
          <Undo {...props} />
        </>
      )
    case 'error':
      return (
        <>
          <Preface entry={entry} />
          <FailedBody
            {...parts}
            outcome={state.outcome}
            release={state.release}
            posted={state.posted}
            told={toldWords(entry, state.posted, 'The model was told, and can try again.')}
          />
          <Undo {...props} />
          <Trouble problem={problem} onRetry={tell} />
        </>
      )
    case 'execution_rejected':
      return <DeniedBody {...parts} reason={state.reason} posted={state.posted} />
    case 'skipped':
      return (
        <SkippedBody
          {...parts}
          why={skipWords(entry, props.overtaken)}
          posted={props.overtaken || entry.record?.postedIn != null}
        />
      )
    case 'cancelled':
    case 'interrupted':
      return (
        <>
          <UnsettledBody
            {...parts}
            kind={state.status}
            settled={state.settled}
            posted={state.posted}
            told={toldWords(entry, state.posted, 'The model was told so.')}
            touchesFiles={tool?.capabilities.files === 'write'}
            filesAtTheEnd={tool?.filesAtTheEnd === true}
            at={{ conversationId: props.conversationId, messageId, slot, attempt: state.attempt }}
            outcome={state.status === 'cancelled' ? state.outcome : null}
            onRunAgain={() => actions.runAgain(messageId, slot)}
            onTell={tell}
          />
          <Undo {...props} />
        </>
      )
    case 'not_found':
    case 'not_runnable':
      return props.panel === 'edit' && props.canEdit ? (
        <>
          <Sentence parts={call.problem ? problemWords(call, call.problem).sentence : ['It can’t run.']} />
          <EditPanel
            call={call}
            tools={props.tools}
            nearest={call.problem?.code === 'unknown-tool' ? call.problem.nearest : null}
            onSave={amend}
            onClose={() => props.onPanel(null)}
          />
        </>
      ) : props.panel === 'reason' && props.canDeny ? (
        <>
          <Sentence parts={call.problem ? problemWords(call, call.problem).sentence : ['It can’t run.']} />
          <ReasonField onDeny={props.onDeny} onCancel={() => props.onPanel(null)} />
        </>
      ) : (
        <UnrunnableBody
          before={<CallChanges entry={entry} onUndo={props.canDeny ? () => amend('undo') : null} />}
          problem={problem}
          onEdit={props.canEdit ? () => props.onPanel('edit') : null}
          onDeny={props.canDeny ? () => props.onDeny('') : null}
          onReason={() => props.onPanel('reason')}
          sentence={call.problem ? problemWords(call, call.problem).sentence : ['It can’t run.']}
          strategy={strategy}
          raw={raw}
          told={
            state.posted
              ? 'The model was told, and can try again.'
              : needsWord(entry)
                ? 'Your change does not fit yet. The results of this reply wait until you mend it, undo it or deny the call.'
                : props.canTell
                  ? 'The model has not been told yet.'
                  : 'The model is told together with the other results.'
          }
          onTell={!state.posted && props.canTell ? tell : null}
        />
      )
    case 'pending':
    case 'not_offered':
      return (
        <UnrunnableBody
          sentence={[state.status === 'pending' ? 'The reply is still being written.' : unfinishedWords[state.outcome]]}
          strategy={strategy}
          raw={raw}
          told=""
          before={null}
          problem={null}
          onEdit={null}
          onDeny={null}
          onReason={() => undefined}
          onTell={null}
        />
      )
  }
}

/** The way back, for every call that changed files: the history says so, whatever the tool declares. */
function Undo({ conversationId, messageId, entry }: CallBodyProps) {
  return <CallUndo conversationId={conversationId} messageId={messageId} slot={entry.slot} />
}

function Unfinished({ entry }: { entry: CallEntry }) {
  const words = unfinishedToldWords(entry)
  return words === null ? null : (
    <Meta>
      <span>{words}</span>
    </Meta>
  )
}

/** What came before the run: the user's changes, and what ran it where no click did. */
function Preface({ entry }: { entry: CallEntry }) {
  return (
    <>
      <CallChanges entry={entry} onUndo={null} />
      {entry.record ? <RanAlone record={entry.record} /> : null}
    </>
  )
}

/** A row that nobody's click made holds the reason, where there is one: the calls of its reply were used up. */
function skipWords({ record }: CallEntry, overtaken: boolean): SkipWords {
  if (record?.callHash === '' && record.reason !== '') return { sentence: record.reason }
  return record?.decision === 'skip' && !overtaken ? 'left-out' : 'overtaken'
}

/** An outcome that the server does not have yet. */
function Trouble({ problem, onRetry }: { problem: string | null; onRetry: () => void }) {
  if (!problem) return null
  return (
    <div className="card-foot trouble-foot">
      <p className="trouble" role="alert">
        <SaidText text={problem} />
      </p>
      <Button className="act end" onClick={onRetry}>
        Try again
      </Button>
    </div>
  )
}

/** The file that a finished call wrote or read; null where there is none to open. */
function fileOf({ summary, entry }: CallBodyProps): string | null {
  const path = summary?.opens
  const normal = path === undefined || entry.state.status !== 'completed' ? null : normalizePath(path)
  return normal?.ok === true ? normal.value : null
}
