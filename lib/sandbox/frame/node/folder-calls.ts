import { Buffer, caches, fs as zenfs } from './zenfs'
import { posixPath } from '../modules/resolve'
import { globPaths, matchesGlob, type GlobEntry } from './glob'
import {
  nodeError,
  readThrown,
  systemError,
  encodingOf,
  optionOf,
  pathOf,
  type Callable,
  type Functions,
} from './node-error'

/* ZenFS's own functions by name, and checks of its files that are needed before calls. */

export const zen = zenfs as unknown as Functions
export const zenfsCall = (name: string, ...args: readonly unknown[]): unknown => zen[name]?.(...args)
export const { constants } = zenfs

/** Fails with ENOENT, like a call on the path itself. */
export const isFolderAt = (path: string) => (zenfsCall('statSync', path) as { isDirectory(): boolean }).isDirectory()
export const kindAt = (path: string): 'file' | 'folder' | null => {
  try {
    return isFolderAt(path) ? 'folder' : 'file'
  } catch {
    return null
  }
}

/** Null if nothing exists there; fails if a file is in the place of a parent folder. */
function kindOrThrow(path: string): 'file' | 'folder' | null {
  try {
    return isFolderAt(path) ? 'folder' : 'file'
  } catch (thrown) {
    if (readThrown(thrown)?.code !== 'ENOENT') throw thrown
    return null
  }
}

/**
 * ZenFS keeps written data until the file is closed. If the layer then rejects it (no space, read-only), ZenFS would
 * keep and show it forever, so it is discarded: code sees only what was really stored.
 */
export function releaseRefused(): void {
  for (const cache of caches.values() as Iterable<unknown> as Iterable<HeldFiles>) {
    for (const node of Array.from(cache.byIno.values())) {
      if (!node.dirty) continue
      node.dirtyRanges = []
      node.metadataDirty = false
      cache.evict(node)
    }
  }
}
/** The internals of a ZenFS cache. */
interface HeldFiles {
  readonly byIno: ReadonlyMap<number, { readonly dirty: boolean; dirtyRanges: unknown[]; metadataDirty: boolean }>
  evict(node: unknown): void
}
export const refusals = new Set(['EROFS', 'EFBIG', 'ENOSPC'])

export function closeIgnoringErrors(fd: unknown): void {
  try {
    zenfsCall('closeSync', fd)
  } catch {
    // Failed writes were reported before, or are no longer relevant.
  }
}

/* Operations on whole folders: listing, copying, removing, searching. */

const kind = Symbol('type')

export class Dirent {
  readonly name: unknown
  readonly parentPath: string
  readonly #isFolder: boolean
  readonly [kind]: number
  constructor(name: unknown, parentPath: string, isFolder: boolean) {
    this.name = name
    this.parentPath = parentPath
    this.#isFolder = isFolder
    this[kind] = isFolder ? 2 : 1
  }
  isFile() {
    return !this.#isFolder
  }
  isDirectory() {
    return this.#isFolder
  }
  isSymbolicLink() {
    return false
  }
  isBlockDevice() {
    return false
  }
  isCharacterDevice() {
    return false
  }
  isFIFO() {
    return false
  }
  isSocket() {
    return false
  }
}

export function readFolder(folder: string, given: unknown): unknown[] {
  const encoding = encodingOf(given)
  const [withFileTypes, recursive] = [optionOf(given, 'withFileTypes') === true, optionOf(given, 'recursive') === true]
  const named = (name: string) => (encoding === 'buffer' ? Buffer.from(name) : name)
  const names = (at: string) => zenfsCall('readdirSync', at) as string[]
  if (!withFileTypes && !recursive) return encoding === 'buffer' ? names(folder).map(named) : names(folder)
  const found: unknown[] = []
  // As in Node, everything in a folder comes before the contents of its subfolders.
  const folders = ['']
  for (let below = folders.shift(); below !== undefined; below = folders.shift()) {
    const parent = below === '' ? folder : posixPath.join(folder, below)
    for (const name of names(parent)) {
      const isFolder = isFolderAt(posixPath.join(parent, name))
      const path = below === '' ? name : `${below}/${name}`
      found.push(withFileTypes ? new Dirent(named(name), parent, isFolder) : named(path))
      if (recursive && isFolder) folders.push(path)
    }
  }
  return found
}

