/** The name that is written most alike, by letters changed, left out or added; null where none is near. */
export function nearestName(written: string, names: readonly string[]): string | null {
  let nearest: string | null = null
  let least = Math.max(2, Math.ceil(written.length / 4)) + 1
  for (const name of names) {
    const far = distance(written.toUpperCase(), name)
    if (far < least) {
      least = far
      nearest = name
    }
  }
  return nearest
}

/** Levenshtein's, a row at a time. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row += 1) {
    const here = [row]
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (above[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1)
      here.push(Math.min(changed, (above[at] ?? 0) + 1, (here[at - 1] ?? 0) + 1))
    }
    above = here
  }
  return above.at(-1) ?? 0
}
