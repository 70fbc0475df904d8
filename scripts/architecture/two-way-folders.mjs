// Pairs of folders that import each other, at any depth. Edges are imports, including types, as `[from, to]` paths.

/** The two folders of an import, at the level where their paths differ; null within one folder. */
function foldersOf(from, to) {
  const a = from.split('/')
  const b = to.split('/')
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared += 1
  // One folder contains the other: a parent and its own parts.
  if (shared >= a.length - 1 || shared >= b.length - 1) return null
  return [a.slice(0, shared + 1).join('/'), b.slice(0, shared + 1).join('/')]
}

/** Pairs of folders that import each other: `{ folders: [a, b], there: [[from, to]], back: [[from, to]] }`. */
export function twoWayFolders(edges) {
  const ways = new Map()
  for (const edge of edges) {
    const folders = foldersOf(...edge)
    if (!folders) continue
    const way = folders.join(' → ')
    ways.set(way, [...(ways.get(way) ?? []), edge])
  }
  return [...ways].flatMap(([way, there]) => {
    const folders = way.split(' → ')
    const back = ways.get(folders.toReversed().join(' → '))
    return back && folders[0] < folders[1] ? [{ folders, there, back }] : []
  })
}
