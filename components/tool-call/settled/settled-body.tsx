'use client'

import { quoteArguments } from './quote-arguments'
import { SaidText } from '@/components/ui/foreign-text'
import { useState } from 'react'
import { lazyPart } from '@/components/ui/lazy-part'
import { requestOpenFile, type OpenFileRequest } from '@/components/files/open-file'
import { Button } from '@/components/ui/button'
import { ConsoleLines } from '@/components/ui/console-lines'
import { CopyButton } from '@/components/ui/copy-button'
import { Tabs, type TabItem } from '@/components/ui/tabs'
import { TextButton } from '@/components/ui/text-button'
import { CodeBlock } from '@/components/ui/code-block'
import type { CallOutcome, ChangedPath, FileChanges, ResultRelease } from '@/lib/chat/conversation'
import type { CallSegment } from '@/lib/strategies/segment'
import type { CallSummary, SentencePart } from '@/lib/tools/tool'
import { CallEvidence, evidenceText } from '../evidence/call-evidence'
import { ChangedFiles, filesSentence } from '../changed-files'
import { Meta } from '../card/call-meta'
import { codeParameter } from '../words/tool-facts'
import { ReleasedNote } from './released-note'
import { useRecordedChanges, type AttemptAt } from '../changes/use-recorded-changes'
import { failureSentence, resultText, ResultView, ValueView } from '../evidence/result-view'
import { Sentence } from '../sentence'

export interface CallParts {
  readonly call: CallSegment
  /** As the model wrote it. */
  readonly raw: string
  readonly summary: CallSummary | null
  readonly conversationId: string
  /** The file that it is about, to be opened in the workspace; null: none. */
  readonly filePath: string | null
  /** The call, where it writes files itself and the history of this browser may hold what it changed; else null. */
  readonly changedBy: { readonly messageId: string; readonly slot: number } | null
}

/** What came back, what it printed, and what was asked. */
export function OutcomeTabs(parts: OutcomeParts) {
  return (
    <div className="card-body settled">
      <Tabs label="Parts of the call" items={tabItems(parts)} end={copyButtonFor(parts)} />
    </div>
  )
}

type OutcomeParts = CallParts & { readonly outcome: CallOutcome; readonly release: ResultRelease | null }

function tabItems({
  outcome,
  call,
  summary,
  raw,
  release,
  conversationId,
  changedBy,
}: OutcomeParts): readonly TabItem[] {
  const { console: lines, files } = outcome
  const label = (
    <>
      Console <span className="num">{lines.length}</span>
    </>
  )
  return [
    ...(changedBy && outcome.status === 'completed'
      ? [{ id: 'change', label: 'Change', panel: () => <ChangePanel {...changedBy} conversationId={conversationId} /> }]
      : []),
    ...(release?.kind === 'changed'
      ? [{ id: 'sent', label: 'Sent', panel: () => <ValueView value={release.result} /> }]
      : []),
    { id: 'result', label: 'Result', panel: () => <ResultView outcome={outcome} /> },
    ...(lines.length > 0 ? [{ id: 'console', label, panel: () => <ConsoleLines lines={lines} /> }] : []),
    ...(files
      ? [
          {
            id: 'files',
            label: filesLabel(files.total),
            panel: () => <FilesPanel files={files} conversationId={conversationId} />,
          },
        ]
      : []),
    { id: 'call', label: 'Call', panel: () => <CallPanel call={call} summary={summary} /> },
    { id: 'raw', label: 'Raw', panel: () => <CodeBlock label="As the model wrote it" text={raw} /> },
  ]
}

const CallChange = lazyPart(() => import('@/components/files/call-change'), {
  what: 'The change',
  loading: <p className="note-line inset">Loading the change …</p>,
})

const ChangePanel = (call: { readonly conversationId: string; readonly messageId: string; readonly slot: number }) => (
  <CallChange {...call} />
)

const filesLabel = (total: number) => (
  <>
    Files <span className="num">{total}</span>
  </>
)

