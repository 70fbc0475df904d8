'use client'

import { useEffect, useEffectEvent, useMemo, useRef, useState, type RefObject } from 'react'
import { useCallActions, useConversation, useThreadActions } from '@/components/context/chat-context'
import { Button } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { Kbd } from '@/components/ui/controls/kbd'
import { Wait } from '@/components/ui/page/wait'
import { cx } from '@/components/ui/recipes/recipe'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import type { CopyDecision } from '@/lib/client/chats/actions'
import type { CopyChange } from '@/lib/vfs/copy/files-copy'
import { lastText } from '@/lib/shared/conversation/outline'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import type { ChangedLines } from '../scope/call-scope'
import { skillsFirst } from '@/lib/shared/skills/skill-path'
import type { OpenCopy } from '@/lib/shared/calls/copy'
import { effectsOf } from '@/lib/shared/calls/effects'
import type { CopyEffect } from '@/lib/shared/conversation/wire/call-requests'
import type { ShownCopy } from '@/lib/shared/conversation/copy-scopes'
import { CopyLink } from '../look/use-look'
import { changedText } from '@/lib/shared/calls/grant-text'
import { cardFoot, cardFrame, cardHead, footButton, statusLine } from '../styles/card'
import { CopyRow, FolderRows, foldersOf, LineCount, namedFolders, needsReview, useLines } from './copy-rows'
import { runKey, useAskedFor, type CopyProgress, type SeenCopy } from './use-copy'

export interface KeptCopy {
  readonly copyId: string
  readonly effects: readonly CopyEffect[]
}

interface CopyCardProps {
  readonly copy: OpenCopy
  readonly seen: SeenCopy
  readonly progress: CopyProgress
  /** Why a remembered approval does not keep it automatically, one sentence each. */
  readonly beyond: readonly string[]
  /** Why it could not be kept although the approval covers it. */
  readonly problem: string | null
  /** Before the copy ends; it may still fail to. */
  readonly onKept: (kept: KeptCopy) => void
  readonly onGoOn: () => void
}

