import { formatBytes } from '@/lib/base/text/format-duration'
import { isInside, joinPath, normalizePath, refusedName } from '@/lib/vfs/path'
import type { RunSnapshot } from '../protocol'
import { listChanges, type RunChange, type NodeAfterRun } from '../run-changes'
import { hasMoreInLib, isInternalPath, type FileNode, type GuestFiles } from './guest-files'

/** Python works on a copy in memory: what is more than this is refused before anything is read. */
export const copyLimits = { files: 5_000, bytes: 100_000_000 } as const

/** The app's own folder: results that were kept whole. */
const appFolder = '/.nod'

/** What is not copied, so that its absence afterwards means nothing. `/lib` is there already, and may hold more. */
const isLeftOut = (path: string) => isInside(path, appFolder) || (isInternalPath(path) && path !== '/lib')

/** The files as they were copied. A node stays the same one when it is moved. */
export interface Baseline {
  readonly entries: RunSnapshot['entries']
  readonly copied: ReadonlyMap<FileNode, Copied>
}

interface Copied {
  readonly source: number
  /** Another one after whatever made it shorter or longer. */
  readonly contents: unknown
  readonly size: number
  readonly ctime: number
}

/** A sentence for the reader of the result, model or person. */
export class CopyRefused extends Error {}

/**
 * Copies the conversation's files to the same paths for Python to work on; `read` gives the contents of an entry. Files at
 * places of Python's own are left out, and named. Throws CopyRefused when they are too many or too large.
 */
export function copyIn(
  files: GuestFiles,
  { entries }: Pick<RunSnapshot, 'entries'>,
  read: (index: number) => Uint8Array,
  limits: { readonly files: number; readonly bytes: number } = copyLimits,
): { readonly baseline: Baseline; readonly leftOut: readonly string[] } {
  const mine = entries.filter(({ path, kind }) => kind === 'file' && !isInside(path, appFolder))
  const bytes = mine.reduce((sum, { size }) => sum + size, 0)
  if (mine.length > limits.files || bytes > limits.bytes) {
    throw new CopyRefused(
      `Python works on a copy of this chat’s files, and they are too much for that: ${mine.length} files of ` +
        `${formatBytes(bytes)} in all (at most ${limits.files} files and ${formatBytes(limits.bytes)}). Use JavaScript, or delete some.`,
    )
  }
  const copied = new Map<FileNode, Copied>()
  // Each folder stands before what it holds.
  for (const [source, { path, kind, modifiedAt }] of entries.entries()) {
    if (isLeftOut(path)) continue
    if (kind === 'directory') {
      files.mkdirTree(path)
      continue
    }
    files.writeFile(path, read(source))
    files.utime(path, modifiedAt, modifiedAt)
    const { node } = files.lookupPath(path)
    // Between two milliseconds, so that no time of a later change can be the same.
    node.ctime = Math.floor(modifiedAt) - 0.5
    const { contents, usedBytes: size, ctime } = node
    copied.set(node, { source, contents, size, ctime })
  }
  const leftOut = mine.flatMap(({ path }) => (isInternalPath(path) ? [path] : []))
  return { baseline: { entries, copied }, leftOut }
}

const isUntouched = ({ contents, usedBytes, ctime }: FileNode, before: Copied) =>
  contents === before.contents && usedBytes === before.size && ctime === before.ctime

/** What the code changed, as JavaScript's layer says it; and a sentence for each thing that can't be kept. */
export function workspaceChanges(
  files: GuestFiles,
  { entries, copied }: Baseline,
): { readonly changes: readonly RunChange[]; readonly notKept: readonly string[] } {
  const after = new Map<string, NodeAfterRun>()
  const notKept: string[] = []
  const known = new Set(entries.map(({ path }) => path))
  const isKnown = (path: string) => known.has(path)

  /** The path that a new thing gets; null: the conversation's files have no such names, or no such things. */
  function placeOf(path: string, { mode }: FileNode): string | null {
    if (!files.isDir(mode) && !files.isFile(mode)) {
      notKept.push(`${path} is a link, and only files and folders are kept.`)
      return null
    }
    if (isKnown(path)) return path
    const normal = normalizePath(path)
    const refused = normal.ok ? refusedName(normal.value, isKnown) : normal
    if (refused !== null) notKept.push(`${path}: ${refused.error.message}`)
    return normal.ok && refused === null ? normal.value : null
  }

  function visit(folder: string, holder: FileNode): void {
    for (const [name, node] of Object.entries(holder.contents as Readonly<Record<string, FileNode>>)) {
      const there = joinPath(folder, name)
      if (isLeftOut(there) || (there === '/lib' && !isKnown(there) && !hasMoreInLib(files))) continue
      const path = placeOf(there, node)
      if (path === null) continue
      if (files.isDir(node.mode)) {
        after.set(path, 'folder')
        visit(path, node)
        continue
      }
      const before = copied.get(node)
      after.set(
        path,
        before !== undefined && isUntouched(node, before)
          ? { source: before.source }
          : { data: (node.contents as Uint8Array).subarray(0, node.usedBytes) },
      )
    }
  }
  visit('/', files.lookupPath('/').node)
  return { changes: listChanges(entries, after, isLeftOut), notKept }
}
