import { Buffer, caches, fs as zenfs } from '../../libraries/zenfs'
import { createFileStreams } from './file-streams'
import { globPaths, matchesGlob, type GlobEntry } from './glob'
import { fsError, nodeError, readThrown, systemError, wrongType, wrongValue } from './node-error'
import { posixPath } from '../modules/posix-path'

/*
 * Node's `fs` on ZenFS. The sync functions are ZenFS's, with what it does unlike Node put right; callbacks, promises and streams
 * stand on them, since nothing of it ever has to wait. `await fs.readFile(path)`, without a callback, gives the promise.
 */

export type Callable = (...values: unknown[]) => unknown
export type Functions = Record<string, Callable>

export interface NodeFsPorts {
  /** A promise that the run waits for before it is over. */
  readonly track: <T>(promise: Promise<T>) => Promise<T>
  /** Runs `task` after the code that runs now, as callbacks do. */
  readonly later: (task: () => void) => void
  readonly onStream: (stream: object) => void
}

const zen = zenfs as unknown as Functions
const zenfsCall = (name: string, ...args: readonly unknown[]): unknown => zen[name]?.(...args)
const { constants } = zenfs

/** The system call that Node names in the errors of a function, where it has another name. */
const syscalls: Readonly<Record<string, string>> = {
  readFile: 'open',
  writeFile: 'open',
  appendFile: 'open',
  truncate: 'open',
  copyFile: 'copyfile',
  readdir: 'scandir',
  utimes: 'utime',
  lutimes: 'lutime',
  futimes: 'futime',
  rm: 'lstat',
  cp: 'lstat',
  realpath: 'lstat',
  exists: 'access',
  fdatasync: 'fdatasync',
}
const withTwoPaths = new Set(['rename', 'copyFile', 'cp', 'link', 'symlink'])
const onDescriptors = new Set(
  'close,read,readv,write,writev,fstat,ftruncate,fsync,fdatasync,futimes,fchmod,fchown'.split(','),
)
const alsoOnDescriptors = new Set(['readFile', 'writeFile', 'appendFile'])
const writing = new Set(['writeFile', 'appendFile'])

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const optionOf = (given: unknown, name: string): unknown => (isRecord(given) ? given[name] : undefined)
const encodingOf = (given: unknown): unknown => (typeof given === 'string' ? given : optionOf(given, 'encoding'))
const isBytes = (value: unknown): value is ArrayBufferView => ArrayBuffer.isView(value)

function textOf(path: URL): string {
  if (path.protocol !== 'file:') throw nodeError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError)
  return decodeURIComponent(path.pathname)
}

/** A path as text, as it was given. */
function pathOf(path: unknown, name = 'path'): string {
  const text =
    path instanceof URL
      ? textOf(path)
      : isBytes(path)
        ? Buffer.from(path.buffer, path.byteOffset, path.byteLength).toString()
        : path
  if (typeof text !== 'string') throw wrongType(name, 'of type string or an instance of Buffer or URL', path)
  // ZenFS would take it for a slash, and the chat's files have no such names.
  if (text.includes('\\'))
    throw fsError({ code: 'EINVAL', syscall: 'open', path: text, sentence: 'Folders are separated by /.' })
  if (text.includes('\0')) throw wrongValue(name, 'must be a string, Uint8Array, or URL without null bytes', text)
  return text
}