function FilesPanel({ files, conversationId }: { files: FileChanges; conversationId: string }) {
  const end = ({ path, kind, change }: ChangedPath) =>
    files.kept && kind === 'file' && change !== 'deleted' ? (
      <OpenLink conversationId={conversationId} path={path} />
    ) : null
  return (
    <>
      {files.kept ? null : <p className="note-line">{filesSentence(files)}</p>}
      <ChangedFiles files={files} end={end} />
    </>
  )
}

/** What became of the files, where the run had a layer of its own. */
export function FilesLine({ files }: { files: FileChanges | undefined }) {
  const sentence = filesSentence(files)
  return sentence === '' ? null : (
    <Meta>
      <span>
        <SaidText text={sentence} />
      </span>
    </Meta>
  )
}

const copyButtonFor = (parts: OutcomeParts) => (tab: string) => (
  <>
    {parts.filePath === null ? null : <OpenLink conversationId={parts.conversationId} path={parts.filePath} />}
    <CopyButton text={() => tabText(parts, tab)} />
  </>
)

const OpenLink = (file: OpenFileRequest) => (
  <TextButton onClick={() => requestOpenFile(file)}>open in workspace</TextButton>
)

const sentOf = ({ release, outcome }: OutcomeParts): Pick<CallOutcome, 'result'> =>
  release?.kind === 'changed' ? release : outcome

function tabText(parts: OutcomeParts, tab: string): string {
  const { outcome, call, summary, raw } = parts
  if (tab === 'raw') return raw
  if (tab === 'sent') return resultText(sentOf(parts))
  if (tab === 'files') return (outcome.files?.changes ?? []).map(({ path, change }) => `${change} ${path}`).join('\n')
  if (tab === 'console') return outcome.console.map((line) => line.text).join('\n')
  return tab === 'call' ? evidenceText(summary, call.arguments) : resultText(outcome)
}

function CallPanel({ call, summary }: Pick<CallParts, 'call' | 'summary'>) {
  if (summary?.body.kind === 'none') return <CallEvidence summary={null} args={call.arguments} />
  return <CallEvidence summary={summary} args={call.arguments} />
}

/** What foreign code threw is quoted, as are the paths and texts of the call: they may say anything. */
function failureParts(outcome: CallOutcome, call: CallSegment): readonly SentencePart[] {
  const sentence = failureSentence(outcome)
  if (codeParameter(call.name) === null) return quoteArguments(sentence, call.arguments)
  const line = sentence.replaceAll(/\s+/g, ' ')
  return ['The run failed: ', { code: line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line }]
}

/** Characters of an error that stand in a sentence; the whole is one press away. */
const MAX_QUOTED = 400

/** `told` is what the model knows of it by now. */
export function FailedBody({
  outcome,
  posted,
  told,
  release,
  ...parts
}: OutcomeParts & { posted: boolean; told: string }) {
  const [more, setMore] = useState(false)
  return (
    <>
      <Sentence parts={failureParts(outcome, parts.call)} />
      <Meta>
        <span>
          <SaidText text={told} />
        </span>
        <span className="end">
          <TextButton aria-expanded={more} onClick={() => setMore(!more)}>
            {more ? 'less' : 'more'}
          </TextButton>
        </span>
      </Meta>
      <FilesLine files={outcome.files} />
      <ReleasedNote release={release} posted={posted} />
      {more ? <OutcomeTabs outcome={outcome} release={release} {...parts} /> : <div className="card-pad" />}
    </>
  )
}

export function DeniedBody({ reason, posted, ...parts }: CallParts & { reason: string; posted: boolean }) {
  return (
    <WithCall {...parts}>
      <Sentence parts={[reason === '' ? 'You denied this.' : `You denied this: “${reason}”`]} />
      <Meta>
        <span>
          Nothing ran.{' '}
          {posted
            ? reason === ''
              ? 'The model was told so.'
              : 'The model was told your reason.'
            : 'The model has not been told yet.'}
        </span>
      </Meta>
    </WithCall>
  )
}

