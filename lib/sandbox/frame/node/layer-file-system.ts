import { FileSystem, Sync, withErrno } from './zenfs'
import { Layer, type LayerNode, type LayerOptions } from './layer'

const folderBits = 0o040_000
const fileBits = 0o100_000
const kindBits = 0o170_000

/**
 * An error as ZenFS creates it. Most are handled inside ZenFS, so they have no stack: creating stacks took most of the
 * time of a program that writes many small files. Errors that reach the code get a stack there (`node-error.ts`).
 */
function errorOf(code: string, sentence?: string): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return Object.assign(withErrno(code as 'EIO'), sentence !== undefined && { sentence })
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** Paths that look the same are one file, as in the chat's files. */
const canonical = (path: string) => path.normalize('NFC')

type Inode = ReturnType<FileSystem['statSync']>
type Metadata = Parameters<FileSystem['touchSync']>[1]

/** Returns a new object each time, because ZenFS modifies it. */
function inodeOf({ number, mode, size, children, ...times }: LayerNode): Inode {
  const { accessedAt, modifiedAt, changedAt, madeAt } = times
  return {
    ino: number,
    mode: mode | (children === null ? fileBits : folderBits),
    size,
    nlink: 1,
    uid: 0,
    gid: 0,
    rdev: 0,
    flags: 0,
    data: 0,
    version: 5,
    atimeMs: accessedAt,
    mtimeMs: modifiedAt,
    ctimeMs: changedAt,
    birthtimeMs: madeAt,
  }
}

const SyncFileSystem = Sync(FileSystem)

/** A layer that ZenFS can mount. */
export class LayerFileSystem extends SyncFileSystem {
  readonly layer: Layer

  constructor(options: Omit<LayerOptions, 'errorOf'>) {
    super(0x6e6f6421, 'chat')
    this.attributes.set('no_atime', undefined)
    this.layer = new Layer({ ...options, errorOf })
  }

  override usage() {
    return this.layer.usage
  }

  override existsSync(path: string): boolean {
    return this.layer.has(canonical(path))
  }

  override statSync(path: string): Inode {
    return inodeOf(this.layer.at(canonical(path)))
  }

  override readdirSync(path: string): string[] {
    return this.layer.list(canonical(path))
  }

  override touchSync(path: string, metadata: Metadata): void {
    const name = canonical(path)
    const node = this.layer.at(name)
    const { size, mode, atimeMs, mtimeMs, ctimeMs } = metadata
    if (node.children === null && size !== undefined && size !== node.size) this.layer.truncate(name, size)
    const kind = node.children === null ? fileBits : folderBits
    if (mode !== undefined && (mode & kindBits) !== 0 && (mode & kindBits) !== kind) throw errorOf('EPERM')
    if (mode !== undefined) node.mode = mode & 0o7777
    node.accessedAt = atimeMs ?? node.accessedAt
    node.modifiedAt = mtimeMs ?? node.modifiedAt
    node.changedAt = ctimeMs ?? node.changedAt
  }

  override createFileSync(path: string, { mode }: { readonly mode: number }): Inode {
    return inodeOf(this.layer.create(canonical(path), 'file', mode))
  }

  override mkdirSync(path: string, { mode }: { readonly mode: number }): Inode {
    return inodeOf(this.layer.create(canonical(path), 'folder', mode))
  }

  override unlinkSync(path: string): void {
    this.layer.unlink(canonical(path))
  }

  override rmdirSync(path: string): void {
    this.layer.removeFolder(canonical(path))
  }

  override renameSync(from: string, to: string): void {
    this.layer.rename(canonical(from), canonical(to))
  }

  override linkSync(): void {
    throw errorOf('EPERM', 'There are no links here.')
  }

  override syncSync(): void {}

  override readSync(path: string, buffer: Uint8Array, start: number, end: number): void {
    this.layer.read(canonical(path), buffer, start, end)
  }

  override writeSync(path: string, buffer: Uint8Array, offset: number): void {
    this.layer.write(canonical(path), buffer, offset)
  }
}
