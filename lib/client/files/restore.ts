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
  /** Returns false if that is not possible now. */
  readonly goBackTo: (messageId: string | null) => boolean
  readonly follower: Pick<BranchFollower, 'look' | 'settled' | 'moved' | 'dismiss' | 'bringAlong'>
}

/**
 * Restores the files, the chat or both to a message. If the chat goes back, its calls' files follow, as with any
 * branch; for the chat alone they are then kept as they were. Returns a sentence if something failed, else null.
 */
export async function restore(
  { setUndone, goBackTo, follower }: RestorePorts,
  plan: {
    readonly what: RestoreWhat
    /** The message that the chat then ends with; null: before the first one. */
    readonly head: string | null
    /** Active changes that came after it. */
    readonly sets: readonly ChangeSet[]
  },
): Promise<string | null> {
  const { what, head, sets } = plan
  // With the chat the calls leave the branch, and return with it; manual changes belong to no branch.
  const ids = (what === 'both' ? sets.filter(({ origin }) => origin.kind === 'user') : sets).map(({ id }) => id)
  if (what !== 'files') {
    // This is now the last move of the files, so the notice about the previous one is dismissed.
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
  /** The beginning of the message, one line; the names of its files if it has no text; '': a reply without text. */
  readonly words: string
  /** For a user message, which returns to the composer: its text; empty for files without text. */
  readonly draft: string | null
}

const MAX_WORDS = 80

/**
 * The restore points among the loaded messages, in the order of the chat: each user message, and each reply that ended
 * a turn except the last one.
 */
export function restorePoints(path: readonly ChatRow[], plainText: (text: string) => string): readonly RestorePoint[] {
  return path.flatMap((message, at): readonly RestorePoint[] => {
    if (!isHere(message)) return []
    const { id, text, parentId } = message
    if (message.role === 'user') {
      if (!hasText(message)) return []
      const label = text === '' ? (message.attachments ?? []).map((file) => nameOf(file.path)).join(', ') : text
      return [{ messageId: id, head: parentId, words: oneLine(label), draft: text }]
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
