'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { useId, useState, useEffect, useEffectEvent } from 'react'
import { useNow } from '@/components/ui/page/use-now'
import { Button, TextButton } from '@/components/ui/controls/button'
import { cx, recipe } from '@/components/ui/recipes/recipe'
import { t } from '@/lib/i18n/t'
import { type ChangeGroup, laterChanges } from '@/lib/client/files/history/change-groups'
import { useHistory, useMoves } from '../use-history'
import { msSince } from '@/lib/base/clocks'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useConversation, useThreadActions } from '@/components/context/chat-context'
import { Wait } from '@/components/ui/page/wait'
import { formatAge } from '@/lib/i18n/labels'
import {
  changeText,
  originText,
  summarizeChanges,
  titleText,
  countLines,
  readSides,
  type LineCounts,
} from '@/lib/client/files/history/change-texts'
import type { HistoryWatch } from '@/lib/client/files/history/history-watch'
import { ChangeDetails } from './change-details'
import ReplyUndo from '../reply-undo'
import { SentenceWith } from '../sentence-with'

const word = recipe('', { tone: { default: '', added: 'text-ok', removed: 'text-danger' } })

interface ChangeRowProps {
  readonly group: ChangeGroup
  readonly all: readonly ChangeGroup[]
  readonly watch: HistoryWatch
  readonly now: number
  readonly open: boolean
  readonly onToggle: () => void
  readonly onOpen: (path: string) => void
}

/** The changes of one call or of the user: what, when, and the undo. */
function ChangeRow({ group, all, watch, now, open, onToggle, onOpen }: ChangeRowProps) {
  const summary = summarizeChanges(group.changes)
  const lines = useLineCounts(watch, group, summary.file)
  const moves = useMoves(watch)
  const undone = group.undone === 'yes'
  const later = laterChanges(all, group)
  const words = changeText(group.changes, summary, lines)
  const title = titleText(summary)
  return (
    <div
      className="group/change"
      role="group"
      aria-label={labelOf(t('files-changes.one', { title: asUntrusted(labelOf(title)) }))}
      data-undone={undone || undefined}
    >
      <div className="flex items-center gap-3 px-4 py-2">
        <div className="min-w-0 flex-1">
          <button
            type="button"
            className="block max-w-full truncate font-mono text-mono group-data-undone/change:text-muted hover:underline"
            aria-expanded={open}
            data-tip={labelOf(title)}
            onClick={onToggle}
          >
            {undone ? (
              <s>
                <SentenceText text={title} />
              </s>
            ) : (
              <SentenceText text={title} />
            )}
          </button>
          <p className="wrap-anywhere text-muted">
            <SentenceText text={originText(group.origin)} />
            {' · '}
            {undone ? (
              t('files-changes.undone')
            ) : (
              <>
                {group.undone === 'partly' ? `${t('files-changes.partly')} · ` : null}
                {words.map(({ text, tone }, at) => (
                  <span key={at} className={word({ tone })}>
                    <SentenceText text={text} />
                  </span>
                ))}
              </>
            )}
            {' · '}
            <span className="tabular-nums">{formatAge(msSince(group.at, now))}</span>
          </p>
        </div>
        {group.offBranch ? (
          <GoThere group={group} />
        ) : (
          <Button disabled={moves.busy} onClick={() => void moves.move(group.ids, !undone)}>
            {t(undone ? 'files-changes.redo' : 'files-changes.undo')}
          </Button>
        )}
      </div>
      {moves.busy ? <Wait className="px-4 pb-2" what={t('wait.files-change')} /> : null}
      {moves.problem ? (
        <p className="grid justify-items-start gap-1 px-4 pb-2 wrap-anywhere" role="alert">
          <SentenceText text={moves.problem} />
        </p>
      ) : null}
      {moves.kept.length > 0 ? (
        <div className="grid justify-items-start gap-1 px-4 pb-2 wrap-anywhere" role="status">
          <ul>
            {moves.kept.map(({ path, why }) => (
              <li key={path}>
                <SentenceWith
                  name={path}
                  say={(name) =>
                    t(why === 'changed-later' ? 'file-changes.kept-later' : 'file-changes.kept-in-way', { path: name })
                  }
                />
              </li>
            ))}
          </ul>
          {undone && later.length > 0 ? (
            <TextButton
              onClick={() =>
                void moves.move(
                  later.flatMap(({ ids }) => ids),
                  true,
                )
              }
            >
              {t('files-changes.undo-later')}
            </TextButton>
          ) : null}
        </div>
      ) : null}
      {open ? (
        <>
          <ChangeDetails watch={watch} group={group} file={summary.file} onOpen={onOpen} />
          {group.offBranch ? null : <OfReply origin={group.origin} />}
        </>
      ) : null}
    </div>
  )
}

