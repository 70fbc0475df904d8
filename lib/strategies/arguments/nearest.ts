const MAX_NAME = 64

/** Up to three of `names` that look most like `name`, best first. Names are compared by their first 64 characters. */
export function nearestNames(name: string, names: readonly string[]): readonly string[] {
  const wanted = plain(name)
  return names
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, plain(candidate)) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(3, Math.ceil(Math.max(wanted.length, candidate.length) * 0.6)),
    )
    .toSorted((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

const plain = (name: string): string =>
  name
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replaceAll(/[_\-.\s]/g, '')

/** Edit distance with a discount for shared words: `get_file` is nearer to `read_file` than `get_time` is. */
function distanceOf(a: string, b: string): number {
  if (a !== '' && (b.includes(a) || a.includes(b))) return Math.abs(a.length - b.length) / 4
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(swap, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
