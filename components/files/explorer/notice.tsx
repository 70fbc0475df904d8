'use client'

import { SentenceText } from '@/components/ui/text/foreign-text'
import { IconButton, TextButton } from '@/components/ui/controls/button'
import { Progress } from '@/components/ui/page/progress'
import { useEffect, useState } from 'react'
import { Icon } from '@/components/ui/controls/icon'
import { note } from '@/components/ui/recipes/surface'
import { filesElsewhere, type FilesElsewhere } from '@/lib/client/wiring/files/file-locations.browser'
import type { Changed, Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import { t } from '@/lib/i18n/t'

/** What just happened to the files, with at most one action. */
export interface FileNotice {
  readonly tone: 'said' | 'failed'
  readonly words: string
  readonly action?: { readonly label: string; readonly run: () => void }
  /** Progress in steps or bytes; `stop` is null once it can't be cancelled. */
  readonly progress?: { readonly done: number; readonly of: number; readonly stop: (() => void) | null }
}

/** Always rendered, so that screen readers announce its text when it appears. */
export function NoticeLine({ notice, onDismiss }: { notice: FileNotice | null; onDismiss: () => void }) {
  return (
    <div role={notice?.tone === 'failed' ? 'alert' : 'status'}>
      {notice === null ? null : notice.progress ? (
        <Underway words={notice.words} progress={notice.progress} />
      ) : (
        <p
          data-tone={notice.tone}
          className="flex items-center gap-3 border-t border-line bg-surface py-1 ps-4 pe-2 text-sm data-[tone=failed]:bg-danger-soft data-[tone=failed]:text-danger"
        >
          <span className="max-h-30 min-w-0 flex-1 overflow-y-auto wrap-anywhere">
            <SentenceText text={notice.words} />
          </span>
          {notice.action ? (
            <TextButton className="flex-none text-text" onClick={notice.action.run}>
              <SentenceText text={notice.action.label} />
            </TextButton>
          ) : null}
          <IconButton
            icon="cross"
            label={t('files-explorer.dismiss')}
            className="narrow:size-touch"
            onClick={onDismiss}
          />
        </p>
      )}
    </div>
  )
}

/** The steps are not announced; screen readers can read the progress bar. */
function Underway({ words, progress }: { words: string; progress: NonNullable<FileNotice['progress']> }) {
  const { done, of, stop } = progress
  return (
    <div aria-live="off">
      <Progress
        className="border-t border-line bg-surface px-4 py-2"
        what={words}
        done={done}
        of={of}
        {...(stop && { cancel: { label: t('wait.cancel'), run: stop } })}
      />
    </div>
  )
}

/** Says in which other browsers the account has files of this chat, and how to get them here. */
export function ElsewhereNote({ conversationId }: { conversationId: string }) {
  const [places, setPlaces] = useState<readonly FilesElsewhere[]>([])
  useEffect(() => {
    let wanted = true
    const look = async () => {
      const found = await filesElsewhere(conversationId)
      if (wanted) setPlaces(found)
    }
    void look()
    return () => {
      wanted = false
    }
  }, [conversationId])
  if (places.length === 0) return null
  return (
    <div className={note({ tall: true, place: 'inset' })} role="status">
      <Icon name="info" />
      <p>
        <SentenceText text={placesWords(places)} />
      </p>
    </div>
  )
}

function placesWords(places: readonly FilesElsewhere[]): string {
  const texts = places
    .map(({ browser, files }) => t('files-panel.place', { files, browser }))
    .reduce((before, place) => t('files-panel.place-and', { before, place }))
  return t('files-panel.elsewhere', { places: texts })
}

export interface UndoablePorts {
  readonly vfs: Vfs
  /** The conversation's last message. */
  readonly messageId: string | null
  /** Called when a file or folder was moved, also by an undo. */
  readonly onMoved: (from: string, to: string) => void
  readonly say: (notice: FileNotice | null) => void
}

interface Move {
  readonly from: string
  readonly to: string
}

/** Runs one recorded change to the files, reports it, and can undo it. */
export function createUndoable({ vfs, messageId, onMoved, say }: UndoablePorts) {
  const fail = (words: string): false => {
    say({ tone: 'failed', words })
    return false
  }
  const recording = (action: string): Vfs => vfs.recording({ kind: 'user', action, messageId })

  const takeBack = async (id: number, words: string, moves: readonly Move[]): Promise<void> => {
    const back = await vfs.history.setUndone([id], true)
    if (!back.ok) {
      fail(back.error.message)
      return
    }
    if (back.value.kept.length === 0) for (const { from, to } of moves.toReversed()) onMoved(to, from)
    const count = back.value.kept.length
    say({
      tone: 'said',
      words: count === 0 ? words : t('files-explorer.stayed', { back: words, count }),
    })
  }

  /** Runs a change, reports it, and offers to undo it. */
  const undoable = async (
    action: string,
    words: string,
    back: string,
    work: (files: Vfs) => Promise<VfsResult<Changed>>,
    moves: readonly Move[] = [],
  ): Promise<boolean> => {
    const done = await work(recording(action))
    if (!done.ok) return fail(done.error.message)
    for (const { from, to } of moves) onMoved(from, to)
    const { changeId } = done.value
    const undo = {
      label: t('files-explorer.undo'),
      run: () => void takeBack(changeId ?? 0, back, moves),
    }
    say({ tone: 'said', words, ...(changeId === null ? {} : { action: undo }) })
    return true
  }

  return { fail, recording, undoable }
}

export type Undoable = ReturnType<typeof createUndoable>
