import type { CallRecord } from '@/lib/shared/conversation/conversation'

/**
 * Which of two rows of one call is the later one. Answers can overtake each other: an older attempt, one without its
 * outcome or its stop, without the user's word on its result, or not posted yet, is old news. Equal rows: the second one.
 */
export function newerRecord(a: CallRecord, b: CallRecord): CallRecord {
  const before = age(a)
  const after = age(b)
  for (const [index, at] of before.entries()) {
    const other = after[index] ?? 0
    if (at !== other) return at > other ? a : b
  }
  return b
}

/** Grows with everything that can happen to a row, the rarest first. */
const age = ({ attempt, outcome, stopped, postedIn, release }: CallRecord): readonly number[] => [
  attempt,
  outcome ? 1 : 0,
  stopped ? 1 + Number(stopped.outcome !== null) : 0,
  postedIn === null ? 0 : 1,
  release ? 1 + Number(release.kind !== 'withheld') : 0,
  release?.releasedAt ?? 0,
]