/** All changes of the copy, and one decision on them. Read-only while a call runs. */
export function CopyCard({ copy, seen, progress, beyond, problem: refused, onKept, onGoOn }: CopyCardProps) {
  const { rows, editedBeside } = seen.changes
  const { endCopy } = useCallActions()
  const { append } = useThreadActions()
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null)
  const [asksDiscard, setAsksDiscard] = useState(false)
  const [working, setWorking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const steps = useSteps(progress)
  const words = useConversation((view) => textOf(lastText(view.path)))
  const named = useMemo(() => namedFolders(words), [words])
  const lines = useLines(rows, seen.copy.sides)
  const asked = useAskedFor(progress)
  const first = skillsFirst(rows.filter((row) => needsReview(row, named, asked).length > 0))
  const folders = useMemo(() => foldersOf(rows), [rows])
  const isStale = editedBeside.length > 0
  const isBusy = !progress.isOver

  const end = async (word: CopyDecision) => {
    setWorking(true)
    // First, because this card is gone once the copy has ended.
    if (word.kind === 'keep') {
      onKept({ copyId: copy.id, effects: effectsOf(rows.filter(({ path }) => word.paths?.has(path) ?? true)) })
    }
    const wrong = await endCopy(copy.id, word)
    setProblem(wrong)
    setWorking(false)
    return wrong === null
  }
  const again = async () => {
    if (await end({ kind: 'discard' })) await append(t('copy.again-message'))
  }
  const keep = (paths: ReadonlySet<string> | null) => void end({ kind: 'keep', paths, overEdits: isStale })
  const shown = shownOf(rows, lines, progress, (row) => needsReview(row, named, asked))
  const answer = (decision: 'run' | 'deny') =>
    void end(
      decision === 'run'
        ? { kind: 'keep', paths: null, overEdits: false, isRequested: true }
        : { kind: 'discard', isRequested: true },
    )
  const choose = (row: CopyChange, isChosen: boolean) =>
    setChosen((before) => {
      const next = new Set(before)
      for (const { path, group } of rows) {
        if (group !== row.group) continue
        if (isChosen) next.add(path)
        else next.delete(path)
      }
      return next
    })
  const card = useKeys((key) => {
    if (isBusy || working || chosen !== null) return false
    if (key === 'Enter') keep(null)
    else if (key === 'Backspace') setAsksDiscard(true)
    else return false
    return true
  })
  const rowProps = { steps, named, asked, lines, sides: seen.copy.sides, chosen, onChoose: choose }
  return (
    <section
      aria-labelledby={`copy-${copy.id}`}
      className={cx(cardFrame({ look: isBusy ? undefined : 'current' }), 'mt-4')}
      ref={card}
    >
      <div className={cardHead()}>
        <h3 id={`copy-${copy.id}`} className="font-strong">
          {t('copy.title')}
        </h3>
        {isBusy ? null : (
          <span className={statusLine({ tone: 'wait' })}>
            <Icon name="wait" />
            {t('copy.waiting')}
          </span>
        )}
      </div>
      <div className="px-3.5 pb-3 narrow:px-3">
        <p>
          {changedText(rows)} <Total lines={lines} />
        </p>
        <p className="text-sm text-muted">
          {t('copy.not-yet', { runs: progress.runs.length, seconds: secondsOf(progress) })}
        </p>
        {isBusy ? null : <Beyond reasons={beyond} refused={refused} />}
        {isStale ? <Stale paths={editedBeside} /> : null}
        {isBusy || working ? null : <CopyLink copyId={copy.id} shown={shown} onAnswer={answer} />}
      </div>
      {first.length > 0 ? (
        <div className="border-t border-line py-2">
          <h4 className="px-3.5 pb-1 text-sm font-strong narrow:px-3">
            {t('copy.first')} <span className="ps-1 font-normal text-muted">{first.length}</span>
          </h4>
          <ul>
            {first.map((row) => (
              <CopyRow key={row.path} row={row} isFirst {...rowProps} />
            ))}
          </ul>
        </div>
      ) : null}
      <div className="border-t border-line py-2">
        <h4 className="px-3.5 pb-1 text-sm font-strong narrow:px-3">
          {t('copy.all')} <span className="ps-1 font-normal text-muted">{rows.length}</span>
        </h4>
        <ul>
          {folders.map((folder) => (
            <FolderRows key={folder.path} folder={folder} isOpen={rows.length <= 12} {...rowProps} />
          ))}
        </ul>
      </div>
      {isBusy ? null : (
        <div data-part="foot" className={cardFoot({ look: 'ruled' })}>
          {working ? (
            <Wait what={t('copy.working')} />
          ) : asksDiscard ? (
            <>
              <span className="me-auto text-sm">{t('copy.discard-ask', { count: rows.length })}</span>
              <Button look="danger" className={footButton} onClick={() => void end({ kind: 'discard' })}>
                {t('copy.discard')}
              </Button>
              <Button className={footButton} onClick={() => setAsksDiscard(false)}>
                {t('copy.cancel')}
              </Button>
            </>
          ) : chosen !== null ? (
            <>
              <Button
                look="go"
                className={footButton}
                disabled={chosen.size === 0}
                onClick={() => keep(chosen.size === rows.length ? null : chosen)}
              >
                {t('copy.keep-chosen', { count: chosen.size })}
              </Button>
              <Button className={footButton} onClick={() => setChosen(null)}>
                {t('copy.back')}
              </Button>
            </>
          ) : (
            <EndButtons
              isStale={isStale}
              rows={rows.length}
              onKeep={() => keep(null)}
              onSome={() => setChosen(new Set())}
              onAgain={() => void again()}
              onGoOn={onGoOn}
              onDiscard={() => setAsksDiscard(true)}
            />
          )}
          {problem ? (
            <p className="basis-full text-sm text-danger" role="alert">
              <SentenceText text={problem} />
            </p>
          ) : null}
        </div>
      )}
    </section>
  )
}

interface EndButtonsProps {
  readonly isStale: boolean
  readonly rows: number
  readonly onKeep: () => void
  readonly onSome: () => void
  readonly onAgain: () => void
  readonly onGoOn: () => void
  readonly onDiscard: () => void
}

