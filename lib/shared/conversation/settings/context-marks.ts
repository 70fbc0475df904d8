/*
 * What a person decided about what models are sent of a chat. Nothing that is stored changes by it: whatever was left out can
 * be sent again, for ever.
 */

/** The beginning of a branch is sent no more, and a summary in its place. */
export interface Compaction {
  /** The last message that is left out, with all before it. It holds in every branch that this message is part of. */
  readonly through: string
  /** What stands in their place; '': nothing. */
  readonly summary: string
  /** Epoch ms. */
  readonly madeAt: number
}

export interface ContextMarks {
  /** As they were made; the last one whose message is part of a branch holds there. */
  readonly compactions: readonly Compaction[]
  /** Messages that stay whatever else is left out. */
  readonly pinned: readonly string[]
}

export const noMarks: ContextMarks = { compactions: [], pinned: [] }

export const contextMarkLimits = { maxCompactions: 8, maxSummaryChars: 16_000, maxPinned: 100 } as const

/** The compaction that holds in a branch, and the place of its last message there; null: none. */
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

/** With one more; the oldest goes where there are too many. One that says the same of the same place takes its place. */
export const withCompaction = (marks: ContextMarks | undefined, made: Compaction): ContextMarks => {
  const { compactions, pinned } = marks ?? noMarks
  const others = compactions.filter(({ through }) => through !== made.through)
  return { pinned, compactions: [...others, made].slice(-contextMarkLimits.maxCompactions) }
}

/** Without the one that was made then: what it left out is sent again, as far as no other leaves it out. */
export const withoutCompaction = ({ compactions, pinned }: ContextMarks, madeAt: number): ContextMarks => ({
  pinned,
  compactions: compactions.filter((one) => one.madeAt !== madeAt),
})

/** Pinned where it was not, and the other way round. The one that was pinned first goes where there are too many. */
export function withPin(marks: ContextMarks | undefined, messageId: string): ContextMarks {
  const { compactions, pinned } = marks ?? noMarks
  const others = pinned.filter((id) => id !== messageId)
  const next = others.length < pinned.length ? others : [...others, messageId].slice(-contextMarkLimits.maxPinned)
  return { compactions, pinned: next }
}
