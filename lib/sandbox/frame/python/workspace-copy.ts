import { formatBytes } from '@/lib/base/text/locale'
import { isInside, joinPath, normalizePath, refusedName } from '@/lib/vfs/path'
import type { RunSnapshot } from '../protocol'
import { listChanges, type RunChange, type NodeAfterRun } from '../run-changes'

/**
 * The part of Emscripten's file system in memory that is used here (pyodide.asm.mjs, `FS` and `MEMFS`). Paths are absolute;
 * errors are thrown.
 */
export interface GuestFiles {
  mkdirTree(path: string): void
  rmdir(path: string): void
  /** Takes a copy. */
  writeFile(path: string, data: Uint8Array): void
  /** Milliseconds. */
  utime(path: string, accessedAt: number, modifiedAt: number): void
  lookupPath(path: string): { readonly node: FileNode }
  getPath(node: FileNode): string
  isDir(mode: number): boolean
  isFile(mode: number): boolean
  readonly ErrnoError: new (errno: number) => Error
}

/** A file, folder or link, which stays the same one when it is moved. Its operations are shared with all of its kind. */
export interface FileNode {
  readonly mode: number
  /** Milliseconds; set by whatever changes the contents in their place, and by nothing that a program may ask for. */
  ctime: number
  /** A folder's nodes by their names; a file's bytes, which may be followed by room for more. */
  readonly contents: unknown
  /** Of a file. */
  readonly usedBytes: number
  node_ops: Operations
  readonly stream_ops: Operations
}

/** Each takes the node it is about first, or the open file. */
type Operations = Record<string, ((...given: never[]) => unknown) | undefined>

/** What Python itself needs at its places; everything else is the conversation's. */
const own: Readonly<Record<string, ReadonlySet<string>>> = {
  '/': new Set(['dev', 'proc']),
  '/lib': new Set(['python3.14', 'python314.zip']),
}

/** True for a place of Python's own, where no file of the conversation can stand. */
export function isInternalPath(path: string): boolean {
  const [, first = '', second = ''] = path.split('/')
  return own['/']?.has(first) === true || (first === 'lib' && (second === '' || own['/lib']?.has(second) === true))
}

/** True when the conversation has something beside what Python has there. */
function hasMoreInLib(files: GuestFiles): boolean {
  const { contents } = files.lookupPath('/lib').node
  return Object.keys(contents as object).some((name) => !isInternalPath(`/lib/${name}`))
}

/**
 * Leaves in sight only what is the conversation's, so that `os.listdir('/')` and a walk over all folders give its files.
 * What is hidden can still be opened by its name.
 */
export function hideInternalPaths(files: GuestFiles): void {
  // Empty folders of Emscripten's; programs find the place for temporary files by TMPDIR.
  for (const folder of ['/home/web_user', '/home', '/tmp']) files.rmdir(folder)
  for (const [folder, hidden] of Object.entries(own)) {
    const { node } = files.lookupPath(folder)
    const { node_ops: before } = node
    const namesIn = before['readdir'] as (at: FileNode) => string[]
    const isShown = (name: string) => !hidden.has(name) && (folder !== '/' || name !== 'lib' || hasMoreInLib(files))
    node.node_ops = { ...before, readdir: (at: FileNode) => namesIn(at).filter((name) => at !== node || isShown(name)) }
  }
}

/** Emscripten's numbers are WASI's. */
const errnos = { read: 69, none: 2 } as const

/**
 * From here on nothing of the conversation's can be changed: each try says at once that the file system is read-only (or, of
 * no files at all, that it may not be). Python's own places, the one for temporary files among them, stay as they are.
 */
export function sealFiles(files: GuestFiles, access: keyof typeof errnos): void {
  const check = (path: string) => {
    if (!isInternalPath(path)) throw new files.ErrnoError(errnos[access])
  }
  const checkNode = (node: FileNode) => check(files.getPath(node))
  const checkIn = (folder: FileNode, name: string) => check(`${files.getPath(folder).replace(/\/$/, '')}/${name}`)
  const guard = (operations: Operations, name: string, first: (...given: never[]) => void) => {
    const real = operations[name]
    operations[name] = (...given) => {
      first(...given)
      return real?.(...given)
    }
  }
  // Operations are shared by all folders but those of `hideInternalPaths`, and by all files.
  for (const folder of ['/', '/lib', '/dev/shm']) {
    const { node_ops: operations } = files.lookupPath(folder).node
    for (const name of ['mknod', 'symlink', 'unlink', 'rmdir']) guard(operations, name, checkIn)
    guard(operations, 'rename', (node: FileNode, into: FileNode, name: string) => {
      checkNode(node)
      checkIn(into, name)
    })
    guard(operations, 'setattr', checkNode)
  }
  const file = files.lookupPath('/lib/python314.zip').node
  guard(file.node_ops, 'setattr', checkNode)
  guard(file.stream_ops, 'write', ({ node }: OpenFile) => checkNode(node))
  guard(file.stream_ops, 'open', ({ node, flags }: OpenFile) => {
    if ((flags & openForWriting) !== 0) checkNode(node)
  })
}

interface OpenFile {
  readonly node: FileNode
  readonly flags: number
}

/** O_WRONLY and O_RDWR. */
const openForWriting = 3

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
