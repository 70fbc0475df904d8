'use client'

import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { t } from '@/lib/i18n/t'
import { Wait } from '@/components/ui/page/wait'
import { failures } from '@/lib/vfs/vfs'
import type { ChangeOrigin, ChangeSet } from '@/lib/vfs/vfs-history'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { HistoryWatch } from '@/lib/client/files/history/history-watch'
import { lowestPaths, changedLater } from '@/lib/client/files/history/change-groups'
import { previewMove, type PreviewedPath } from '@/lib/client/files/history/restore-point'
import { PathLine } from './move-notes'

export interface UndoReplyDialogProps {
  readonly watch: HistoryWatch
  readonly sets: readonly ChangeSet[]
  /** The change sets to undo. */
  readonly ids: readonly number[]
  readonly isBusy: boolean
  readonly onUndo: () => void
  readonly onClose: () => void
}

const MAX_PATHS = 200

/** Asks before a whole reply is undone, and shows the effect on the current files and what stays. */
export default function UndoReplyDialog({ watch, sets, ids, isBusy, onUndo, onClose }: UndoReplyDialogProps) {
  const preview = usePreview(watch, sets, ids)
  const moved = preview?.ok ? preview.value : []
  const lowest = new Set(lowestPaths(moved.map(({ path }) => path)))
  const files = moved.filter(({ path }) => lowest.has(path))
  const stays = changedLater(sets, ids)
  return (
    <Dialog label={t('file-changes.ask')} onClose={onClose}>
      <h2>{t('file-changes.ask')}</h2>
      {preview === null ? (
        <Wait what={t('file-changes.looking')} />
      ) : !preview.ok ? (
        <p role="alert">
          <SentenceText text={t('file-changes.not-read', { why: preview.error.message })} />
        </p>
      ) : files.length === 0 ? (
        <p>{t('file-changes.none')}</p>
      ) : (
        <ul
          className="mt-2 max-h-60 overflow-y-auto rounded-md bg-code px-3 py-2 font-mono text-mono text-code-text"
          aria-label={t('file-changes.goes')}
          tabIndex={0}
        >
          {files.slice(0, MAX_PATHS).map(({ path, change }) => (
            <PathLine key={path} fate={t(`file-changes.${change}`)}>
              <span>
                <ForeignText text={path} />
              </span>
            </PathLine>
          ))}
          {files.length > MAX_PATHS ? <li>{t('file-changes.more', { count: files.length - MAX_PATHS })}</li> : null}
        </ul>
      )}
      {stays.slice(0, MAX_PATHS).map(({ path, by }) => (
        <p key={path}>
          <SentenceText text={t('file-changes.stays', { path: asUntrusted(path), by: nameOf(by) })} />
        </p>
      ))}
      {files.length > 0 ? <p>{t('file-changes.way-back')}</p> : null}
      {isBusy ? <Wait what={t('wait.files-change')} /> : null}
      <DialogFoot>
        <Button onClick={onClose}>{t('file-changes.cancel')}</Button>
        <Button look="ink" disabled={isBusy || files.length === 0} onClick={onUndo}>
          {t('file-changes.do', { count: files.length })}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

const nameOf = (origin: ChangeOrigin): string => (origin.kind === 'call' ? origin.tool : t('file-changes.you'))

/** Null while loading; reloaded when the files change. */
function usePreview(
  watch: HistoryWatch,
  sets: readonly ChangeSet[],
  ids: readonly number[],
): VfsResult<readonly PreviewedPath[]> | null {
  const [preview, setPreview] = useState<VfsResult<readonly PreviewedPath[]> | null>(null)
  const wantedIds = ids.join(' ')
  useEffect(() => {
    if (sets.length === 0) return
    const taken = new Set(wantedIds.split(' ').map(Number))
    let wanted = true
    previewMove(watch.vfs, (set) => (taken.has(set.id) ? { ...set, undone: true } : set)).then(
      (found) => wanted && setPreview(found),
      () => wanted && setPreview(failures.unreadable()),
    )
    return () => {
      wanted = false
    }
  }, [watch, sets, wantedIds])
  return preview
}
