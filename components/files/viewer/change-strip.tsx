'use client'

import { msSince } from '@/lib/base/clocks'
import { useState } from 'react'
import { useCommand } from '@/components/context/commands'
import { Icon } from '@/components/ui/icon'
import { SaidText } from '@/components/ui/foreign-text'
import { TextButton } from '@/components/ui/text-button'
import { ageWords } from '@/lib/i18n/age-words'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/wait'
import { useNow } from '@/components/ui/use-now'
import type { Vfs } from '@/lib/vfs/vfs'
import { lastCallOn } from '@/lib/workspace/history/reply-changes'
import { ChangeDetails } from '../changes/change-details'
import { useHistoryOf } from '../use-history'
import { MoveNotes } from '../changes/move-notes'
import { useMoves } from '../use-moves'

/** Over an open file whose last change a call made: which, when, what it did, and the way back. */
export function ChangeStrip({ vfs, path }: { vfs: Vfs; path: string }) {
  const { groups, watch } = useHistoryOf(vfs)
  const moves = useMoves(watch)
  const now = useNow()
  const [seen, setSeen] = useState<string | null>(null)
  const group = lastCallOn(groups, path)
  const move = (undone: boolean) => void (group && moves.move(group.ids, undone))
  useCommand('undo-file', () => move(true), group?.origin.kind === 'call' && group.undone !== 'yes' && !moves.busy)
  if (group?.origin.kind !== 'call') return null
  const { tool } = group.origin
  const change = group.changes.find((one) => one.path === path)
  const isUndone = group.undone === 'yes'
  const isOpen = seen === group.key && !isUndone
  const others = group.changes.filter(
    (one) => one.path !== path && (one.before?.kind === 'file' || one.after?.kind === 'file'),
  ).length
  const age = ageWords(msSince(group.at, now))
  return (
    <section className="flex-none border-b border-line text-sm" aria-label={t('file-changes.part')}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-sunken px-3 py-1.5">
        <Icon name="again" className="size-3.5 flex-none text-muted" />
        <span className="me-auto min-w-0 wrap-anywhere" role="status">
          <SaidText
            text={
              isUndone
                ? t('file-changes.undone-by-you', { tool })
                : t(change?.before === null ? 'file-changes.made' : 'file-changes.by', { tool, age })
            }
          />
        </span>
        {isUndone ? null : (
          <TextButton aria-expanded={isOpen} onClick={() => setSeen(isOpen ? null : group.key)}>
            {t(isOpen ? 'file-changes.hide' : 'file-changes.see')}
          </TextButton>
        )}
        <TextButton disabled={moves.busy} onClick={() => move(!isUndone)}>
          {isUndone
            ? t('file-changes.redo')
            : others > 0
              ? t('file-changes.undo-with-others', { count: others })
              : t('file-changes.undo')}
        </TextButton>
      </p>
      {moves.busy ? <Wait className="px-3 pb-1.5" what={t('wait.files-change')} /> : null}
      <MoveNotes moves={moves} className="px-3 pb-1.5" />
      {isOpen ? (
        <div className="max-h-64 overflow-auto" role="group" aria-label={t('file-changes.details')}>
          <ChangeDetails watch={watch} group={group} file={path} onOpen={() => setSeen(null)} />
        </div>
      ) : null}
    </section>
  )
}
