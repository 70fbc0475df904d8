import { Buffer } from './zenfs'
import { posixPath } from '../modules/resolve'
import {
  checkCopy,
  copyTree,
  readFolder,
  remove,
  removeTree,
  closeIgnoringErrors,
  constants,
  isFolderAt,
  kindAt,
  releaseRefused,
  refusals,
  zen,
  zenfsCall,
} from './folder-calls'
import {
  fsError,
  readThrown,
  wrongValue,
  bytesOf,
  checkEncoding,
  encodingOf,
  isBytes,
  isObject,
  optionOf,
  pathOf,
  type Functions,
} from './node-error'
import { statsOf } from './stats'

/*
 * The sync functions as in Node: those of ZenFS, corrected where they differ, with Node's error messages. Names are
 * without
 * `Sync`.
 */

/** The system call that Node names in the errors of a function, if it has a different name. */
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

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const sixLetters = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => letters[byte % letters.length]).join('')

const noLinks = (syscall: string, path: string, dest?: string) =>
  fsError({ code: 'EPERM', syscall, path, dest, sentence: 'There are no links here.' })

/** Writes according to the flag: ZenFS's own `writeFileSync` writes at the start of a file opened for appending. */
function putWhole(path: unknown, bytes: Uint8Array, options: unknown, standard: 'w' | 'a'): void {
  const write = (fd: unknown) => zenfsCall('writeSync', fd, bytes, 0, bytes.byteLength, null)
  if (typeof path === 'number') return void write(path)
  const fd = zenfsCall('openSync', path, optionOf(options, 'flag') ?? standard, optionOf(options, 'mode') ?? 0o666)
  try {
    write(fd)
    zenfsCall('closeSync', fd)
  } catch (thrown) {
    releaseRefused()
    closeIgnoringErrors(fd)
    throw thrown
  }
}

const statOf = (name: 'stat' | 'lstat' | 'fstat', of: unknown, options: unknown): unknown =>
  statsOf(zenfsCall(`${name}Sync`, of) as Parameters<typeof statsOf>[0], optionOf(options, 'bigint') === true)

/** The rest of an open file, from its current position. */
export function readRest(fd: number): Uint8Array {
  const { size } = zenfsCall('fstatSync', fd) as { readonly size: number }
  const buffer = Buffer.alloc(size)
  let count = 0
  for (let more = -1; more !== 0 && count < size; count += more)
    more = zenfsCall('readSync', fd, buffer, count, size - count, null) as number
  return buffer.subarray(0, count)
}

const knownFlags = /^(?:r|rs|sr|r\+|rs\+|sr\+|w|wx|xw|w\+|wx\+|xw\+|a|ax|xa|as|sa|a\+|ax\+|xa\+|as\+|sa\+)$/

/** Functions that replace those of ZenFS. Paths are strings here, and names are without `Sync`. */
const own: Functions = {
  rename(from, to) {
    if (
      posixPath.resolve(String(from)).startsWith(`${posixPath.resolve(String(to))}/`) &&
      kindAt(String(from)) !== null
    )
      throw fsError({ code: 'ENOTEMPTY', syscall: 'rename', path: String(from), dest: String(to) })
    // Folders are checked before their contents, as in Linux.
    for (const each of [from, to]) {
      if (!isFolderAt(posixPath.dirname(String(each))))
        throw fsError({ code: 'ENOTDIR', syscall: 'rename', path: String(from), dest: String(to) })
    }
    zenfsCall('renameSync', from, to)
  },
  stat: (path, options) => statOf('stat', path, options),
  lstat: (path, options) => statOf('lstat', path, options),
  fstat: (fd, options) => statOf('fstat', fd, options),
  open(path, flags, mode) {
    if (typeof flags === 'string' && !knownFlags.test(flags)) throw wrongValue('flags', 'is invalid', flags)
    return zenfsCall('openSync', path, flags ?? 'r', mode ?? 0o666)
  },
  readv(fd, buffers, position) {
    let [at, total] = [typeof position === 'number' ? position : null, 0]
    for (const buffer of buffers as readonly Uint8Array[]) {
      const count = zenfsCall('readSync', fd, buffer, 0, buffer.byteLength, at) as number
      if (at !== null) at += count
      total += count
    }
    return total
  },
  writev(fd, buffers, position) {
    let [at, total] = [typeof position === 'number' ? position : null, 0]
    for (const buffer of buffers as readonly Uint8Array[]) {
      const count = zenfsCall('writeSync', fd, bytesOf(buffer, null), 0, buffer.byteLength, at) as number
      if (at !== null) at += count
      total += count
    }
    return total
  },
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
    // Node returns the first folder that it created, relative if the path was relative.
    if (typeof made !== 'string' || String(path).startsWith('/')) return made
    const depth = posixPath.resolve(String(path)).split('/').length - made.split('/').length
    return Array.from({ length: depth }).reduce<string>(
      (at) => posixPath.dirname(at),
      posixPath.normalize(String(path)).replace(/(.)\/$/, '$1'),
    )
  },
  readFile(path, options) {
    checkEncoding(options)
    if (typeof path === 'number') {
      const rest = Buffer.from(readRest(path))
      const encoding = encodingOf(options)
      return encoding == null || encoding === 'buffer' ? rest : rest.toString(encoding as 'utf8')
    }
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
    const [first, length, position] = isObject(rest[0])
      ? [rest[0]['offset'], rest[0]['length'], rest[0]['position']]
      : rest
    const bytes = bytesOf(data, null)
    const offset = typeof first === 'number' ? first : 0
    return zenfsCall('writeSync', fd, bytes, offset, length ?? bytes.byteLength - offset, position ?? null)
  },
  read(fd, given, ...rest) {
    const isOptions = isObject(given) && !isBytes(given)
    const options = isOptions ? given : isObject(rest[0]) ? rest[0] : null
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

/** Converts a ZenFS error to Node's message, with the arguments that the code passed. */
function asNode(thrown: unknown, name: string, args: readonly unknown[]): unknown {
  const read = readThrown(thrown)
  // Our own errors already have Node's message: their number is negative.
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

/** Programs write there without creating it first. */
const usualFolder = '/tmp'
const making = new Set(['open', 'writeFile', 'appendFile', 'mkdir', 'mkdtemp', 'copyFile', 'cp', 'rename'])

export function prepared(name: string, args: readonly unknown[]): unknown[] {
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
    // The call that creates something in it reports the problem.
  }
}

/** Runs a function by its name without `Sync`, like Node's `…Sync` function. */
export function runSync(name: string, args: readonly unknown[]): unknown {
  if (name === 'exists') return own['exists']?.(...args)
  const given = prepared(name, args)
  try {
    const run = own[name] ?? zen[`${name}Sync`]
    return run?.(...given)
  } catch (thrown) {
    const missing = (name === 'stat' || name === 'lstat') && optionOf(args[1], 'throwIfNoEntry') === false
    const code = readThrown(thrown)?.code
    if (code !== undefined && refusals.has(code)) releaseRefused()
    if (missing && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
    throw asNode(thrown, name, given)
  }
}
