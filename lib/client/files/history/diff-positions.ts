/** A line of a comparison, as far as it matters here. */
interface PlacedLine {
  readonly kind: 'same' | 'add' | 'del' | 'gap'
}

/** Beyond this many lines the first place is cut. */
const MAX_LINES = 10

export interface FirstDifference<T> {
  readonly shown: readonly T[]
  /** How many other places changed. */
  readonly places: number
  /** How many lines of the first place are left out. */
  readonly lines: number
}

/** The first place that changed, without what surrounds it: the taste of a change that a list has room for. */
export function firstDifference<T extends PlacedLine>(lines: readonly T[]): FirstDifference<T> {
  const places: T[][] = []
  let open = false
  for (const line of lines) {
    if (line.kind === 'add' || line.kind === 'del') {
      if (!open) places.push([])
      places.at(-1)?.push(line)
      open = true
    } else open = false
  }
  const [first = []] = places
  const shown = first.length > MAX_LINES + 1 ? first.slice(0, MAX_LINES) : first
  return { shown, places: Math.max(0, places.length - 1), lines: first.length - shown.length }
}