/** The checks that Node makes before it copies. Errors: ERR_FS_…, as in Node. */
export function checkCopy(from: string, to: string, options: unknown): void {
  const isFolder = isFolderAt(from)
  if (
    isFolder &&
    optionOf(options, 'recursive') !== true &&
    kindAt(to) !== 'file' &&
    posixPath.resolve(from) !== posixPath.resolve(to)
  )
    throw nodeError('ERR_FS_EISDIR', `Recursive option not enabled, cannot copy a directory: ${from}`)
  const there = kindOrThrow(to)
  const [source, target] = [posixPath.resolve(from), posixPath.resolve(to)]
  if (source === target) throw nodeError('ERR_FS_CP_EINVAL', `src and dest cannot be the same ${to}`)
  if (isFolder && there === 'file')
    throw nodeError('ERR_FS_CP_DIR_TO_NON_DIR', `Cannot overwrite non-directory ${to} with directory ${from}`)
  if (!isFolder && there === 'folder')
    throw nodeError('ERR_FS_CP_NON_DIR_TO_DIR', `Cannot overwrite directory ${to} with non-directory ${from}`)
  if (isFolder && `${target}/`.startsWith(`${source}/`))
    throw nodeError('ERR_FS_CP_EINVAL', `Cannot copy ${from} to a subdirectory of self ${to}`)
}

export function copyTree(from: string, to: string, options: unknown): void {
  const filter = optionOf(options, 'filter')
  if (typeof filter === 'function' && (filter as Callable)(from, to) === false) return
  if (isFolderAt(from)) {
    if (kindAt(to) === null) zenfsCall('mkdirSync', to, { recursive: true })
    for (const name of zenfsCall('readdirSync', from) as string[])
      copyTree(posixPath.join(from, name), posixPath.join(to, name), options)
    return
  }
  if (kindAt(to) !== null && optionOf(options, 'force') === false) {
    if (optionOf(options, 'errorOnExist') !== true) return
    const message = `Target already exists: cp returned EEXIST (${to} already exists) ${to}`
    throw systemError({ code: 'ERR_FS_CP_EEXIST', message, syscall: 'cp', errno: 17, path: to })
  }
  zenfsCall('mkdirSync', posixPath.dirname(to), { recursive: true })
  zenfsCall('copyFileSync', from, to)
  if (optionOf(options, 'preserveTimestamps') !== true) return
  const { atime, mtime } = zenfsCall('statSync', from) as { atime: Date; mtime: Date }
  zenfsCall('utimesSync', to, atime, mtime)
}

export function removeTree(path: string): void {
  if (!isFolderAt(path)) return void zenfsCall('unlinkSync', path)
  for (const name of zenfsCall('readdirSync', path) as string[]) removeTree(posixPath.join(path, name))
  zenfsCall('rmdirSync', path)
}

export function remove(path: string, options: unknown): void {
  let isFolder: boolean
  try {
    isFolder = isFolderAt(path)
  } catch (thrown) {
    const code = readThrown(thrown)?.code
    const isNowhere =
      path === '' || code === 'ENOENT' || (code === 'ENOTDIR' && optionOf(options, 'recursive') === true)
    if (optionOf(options, 'force') === true && isNowhere) return
    throw thrown
  }
  if (!isFolder) return void zenfsCall('unlinkSync', path)
  if (optionOf(options, 'recursive') === true) return removeTree(path)
  const message = `Path is a directory: rm returned EISDIR (is a directory) ${path}`
  throw systemError({ code: 'ERR_FS_EISDIR', message, syscall: 'rm', errno: 21, path })
}

export function* entriesOf(patterns: unknown, options: unknown) {
  const cwd = optionOf(options, 'cwd')
  const from = cwd === undefined ? '.' : pathOf(cwd, 'cwd')
  const exclude = optionOf(options, 'exclude')
  const withFileTypes = optionOf(options, 'withFileTypes') === true
  const asDirent = (path: string, { name, isFolder }: GlobEntry) =>
    new Dirent(name, posixPath.dirname(posixPath.resolve(from, path)), isFolder)
  const isExcluded = (path: string, entry: GlobEntry): boolean => {
    if (Array.isArray(exclude)) return exclude.some((each) => matchesGlob(path, String(each)))
    return typeof exclude === 'function' && (exclude as Callable)(withFileTypes ? asDirent(path, entry) : path) === true
  }
  for (const pattern of [patterns].flat().map(String)) {
    const isAbsolute = pattern.startsWith('/')
    const root = isAbsolute ? '/' : from
    const list = (folder: string): GlobEntry[] => {
      const at = posixPath.join(root, folder)
      if (kindAt(at) !== 'folder') return []
      return (zenfsCall('readdirSync', at) as string[]).map((name) => ({
        name,
        isFolder: isFolderAt(posixPath.join(at, name)),
      }))
    }
    for (const { path, entry } of globPaths([pattern], { list, isExcluded })) {
      yield withFileTypes ? asDirent(path, entry) : isAbsolute ? `/${path}` : path
    }
  }
}

export function* unique(values: Iterable<unknown>) {
  const seen = new Set<unknown>()
  for (const value of values) {
    if (typeof value === 'string' && seen.has(value)) continue
    seen.add(value)
    yield value
  }
}
