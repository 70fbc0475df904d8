import { t } from '@/lib/i18n/t'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { ChangeSet, HistoryMove } from '@/lib/vfs/vfs-history'
import type { BranchFollower } from './follow-branch'
import { isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { hasText } from '@/lib/shared/conversation/outline'
import { nameOf } from '@/lib/vfs/path'

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

/** A place in the chat to go back to. */
export interface RestorePoint {
  readonly messageId: string
  /** The message that the chat then ends with; null: before the first one. */
  readonly head: string | null
  /** The beginning of the message, one line; the names of its files when it has no words; '': a reply without any. */
  readonly words: string
  /** A message of the user's own: one goes back to before it, and gets its text back; empty for files without words. */
  readonly draft: string | null
}

const MAX_WORDS = 80

/** Of the messages that are here, in the order of the chat: each message that the user wrote, and each reply that ended a turn but the last one. */
export function restorePoints(path: readonly ChatRow[], plainText: (text: string) => string): readonly RestorePoint[] {
  return path.flatMap((message, at): readonly RestorePoint[] => {
    if (!isHere(message)) return []
    const { id, text, parentId } = message
    if (message.role === 'user') {
      if (!hasText(message)) return []
      const said = text === '' ? (message.attachments ?? []).map((file) => nameOf(file.path)).join(', ') : text
      return [{ messageId: id, head: parentId, words: oneLine(said), draft: text }]
    }
    const next = path[at + 1]
    const endsTurn = next?.role === 'user' && hasText(next)
    const words = oneLine(plainText(text))
    return endsTurn ? [{ messageId: id, head: id, words, draft: null }] : []
  })
}

function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ')
  const characters = Array.from(line.slice(0, MAX_WORDS * 4))
  return characters.length > MAX_WORDS ? `${characters.slice(0, MAX_WORDS).join('').trimEnd()}…` : characters.join('')
}
