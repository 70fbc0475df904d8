import type { NodeImage } from '../vfs-history'
import { isActive, type ChangeLog } from './log-parts'

/** What should stand at a path, and the set that says so (0: what was there before the log). */
export interface ExpectedNode {
  readonly image: NodeImage
  readonly by: number
}

/** All paths that the log knows. One walk over its changes. */
export function expectedNodes({ sets, base }: ChangeLog): ReadonlyMap<string, ExpectedNode> {
  const standing = new Map<string, ExpectedNode>()
  const first = new Map<string, NodeImage>()
  for (const set of sets.toReversed()) {
    const active = isActive(set)
    for (const { path, before, after } of set.changes) {
      first.set(path, before)
      if (!active || standing.has(path)) continue
      standing.set(path, { image: after, by: set.id })
    }
  }
  for (const [path, before] of first) if (!standing.has(path)) standing.set(path, { image: before, by: 0 })
  for (const [path, { image, since }] of base) {
    if ((standing.get(path)?.by ?? 0) <= since) standing.set(path, { image, by: since })
  }
  return standing
}
