import type { ChangeSet } from '@/lib/vfs/vfs-history'

/** A conversation's messages, as far as a branch is concerned. */
export interface BranchView {
  readonly conversationId: string
  /** Ids, root → head of the branch that is shown. */
  readonly path: readonly string[]
  /** Whether this page knows a message at all, on whichever branch. */
  readonly knows: (messageId: string) => boolean
}

/**
 * The messages whose calls count on this branch. A set of a message that this page has not heard of yet (another tab is
 * ahead) stays as it is.
 */
export function followIds(sets: readonly ChangeSet[], { path, knows }: BranchView): readonly string[] {
  const ahead = sets.flatMap(({ origin, offBranch }) =>
    origin.kind === 'call' && !offBranch && !knows(origin.messageId) ? [origin.messageId] : [],
  )
  return [...new Set([...path, ...ahead])]
}

/** Whether any set would be counted differently. */
export function wouldFollow(sets: readonly ChangeSet[], messageIds: readonly string[]): boolean {
  const on = new Set(messageIds)
  return sets.some(({ origin, offBranch }) => origin.kind === 'call' && offBranch === on.has(origin.messageId))
}

/** The messages whose calls count now: what `follow` was told last. */
export const countedIds = (sets: readonly ChangeSet[]): readonly string[] => [
  ...new Set(sets.flatMap(({ origin, offBranch }) => (origin.kind === 'call' && !offBranch ? [origin.messageId] : []))),
]
