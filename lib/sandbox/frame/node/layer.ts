import { nameOf, normalizePath, parentOf, refusedName } from '@/lib/vfs/path'
import { listChanges, type RunChange, type NodeAfterRun } from '../run-files'

/*
 * The files of a run: the snapshot that the page provided, and the code's changes on top. Nothing here calls the page.
 * Contents of the snapshot are read on demand and not cached; written data is kept in memory. At the end,
 * `changes` returns the changes to apply to the chat's files.
 */

export interface LayerEntry {
  /** Absolute and normalised; each folder comes before its contents. */
  readonly path: string
  readonly kind: 'file' | 'directory'
  readonly size: number
  readonly modifiedAt: number
}

export interface LayerLimits {
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
  readonly maxFiles: number
}

/** `read`: nothing can be changed. `none`: the files are not visible either. */
export type LayerAccess = 'write' | 'read' | 'none'

export interface LayerOptions {
  readonly entries: readonly LayerEntry[]
  /** The contents of an entry, which must not be modified. */
  readonly read: (index: number) => Uint8Array
  readonly limits: LayerLimits
  readonly access: LayerAccess
  readonly now: () => number
  /** Creates the error to throw; the sentence is more specific than the code. */
  readonly errorOf: (code: string, sentence?: string) => Error
}

export interface LayerNode {
  readonly number: number
  /** Only the permissions, without the file type. */
  mode: number
  size: number
  accessedAt: number
  modifiedAt: number
  changedAt: number
  readonly madeAt: number
  /** Names; null for a file. */
  readonly children: Set<string> | null
  /** The snapshot's entry that has these contents; -1: the contents are in `bytes`. */
  source: number
  /** `size` bytes at the start of a buffer that may be longer. */
  bytes: Uint8Array
  /** Data was appended before: the next time it gets extra space. */
  hasGrown: boolean
}

/** The folder for temporary files of programs: hidden, and removed after the run. */
export const scratchFolder = '/.scratch'
/** Created for programs that use it (`node-fs.ts`); not kept if it is empty. */
const usualFolder = '/tmp'

