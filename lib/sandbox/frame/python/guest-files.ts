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
export type Operations = Record<string, ((...given: never[]) => unknown) | undefined>

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
export function hasMoreInLib(files: GuestFiles): boolean {
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
