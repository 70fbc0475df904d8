import type { ChatRow } from '@/lib/shared/conversation/chat-row'
import { lastTextAt } from '@/lib/shared/conversation/has-text'
import type { ChangeSet } from '@/lib/vfs/vfs-history'

export type ChangeMark = 'new' | 'changed'

/** The messages of the last turn: from the user's last own words on. */
export const lastTurn = (path: readonly ChatRow[]): ReadonlySet<string> =>
  new Set(path.slice(Math.max(0, lastTextAt(path))).map(({ id }) => id))

/**
 * Files to mark in the tree: changed by a call of these messages, or by anyone since `since` (epoch milliseconds). What was
 * taken back leaves no mark.
 */
export function changeMarks(
  sets: readonly ChangeSet[],
  { messageIds, since }: { readonly messageIds: ReadonlySet<string>; readonly since: number },
): ReadonlyMap<string, ChangeMark> {
  const marks = new Map<string, ChangeMark>()
  for (const set of sets.toSorted((a, b) => a.id - b.id)) {
    const recent = set.at >= since || (set.origin.kind === 'call' && messageIds.has(set.origin.messageId))
    if (!recent || set.undone || set.offBranch) continue
    for (const { path, before, after } of set.changes) {
      if (after?.kind !== 'file') marks.delete(path)
      else if (!marks.has(path)) marks.set(path, before === null ? 'new' : 'changed')
    }
  }
  return marks
}