const readOnly = 'The files can only be read here. Nothing was changed.'
const noBytes = new Uint8Array()
const plainName = /^[\w .-]{1,255}$/
const megabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`

export class Layer {
  readonly #nodes = new Map<string, LayerNode>()
  /** Paths of the snapshot. */
  readonly #base = new Set<string>()
  readonly #options: LayerOptions
  #access: LayerAccess
  #numbers = 0
  #bytes = 0
  #files = 0

  constructor(options: LayerOptions) {
    this.#options = options
    this.#access = options.access
    const now = options.now()
    this.#nodes.set('/', this.#node({ at: now, isFolder: true }))
    for (const [index, { path, kind, size, modifiedAt }] of options.entries.entries()) {
      const isFolder = kind === 'directory'
      this.#put(path, this.#node({ at: modifiedAt, isFolder, size, source: isFolder ? -1 : index }))
      this.#base.add(path)
      if (!isFolder) {
        this.#files++
        this.#bytes += size
      }
    }
    if (!this.#nodes.has(scratchFolder)) this.#put(scratchFolder, this.#node({ at: now, isFolder: true }))
  }

  #node(given: { at: number; isFolder: boolean; size?: number; source?: number; mode?: number }) {
    const { at, isFolder, size = 0, source = -1, mode = isFolder ? 0o755 : 0o644 } = given
    const times = { accessedAt: at, modifiedAt: at, changedAt: at, madeAt: at }
    const node: LayerNode = {
      number: ++this.#numbers,
      mode: mode & 0o7777,
      size,
      ...times,
      children: isFolder ? new Set() : null,
      source,
      bytes: noBytes,
      hasGrown: false,
    }
    return node
  }

  #fail(code: string, sentence?: string): never {
    throw this.#options.errorOf(code, sentence)
  }

  #put(path: string, node: LayerNode): void {
    this.#nodes.set(path, node)
    this.#nodes.get(parentOf(path))?.children?.add(nameOf(path))
  }

  #drop(path: string, node: LayerNode): void {
    this.#nodes.delete(path)
    this.#nodes.get(parentOf(path))?.children?.delete(nameOf(path))
    if (node.children !== null) return
    this.#files--
    this.#bytes -= node.size
  }

  /** Rejects changes from now on: the run is over. */
  close(): void {
    this.#access = 'read'
  }

  has(path: string): boolean {
    return this.#nodes.has(path)
  }

  /** All visible paths except the root. */
  *paths(): Generator<string> {
    if (this.#access === 'none') return
    for (const [path, node] of this.#nodes) if (path !== '/' && this.#isKept(path, node)) yield path
  }

  get usage(): { readonly totalSpace: number; readonly freeSpace: number } {
    const { maxTotalBytes } = this.#options.limits
    return { totalSpace: maxTotalBytes, freeSpace: maxTotalBytes - this.#bytes }
  }

  /** Errors: ENOENT; ENOTDIR if a file is in the place of a parent folder. */
  at(path: string): LayerNode {
    const node = this.#nodes.get(path)
    if (node !== undefined && (this.#access !== 'none' || path === '/')) return node
    if (this.#access === 'none') this.#fail('EACCES', 'The files can’t be reached from here.')
    for (let above = parentOf(path); above !== '/'; above = parentOf(above)) {
      const there = this.#nodes.get(above)
      if (there !== undefined) this.#fail(there.children === null ? 'ENOTDIR' : 'ENOENT')
    }
    return this.#fail('ENOENT')
  }

  #file(path: string): LayerNode {
    const node = this.at(path)
    return node.children === null ? node : this.#fail('EISDIR')
  }

  #mayChange(): void {
    if (this.#access !== 'write') this.#fail('EROFS', readOnly)
  }

  /** Names, sorted. */
  list(path: string): string[] {
    const { children } = this.at(path)
    if (children === null) return this.#fail('ENOTDIR')
    const names = [...children].toSorted()
    return path === '/' ? names.filter((name) => this.#base.has(scratchFolder) || `/${name}` !== scratchFolder) : names
  }

  #checkName(path: string): void {
    const name = nameOf(path)
    if (plainName.test(name) && !(name in Object.prototype) && path.length <= 1_024) return
    const normal = normalizePath(path)
    const refused = normal.ok ? refusedName(normal.value, (each) => this.#nodes.has(each)) : normal
    if (refused !== null) this.#fail(refused.error.code, refused.error.message)
  }

  create(path: string, kind: 'file' | 'folder', mode: number): LayerNode {
    this.#mayChange()
    if (this.#nodes.has(path)) this.#fail('EEXIST')
    const parent = this.at(parentOf(path))
    if (parent.children === null) this.#fail('ENOTDIR')
    this.#checkName(path)
    const isFolder = kind === 'folder'
    const { maxFiles } = this.#options.limits
    if (!isFolder && this.#files >= maxFiles) this.#fail('ENOSPC', `A chat holds at most ${maxFiles} files.`)
    if (!isFolder) this.#files++
    const now = this.#options.now()
    const node = this.#node({ at: now, isFolder, mode: mode & ~0o022 })
    this.#put(path, node)
    parent.modifiedAt = now
    return node
  }

  /** Removes a file. */
  unlink(path: string): void {
    const node = this.#file(path)
    this.#mayChange()
    this.#drop(path, node)
  }

  /** Removes an empty folder. */
  removeFolder(path: string): void {
    const node = this.at(path)
    if (node.children === null) this.#fail('ENOTDIR')
    this.#mayChange()
    if (path === '/') this.#fail('EBUSY')
    if (node.children.size > 0) this.#fail('ENOTEMPTY')
    this.#drop(path, node)
  }

  rename(from: string, to: string): void {
    const node = this.at(from)
    this.#mayChange()
    if (from === '/') this.#fail('EBUSY')
    if (from === to) return
    const parent = this.at(parentOf(to))
    if (parent.children === null) this.#fail('ENOTDIR')
    if (to.startsWith(`${from}/`)) this.#fail('EINVAL')
    const there = this.#nodes.get(to)
    if (there === undefined) this.#checkName(to)
    else {
      if (node.children !== null && there.children === null) this.#fail('ENOTDIR')
      if (node.children === null && there.children !== null) this.#fail('EISDIR')
      if (there.children !== null && there.children.size > 0) this.#fail('ENOTEMPTY')
      this.#drop(to, there)
    }
    this.#nodes.get(parentOf(from))?.children?.delete(nameOf(from))
    this.#move(from, to, node)
    parent.children.add(nameOf(to))
  }

  #move(from: string, to: string, node: LayerNode): void {
    this.#nodes.delete(from)
    this.#nodes.set(to, node)
    for (const name of node.children ?? []) {
      const child = this.#nodes.get(`${from}/${name}`)
      if (child !== undefined) this.#move(`${from}/${name}`, `${to}/${name}`, child)
    }
  }

  #contents(node: LayerNode): Uint8Array {
    return node.source < 0 ? node.bytes : this.#options.read(node.source)
  }

  /** Fills `into` with the contents from `start` to `end`, as far as they exist. */
  read(path: string, into: Uint8Array, start: number, end: number): void {
    into.set(this.#contents(this.#file(path)).subarray(start, end))
  }

  write(path: string, data: Uint8Array, at: number): void {
    const node = this.#file(path)
    this.#mayChange()
    this.#resize(node, Math.max(node.size, at + data.byteLength))
    node.bytes.set(data, at)
  }

  truncate(path: string, size: number): void {
    const node = this.#file(path)
    this.#mayChange()
    if (size !== node.size) this.#resize(node, size)
  }

  /** Copies the contents into the node's own buffer with the length `size`; new bytes are zero. */
  #resize(node: LayerNode, size: number): void {
    const { maxFileBytes, maxTotalBytes } = this.#options.limits
    if (size > maxFileBytes) this.#fail('EFBIG', `A file holds at most ${megabytes(maxFileBytes)}.`)
    if (this.#bytes + size - node.size > maxTotalBytes)
      this.#fail('ENOSPC', `A chat’s files hold at most ${megabytes(maxTotalBytes)}.`)
    const before = size === 0 ? noBytes : this.#contents(node)
    const buffer = node.source < 0 && node.bytes.byteLength > 0 ? node.bytes.buffer : null
    if (buffer !== null && buffer.byteLength >= size) {
      node.bytes = new Uint8Array(buffer, 0, size)
      if (size > node.size) node.bytes.fill(0, node.size)
    } else {
      // The buffer grows by half, so that repeated appends are cheap.
      const room = node.hasGrown ? Math.ceil(size * 1.5) : size
      node.hasGrown = node.size > 0
      node.bytes = new Uint8Array(new ArrayBuffer(room), 0, size)
      node.bytes.set(before.subarray(0, size))
    }
    this.#bytes += size - node.size
    node.source = -1
    node.size = size
  }

  #isKept(path: string, node: LayerNode): boolean {
    if (this.#base.has(path)) return true
    if (path === scratchFolder || path.startsWith(`${scratchFolder}/`)) return this.#base.has(scratchFolder)
    return path !== usualFolder || node.children?.size !== 0
  }

  /** The changes that turn the snapshot into the current state. */
  changes(): readonly RunChange[] {
    const after = new Map<string, NodeAfterRun>()
    for (const [path, node] of this.#nodes) {
      const { children, source, bytes } = node
      if (path === '/' || !this.#isKept(path, node)) continue
      after.set(path, children !== null ? 'folder' : source < 0 ? { data: bytes } : { source })
    }
    return listChanges(this.#options.entries, after)
  }
}
