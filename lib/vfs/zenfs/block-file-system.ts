import { FileSystem, type CreationOptions, type InodeLike, type UsageInfo } from '@zenfs/core'
import { caches } from '@zenfs/core/vfs/vcache.js'
import { failures } from '../failures'
import type { VfsLimits } from '../limits'
import { normalizePath, parentOf } from '../path'
import type { VfsResult } from '../vfs'
import { prepareContent } from './content'
import type { NodeRecord } from './records'
import type { State } from './state'
import { blockedBy, createSteps, type Steps } from './steps'
import { describeStorageFailure } from './storage-failure'
import type { FileStore } from './store'

/*
 * The same files under ZenFS's API: mount it, and `fs.promises` works on them.
 *
 * ZenFS holds what is written to an open file, and hands it on when the file is closed or synced: a truncation, then ranges,
 * then the new inode. Here they wait for the inode, and are one change: overwriting a file is atomic through this API too.
 * Modes and owners are taken and not kept; links and the sync API are refused (the database has no sync API).
 */

const fileMode = 0o100_644
const folderMode = 0o040_755
const kindBits = 0o170_000

const errnoError = (code: string, message: string) => Object.assign(new Error(message), { code })

function valueOf<T>(result: VfsResult<T>): T {
  if (!result.ok) throw errnoError(result.error.code, result.error.message)
  return result.value
}

const ok = <T>(value: T): VfsResult<T> => ({ ok: true, value })

function resized(data: Uint8Array, size: number): Uint8Array {
  if (size <= data.byteLength) return data.slice(0, size)
  const longer = new Uint8Array(size)
  longer.set(data)
  return longer
}

export interface BlockFileSystemPorts {
  readonly store: FileStore
  readonly limits: VfsLimits
  /** Epoch milliseconds. */
  readonly now: () => number
}

const refuseSync = (): never => {
  throw errnoError('ENOTSUP', 'These files have no synchronous API.')
}

export class BlockFileSystem extends FileSystem {
  readonly #ports: BlockFileSystemPorts
  /** What open files were given and have not synced. */
  readonly #staged = new Map<string, Uint8Array>()

  constructor(ports: BlockFileSystemPorts) {
    super(0x6e_6f_64_66, 'nod-blocks')
    this.#ports = ports
    this.attributes.set('no_async_preload')
    // Or every read would write the time of it.
    this.attributes.set('no_atime')
  }