/** If its reply changed more than this: undoes all of it. */
function OfReply({ origin }: { origin: ChangeGroup['origin'] }) {
  const conversationId = useConversation((view) => view.id)
  if (origin.kind !== 'call') return null
  return (
    <div className="px-4 py-2 empty:hidden">
      <ReplyUndo conversationId={conversationId} messageId={origin.messageId} />
    </div>
  )
}

function GoThere({ group }: { group: ChangeGroup }) {
  const { messageId } = group.origin
  const isKnown = useConversation((view) => messageId !== null && view.tree.has(messageId))
  const { switchBranch } = useThreadActions()
  if (messageId === null || !isKnown) return null
  return <Button onClick={() => switchBranch(messageId)}>{t('files-changes.go-there')}</Button>
}

function useLineCounts(watch: HistoryWatch, group: ChangeGroup, file: string | null): LineCounts | null {
  const [counts, setCounts] = useState<LineCounts | null>(null)
  const change = group.changes.find(({ path }) => path === file)
  const key = change ? JSON.stringify([group.key, change]) : null
  // The group is a new object on every read; its key changes only with its content.
  const count = useEffectEvent((path: string) => readSides(watch.vfs.history, group, path).then(countLines))
  useEffect(() => {
    if (key === null || file === null) return
    let wanted = true
    count(file).then(
      (found) => wanted && setCounts(found),
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [key, file])
  return counts
}

export interface ChangesSectionProps {
  readonly conversationId: string
  /** Opens a file of the workspace. */
  readonly onOpen: (path: string) => void
}

const pageSize = 30
const say = cx('px-4 pt-1 pb-2 text-pretty')
const list = cx('divide-y divide-line')

/** The changes in the workspace, newest first, each with an undo. */
export default function ChangesSection({ conversationId, onOpen }: ChangesSectionProps) {
  const heading = useId()
  const history = useHistory(conversationId)
  const now = useNow()
  const [shown, setShown] = useState(pageSize)
  const [others, setOthers] = useState(false)
  /** By default, the newest change is open. */
  const [chosen, setChosen] = useState<string | null | undefined>(undefined)
  const here = history.groups.filter(({ offBranch }) => !offBranch)
  const elsewhere = history.groups.filter(({ offBranch }) => offBranch)
  const newest = here.find(({ undone }) => undone !== 'yes')?.key ?? null
  const open = chosen === undefined ? newest : chosen
  const { watch } = history
  const rowsOf = (groups: readonly ChangeGroup[]) =>
    watch === null
      ? null
      : groups.map((group) => (
          <li key={group.key}>
            <ChangeRow
              group={group}
              all={history.groups}
              watch={watch}
              now={now}
              open={open === group.key}
              onToggle={() => setChosen(open === group.key ? null : group.key)}
              onOpen={onOpen}
            />
          </li>
        ))
  return (
    <section className="min-h-[35%] flex-1 overflow-y-auto border-t border-line text-sm" aria-labelledby={heading}>
      <div className="flex items-baseline justify-between px-4 pt-3 pb-1">
        <h3 id={heading} className="font-strong">
          {t('files-changes.title')}
        </h3>
        {here.length > 1 ? <span className="text-muted">{t('files-changes.newest-first')}</span> : null}
      </div>
      {history.phase === 'failed' ? (
        <div className={say}>
          <p role="alert">
            <SentenceText text={t('files-changes.not-listed', { why: history.problem ?? '' })} />
          </p>
        </div>
      ) : history.phase === 'loading' ? (
        <p className={`${say} text-muted`}>{t('files-changes.loading')}</p>
      ) : here.length === 0 ? (
        <p className={`${say} text-muted`}>
          {t(history.droppedOlder ? 'files-changes.none-left' : 'files-changes.none')}
        </p>
      ) : (
        <ul className={list} aria-labelledby={heading}>
          {rowsOf(here.slice(0, shown))}
        </ul>
      )}
      {here.length > shown ? (
        <p className={say}>
          <TextButton onClick={() => setShown(shown + pageSize)}>
            {t('files-changes.earlier', { count: here.length - shown })}
          </TextButton>
        </p>
      ) : null}
      {history.droppedOlder ? <p className={`${say} text-muted`}>{t('files-changes.let-go')}</p> : null}
      {elsewhere.length > 0 ? (
        <div className="pt-1 pb-2">
          <Button look="quiet" className="ms-1" aria-expanded={others} onClick={() => setOthers(!others)}>
            {t('files-changes.elsewhere', { count: elsewhere.length })}
          </Button>
          {others ? (
            <>
              <p className={`${say} text-muted`}>{t('files-changes.elsewhere-about')}</p>
              <ul className={list} aria-label={t('files-changes.elsewhere-label')}>
                {rowsOf(elsewhere.slice(0, 100))}
              </ul>
            </>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}
