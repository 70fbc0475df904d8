'use client'

import { requestOpenFile, type OpenFileRequest } from '@/components/context/show-in-page'
import { CodeBlock } from '@/components/ui/code/code-block'
import { ConsoleLines } from '@/components/ui/code/console-lines'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { lazyPart } from '@/components/ui/page/lazy-part'
import { Tabs, type TabItem } from '@/components/ui/forms/tabs'
import { TextButton } from '@/components/ui/controls/button'
import type { CallOutcome, FileChanges, ResultRelease } from '@/lib/shared/conversation/call-record'
import { formatNumber } from '@/lib/base/text/locale'
import type { ChangedPath } from '@/lib/vfs/path'
import { t } from '@/lib/i18n/t'
import { useCall, type CallScope } from '../scope/call-scope'
import { LazyAnswer, LazyResourceLinks, ToolPages } from '../lazy-parts'
import { ChangedFiles, filesSentence } from '../changed-files'
import { CallEvidence, evidenceText } from '../evidence/call-evidence'
import { codeValue, isPicture, resultText, ResultView, ValueView } from '../evidence/result-view'
import { note } from '@/components/ui/recipes/surface'
import { CollectActions, CollectedMenu, OwnActions, useCollected } from '@/components/ui/popups/menu'
import { CardBody, CardMore } from '../styles/card'
import { fileOf, isReopened } from './settled-actions'
import { useState } from 'react'

const CallChange = lazyPart(() => import('@/components/files/call-change'), {
  what: () => t('settled.part-change'),
  loading: () => <p className={note({ place: 'inset' })}>{t('settled.loading-change')}</p>,
})

export interface OutcomeProps {
  readonly outcome: CallOutcome
  /** What was sent to the model instead; null: the result itself, or nothing. */
  readonly release: ResultRelease | null
}

/**
 * A finished call's result for people: the answer, the change, or the printed output and the result. A change that is
 * still shown after its run has Open and Undo beside it, so Details wait until the reader opens the card.
 */
export function Outcome({ outcome, release }: OutcomeProps) {
  const scope = useCall()
  const { conversationId, messageId, entry, tool, reportLines, isUnfolded } = scope
  const showsChange = tool?.card.showsFirst === 'change'
  return (
    <CollectActions>
      <CardBody look="settled">
        <ToolPages displays={outcome.displays} />
        {tool?.policy.asksUser ? (
          <LazyAnswer outcome={outcome} />
        ) : showsChange ? (
          <CallChange conversationId={conversationId} messageId={messageId} slot={entry.slot} onLines={reportLines} />
        ) : (
          <Result outcome={outcome} release={release} />
        )}
        {tool?.policy.capabilities.network === 'remote' ? <LazyResourceLinks result={outcome.result} /> : null}
      </CardBody>
      {isReopened(scope) ? <OpenUnderMore conversationId={conversationId} path={fileOf(scope)} /> : null}
      {showsChange && !isUnfolded ? null : <Details outcome={outcome} release={release} />}
    </CollectActions>
  )
}

function OpenUnderMore({ conversationId, path }: { readonly conversationId: string; readonly path: string | null }) {
  const open = (file: string) => ({
    label: t('settled.open'),
    run: () => requestOpenFile({ conversationId, path: file }),
  })
  useCollected('', path === null ? [] : [open(path)])
  return null
}

/** Printed output is text; the value of code follows it, if there is one. */
function Result({ outcome, release }: OutcomeProps) {
  if (release?.kind === 'changed') return <ValueView value={release.result} />
  const { console: lines, displays, result } = outcome
  if (lines.length === 0 || displays.some(isPicture)) return <ResultView outcome={outcome} />
  const value = codeValue(result)
  return (
    <>
      <ConsoleLines lines={lines} plain />
      {displays.length > 0 || value === undefined ? <ResultView outcome={outcome} /> : null}
      {displays.length > 0 || value == null ? null : <ValueView value={value} />}
    </>
  )
}

/**
 * The parts of a call and the model's text, one press away; two if the content has actions, which share the button. The
 * result in them is the enlarged view: it has every row and its own buttons.
 */
export function Details({ outcome, release }: OutcomeProps) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <CardMore>
        <CollectedMenu
          label={t('card.more')}
          first={{ label: t('settled.details'), isCurrent: open, run: () => setOpen(!open) }}
        />
      </CardMore>
      {open ? (
        <OwnActions>
          <OutcomeTabs outcome={outcome} release={release} />
        </OwnActions>
      ) : null}
    </>
  )
}

/** The result, its printed output, the call, and the model's text. */
export function OutcomeTabs({ outcome, release }: OutcomeProps) {
  const items = tabItems(useCall(), outcome, release)
  const end = (tab: string) => <CopyButton text={() => items.find(({ id }) => id === tab)?.text() ?? ''} />
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
  const { entry, summary, raw } = scope
  const { console: lines, files } = outcome
  const { arguments: args } = entry.call
  return [
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
      panel: () => <ResultView outcome={outcome} />,
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
    {words} <span className="tabular-nums">{formatNumber(count)}</span>
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
