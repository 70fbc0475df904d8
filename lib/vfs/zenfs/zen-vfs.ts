import { fs } from '@zenfs/core'
import { checkSpace, failures, type VfsFailure } from '../failures'
import { vfsLimits, type VfsLimits } from '../limits'
import { isInside, nameOf, normalizePath, parentOf } from '../path'
import { sortEntries } from '../sort-entries'
import type { Vfs, VfsEntry, VfsResult } from '../vfs'
import { databaseName } from './database-name'
import { createSession, measure, storeRoot, type Files, type SessionPorts } from './session'
import { describeStorageFailure } from './storage-failure'

const disk = fs.promises

export interface ZenVfsOptions extends SessionPorts {
  readonly conversationId: string
  readonly limits?: VfsLimits
  /** Called after each change; tells the other tabs. */
  readonly announce: () => void
  readonly watch: (listener: () => void) => () => void
}

type Change<T> = Promise<{ value: VfsResult<T>; delta: { bytes: number; files: number } | null }>

const ok = <T>(value: T): VfsResult<T> => ({ ok: true, value })
const unchanged = <T>(value: VfsResult<T>) => ({ value, delta: null })

const kindBits = 0o170_000
const fileBits = 0o100_000
const folderBits = 0o040_000

const inStore = (path: string) => (path === '/' ? storeRoot : storeRoot + path)

/** The entry at a normalised path, null when there is none; links are not followed. Nothing but files and folders passes. */
async function look(files: Files, path: string): Promise<VfsEntry | VfsFailure | null> {
  try {
    const { mode, size, mtimeMs } = await files.store.stat(inStore(path))
    const entry = { name: nameOf(path), modifiedAt: Math.round(mtimeMs) }
    if ((mode & kindBits) === folderBits) return { ...entry, kind: 'directory', size: 0 }
    return (mode & kindBits) === fileBits ? { ...entry, kind: 'file', size } : failures.isLink(path)
  } catch (thrown) {
    if ((thrown as { code?: unknown }).code === 'ENOENT') return null
    throw thrown
  }
}

const isFailure = (found: VfsEntry | VfsFailure | null): found is VfsFailure => found !== null && 'error' in found

/** Every folder on the way to `path` must be a folder (or missing): never a file, never a link. */
async function blockedBy(files: Files, path: string): Promise<VfsFailure | null> {
  const names = path.split('/').slice(1, -1)
  for (let depth = 1; depth <= names.length; depth++) {
    const folder = `/${names.slice(0, depth).join('/')}`
    const found = await look(files, folder)
    if (found === null) return null
    if (isFailure(found)) return found
    if (found.kind === 'file') return failures.isFile(folder)
  }
  return null
}

/** What stands at `path`, or the failure that keeps it from being reached. */
async function find(files: Files, path: string): Promise<VfsEntry | VfsFailure | null> {
  return (await blockedBy(files, path)) ?? look(files, path)
}

async function ensureFolder(files: Files, path: string): Promise<void> {
  if ((await look(files, path)) === null) await disk.mkdir(files.root + path, { recursive: true })
}

/**
 * A conversation's files on ZenFS over IndexedDB, for use inside a worker of the app's origin. Rules that keep it whole:
 * only the promise API (it alone has a moment of durability), whole files through a scratch file and a rename (one
 * transaction), kinds checked before every access (ZenFS lets a folder be overwritten as a file), own limits (it has none).
 */
