import type { Changed, Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import { t } from '@/lib/i18n/t'
import type { FileNotice } from './notice'

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
