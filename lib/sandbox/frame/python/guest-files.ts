/** The part of Emscripten's `FS` that is used here. Paths are absolute; errors are thrown. */
export interface GuestFiles {
  readdir(path: string): string[]
  lstat(path: string): FileFacts
  isDir(mode: number): boolean
  isFile(mode: number): boolean
  mkdirTree(path: string): void
  rmdir(path: string): void
  readFile(path: string): Uint8Array
  writeFile(path: string, data: Uint8Array, options?: { canOwn?: boolean }): void
  /** Milliseconds. */
  utime(path: string, accessedAt: number, modifiedAt: number): void
  lookupPath(path: string): { readonly node: FileNode }
}

export interface FileFacts {
  readonly mode: number
  readonly size: number
  readonly mtime: Date
}

/** A node whose folder's listing can be changed. */
export interface FileNode {
  node_ops: { readdir(node: FileNode): string[] }
}

/** What Python itself needs at its places; everything else is the conversation's. */
const own: Readonly<Record<string, ReadonlySet<string>>> = {
  '/': new Set(['dev', 'proc']),
  '/lib': new Set(['python3.14', 'python314.zip']),
}

/** True for a place of Python's own, where no file of the conversation can stand. */
export function isOwnPlace(path: string): boolean {
  const [, first = '', second = ''] = path.split('/')
  return own['/']?.has(first) === true || (first === 'lib' && (second === '' || own['/lib']?.has(second) === true))
}

/**
 * Leaves in sight only what is the conversation's, so that `os.listdir('/')` and a walk over all folders give its files.
 * What is hidden can still be opened by its name.
 */
export function hideOwnPlaces(files: GuestFiles): void {
  // Empty folders of Emscripten's; programs find the place for temporary files by TMPDIR.
  for (const folder of ['/home/web_user', '/home', '/tmp']) files.rmdir(folder)
  const hasMore = () => files.readdir('/lib').some((name) => name !== '.' && name !== '..')
  for (const [folder, hidden] of Object.entries(own)) {
    const { node } = files.lookupPath(folder)
    const { node_ops: before } = node
    node.node_ops = {
      ...before,
      readdir: (at) =>
        before
          .readdir(at)
          .filter((name) => at !== node || (!hidden.has(name) && (folder !== '/' || name !== 'lib' || hasMore()))),
    }
  }
}