/** Why a skipped call did not run, as its card says. */
export type SkipWords = 'left-out' | 'overtaken' | { readonly sentence: string }

export function SkippedBody({ why, posted, ...parts }: CallParts & { why: SkipWords; posted: boolean }) {
  const sentence =
    why === 'left-out'
      ? 'You left this out, so it did not run.'
      : why === 'overtaken'
        ? 'You wrote something else, so this did not run.'
        : why.sentence
  return (
    <WithCall {...parts}>
      <Sentence parts={[sentence]} />
      <Meta>
        <span>{posted ? 'The model was told so.' : 'The model has not been told yet.'}</span>
      </Meta>
    </WithCall>
  )
}

function WithCall({ children, call, summary }: Pick<CallParts, 'call' | 'summary'> & { children: React.ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      {children}
      {open ? <CallEvidence summary={summary} args={call.arguments} /> : null}
      <div className="card-more">
        <TextButton aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'hide the call' : 'show the call'}
        </TextButton>
      </div>
    </>
  )
}

export interface UnsettledBodyProps extends CallParts {
  readonly kind: 'interrupted' | 'cancelled'
  readonly settled: boolean
  readonly posted: boolean
  /** What the model knows of it by now. */
  readonly told: string
  readonly touchesFiles: boolean
  /** Its changes reach the files in one step after the run: cut off before that, it has changed none. */
  readonly filesAtTheEnd: boolean
  /** Where the files of this browser may know what it did. */
  readonly at: AttemptAt
  /** What it had said until then; null when its tab is gone. */
  readonly outcome: CallOutcome | null
  readonly onRunAgain: () => void
  readonly onTell: () => void
}

/** What an unfinished run left in the files, as far as it is known. */
function filesLeft(
  { kind, filesAtTheEnd }: UnsettledBodyProps,
  files: FileChanges | null,
  recorded: ReturnType<typeof useRecordedChanges>,
): string {
  if (files) return filesSentence(files)
  if (!filesAtTheEnd || recorded === 'unknown') return 'It may have changed files before it stopped.'
  if (recorded === 'looking') return ''
  return kind === 'interrupted' ? 'None of its changes to files were kept.' : 'It changed no files.'
}

/** It began and did not end. The user decides: once more, or tell the model as it is. */
export function UnsettledBody(props: UnsettledBodyProps) {
  const { kind, settled, outcome } = props
  const began = kind === 'interrupted' || outcome?.durationMs !== 0
  // The history is asked whatever the tool declares; what can't be known is a worry only of tools that change files.
  const asks = began && outcome?.files === undefined
  const recorded = useRecordedChanges(props.at, asks)
  const files = outcome?.files ?? (asks && recorded !== 'looking' && recorded !== 'unknown' ? recorded : null)
  return (
    <>
      <Sentence
        parts={[
          kind === 'interrupted'
            ? 'The page was closed or reloaded while this ran. It will not run again by itself.'
            : began
              ? 'You stopped this while it ran.'
              : 'You stopped this before it began. Nothing ran.',
        ]}
      />
      <Meta>
        {(props.touchesFiles || files !== null) && began ? (
          <span>{filesLeft(props, files, asks ? recorded : null)}</span>
        ) : null}
        <span>
          <SaidText text={props.told} />
        </span>
      </Meta>
      {files ? (
        <div className="card-body">
          <ChangedFiles files={files} />
        </div>
      ) : null}
      {outcome && outcome.console.length > 0 ? (
        <div className="card-body">
          <ConsoleLines lines={outcome.console} />
        </div>
      ) : null}
      {settled || props.posted ? (
        <div className="card-pad" />
      ) : (
        <div className="card-foot flat">
          <Button className="act" onClick={props.onRunAgain}>
            Run again
          </Button>
          <Button className="act" onClick={props.onTell}>
            Tell the model
          </Button>
        </div>
      )}
    </>
  )
}
