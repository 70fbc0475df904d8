import { isInside, nameOf, normalizePath, parentOf, refusedName } from './path'
import { type VfsEntry, type VfsTreeEntry, checkSpace, failures, type VfsLimits } from './vfs'
import type { VfsResult, VfsFailure } from './vfs-result'
import type { NodeImage } from './vfs-history'

/*
 * A tree of files and folders in memory: a map from paths to nodes. Each step checks everything before it changes
 * anything, so a step that fails has changed nothing.
 */

export interface TreeNode {
  readonly image: NonNullable<NodeImage>
  readonly modifiedAt: number
}

export interface UsedSpace {
  readonly bytes: number
  readonly files: number
}

/**
 * A Map that also tracks the contents of each folder, and the used space. `onChange` receives the previous node at a
 * path.
 */
export class Nodes extends Map<string, TreeNode> {
  readonly #inside = new Map<string, Set<string>>()
  readonly #onChange: ((path: string, before: TreeNode | undefined) => void) | undefined
  #bytes = 0
  #files = 0

  constructor(onChange?: (path: string, before: TreeNode | undefined) => void) {
    super()
    this.#onChange = onChange
  }

  override set(path: string, node: TreeNode): this {
    const before = this.get(path)
    this.#count(before, -1)
    this.#count(node, 1)
    super.set(path, node)
    if (before === undefined && path !== '/') {
      const parent = parentOf(path)
      const siblings = this.#inside.get(parent)
      if (siblings === undefined) this.#inside.set(parent, new Set([path]))
      else siblings.add(path)
    }
    this.#onChange?.(path, before)
    return this
  }

  override delete(path: string): boolean {
    const before = this.get(path)
    if (before === undefined) return false
    this.#count(before, -1)
    super.delete(path)
    const parent = parentOf(path)
    const siblings = this.#inside.get(parent)
    siblings?.delete(path)
    if (siblings?.size === 0) this.#inside.delete(parent)
    this.#onChange?.(path, before)
    return true
  }

  #count(node: TreeNode | undefined, by: 1 | -1): void {
    if (node?.image.kind !== 'file') return
    this.#bytes += by * node.image.size
    this.#files += by
  }

  get used(): UsedSpace {
    return { bytes: this.#bytes, files: this.#files }
  }

  copy(): Nodes {
    const twin = new Nodes()
    for (const [path, node] of this) twin.set(path, node)
    return twin
  }

  /** Paths directly in a folder. */
  inside(folder: string): Iterable<string> {
    return this.#inside.get(folder) ?? []
  }

  /** An existing path and everything below it; each folder before its contents. */
  *below(path: string): Generator<string> {
    yield path
    for (const child of this.inside(path)) yield* this.below(child)
  }
}

const done = { ok: true, value: null } as const
const folder = { kind: 'directory' } as const

export function emptyNodes(at: number, nodes = new Nodes()): Nodes {
  return nodes.set('/', { image: folder, modifiedAt: at })
}

export const vfsEntryOf = (path: string, { image, modifiedAt }: TreeNode): VfsEntry => ({
  name: nameOf(path),
  kind: image.kind,
  size: image.kind === 'file' ? image.size : 0,
  modifiedAt,
  version: image.kind === 'file' ? image.version : '',
})

/** Fails if a file is in the place of a folder on the way to `path`. */
export function blockedBy(nodes: Nodes, path: string): VfsFailure | null {
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) {
    if (nodes.get(at)?.image.kind === 'file') return failures.isFile(at)
  }
  return null
}

function addFolders(nodes: Nodes, path: string, at: number): void {
  for (let one = path; !nodes.has(one); one = parentOf(one)) nodes.set(one, { image: folder, modifiedAt: at })
}