/** The decisions. For a stale copy, the first is to redo the task with the current files. */
const EndButtons = ({ isStale, rows, onKeep, onSome, onAgain, onGoOn, onDiscard }: EndButtonsProps) => (
  <>
    {isStale ? (
      <Button className={footButton} onClick={onAgain}>
        {t('copy.run-again')}
      </Button>
    ) : null}
    <Button
      look={isStale ? 'plain' : 'go'}
      className={footButton}
      aria-keyshortcuts="Meta+Enter Control+Enter"
      onClick={onKeep}
    >
      {t(isStale ? 'copy.keep-anyway' : 'copy.keep-all')} <Kbd keys="mod+enter" />
    </Button>
    {rows > 1 ? (
      <Button className={footButton} onClick={onSome}>
        {t('copy.keep-some')}
      </Button>
    ) : null}
    <Button className={footButton} onClick={onGoOn}>
      {t('copy.go-on')}
    </Button>
    <Button
      className={cx(footButton, 'not-narrow:ms-auto')}
      aria-keyshortcuts="Meta+Backspace Control+Backspace"
      onClick={onDiscard}
    >
      {t('copy.discard')}
    </Button>
  </>
)

/** Files that the user edited after the copy was made. */
const Stale = ({ paths }: { paths: readonly string[] }) => (
  <p className="mt-1.5 flex gap-2 text-sm text-warn" role="status">
    <Icon name="warn" className="mt-0.75 flex-none" />
    <span>
      <SentenceText text={editedWords(paths)} />
    </span>
  </p>
)

/** Why the copy waits for the user although a kept approval exists. */
const Beyond = ({ reasons, refused }: { reasons: readonly string[]; refused: string | null }) =>
  reasons.length === 0 && refused === null ? null : (
    <div className="mt-1.5 flex gap-2 text-sm text-warn" role="status">
      <Icon name="warn" className="mt-0.75 flex-none" />
      <div>
        {refused === null ? null : <SentenceText text={refused} />}
        {reasons.length === 0 ? null : (
          <>
            {t('copy.beyond')}
            <ul className="list-disc ps-5">
              {reasons.map((reason) => (
                <li key={reason}>
                  <SentenceText text={reason} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )

/**
 * Keys with Ctrl or Cmd. They work only on the card or with no other focus; otherwise they belong to other cards or the
 * field.
 */
function useKeys(act: (key: string) => boolean): RefObject<HTMLElement | null> {
  const card = useRef<HTMLElement>(null)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !(event.ctrlKey || event.metaKey)) return
    const isHere = event.target === document.body || card.current?.contains(event.target as Node)
    if (isHere && act(event.key)) event.preventDefault()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return card
}

/** Lines of all files. */
function Total({ lines }: { lines: ReadonlyMap<string, ChangedLines> }) {
  const sum = (key: keyof ChangedLines) => [...lines.values()].reduce((total, one) => total + one[key], 0)
  if (lines.size === 0) return null
  return (
    <span className="whitespace-nowrap">
      {'· '}
      <LineCount added={sum('added')} removed={sum('removed')} />
    </span>
  )
}

const textOf = (row: ChatRow | undefined): string => (row && 'text' in row ? row.text : '')

/** The number of each run of the copy, by message and slot. */
function useSteps({ runs }: CopyProgress): ReadonlyMap<string, number> {
  return useMemo(() => new Map(runs.map((run, at) => [runKey(run), at + 1])), [runs])
}

/** The card as another device shows it. */
const shownOf = (
  rows: readonly CopyChange[],
  lines: ReadonlyMap<string, ChangedLines>,
  progress: CopyProgress,
  reasonsOf: (row: CopyChange) => ReturnType<typeof needsReview>,
): ShownCopy => ({
  changes: rows.flatMap((row) => {
    const counted = lines.get(row.path)
    return effectsOf([row]).map((effect) => ({
      ...effect,
      reasons: reasonsOf(row),
      ...(counted && { lines: counted }),
    }))
  }),
  runs: progress.runs.length,
  ms: msOf(progress),
})

const msOf = ({ runs }: CopyProgress): number => runs.reduce((sum, { outcome }) => sum + (outcome?.durationMs ?? 0), 0)

const secondsOf = (progress: CopyProgress): number => Math.round(msOf(progress) / 100) / 10

function editedWords([path = '', ...more]: readonly string[]): string {
  return more.length === 0
    ? t('copy.edited-beside', { path: asUntrusted(path) })
    : t('copy.edited-more', { path: asUntrusted(path), count: more.length })
}