class Dirent {
  readonly name: unknown
  readonly parentPath: string
  readonly #isFolder: boolean
  constructor(name: unknown, parentPath: string, isFolder: boolean) {
    this.name = name
    this.parentPath = parentPath
    this.#isFolder = isFolder
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

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const sixLetters = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => letters[byte % letters.length]).join('')

const noLinks = (syscall: string, path: string, dest?: string) =>
  fsError({ code: 'EPERM', syscall, path, dest, sentence: 'There are no links here.' })

/** Fails with ENOENT as a call on the path itself would. */
const isFolderAt = (path: string) => (zenfsCall('statSync', path) as { isDirectory(): boolean }).isDirectory()
const kindAt = (path: string): 'file' | 'folder' | null => {
  try {
    return isFolderAt(path) ? 'folder' : 'file'
  } catch {
    return null
  }
}

/** Null when nothing is there; fails where a file stands on the way. */
function kindOrThrow(path: string): 'file' | 'folder' | null {
  try {
    return isFolderAt(path) ? 'folder' : 'file'
  } catch (thrown) {
    if (readThrown(thrown)?.code !== 'ENOENT') throw thrown
    return null
  }
}

function readFolder(folder: string, given: unknown): unknown[] {
  const encoding = encodingOf(given)
  const [withFileTypes, recursive] = [optionOf(given, 'withFileTypes') === true, optionOf(given, 'recursive') === true]
  const named = (name: string) => (encoding === 'buffer' ? Buffer.from(name) : name)
  const names = (at: string) => zenfsCall('readdirSync', at) as string[]
  if (!withFileTypes && !recursive) return encoding === 'buffer' ? names(folder).map(named) : names(folder)
  const found: unknown[] = []
  // As in Node, all of a folder before what its folders hold.
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

/** What Node looks at before it copies. Errors: ERR_FS_…, as Node has them. */
function checkCopy(from: string, to: string, options: unknown): void {
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

function copyTree(from: string, to: string, options: unknown): void {
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

function removeTree(path: string): void {
  if (!isFolderAt(path)) return void zenfsCall('unlinkSync', path)
  for (const name of zenfsCall('readdirSync', path) as string[]) removeTree(posixPath.join(path, name))
  zenfsCall('rmdirSync', path)
}

function remove(path: string, options: unknown): void {
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

/** Text goes into a file as the encoding says; ZenFS takes bytes of one kind only. */
function bytesOf(data: unknown, given: unknown): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, (encodingOf(given) ?? 'utf8') as 'utf8')
  if (isBytes(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  throw wrongType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
}

/**
 * ZenFS holds what is written until the file is closed. When the layer refuses it then (no room, read only), it would hold it for
 * good, and show it: it is let go of, so that what is seen is what is there.
 */
function letGoOfRefused(): void {
  for (const cache of caches.values() as Iterable<unknown> as Iterable<HeldFiles>) {
    for (const node of Array.from(cache.byIno.values())) {
      if (!node.dirty) continue
      node.dirtyRanges = []
      node.metadataDirty = false
      cache.evict(node)
    }
  }
}
/** What is internal of a cache of ZenFS's. */
interface HeldFiles {
  readonly byIno: ReadonlyMap<number, { readonly dirty: boolean; dirtyRanges: unknown[]; metadataDirty: boolean }>
  evict(node: unknown): void
}
const refusals = new Set(['EROFS', 'EFBIG', 'ENOSPC'])

/** Writes as the flag says: ZenFS's own `writeFileSync` writes at the start of a file that is opened to append. */
function closeQuietly(fd: unknown): void {
  try {
    zenfsCall('closeSync', fd)
  } catch {
    // What could not be written was said before, or is of no use any more.
  }
}

function putWhole(path: unknown, bytes: Uint8Array, options: unknown, standard: 'w' | 'a'): void {
  const write = (fd: unknown) => zenfsCall('writeSync', fd, bytes, 0, bytes.byteLength, null)
  if (typeof path === 'number') return void write(path)
  const fd = zenfsCall('openSync', path, optionOf(options, 'flag') ?? standard, optionOf(options, 'mode') ?? 0o666)
  try {
    write(fd)
    zenfsCall('closeSync', fd)
  } catch (thrown) {
    letGoOfRefused()
    closeQuietly(fd)
    throw thrown
  }
}

/** ZenFS's own stats with `bigint` hold some numbers all the same. */
function statOf(name: 'stat' | 'lstat' | 'fstat', of: unknown, options: unknown): unknown {
  const stats = zenfsCall(`${name}Sync`, of, options)
  if (optionOf(options, 'bigint') !== true || !isRecord(stats)) return stats
  const whole = ['size', 'ino', 'mode', 'nlink', 'uid', 'gid', 'rdev', 'dev', 'blksize', 'blocks']
  for (const field of whole)
    Object.defineProperty(stats, field, {
      value: BigInt(Number(stats[field] ?? 0)),
      enumerable: true,
      configurable: true,
    })
  return stats
}

function checkEncoding(given: unknown): void {
  const encoding = encodingOf(given)
  if (encoding == null || encoding === 'buffer' || (typeof encoding === 'string' && Buffer.isEncoding(encoding))) return
  throw wrongValue('encoding', 'is invalid encoding', encoding)
}

function* entriesOf(patterns: unknown, options: unknown) {
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

function* unique(values: Iterable<unknown>) {
  const seen = new Set<unknown>()
  for (const value of values) {
    if (typeof value === 'string' && seen.has(value)) continue
    seen.add(value)
    yield value
  }
}

/** The functions that ZenFS has too, where ours takes its place. Paths are texts here, and names are without `Sync`. */
const own: Functions = {
  rename(from, to) {
    if (
      posixPath.resolve(String(from)).startsWith(`${posixPath.resolve(String(to))}/`) &&
      kindAt(String(from)) !== null
    )
      throw fsError({ code: 'ENOTEMPTY', syscall: 'rename', path: String(from), dest: String(to) })
    // The folders are looked at before what is in them, as Linux does.
    for (const each of [from, to]) {
      if (!isFolderAt(posixPath.dirname(String(each))))
        throw fsError({ code: 'ENOTDIR', syscall: 'rename', path: String(from), dest: String(to) })
    }
    zenfsCall('renameSync', from, to)
  },
  stat: (path, options) => statOf('stat', path, options),
  lstat: (path, options) => statOf('lstat', path, options),
  fstat: (fd, options) => statOf('fstat', fd, options),
  open: (path, flags, mode) => zenfsCall('openSync', path, flags ?? 'r', mode ?? 0o666),
  readdir: (path, options) => readFolder(String(path), options),
  rm: (path, options) => remove(String(path), options),
  rmdir: (path, options) =>
    optionOf(options, 'recursive') === true ? removeTree(String(path)) : zenfsCall('rmdirSync', path),
  cp: (from, to, options) => {
    checkCopy(String(from), String(to), options)
    copyTree(String(from), String(to), options)
  },
  copyFile(from, to, mode) {
    if (isFolderAt(String(from)) || kindAt(String(to)) === 'folder')
      throw fsError({ code: 'EISDIR', syscall: 'copyfile', path: String(from), dest: String(to) })
    if (posixPath.resolve(String(from)) === posixPath.resolve(String(to)) && mode !== constants.COPYFILE_EXCL) return
    if (mode === constants.COPYFILE_EXCL && kindAt(String(to)) !== null)
      throw fsError({ code: 'EEXIST', syscall: 'copyfile', path: String(from), dest: String(to) })
    zenfsCall('copyFileSync', from, to)
  },
  mkdtemp(prefix) {
    const path = `${String(prefix)}${sixLetters()}`
    try {
      zenfsCall('mkdirSync', path, 0o700)
    } catch (thrown) {
      throw fsError({ code: readThrown(thrown)?.code ?? 'EIO', syscall: 'mkdtemp', path: `${String(prefix)}XXXXXX` })
    }
    return path
  },
  mkdir(path, given) {
    const made: unknown = zenfsCall('mkdirSync', path, given)
    // Node names the first folder that it made as the path was given.
    if (typeof made !== 'string' || String(path).startsWith('/')) return made
    const depth = posixPath.resolve(String(path)).split('/').length - made.split('/').length
    return Array.from({ length: depth }).reduce<string>(
      (at) => posixPath.dirname(at),
      posixPath.normalize(String(path)).replace(/(.)\/$/, '$1'),
    )
  },
  readFile(path, options) {
    checkEncoding(options)
    if (typeof path === 'string' && kindAt(path) === 'folder') throw fsError({ code: 'EISDIR', syscall: 'read' })
    return zenfsCall(
      'readFileSync',
      path,
      typeof options === 'object' || typeof options === 'string'
        ? encodingOf(options) === 'buffer'
          ? null
          : options
        : null,
    )
  },
  writeFile: (path, data, options) => putWhole(path, bytesOf(data, options), options, 'w'),
  appendFile: (path, data, options) => putWhole(path, bytesOf(data, options), options, 'a'),
  exists: (path) => {
    try {
      return zenfsCall('existsSync', pathOf(path)) === true
    } catch {
      return false
    }
  },
  access(path) {
    isFolderAt(String(path))
  },
  realpath(path) {
    isFolderAt(String(path))
    return posixPath.resolve(String(path))
  },
  readlink(path) {
    isFolderAt(String(path))
    throw fsError({ code: 'EINVAL', syscall: 'readlink', path: String(path) })
  },
  link: (from, to) => {
    throw noLinks('link', String(from), String(to))
  },
  symlink: (from, to) => {
    throw noLinks('symlink', String(from), String(to))
  },
  write(fd, data, ...rest) {
    if (typeof data === 'string') {
      const [position, encoding] = rest
      const bytes = Buffer.from(data, (encoding ?? 'utf8') as 'utf8')
      return zenfsCall('writeSync', fd, bytes, 0, bytes.byteLength, position ?? null)
    }
    const [first, length, position] = isRecord(rest[0])
      ? [rest[0]['offset'], rest[0]['length'], rest[0]['position']]
      : rest
    const bytes = bytesOf(data, null)
    const offset = typeof first === 'number' ? first : 0
    return zenfsCall('writeSync', fd, bytes, offset, length ?? bytes.byteLength - offset, position ?? null)
  },
  read(fd, given, ...rest) {
    const isOptions = isRecord(given) && !isBytes(given)
    const options = isOptions ? given : isRecord(rest[0]) ? rest[0] : null
    const buffer = (isOptions ? given['buffer'] : given) ?? Buffer.alloc(16_384)
    const [offset, length, position] =
      options === null ? rest : [options['offset'], options['length'], options['position']]
    const into = bytesOf(buffer, null)
    const from = typeof offset === 'number' ? offset : 0
    return zenfsCall(
      'readSync',
      fd,
      into,
      from,
      length ?? into.byteLength - from,
      position === -1 ? null : (position ?? null),
    )
  },
  opendir(path) {
    let code: string | undefined
    try {
      code = isFolderAt(String(path)) ? undefined : 'ENOTDIR'
    } catch (thrown) {
      code = readThrown(thrown)?.code ?? 'EIO'
    }
    if (code !== undefined) throw fsError({ code, syscall: 'opendir', path: String(path) })
    const entries = readFolder(String(path), { withFileTypes: true })
    const next = () => entries.shift() ?? null
    return {
      path,
      readSync: next,
      read: async () => next(),
      closeSync: () => {},
      close: async () => {},
      async *[Symbol.asyncIterator]() {
        for (let entry = next(); entry !== null; entry = next()) yield entry
      },
      *[Symbol.iterator]() {
        for (let entry = next(); entry !== null; entry = next()) yield entry
      },
    }
  },
}

/** Puts an error of ZenFS into Node's words, with the arguments that the code gave. */
function asNode(thrown: unknown, name: string, args: readonly unknown[]): unknown {
  const read = readThrown(thrown)
  // An error of our own has Node's words already: its number is below zero.
  if (read === null || Number((thrown as { errno?: unknown }).errno) < 0) return thrown
  const { code, sentence } = read
  const syscall = syscalls[name] ?? name
  if (onDescriptors.has(name) || (alsoOnDescriptors.has(name) && typeof args[0] === 'number'))
    return fsError({ code, syscall: typeof args[0] === 'number' && name === 'readFile' ? 'read' : name, sentence })
  const path = name === 'realpath' ? posixPath.resolve(String(args[0])) : String(args[0])
  return fsError({
    code,
    syscall,
    path,
    sentence,
    ...(withTwoPaths.has(name) && name !== 'cp' && { dest: String(args[1]) }),
  })
}

/** Programs put things there without making it first. */
const usualFolder = '/tmp'
const making = new Set(['open', 'writeFile', 'appendFile', 'mkdir', 'mkdtemp', 'copyFile', 'cp', 'rename'])

function prepared(name: string, args: readonly unknown[]): unknown[] {
  const given = [...args]
  if (onDescriptors.has(name)) return given
  if (!(alsoOnDescriptors.has(name) && typeof given[0] === 'number')) {
    const second = withTwoPaths.has(name)
    given[0] = pathOf(given[0], second ? 'src' : 'path')
    if (second) given[1] = pathOf(given[1], 'dest')
    const target = given[second ? 1 : 0]
    if (
      making.has(name) &&
      typeof target === 'string' &&
      target.startsWith(`${usualFolder}/`) &&
      kindAt(usualFolder) === null
    )
      makeUsualFolder()
    if (given[0] === '' && name !== 'rm' && name !== 'mkdtemp')
      throw fsError({ code: 'ENOENT', syscall: syscalls[name] ?? name, path: '' })
  }
  return given
}

function makeUsualFolder(): void {
  try {
    zenfsCall('mkdirSync', usualFolder)
  } catch {
    // The call that wants to make something in it says what is the matter.
  }
}

/** Runs a function by its name without `Sync`, as Node's `…Sync` does. */
function runSync(name: string, args: readonly unknown[]): unknown {
  if (name === 'exists') return own['exists']?.(...args)
  const given = prepared(name, args)
  try {
    const run = own[name] ?? zen[`${name}Sync`]
    return run?.(...given)
  } catch (thrown) {
    const missing = (name === 'stat' || name === 'lstat') && optionOf(args[1], 'throwIfNoEntry') === false
    const code = readThrown(thrown)?.code
    if (code !== undefined && refusals.has(code)) letGoOfRefused()
    if (missing && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
    throw asNode(thrown, name, given)
  }
}

/** Data that comes in parts, as one. */
async function gathered(data: unknown): Promise<unknown> {
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer())
  const isParts = isRecord(data) && !isBytes(data) && (Symbol.asyncIterator in data || Symbol.iterator in data)
  if (!isParts) return data
  const parts: Uint8Array[] = []
  for await (const part of data as unknown as AsyncIterable<unknown>) parts.push(bytesOf(part, null))
  return Buffer.concat(parts)
}

export function createNodeFs({ track, later, onStream }: NodeFsPorts) {
  const names = Object.keys(zen).flatMap((name) =>
    name.endsWith('Sync') && typeof zen[name] === 'function' && name !== 'globSync' ? [name.slice(0, -4)] : [],
  )
  const sync: Functions = {}
  for (const name of names) {
    const call: Callable = (...args) => {
      try {
        return runSync(name, args)
      } catch (thrown) {
        // The stack begins where the code called, not in here.
        if (thrown instanceof Error) Error.captureStackTrace(thrown, call)
        throw thrown
      }
    }
    sync[`${name}Sync`] = Object.defineProperty(call, 'name', { value: `${name}Sync` })
  }

  const handles = new WeakMap<object, number>()
  const unwrapped = (value: unknown) => (isRecord(value) ? (handles.get(value) ?? value) : value)

  const promised =
    (name: string): Callable =>
    (...args) =>
      track(
        (async () => {
          const given = [unwrapped(args[0]), ...args.slice(1)]
          const signal = optionOf(args.at(-1), 'signal')
          if (signal instanceof AbortSignal) signal.throwIfAborted()
          if (writing.has(name)) given[1] = await gathered(given[1])
          return runSync(name, given)
        })(),
      )

  const promises: Functions = {}
  for (const name of 'exists,access,appendFile,chmod,chown,copyFile,cp,lchown,link,lstat,lutimes,mkdir,mkdtemp,opendir,readFile,readdir,readlink,realpath,rename,rm,rmdir,stat,statfs,symlink,truncate,unlink,utimes,writeFile'.split(
    ',',
  )) {
    promises[name] = promised(name)
  }

  const streams = createFileStreams({
    openSync: (path, flags, mode) => runSync('open', [path, flags, mode]) as number,
    readSync: (...args) => runSync('read', args) as number,
    writeSync: (...args) => runSync('write', args) as number,
    closeSync: (fd) => void runSync('close', [fd]),
    pathOf,
  })
  const createReadStream = (path: unknown, options?: unknown) => {
    const made = new streams.ReadStream(path, options)
    onStream(made)
    return made
  }
  const createWriteStream = (path: unknown, options?: unknown) => {
    const made = new streams.WriteStream(path, options)
    onStream(made)
    return made
  }

  /** Node's FileHandle over a descriptor. */
  async function openHandle(path: unknown, flags: unknown = 'r', mode?: unknown): Promise<object> {
    const fd = runSync('open', [path, flags, mode]) as number
    let isOpen = true
    const on =
      (name: string): Callable =>
      (...args) =>
        track(
          (async () => {
            if (!isOpen) throw fsError({ code: 'EBADF', syscall: name.replace(/^f(?=stat|truncate|sync)/, '') })
            return runSync(name, [fd, ...args])
          })(),
        )
    const rest = (given: unknown): unknown => {
      const size = (runSync('fstat', [fd]) as { size: number }).size
      const buffer = Buffer.alloc(size)
      let count = 0
      for (let more = -1; more !== 0 && count < size; count += more)
        more = runSync('read', [fd, buffer, count, size - count, null]) as number
      const encoding = encodingOf(given)
      return encoding == null ? buffer.subarray(0, count) : buffer.subarray(0, count).toString(encoding as 'utf8')
    }
    const close = async (): Promise<void> => {
      if (isOpen) runSync('close', [fd])
      isOpen = false
    }
    const put = async (data: unknown, options?: unknown) => {
      if (!isOpen) throw fsError({ code: 'EBADF', syscall: 'write' })
      runSync('write', [fd, bytesOf(await gathered(data), options)])
    }
    const handle = {
      fd,
      close,
      stat: on('fstat'),
      truncate: on('ftruncate'),
      sync: on('fsync'),
      datasync: on('fdatasync'),
      utimes: on('futimes'),
      chmod: on('fchmod'),
      chown: on('fchown'),
      readFile: (options?: unknown) =>
        track((async () => (isOpen ? rest(options) : Promise.reject(fsError({ code: 'EBADF', syscall: 'read' }))))()),
      writeFile: (data: unknown, options?: unknown) => track(put(data, options)),
      appendFile: (data: unknown, options?: unknown) => track(put(data, options)),
      async read(given?: unknown, ...more: unknown[]) {
        const buffer = (isRecord(given) && !isBytes(given) ? given['buffer'] : given) ?? Buffer.alloc(16_384)
        const options = isRecord(given) && !isBytes(given) ? [{ ...given, buffer }] : [buffer, ...more]
        return { bytesRead: await on('read')(...options), buffer }
      },
      async write(data: unknown, ...more: unknown[]) {
        return { bytesWritten: await on('write')(data, ...more), buffer: data }
      },
      async readv(buffers: unknown, position?: unknown) {
        return { bytesRead: await on('readv')(buffers, position), buffers }
      },
      async writev(buffers: unknown, position?: unknown) {
        return { bytesWritten: await on('writev')(buffers, position), buffers }
      },
      createReadStream: (options?: unknown) => createReadStream(null, { ...(isRecord(options) ? options : {}), fd }),
      createWriteStream: (options?: unknown) => createWriteStream(null, { ...(isRecord(options) ? options : {}), fd }),
      async *readLines(options?: unknown) {
        const text = String(rest(optionOf(options, 'encoding') ?? 'utf8'))
        const lines = text.split(/\r?\n/)
        if (lines.at(-1) === '') lines.pop()
        yield* lines
        await close()
      },
      [Symbol.asyncDispose]: close,
    }
    handles.set(handle, fd)
    return handle
  }
  const open = (...args: unknown[]) => track(openHandle(args[0], args[1], args[2]))
  const glob = async function* (patterns: unknown, options?: unknown) {
    yield* unique(entriesOf(patterns, options))
  }
  Object.assign(promises, { open, glob, watch: (zenfs.promises as unknown as Functions)['watch'], constants })

  /** With a callback as Node has it, without one a promise. */
  const withCallback =
    (name: string): Callable =>
    (...args) => {
      const done = args.at(-1)
      if (typeof done !== 'function') {
        const wanted = promises[name] ?? promised(name)
        return wanted(...args)
      }
      const given = args.slice(0, -1)
      const end = Promise.withResolvers<void>()
      void track(end.promise)
      const answer = (...values: unknown[]) =>
        later(() => {
          end.resolve()
          ;(done as Callable)(...values)
        })
      // Wrong arguments are thrown at once, as in Node.
      if (name !== 'exists') prepared(name, given)
      try {
        const value = runSync(name, given)
        if (name === 'exists') answer(value)
        else if (name === 'read' || name === 'write') answer(null, value, given[1])
        else if (value === undefined) answer(null)
        else answer(null, value)
      } catch (thrown) {
        answer(thrown)
      }
      return undefined
    }

  const callbacks: Functions = {}
  for (const name of names) callbacks[name] = withCallback(name)
  const globSync = (patterns: unknown, options?: unknown) => [...unique(entriesOf(patterns, options))]
  const { watch, watchFile, unwatchFile } = zen
  const fs: Record<string, unknown> = {
    ...callbacks,
    ...sync,
    globSync,
    glob(patterns: unknown, options: unknown, done?: unknown) {
      const answer = (done ?? options) as Callable
      if (typeof answer !== 'function') return glob(patterns, options)
      const found = globSync(patterns, typeof options === 'function' ? undefined : options)
      const end = Promise.withResolvers<void>()
      void track(end.promise)
      later(() => {
        end.resolve()
        answer(null, found)
      })
      return undefined
    },
    createReadStream,
    createWriteStream,
    ...streams,
    Dirent,
    Stats: zenfs.Stats,
    watch,
    watchFile,
    unwatchFile,
    constants,
    ...Object.fromEntries(['F_OK', 'R_OK', 'W_OK', 'X_OK'].map((name) => [name, constants[name as 'F_OK']])),
    promises,
  }
  return {
    fs,
    promises: promises as Readonly<Record<string, unknown>>,
    closeQuietly,
  }
}
