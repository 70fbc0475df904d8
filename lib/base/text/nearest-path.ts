const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()
const stemOf = (name: string) => name.replace(/\.[^.]*$/, '')

/**
 * Returns the path whose name is most like the wanted one: the same name in another folder, another case, another
 * extension, a typo. Null if no path is similar enough.
 */
export function nearestPath(wanted: string, paths: Iterable<string>): string | null {
  const name = nameOf(wanted)
  const limit = Math.max(1, Math.floor(name.length / 3))
  let best: { path: string; cost: number } | null = null
  for (const path of paths) {
    const other = nameOf(path)
    const distance = stemOf(other) === stemOf(name) ? 0.5 : editDistance(name, other, limit)
    if (other !== name && distance > limit) continue
    const cost = (other === name ? 0 : distance) * 1000 + editDistance(wanted, path, 500)
    if (best === null || cost < best.cost) best = { path, cost }
  }
  return best?.path ?? null
}

/**
 * Letters to insert, remove or replace between two texts, in UTF-16 units; with `swaps`, two neighbours in the wrong
 * order count once. A distance over `limit` may be returned as `limit + 1`.
 */
export function editDistance(a: string, b: string, limit = Infinity, { swaps = false } = {}): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let lastButOne: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const steps = [replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1]
      const isSwap = swaps && row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isSwap) steps.push((lastButOne[column - 2] ?? 0) + 1)
      current.push(Math.min(...steps))
    }
    lastButOne = previous
    previous = current
  }
  return Math.min(previous[b.length] ?? 0, limit + 1)
}

/**
 * Models vary the case and separators of tool names: `fs.read_file`, `Fs/readFile`. Tools whose folded names are equal
 * count as the same tool.
 */
export const foldToolName = (name: string): string => name.toLowerCase().replaceAll(/[_\-.:/]/g, '')