  async #asking<T>(path: string, body: () => Promise<VfsResult<T>>): Promise<T> {
    const result = await body().catch((thrown: unknown) => describeStorageFailure(thrown, path))
    return valueOf(result)
  }

  /** Looks a path up. Errors: ENOENT, ENOTDIR, and what `normalizePath` refuses. */
  #find(state: State, path: string): VfsResult<NodeRecord> {
    const normal = normalizePath(path)
    if (!normal.ok) return normal
    const blocked = blockedBy(state, normal.value)
    if (blocked !== null) return blocked
    const node = state.tree.at(normal.value)
    return node === undefined ? failures.nothing(normal.value) : ok(node)
  }

  #change<T>(path: string, body: (steps: Steps, state: State, path: string) => VfsResult<T>, modifiedAt?: number) {
    const normal = normalizePath(path)
    const { store, limits, now } = this.#ports
    const at = modifiedAt === undefined ? now : () => modifiedAt
    return this.#asking(path, async () =>
      normal.ok
        ? store.change(Promise.resolve(), (state) => body(createSteps(state, limits, at), state, normal.value))
        : normal,
    )
  }

  /** Node makes nothing in a folder that isn't there. */
  #parent(state: State, path: string): VfsResult<NodeRecord> {
    const parent = this.#find(state, parentOf(path))
    return parent.ok && parent.value.kind === 'file' ? failures.isFile(parentOf(path)) : parent
  }

  #inode({ id, kind, size, modifiedAt }: NodeRecord, path: string): InodeLike {
    const staged = this.#staged.get(path)
    return {
      ino: id,
      data: id,
      size: staged?.byteLength ?? size,
      mode: kind === 'file' ? fileMode : folderMode,
      nlink: 1,
      uid: 0,
      gid: 0,
      atimeMs: modifiedAt,
      mtimeMs: modifiedAt,
      ctimeMs: modifiedAt,
      birthtimeMs: modifiedAt,
      flags: 0,
      version: 0,
      rdev: 0,
    }
  }

  #bytes(path: string): Promise<Uint8Array> {
    return this.#asking(path, () =>
      this.#ports.store.read(async (view): Promise<VfsResult<Uint8Array>> => {
        const found = this.#find(view.state, path)
        if (!found.ok) return found
        const { kind, version, size } = found.value
        return kind === 'file' ? ok(await view.bytes(version, size)) : failures.isFolder(path)
      }),
    )
  }

  /** ZenFS would keep what could not be stored, show it, and try again at any later time. */
  #forgetUnsynced(): void {
    caches.delete(this.uuid)
  }

  override usage(): UsageInfo {
    return { totalSpace: this.#ports.limits.maxTotalBytes, freeSpace: 0 }
  }

  override async stat(path: string): Promise<InodeLike> {
    const node = await this.#asking(path, () => this.#ports.store.read(async ({ state }) => this.#find(state, path)))
    return this.#inode(node, path)
  }

  override async readdir(path: string): Promise<string[]> {
    return this.#asking(path, () =>
      this.#ports.store.read(async ({ state }): Promise<VfsResult<string[]>> => {
        const found = this.#find(state, path)
        if (!found.ok) return found
        if (found.value.kind === 'file') return failures.isFile(path)
        return ok(state.tree.childrenOf(found.value).map(({ name }) => name))
      }),
    )
  }

  async #make(path: string, kind: 'file' | 'directory'): Promise<InodeLike> {
    const content = await prepareContent(new Uint8Array())
    const node = await this.#change(path, (steps, state, p): VfsResult<NodeRecord> => {
      const parent = this.#parent(state, p)
      if (!parent.ok) return parent
      if (state.tree.at(p) !== undefined) return failures.exists(p)
      const made = steps.one(kind === 'file' ? { kind: 'write', path: p, content } : { kind: 'makeDirectory', path: p })
      return made.ok ? this.#find(state, p) : made
    })
    return this.#inode(node, path)
  }

  override createFile(path: string, _options: CreationOptions): Promise<InodeLike> {
    return this.#make(path, 'file')
  }

  override mkdir(path: string, _options: CreationOptions): Promise<InodeLike> {
    return this.#make(path, 'directory')
  }

  override async unlink(path: string): Promise<void> {
    await this.#change(path, (steps, state, p) => {
      const found = this.#find(state, p)
      if (!found.ok) return found
      return found.value.kind === 'file' ? steps.one({ kind: 'remove', path: p }) : failures.isFolder(p)
    })
    this.#staged.delete(path)
  }

  override async rmdir(path: string): Promise<void> {
    await this.#change(path, (steps, state, p) => {
      const found = this.#find(state, p)
      if (!found.ok) return found
      if (found.value.kind === 'file') return failures.isFile(p)
      if (state.tree.childrenOf(found.value).length > 0) return failures.notEmpty(p)
      return steps.one({ kind: 'remove', path: p })
    })
  }

  override async rename(oldPath: string, newPath: string): Promise<void> {
    await this.#change(oldPath, (steps, state, from) => {
      const target = normalizePath(newPath)
      if (!target.ok) return target
      const parent = this.#parent(state, target.value)
      if (!parent.ok) return parent
      const [moved, standing] = [this.#find(state, from), state.tree.at(target.value)]
      if (!moved.ok) return moved
      if (standing?.kind === 'directory' && moved.value.kind === 'directory' && standing !== moved.value) {
        // As Node: an empty folder may be replaced.
        if (state.tree.childrenOf(standing).length > 0) return failures.notEmpty(target.value)
        const removed = steps.one({ kind: 'remove', path: target.value })
        if (!removed.ok) return removed
      }
      return steps.one({ kind: 'move', from, to: target.value })
    })
    const staged = this.#staged.get(oldPath)
    this.#staged.delete(oldPath)
    this.#staged.delete(newPath)
    if (staged !== undefined) this.#staged.set(newPath, staged)
  }

  override async read(path: string, buffer: Uint8Array, start: number, end: number): Promise<void> {
    const data = this.#staged.get(path) ?? (await this.#bytes(path))
    buffer.set(data.subarray(start, Math.min(end, data.byteLength)))
  }

  override async write(path: string, buffer: Uint8Array, offset: number): Promise<void> {
    const before = this.#staged.get(path) ?? (await this.#bytes(path))
    const data = resized(before, Math.max(before.byteLength, offset + buffer.byteLength))
    data.set(buffer, offset)
    this.#staged.set(path, data)
  }

  /** A size alone is a truncation on the way to more; with a time, it is the end of a sync, and all is stored. */
  override async touch(path: string, { size, mtimeMs, mode }: Partial<InodeLike>): Promise<void> {
    const known = await this.stat(path)
    if (mode !== undefined && (mode & kindBits) !== (known.mode & kindBits)) {
      await this.unlink(path)
      this.#forgetUnsynced()
      throw errnoError('EPERM', 'Only files and folders can be kept here.')
    }
    if (size !== undefined && (known.mode & kindBits) === (fileMode & kindBits) && size !== known.size) {
      this.#staged.set(path, resized(this.#staged.get(path) ?? (await this.#bytes(path)), size))
    }
    if (mtimeMs === undefined) return
    const staged = this.#staged.get(path)
    try {
      const content = staged === undefined ? null : await prepareContent(staged)
      await this.#change(
        path,
        (steps, state, p): VfsResult<unknown> => {
          const found = this.#find(state, p)
          if (!found.ok) return found
          if (content !== null) return steps.one({ kind: 'write', path: p, content })
          state.setNode(found.value.id, { ...found.value, modifiedAt: Math.round(mtimeMs) })
          return ok(null)
        },
        Math.round(mtimeMs),
      )
    } catch (thrown) {
      this.#forgetUnsynced()
      throw thrown
    } finally {
      this.#staged.delete(path)
    }
  }

  override async link(_target: string, _link: string): Promise<void> {
    throw errnoError('EPERM', 'Links can’t be kept here.')
  }

  override async sync(): Promise<void> {
    // All that was synced is stored already.
  }

  override renameSync = refuseSync
  override statSync = refuseSync
  override touchSync = refuseSync
  override createFileSync = refuseSync
  override unlinkSync = refuseSync
  override rmdirSync = refuseSync
  override mkdirSync = refuseSync
  override readdirSync = refuseSync
  override linkSync = refuseSync
  override syncSync = refuseSync
  override readSync = refuseSync
  override writeSync = refuseSync
}