/** The reason why `write` would fail; otherwise the file that it replaces. */
export function checkWrite(nodes: Nodes, path: string, size: number, limits: VfsLimits): VfsResult<VfsEntry | null> {
  const existing = nodes.get(path)
  if (existing?.image.kind === 'directory') return failures.isFolder(path)
  const refused = refusedName(path, (one) => nodes.has(one))
  if (refused) return refused
  const replaced = existing === undefined ? null : vfsEntryOf(path, existing)
  return checkSpace({ path, size, replaced, used: nodes.used }, limits) ?? { ok: true, value: replaced }
}

/** Call only after `checkWrite` succeeded. */
export function putFile(nodes: Nodes, path: string, image: TreeNode['image'], at: number): void {
  addFolders(nodes, parentOf(path), at)
  nodes.set(path, { image, modifiedAt: at })
}

export function makeFolder(nodes: Nodes, path: string, at: number): VfsResult<null> {
  if (nodes.get(path)?.image.kind === 'file') return failures.exists(path)
  const refused = refusedName(path, (one) => nodes.has(one))
  if (refused) return refused
  addFolders(nodes, path, at)
  return done
}

export function removeNode(nodes: Nodes, path: string): VfsResult<null> {
  if (path === '/') return failures.rootStays()
  if (!nodes.has(path)) return failures.nothing(path)
  for (const gone of [...nodes.below(path)].toReversed()) nodes.delete(gone)
  return done
}

export function moveNode(nodes: Nodes, source: string, to: string, at: number): VfsResult<null> {
  const normal = normalizePath(to)
  if (!normal.ok) return normal
  const target = normal.value
  if (source === '/') return failures.rootNotMoved()
  const node = nodes.get(source)
  if (node === undefined) return failures.nothing(source)
  if (target === source) return done
  if (isInside(target, source)) return failures.intoItself(source)
  const blocked = blockedBy(nodes, target)
  if (blocked !== null) return blocked
  const existing = nodes.get(target)
  if (existing?.image.kind === 'directory') return failures.folderExists(target)
  if (existing !== undefined && node.image.kind === 'directory') return failures.exists(target)
  const refused = refusedName(target, (one) => nodes.has(one))
  if (refused) return refused
  addFolders(nodes, parentOf(target), at)
  const moved = [...nodes.below(source)].flatMap((path) => {
    const child = nodes.get(path)
    return child === undefined ? [] : [{ path, child }]
  })
  for (const { path } of moved.toReversed()) nodes.delete(path)
  for (const { path, child } of moved) nodes.set(target + path.slice(source.length), child)
  return done
}

function entriesIn<Entry extends VfsEntry>(
  nodes: Nodes,
  folderPath: string,
  toEntry: (path: string, node: TreeNode) => Entry,
) {
  const entries = [...nodes.inside(folderPath)].flatMap((path) => {
    const node = nodes.get(path)
    return node === undefined ? [] : [toEntry(path, node)]
  })
  return sortEntries(entries)
}

/** Lists what is directly in a folder. */
export const listFolder = (nodes: Nodes, path: string): VfsResult<readonly VfsEntry[]> =>
  notFolder(nodes, path) ?? { ok: true, value: entriesIn(nodes, path, vfsEntryOf) }

export function treeBelow(nodes: Nodes, path: string): VfsResult<readonly VfsTreeEntry[]> {
  const wrong = notFolder(nodes, path)
  if (wrong) return wrong
  const found: VfsTreeEntry[] = []
  const visit = (at: string) => {
    for (const entry of entriesIn(nodes, at, (each, node) => ({ ...vfsEntryOf(each, node), path: each }))) {
      found.push(entry)
      if (entry.kind === 'directory') visit(entry.path)
    }
  }
  visit(path)
  return { ok: true, value: found }
}

function notFolder(nodes: Nodes, path: string): VfsFailure | null {
  const node = nodes.get(path)
  if (node === undefined) return failures.noFolder(path)
  return node.image.kind === 'file' ? failures.isFile(path) : null
}

/** Folders first, then by name in code unit order: the same on every machine. */
function sortEntries<Entry extends VfsEntry>(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => {
    if (a.kind !== b.kind) return a.kind === 'directory' ? -1 : 1
    return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
  })
}
