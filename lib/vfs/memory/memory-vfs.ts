import { checkSpace, failures, type VfsFailure } from '../failures'
import { vfsLimits, type VfsLimits } from '../limits'
import { isInside, nameOf, normalizePath, parentOf } from '../path'
import type { Vfs, VfsEntry, VfsResult } from '../vfs'
import { sortEntries } from '../sort-entries'

type Node = { readonly kind: 'directory'; modifiedAt: number } | { kind: 'file'; data: Uint8Array; modifiedAt: number }

/** Files in a Map: for tests, and the twin that every other backend must behave like. Nothing outlives the page. */
export function createMemoryVfs(options: { now?: () => number; limits?: VfsLimits } = {}): Vfs {
  const { now = () => 0, limits = vfsLimits } = options
  const nodes = new Map<string, Node>([['/', { kind: 'directory', modifiedAt: now() }]])
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const ok = <T>(value: T): VfsResult<T> => ({ ok: true, value })

  const entryOf = (path: string, node: Node): VfsEntry => ({
    name: nameOf(path),
    kind: node.kind,
    size: node.kind === 'file' ? node.data.byteLength : 0,
    modifiedAt: node.modifiedAt,
  })

  /** A file on the way to `path` stands in the way. */
  function blockedBy(path: string): VfsFailure | null {
    for (let at = parentOf(path); at !== '/'; at = parentOf(at)) {
      if (nodes.get(at)?.kind === 'file') return failures.isFile(at)
    }
    return null
  }

  function addFolders(path: string): void {
    for (let at = path; !nodes.has(at); at = parentOf(at)) nodes.set(at, { kind: 'directory', modifiedAt: now() })
  }

  function used() {
    const files = [...nodes.values()].filter((node) => node.kind === 'file')
    return { bytes: files.reduce((sum, file) => sum + file.data.byteLength, 0), files: files.length }
  }

  /** Normalises, looks for blocking files, and runs; as in a real backend, nothing is done before a tick. */
  async function within<T>(path: string, body: (path: string) => VfsResult<T>): Promise<VfsResult<T>> {
    const normal = normalizePath(path)
    if (!normal.ok) return normal
    return blockedBy(normal.value) ?? body(normal.value)
  }

  return {
    stat: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        return node === undefined ? failures.nothing(p) : ok(entryOf(p, node))
      }),
    list: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        if (node === undefined) return failures.noFolder(p)
        if (node.kind === 'file') return failures.isFile(p)
        const inside = [...nodes].filter(([other]) => other !== '/' && parentOf(other) === p)
        return ok(sortEntries(inside.map(([other, child]) => entryOf(other, child))))
      }),
    read: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        if (node === undefined) return failures.noFile(p)
        return node.kind === 'file' ? ok(node.data.slice()) : failures.isFolder(p)
      }),
    write: (path, data) =>
      within(path, (p) => {
        const node = nodes.get(p)
        if (node?.kind === 'directory') return failures.isFolder(p)
        const replaced = node === undefined ? null : entryOf(p, node)
        const full = checkSpace({ path: p, size: data.byteLength, replaced, used: used() }, limits)
        if (full !== null) return full
        addFolders(parentOf(p))
        nodes.set(p, { kind: 'file', data: data.slice(), modifiedAt: now() })
        changed()
        return ok({ size: data.byteLength, replaced: replaced !== null })
      }),
    makeDirectory: (path) =>
      within(path, (p) => {
        if (nodes.get(p)?.kind === 'file') return failures.exists(p)
        if (!nodes.has(p)) {
          addFolders(p)
          changed()
        }
        return ok(null)
      }),
    remove: (path) =>
      within(path, (p) => {
        if (p === '/') return failures.isRoot('removed')
        if (!nodes.has(p)) return failures.nothing(p)
        for (const other of nodes.keys()) if (isInside(other, p)) nodes.delete(other)
        changed()
        return ok(null)
      }),
    move: (from, to) =>
      within(from, (source) => {
        const normal = normalizePath(to)
        if (!normal.ok) return normal
        const target = normal.value
        if (source === '/') return failures.isRoot('moved')
        const node = nodes.get(source)
        if (node === undefined) return failures.nothing(source)
        if (target === source) return ok(null)
        if (isInside(target, source)) return failures.intoItself(source)
        const blocked = blockedBy(target)
        if (blocked !== null) return blocked
        const standing = nodes.get(target)
        if (standing?.kind === 'directory') return failures.folderExists(target)
        if (standing !== undefined && node.kind === 'directory') return failures.exists(target)
        addFolders(parentOf(target))
        const inside = [...nodes].filter(([other]) => isInside(other, source))
        for (const [other, child] of inside) {
          nodes.delete(other)
          nodes.set(target + other.slice(source.length), child)
        }
        changed()
        return ok(null)
      }),
    usage: async () => {
      const { bytes, files } = used()
      return { usedBytes: bytes, limitBytes: limits.maxTotalBytes, files }
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: async () => listeners.clear(),
  }
}
