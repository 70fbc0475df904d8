/** How far from the end still counts as reading the end, in px. */
export const nearEnd = 48
/** Room that is left above the head of a waiting card, in px. */
const headRoom = 72

export interface ScrollMoment {
  readonly distance: number
  /** Positive: towards the end. */
  readonly movedBy: number
  /** The reader's own hand: wheel up, PageUp, a drag. */
  readonly letGo: boolean
}

/** Whether the view follows the end after a scroll. Only moving down, or standing at the very end, takes hold again. */
export function nextStuck(stuck: boolean, { distance, movedBy, letGo }: ScrollMoment): boolean {
  if (letGo && movedBy < 0) return false
  if (distance <= 1) return true
  if (movedBy > 0 && distance <= nearEnd) return true
  return stuck
}

export interface ThreadMeasures {
  readonly scrollTop: number
  readonly scrollHeight: number
  readonly clientHeight: number
  /** Where the first waiting card (or its batch bar) of the last message begins; null when none waits. */
  readonly headTop: number | null
  /** Where the picture begins that a call of this turn showed last; null: none, or the reader went on past it. */
  readonly pictureTop: number | null
}

/**
 * Where following goes: the end, but never past the head of a card that waits, nor past a picture while the reply to it goes
 * on below; and never back up for them. A card that waits is more than a picture.
 */
export function followTarget(measures: ThreadMeasures): number {
  const { scrollTop, scrollHeight, clientHeight } = measures
  const end = Math.max(0, scrollHeight - clientHeight)
  const stop = measures.headTop ?? measures.pictureTop
  if (stop === null) return end
  return Math.min(end, Math.max(scrollTop, stop - headRoom))
}
