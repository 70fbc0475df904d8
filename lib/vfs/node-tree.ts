import { checkSpace, failures, type VfsFailure } from './failures'
import type { VfsLimits } from './limits'
import { isInside, nameOf, normalizePath, parentOf, refusedName } from './path'
import { sortEntries } from './sort-entries'
import type { VfsEntry, VfsResult, VfsTreeEntry } from './vfs'
import type { NodeImage } from './vfs-history'

/*
 * A tree of files and folders as one Map, for backends that hold it in memory: path → what stands there. Each step checks
 * all before it changes anything, so one that fails has changed nothing.
 */

export interface TreeNode {
  readonly image: NonNullable<NodeImage>
  readonly modifiedAt: number
}

export type Nodes = Map<string, TreeNode>

export interface UsedSpace {
  readonly bytes: number
  readonly files: number
}

const done = { ok: true, value: null } as const
const folder = { kind: 'directory' } as const

export const emptyNodes = (at: number): Nodes => new Map([['/', { image: folder, modifiedAt: at }]])

export const entryOf = (path: string, { image, modifiedAt }: TreeNode): VfsEntry => ({
  name: nameOf(path),
  kind: image.kind,
  size: image.kind === 'file' ? image.size : 0,
  modifiedAt,
  version: image.kind === 'file' ? image.version : '',
})

/** A file on the way to `path` stands in the way. */
export function blockedBy(nodes: Nodes, path: string): VfsFailure | null {
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) {
    if (nodes.get(at)?.image.kind === 'file') return failures.isFile(at)
  }
  return null
}

export function usedBy(nodes: Nodes): UsedSpace {
  let bytes = 0
  let files = 0
  for (const { image } of nodes.values()) {
    if (image.kind !== 'file') continue
    bytes += image.size
    files += 1
  }
  return { bytes, files }
}

function addFolders(nodes: Nodes, path: string, at: number): void {
  for (let one = path; !nodes.has(one); one = parentOf(one)) nodes.set(one, { image: folder, modifiedAt: at })
}

/** What `write` would be refused for; else the file that it replaces. */
export function checkWrite(
  nodes: Nodes,
  path: string,
  size: number,
  { limits, used }: { readonly limits: VfsLimits; readonly used: UsedSpace },
): VfsResult<VfsEntry | null> {
  const standing = nodes.get(path)
  if (standing?.image.kind === 'directory') return failures.isFolder(path)
  const refused = refusedName(path, (one) => nodes.has(one))
  if (refused) return refused
  const replaced = standing === undefined ? null : entryOf(path, standing)
  return checkSpace({ path, size, replaced, used }, limits) ?? { ok: true, value: replaced }
}

/** After `checkWrite` said yes. */
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
  if (path === '/') return failures.isRoot('removed')
  if (!nodes.has(path)) return failures.nothing(path)
  for (const other of nodes.keys()) if (isInside(other, path)) nodes.delete(other)
  return done
}

export function moveNode(nodes: Nodes, source: string, to: string, at: number): VfsResult<null> {
  const normal = normalizePath(to)
  if (!normal.ok) return normal
  const target = normal.value
  if (source === '/') return failures.isRoot('moved')
  const node = nodes.get(source)
  if (node === undefined) return failures.nothing(source)
  if (target === source) return done
  if (isInside(target, source)) return failures.intoItself(source)
  const blocked = blockedBy(nodes, target)
  if (blocked !== null) return blocked
  const standing = nodes.get(target)
  if (standing?.image.kind === 'directory') return failures.folderExists(target)
  if (standing !== undefined && node.image.kind === 'directory') return failures.exists(target)
  const refused = refusedName(target, (one) => nodes.has(one))
  if (refused) return refused
  addFolders(nodes, parentOf(target), at)
  for (const [other, child] of [...nodes].filter(([path]) => isInside(path, source))) {
    nodes.delete(other)
    nodes.set(target + other.slice(source.length), child)
  }
  return done
}

/** Looks at one folder: what is directly in it. */
export function listFolder(nodes: Nodes, path: string): VfsResult<readonly VfsEntry[]> {
  const wrong = notFolder(nodes, path)
  if (wrong) return wrong
  const entries = [...nodes].flatMap(([other, node]) =>
    other !== '/' && parentOf(other) === path ? [entryOf(other, node)] : [],
  )
  return { ok: true, value: sortEntries(entries) }
}

export function treeBelow(nodes: Nodes, path: string): VfsResult<readonly VfsTreeEntry[]> {
  const wrong = notFolder(nodes, path)
  if (wrong) return wrong
  const inside = new Map<string, VfsTreeEntry[]>()
  for (const [other, node] of nodes) {
    if (other === '/') continue
    const parent = parentOf(other)
    const known = inside.get(parent)
    const entry = { ...entryOf(other, node), path: other }
    if (known) known.push(entry)
    else inside.set(parent, [entry])
  }
  const found: VfsTreeEntry[] = []
  const visit = (at: string) => {
    for (const entry of sortEntries(inside.get(at) ?? [])) {
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