export function createZenVfs(options: ZenVfsOptions): Vfs {
  const { limits = vfsLimits, newId } = options
  const session = createSession(databaseName(options.conversationId), options)

  async function guarded<T>(path: string, work: (path: string) => Promise<VfsResult<T>>): Promise<VfsResult<T>> {
    const normal = normalizePath(path)
    if (!normal.ok) return normal
    try {
      return await work(normal.value)
    } catch (thrown) {
      return describeStorageFailure(thrown, normal.value)
    }
  }

  const reading = <T>(path: string, body: (files: Files, path: string) => Promise<VfsResult<T>>) =>
    guarded(path, (p) => session.reading((files) => body(files, p)))

  const changing = <T>(path: string, body: (files: Files, path: string) => Change<T>) =>
    guarded(path, async (p) => {
      const result = await session.changing((files) => body(files, p))
      if (result.ok) options.announce()
      return result
    })

  return {
    stat: (path) =>
      reading(path, async (files, p) => {
        const found = await find(files, p)
        if (found === null) return failures.nothing(p)
        return isFailure(found) ? found : ok(found)
      }),

    list: (path) =>
      reading(path, async (files, p) => {
        const found = await find(files, p)
        if (found === null) return failures.noFolder(p)
        if (isFailure(found)) return found
        if (found.kind === 'file') return failures.isFile(p)
        const names = await files.store.readdir(inStore(p))
        const entries = await Promise.all(names.map((name) => look(files, p === '/' ? `/${name}` : `${p}/${name}`)))
        return ok(sortEntries(entries.filter((entry): entry is VfsEntry => entry !== null && !isFailure(entry))))
      }),

    read: (path) =>
      reading(path, async (files, p) => {
        const found = await find(files, p)
        if (found === null) return failures.noFile(p)
        if (isFailure(found)) return found
        if (found.kind === 'directory') return failures.isFolder(p)
        const data = new Uint8Array(found.size)
        await files.store.read(inStore(p), data, 0, found.size)
        return ok(data)
      }),

    write: (path, data) =>
      changing(path, async (files, p) => {
        const found = await find(files, p)
        if (isFailure(found)) return unchanged(found)
        if (found?.kind === 'directory') return unchanged(failures.isFolder(p))
        const full = checkSpace({ path: p, size: data.byteLength, replaced: found, used: files.usage }, limits)
        if (full !== null) return unchanged(full)
        await ensureFolder(files, parentOf(p))
        const unfinished = `${files.scratch}/${newId()}`
        await disk.writeFile(unfinished, data)
        await disk.rename(unfinished, files.root + p)
        const delta = { bytes: data.byteLength - (found?.size ?? 0), files: found === null ? 1 : 0 }
        return { value: ok({ size: data.byteLength, replaced: found !== null }), delta }
      }),

    makeDirectory: (path) =>
      changing(path, async (files, p) => {
        const found = await find(files, p)
        if (isFailure(found)) return unchanged(found)
        if (found?.kind === 'file') return unchanged(failures.exists(p))
        await ensureFolder(files, p)
        return unchanged(ok(null))
      }),

    remove: (path) =>
      changing(path, async (files, p) => {
        if (p === '/') return unchanged(failures.isRoot('removed'))
        const found = await find(files, p)
        if (found === null) return unchanged(failures.nothing(p))
        if (isFailure(found)) return unchanged(found)
        const whole = files.root + p
        const gone = found.kind === 'directory' ? await measure(whole) : { bytes: found.size, files: 1 }
        await disk.rm(whole, { recursive: true })
        return { value: ok(null), delta: { bytes: -gone.bytes, files: -gone.files } }
      }),

    move: (from, to) =>
      changing(from, async (files, source) => {
        const normal = normalizePath(to)
        if (!normal.ok) return unchanged(normal)
        const target = normal.value
        if (source === '/') return unchanged(failures.isRoot('moved'))
        const found = await find(files, source)
        if (found === null) return unchanged(failures.nothing(source))
        if (isFailure(found)) return unchanged(found)
        if (target === source) return unchanged(ok(null))
        if (isInside(target, source)) return unchanged(failures.intoItself(source))
        const standing = await find(files, target)
        if (isFailure(standing)) return unchanged(standing)
        if (standing?.kind === 'directory') return unchanged(failures.folderExists(target))
        if (standing !== null && found.kind === 'directory') return unchanged(failures.exists(target))
        await ensureFolder(files, parentOf(target))
        await disk.rename(files.root + source, files.root + target)
        return { value: ok(null), delta: standing === null ? null : { bytes: -standing.size, files: -1 } }
      }),

    async usage() {
      try {
        const { bytes, files } = await session.reading(async ({ usage }) => usage)
        return { usedBytes: bytes, limitBytes: limits.maxTotalBytes, files }
      } catch {
        return { usedBytes: 0, limitBytes: limits.maxTotalBytes, files: 0 }
      }
    },

    watch: options.watch,
    close: async () => session.close(),
  }
}
