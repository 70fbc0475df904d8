import type { ChangeSet } from '@/lib/vfs/vfs-history'

/** A message as a place in the tree. */
export interface TreeMessage {
  readonly id: string
  readonly parentId: string | null
}

/**
 * The sets that came after a message: those of the messages below it, and what the user did by hand meanwhile. What the
 * message's own calls did, and what was done by hand while it was the last one, is part of it. `messageId` null: before
 * the first message.
 */
export function setsAfter(
  sets: readonly ChangeSet[],
  tree: ReadonlyMap<string, TreeMessage>,
  messageId: string | null,
): readonly ChangeSet[] {
  const isAfter = (id: string | null): boolean => id !== messageId && isBelow(tree, id, messageId)
  const sure = sets.filter(({ origin }) => isAfter(origin.messageId))
  // What was done by hand on another branch has no place on this one: it counts when it came later than something that has.
  const first = Math.min(...sure.map(({ id }) => id))
  return sets.filter(
    (set) =>
      sure.includes(set) ||
      (set.origin.kind === 'user' && set.id > first && !isBelow(tree, messageId, set.origin.messageId)),
  )
}

/** Whether `id` is `ancestor` or stands below it; every message stands below null. */
function isBelow(tree: ReadonlyMap<string, TreeMessage>, id: string | null, ancestor: string | null): boolean {
  const seen = new Set<string>()
  for (let at = id; at !== null && !seen.has(at); at = tree.get(at)?.parentId ?? null) {
    if (at === ancestor) return true
    seen.add(at)
  }
  return ancestor === null
}

/** Those that a restore of the files takes back. */
export const activeChanges = (sets: readonly ChangeSet[]): readonly ChangeSet[] =>
  sets.filter(({ undone, offBranch }) => !undone && !offBranch)
