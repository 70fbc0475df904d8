import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import type { OutlineRow } from '@/lib/shared/conversation/outline'

/** How much of a chat is given at once, whichever is reached first. */
export interface PageSize {
  readonly count: number
  /** Of the rows of its messages and of their calls. */
  readonly bytes: number
}

/** So many are given, however large they are. */
const FEWEST = 8

/** As many of these ids, from the first on, as make a page. `sizeOf`: bytes of a message with its calls. */
export function pageOf(
  ids: readonly string[],
  { count, bytes }: PageSize,
  sizeOf: (id: string) => number,
): readonly string[] {
  let sum = 0
  const end = ids.findIndex((id, at) => {
    sum += sizeOf(id)
    return at >= count || (at >= FEWEST && sum > bytes)
  })
  return end < 0 ? ids : ids.slice(0, end)
}

/** The messages at the end of the branch that ends with `headId`, root first, as many as make a page. */
export function endOfBranch(
  rows: readonly OutlineRow[],
  headId: string | null,
  size: PageSize,
  callBytes: ReadonlyMap<string, number>,
): readonly string[] {
  const path = treePathTo(treeOf(rows), headId).toReversed()
  const sizes = new Map(path.map((row) => [row.id, row.size]))
  const sizeOf = (id: string) => (sizes.get(id) ?? 0) + (callBytes.get(id) ?? 0)
  return pageOf(
    path.map(({ id }) => id),
    size,
    sizeOf,
  ).toReversed()
}
