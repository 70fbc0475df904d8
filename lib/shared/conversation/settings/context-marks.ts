/*
 * The user's decisions about what models get of a chat. They change nothing that is stored: any left-out message can be
 * sent again later.
 */

/** The beginning of a branch is no longer sent; a summary replaces it. */
export interface Compaction {
  /** The last message that is left out, with all before it. It applies to every branch that contains this message. */
  readonly through: string
  /** The summary that replaces them; '': none. */
  readonly summary: string
  /** Epoch ms. */
  readonly madeAt: number
}

export interface ContextMarks {
  /** In the order they were made; in a branch the last one whose message is part of it applies. */
  readonly compactions: readonly Compaction[]
  /** Messages that are always sent, whatever else is left out. */
  readonly pinned: readonly string[]
}

export const noMarks: ContextMarks = { compactions: [], pinned: [] }

export const contextMarkLimits = { maxCompactions: 8, maxSummaryChars: 16_000, maxPinned: 100 } as const

/** The compaction that applies to a branch, and the index of its last message there; null: none. */
export function compactionIn(
  path: readonly { readonly id: string }[],
  marks: ContextMarks | undefined,
): { readonly compaction: Compaction; readonly at: number } | null {
  if (!marks || marks.compactions.length === 0) return null
  const places = new Map(path.map(({ id }, at) => [id, at]))
  const compaction = marks.compactions.findLast(({ through }) => places.has(through))
  return compaction ? { compaction, at: places.get(compaction.through) ?? 0 } : null
}

export const isPinned = (marks: ContextMarks | undefined, messageId: string): boolean =>
  marks?.pinned.includes(messageId) ?? false

/**
 * Adds one; the oldest is removed if there are too many. One with the same content for the same place replaces the
 * earlier.
 */
export const withCompaction = (marks: ContextMarks | undefined, made: Compaction): ContextMarks => {
  const { compactions, pinned } = marks ?? noMarks
  const others = compactions.filter(({ through }) => through !== made.through)
  return { pinned, compactions: [...others, made].slice(-contextMarkLimits.maxCompactions) }
}

/** Removes the one that was made then: its messages are sent again, unless another one leaves them out. */
export const withoutCompaction = ({ compactions, pinned }: ContextMarks, madeAt: number): ContextMarks => ({
  pinned,
  compactions: compactions.filter((one) => one.madeAt !== madeAt),
})

/** Pins a message, or unpins it. The oldest pin is removed if there are too many. */
export function withPin(marks: ContextMarks | undefined, messageId: string): ContextMarks {
  const { compactions, pinned } = marks ?? noMarks
  const others = pinned.filter((id) => id !== messageId)
  const next = others.length < pinned.length ? others : [...others, messageId].slice(-contextMarkLimits.maxPinned)
  return { compactions, pinned: next }
}
