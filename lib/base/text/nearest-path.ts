import { editDistance } from './edit-distance'

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).toLowerCase()
const stemOf = (name: string) => name.replace(/\.[^.]*$/, '')

/**
 * Of these paths the one whose name is most like the wanted one: the same name elsewhere, other case, another ending, a slip
 * of the pen. Null when nothing is near enough to be meant.
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
