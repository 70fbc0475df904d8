'use client'

import { msSince } from '@/lib/base/clocks'
import { asForeign, labelOf } from '@/lib/base/foreign-text/foreign'
import { SaidText } from '@/components/ui/foreign-text'
import { useEffect, useEffectEvent, useState } from 'react'
import { MessageScope } from '@/components/assistant-ui/message-scope'
import { useGoToBranch } from '@/components/assistant-ui/use-go-to-branch'
import { useConversation } from '@/components/context/chat-context'
import { Button } from '@/components/ui/button'
import { recipe } from '@/components/ui/recipes/recipe'
import { Wait } from '@/components/ui/wait'
import { ageWords } from '@/lib/i18n/age-words'
import { t } from '@/lib/i18n/t'
import { TextButton } from '@/components/ui/text-button'
import { laterChanges, type ChangeGroup } from '@/lib/workspace/history/change-groups'
import { changeWords, originWords, summarizeChanges, titleWords } from '@/lib/workspace/history/change-words'
import type { HistoryWatch } from '@/lib/workspace/history/history-watch'
import { countLines, readSides, type LineCounts } from '@/lib/workspace/history/text-sides'
import { ChangeDetails } from './change-details'
import ReplyUndo from '../reply-undo'
import { SentenceWith } from '../sentence-with'
import { useMoves } from '../use-moves'

const word = recipe('', { tone: { default: '', added: 'text-ok', removed: 'text-danger' } })

export interface ChangeRowProps {
  readonly group: ChangeGroup
  readonly all: readonly ChangeGroup[]
  readonly watch: HistoryWatch
  readonly now: number
  readonly open: boolean
  readonly onToggle: () => void
  readonly onOpen: (path: string) => void
}

/** One call's changes, or one of the user's own: what, when, and the way back. */
export function ChangeRow({ group, all, watch, now, open, onToggle, onOpen }: ChangeRowProps) {
  const summary = summarizeChanges(group.changes)
  const lines = useLineCounts(watch, group, summary.file)
  const moves = useMoves(watch)
  const undone = group.undone === 'yes'
  const later = laterChanges(all, group)
  const words = changeWords(group.changes, summary, lines)
  const title = titleWords(summary)
  return (
    <div
      className="group/change"
      role="group"
      aria-label={labelOf(t('files-changes.one', { title: asForeign(labelOf(title)) }))}
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
                <SaidText text={title} />
              </s>
            ) : (
              <SaidText text={title} />
            )}
          </button>
          <p className="wrap-anywhere text-muted">
            <SaidText text={originWords(group.origin)} />
            {' · '}
            {undone ? (
              t('files-changes.undone')
            ) : (
              <>
                {group.undone === 'partly' ? `${t('files-changes.partly')} · ` : null}
                {words.map(({ text, tone }, at) => (
                  <span key={at} className={word({ tone })}>
                    <SaidText text={text} />
                  </span>
                ))}
              </>
            )}
            {' · '}
            <span className="tabular-nums">{ageWords(msSince(group.at, now))}</span>
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
          <SaidText text={moves.problem} />
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

/** Its reply changed more than this: the way back for all of it. */
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
  const message = useConversation((view) => (messageId === null ? undefined : view.tree.get(messageId)))
  if (!message) return null
  return (
    <MessageScope message={message} index={-1} isLast={false}>
      <GoThereButton />
    </MessageScope>
  )
}

function GoThereButton() {
  const go = useGoToBranch()
  return <Button onClick={go}>{t('files-changes.go-there')}</Button>
}

function useLineCounts(watch: HistoryWatch, group: ChangeGroup, file: string | null): LineCounts | null {
  const [counts, setCounts] = useState<LineCounts | null>(null)
  const change = group.changes.find(({ path }) => path === file)
  const key = change ? JSON.stringify([group.key, change]) : null
  // The group is a new object with every look at the history; its key says when it says something else.
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
