'use client'

import { requestOpenFile, type OpenFileRequest } from '@/components/context/show-in-page'
import { CodeBlock } from '@/components/ui/code/code-block'
import { ConsoleLines } from '@/components/ui/code/console-lines'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Tabs, type TabItem } from '@/components/ui/forms/tabs'
import { TextButton } from '@/components/ui/controls/button'
import type { CallOutcome, FileChanges, ResultRelease } from '@/lib/shared/conversation/conversation'
import { numberWords } from '@/lib/base/text/locale'
import { normalizePath, type ChangedPath } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import { LazyAnswer } from '../ask/lazy-parts'
import { useCall, type CallScope } from '../scope/call-scope'
import { LazyResourceLinks } from '../remote/lazy-parts'
import { ChangedFiles, filesSentence } from '../changed-files'
import { CallEvidence, evidenceText } from '../evidence/call-evidence'
import { resultText, ResultView, ValueView } from '../evidence/result-view'
import { note } from '@/components/ui/recipes/surface'
import { CardBody } from '../styles/card'

const CallChange = lazyPart(() => import('@/components/files/call-change'), {
  what: () => t('settled.part-change'),
  loading: () => <p className={note({ place: 'inset' })}>{t('settled.loading-change')}</p>,
})

export interface OutcomeTabsProps {
  readonly outcome: CallOutcome
  /** What went to the model in its place; null: the result itself, or nothing. */
  readonly release: ResultRelease | null
}

/** What came back, what it printed, and what was asked. */
export function OutcomeTabs({ outcome, release }: OutcomeTabsProps) {
  const scope = useCall()
  const items = tabItems(scope, outcome, release)
  const file = fileOf(scope)
  const end = (tab: string) => (
    <>
      {file === null ? null : <OpenLink conversationId={scope.conversationId} path={file} />}
      <CopyButton text={() => items.find(({ id }) => id === tab)?.text() ?? ''} />
    </>
  )
  return (
    <CardBody look="settled">
      <Tabs label={t('settled.parts')} items={items} end={end} />
    </CardBody>
  )
}

interface PartOfCall extends TabItem {
  /** The part as text for the clipboard. */
  readonly text: () => string
}

function tabItems(scope: CallScope, outcome: CallOutcome, release: ResultRelease | null): readonly PartOfCall[] {
  const { conversationId, messageId, entry, tool, summary, raw, tellLines } = scope
  const { console: lines, files } = outcome
  const { arguments: args } = entry.call
  const change: PartOfCall = {
    id: 'change',
    label: t('settled.tab.change'),
    panel: () => (
      <CallChange conversationId={conversationId} messageId={messageId} slot={entry.slot} onLines={tellLines} />
    ),
    text: () => resultText(outcome),
  }
  const answer: PartOfCall = {
    id: 'answer',
    label: t('asks.answered-tab'),
    panel: () => <LazyAnswer outcome={outcome} />,
    text: () => resultText(outcome),
  }
  return [
    ...(tool?.policy.asksUser && outcome.status === 'completed' ? [answer] : []),
    ...(tool?.card.showsFirst === 'change' && outcome.status === 'completed' ? [change] : []),
    ...(release?.kind === 'changed'
      ? [
          {
            id: 'sent',
            label: t('settled.tab.sent'),
            panel: () => <ValueView value={release.result} />,
            text: () => resultText(release),
          },
        ]
      : []),
    {
      id: 'result',
      label: t('settled.tab.result'),
      panel: () => (
        <>
          <ResultView outcome={outcome} />
          {tool?.policy.capabilities.network === 'remote' ? <LazyResourceLinks result={outcome.result} /> : null}
        </>
      ),
      text: () => resultText(outcome),
    },
    ...(lines.length > 0
      ? [
          {
            id: 'console',
            label: <Counted words={t('settled.tab.console')} count={lines.length} />,
            panel: () => <ConsoleLines lines={lines} />,
            text: () => lines.map((line) => line.text).join('\n'),
          },
        ]
      : []),
    ...(files
      ? [
          {
            id: 'files',
            label: <Counted words={t('settled.tab.files')} count={files.total} />,
            panel: () => <FilesPanel files={files} />,
            text: () =>
              files.changes.map(({ path, change: what }) => `${t(`card-files.change.${what}`)} ${path}`).join('\n'),
          },
        ]
      : []),
    {
      id: 'call',
      label: t('settled.tab.call'),
      panel: () => <CallEvidence summary={summary?.body.kind === 'none' ? null : summary} args={args} />,
      text: () => evidenceText(summary, args),
    },
    {
      id: 'raw',
      label: t('settled.tab.raw'),
      panel: () => <CodeBlock label={t('settled.as-written')} text={raw} />,
      text: () => raw,
    },
  ]
}

const Counted = ({ words, count }: { words: string; count: number }) => (
  <>
    {words} <span className="tabular-nums">{numberWords(count)}</span>
  </>
)

function FilesPanel({ files }: { files: FileChanges }) {
  const { conversationId } = useCall()
  const end = ({ path, kind, change }: ChangedPath) =>
    files.kept && kind === 'file' && change !== 'deleted' ? (
      <OpenLink conversationId={conversationId} path={path} />
    ) : null
  return (
    <>
      {files.kept ? null : <p className={note()}>{filesSentence(files)}</p>}
      <ChangedFiles files={files} end={end} />
    </>
  )
}

const OpenLink = (file: OpenFileRequest) => (
  <TextButton onClick={() => requestOpenFile(file)}>{t('settled.open')}</TextButton>
)

/** The file that a finished call is about, to be opened in the workspace; null where there is none. */
function fileOf({ summary, entry }: CallScope): string | null {
  const path = summary?.opens
  const normal = path === undefined || entry.state.status !== 'completed' ? null : normalizePath(path)
  return normal?.ok === true ? normal.value : null
}
