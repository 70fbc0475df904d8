// What goes round: files that need each other, and folders that do, at any depth. Edges are imports, types included, as
// `[from, to]` paths.

/** Groups of files, each of which needs all others of its group (Tarjan's strongly connected components). */
export function fileCircles(edges) {
  const next = new Map()
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to])
  const index = new Map()
  const low = new Map()
  const open = []
  const circles = []
  const visit = (file) => {
    index.set(file, index.size)
    low.set(file, index.get(file))
    open.push(file)
    for (const to of next.get(file) ?? []) {
      if (!index.has(to)) visit(to)
      if (open.includes(to)) low.set(file, Math.min(low.get(file), low.get(to)))
    }
    if (low.get(file) !== index.get(file)) return
    const circle = open.splice(open.indexOf(file))
    if (circle.length > 1) circles.push(circle.toSorted((one, other) => one.localeCompare(other)))
  }
  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return circles
}

/** The two folders that an import leads from and to, as seen from where their paths part; null within one folder. */
function foldersOf(from, to) {
  const a = from.split('/')
  const b = to.split('/')
  let shared = 0
  while (a[shared] === b[shared]) shared += 1
  // One of them lies in the folder that holds the other: a parent and its own parts.
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
