export interface TouchPoint {
  readonly x: number
  readonly y: number
  /** Milliseconds. */
  readonly at: number
}

const leastPx = 64
const longestMs = 600

/** Where a finger went: sideways, far and quickly enough to mean it; null: it scrolled, pressed or wandered. */
export function swipeOf(start: TouchPoint, end: TouchPoint): 'left' | 'right' | null {
  const across = end.x - start.x
  const along = end.y - start.y
  if (Math.abs(across) < leastPx || Math.abs(along) * 2 > Math.abs(across) || end.at - start.at > longestMs) return null
  return across > 0 ? 'right' : 'left'
}
