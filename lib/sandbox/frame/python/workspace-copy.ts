import { formatBytes } from '@/lib/base/text/locale'
import { isInside, joinPath, normalizePath, refusedName } from '@/lib/vfs/path'
import type { RunSnapshot } from '../protocol'
import { listChanges, type RunChange, type NodeAfterRun } from '../run-files'

/**
 * The part of Emscripten's in-memory file system that is used here (pyodide.asm.mjs, `FS` and `MEMFS`). Paths are
 * absolute; errors are thrown.
 */
export interface GuestFiles {
  mkdirTree(path: string): void
  rmdir(path: string): void
  /** Copies the data. */
  writeFile(path: string, data: Uint8Array): void
  /** Milliseconds. */
  utime(path: string, accessedAt: number, modifiedAt: number): void
  lookupPath(path: string): { readonly node: FileNode }
  getPath(node: FileNode): string
  isDir(mode: number): boolean
  isFile(mode: number): boolean
  readonly ErrnoError: new (errno: number) => Error
}

/**
 * A file, folder or link; the node stays the same when it is moved. Its operations are shared with all nodes of its
 * kind.
 */
export interface FileNode {
  readonly mode: number
  /** Milliseconds; set by every change of the contents, and not changeable by programs. */
  ctime: number
  /** A folder's nodes by name; a file's bytes, possibly with unused space after them. */
  readonly contents: unknown
  /** For a file: the length of its contents. */
  readonly usedBytes: number
  node_ops: Operations
  readonly stream_ops: Operations
}

/** Each takes its node, or the open file, as the first argument. */
type Operations = Record<string, ((...given: never[]) => unknown) | undefined>

/** What Python itself needs at its paths; everything else belongs to the conversation. */
const own: Readonly<Record<string, ReadonlySet<string>>> = {
  '/': new Set(['dev', 'proc']),
  '/lib': new Set(['python3.14', 'python314.zip']),
}

/** True for a path of Python's own, where no file of the conversation can be. */
export function isInternalPath(path: string): boolean {
  const [, first = '', second = ''] = path.split('/')
  return own['/']?.has(first) === true || (first === 'lib' && (second === '' || own['/lib']?.has(second) === true))
}

/** True if the conversation has something in addition to Python's own files there. */
function hasMoreInLib(files: GuestFiles): boolean {
  const { contents } = files.lookupPath('/lib').node
  return Object.keys(contents as object).some((name) => !isInternalPath(`/lib/${name}`))
}

/**
 * Hides everything except the conversation's files, so that `os.listdir('/')` and a walk over all folders return its
 * files.
 * Hidden files can still be opened by name.
 */
export function hideInternalPaths(files: GuestFiles): void {
  // Empty folders of Emscripten; programs find the temporary folder by TMPDIR.
  for (const folder of ['/home/web_user', '/home', '/tmp']) files.rmdir(folder)
  for (const [folder, hidden] of Object.entries(own)) {
    const { node } = files.lookupPath(folder)
    const { node_ops: before } = node
    const namesIn = before['readdir'] as (at: FileNode) => string[]
    const isShown = (name: string) => !hidden.has(name) && (folder !== '/' || name !== 'lib' || hasMoreInLib(files))
    node.node_ops = { ...before, readdir: (at: FileNode) => namesIn(at).filter((name) => at !== node || isShown(name)) }
  }
}

/** Emscripten uses WASI's numbers. */
const errnos = { read: 69, none: 2 } as const

/**
 * Makes the conversation's files unchangeable from now on: each attempt fails at once because the file system is
 * read-only (or, without files, because it is not permitted). Python's own paths, including the temporary folder, stay
 * as they are.
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
  // Operations are shared by all folders except those of `hideInternalPaths`, and by all files.
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

/** Python works on a copy in memory: anything larger is refused before it is read. */
export const copyLimits = { files: 5_000, bytes: 100_000_000 } as const

/** The app's own folder, for long results that were stored in full. */
const appFolder = '/.nod'

/**
 * Paths that are not copied, so that their absence afterwards means nothing. `/lib` already exists, and may contain
 * more.
 */
const isLeftOut = (path: string) => isInside(path, appFolder) || (isInternalPath(path) && path !== '/lib')

/** The files as they were copied. A node stays the same when it is moved. */
export interface Baseline {
  readonly entries: RunSnapshot['entries']
  readonly copied: ReadonlyMap<FileNode, Copied>
}

interface Copied {
  readonly source: number
  /** A new object after any change of the length. */
  readonly contents: unknown
  readonly size: number
  readonly ctime: number
}

/** The message is a sentence for the reader of the result, model or user. */
export class CopyRefused extends Error {}

/**
 * Copies the conversation's files to the same paths for Python to work on; `read` returns the contents of an entry.
 * Files at Python's own paths are left out, and listed. Throws CopyRefused if there are too many or they are too large.
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
  // Each folder comes before its contents.
  for (const [source, { path, kind, modifiedAt }] of entries.entries()) {
    if (isLeftOut(path)) continue
    if (kind === 'directory') {
      files.mkdirTree(path)
      continue
    }
    files.writeFile(path, read(source))
    files.utime(path, modifiedAt, modifiedAt)
    const { node } = files.lookupPath(path)
    // Between two milliseconds, so that no later change can have the same time.
    node.ctime = Math.floor(modifiedAt) - 0.5
    const { contents, usedBytes: size, ctime } = node
    copied.set(node, { source, contents, size, ctime })
  }
  const leftOut = mine.flatMap(({ path }) => (isInternalPath(path) ? [path] : []))
  return { baseline: { entries, copied }, leftOut }
}

const isUntouched = ({ contents, usedBytes, ctime }: FileNode, before: Copied) =>
  contents === before.contents && usedBytes === before.size && ctime === before.ctime

/**
 * The changes that the code made, in the same form as JavaScript's layer, and a sentence for each change that can't be
 * kept.
 */
export function workspaceChanges(
  files: GuestFiles,
  { entries, copied }: Baseline,
): { readonly changes: readonly RunChange[]; readonly notKept: readonly string[] } {
  const after = new Map<string, NodeAfterRun>()
  const notKept: string[] = []
  const known = new Set(entries.map(({ path }) => path))
  const isKnown = (path: string) => known.has(path)

  /** The path of a new node; null: the conversation's files can't have such a name or type. */
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
