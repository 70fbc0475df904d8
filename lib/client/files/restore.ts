import { t } from '@/lib/i18n/t'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { ChangeSet, HistoryMove } from '@/lib/vfs/vfs-history'
import type { BranchFollower } from './follow-branch'

export type RestoreWhat = 'files' | 'chat' | 'both'

export interface RestorePorts {
  readonly setUndone: (ids: readonly number[], undone: boolean) => Promise<VfsResult<HistoryMove>>
  /** False: not now. */
  readonly goBackTo: (messageId: string | null) => boolean
  readonly follower: Pick<BranchFollower, 'look' | 'settled' | 'moved' | 'dismiss' | 'bringAlong'>
}

/**
 * Takes files, chat or both back to a message. Where the chat goes back its calls' files go with it, as with any branch; for
 * the chat alone they are then kept as they stood. Gives a sentence when something could not be done, else null.
 */
export async function restore(
  { setUndone, goBackTo, follower }: RestorePorts,
  plan: {
    readonly what: RestoreWhat
    /** The message that the chat then ends with; null: before the first one. */
    readonly head: string | null
    /** What came after it and still stands. */
    readonly sets: readonly ChangeSet[]
  },
): Promise<string | null> {
  const { what, head, sets } = plan
  // With the chat the calls leave the branch, and come back with it; what was done by hand belongs to no branch.
  const ids = (what === 'both' ? sets.filter(({ origin }) => origin.kind === 'user') : sets).map(({ id }) => id)
  if (what !== 'files') {
    // What went before this is no longer the last move of the files.
    follower.dismiss()
    if (!goBackTo(head)) return t('workspace.not-restored-now')
    follower.look()
    await follower.settled()
    if (what === 'chat') {
      if (follower.moved()) await follower.bringAlong()
      return null
    }
    follower.dismiss()
  }
  if (ids.length === 0) return null
  const done = await setUndone(ids, true)
  if (done.ok) return null
  const reason = what === 'both' ? 'workspace.restored-in-part' : 'workspace.not-restored'
  return t(reason, { why: done.error.message })
}
