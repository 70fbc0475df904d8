import { fs as zenfs, Buffer } from './zenfs'
import { createFileStreams } from './file-streams'
import { Dirent, entriesOf, unique, closeIgnoringErrors, constants, zen } from './folder-calls'
import { customPromisify } from './node-util'
import { Stats } from './stats'
import { prepared, runSync, readRest } from './sync-calls'
import {
  fsError,
  gathered,
  optionOf,
  pathOf,
  type Callable,
  type Functions,
  bytesOf,
  encodingOf,
  isBytes,
  isObject,
} from './node-error'

/*
 * Node's `fs` on ZenFS. The sync functions are those of ZenFS, corrected where they differ from Node. Callbacks,
 * promises and streams are built on them, since no operation ever has to wait. `await fs.readFile(path)`, without a
 * callback, returns the promise.
 */

export interface NodeFsPorts {
  /** Registers a promise that the run waits for before it ends. */
  readonly track: <T>(promise: Promise<T>) => Promise<T>
  /** Runs `task` after the current code, like a callback. */
  readonly later: (task: () => void) => void
  readonly onStream: (stream: object) => void
}

const writing = new Set(['writeFile', 'appendFile'])

/** ZenFS's own functions, each under Node's name. */
function syncFunctions(names: readonly string[]): Functions {
  const sync: Functions = {}
  for (const name of names) {
    const call: Callable = (...args) => {
      try {
        return runSync(name, args)
      } catch (thrown) {
        // The stack begins at the caller, not in here.
        if (thrown instanceof Error) Error.captureStackTrace(thrown, call)
        throw thrown
      }
    }
    sync[`${name}Sync`] = Object.defineProperty(call, 'name', { value: `${name}Sync` })
  }
  return sync
}

/** With a callback as in Node, without one a promise. */
const withCallback =
  (name: string, promise: Callable, { track, later }: Pick<NodeFsPorts, 'track' | 'later'>): Callable =>
  (...args) => {
    const done = args.at(-1)
    if (typeof done !== 'function') return promise(...args)
    const given = args.slice(0, -1)
    const end = Promise.withResolvers<void>()
    void track(end.promise)
    const answer = (...values: unknown[]) =>
      later(() => {
        end.resolve()
        ;(done as Callable)(...values)
      })
    // Wrong arguments throw at once, as in Node.
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

/** The `util.promisify` versions of these return more than one value, or have no error. */
function addPromisified(callbacks: Functions): void {
  const promisified: Functions = {
    exists: async (path) => runSync('exists', [path]),
    read: async (...args) => ({ bytesRead: runSync('read', args), buffer: args[1] }),
    write: async (...args) => ({ bytesWritten: runSync('write', args), buffer: args[1] }),
  }
  for (const [name, run] of Object.entries(promisified))
    Object.assign(callbacks[name] ?? {}, { [customPromisify]: run })
}

export function createNodeFs({ track, later, onStream }: NodeFsPorts) {
  const names = Object.keys(zen).flatMap((name) =>
    name.endsWith('Sync') && typeof zen[name] === 'function' && name !== 'globSync' ? [name.slice(0, -4)] : [],
  )
  const sync = syncFunctions(names)

  const promised =
    (name: string): Callable =>
    (...args) =>
      track(
        (async () => {
          const given = [descriptorOf(args[0]), ...args.slice(1)]
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

  const { openHandle, descriptorOf } = createHandles({ track, createReadStream, createWriteStream })
  const open = (...args: unknown[]) => track(openHandle(args[0], args[1], args[2]))
  const glob = async function* (patterns: unknown, options?: unknown) {
    yield* unique(entriesOf(patterns, options))
  }
  const zenWatch = (
    zenfs.promises as unknown as Readonly<Record<string, (...args: unknown[]) => AsyncIterable<unknown>>>
  )['watch']
  const watchUntil = async function* (path: unknown, options?: unknown) {
    yield* zenWatch?.(pathOf(path), options) ?? []
    const signal = optionOf(options, 'signal')
    if (signal instanceof AbortSignal && signal.aborted)
      throw Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' })
  }
  Object.assign(promises, { open, glob, watch: watchUntil, constants })

  const callbacks: Functions = {}
  for (const name of names) callbacks[name] = withCallback(name, promises[name] ?? promised(name), { track, later })
  addPromisified(callbacks)
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
    Stats,
    openAsBlob: async (path: unknown) => new Blob([runSync('readFile', [path]) as Uint8Array<ArrayBuffer>]),
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
    closeIgnoringErrors,
  }
}

interface HandlePorts {
  readonly track: <T>(promise: Promise<T>) => Promise<T>
  readonly createReadStream: (path: unknown, options?: unknown) => object
  readonly createWriteStream: (path: unknown, options?: unknown) => object
}

function createHandles({ track, createReadStream, createWriteStream }: HandlePorts) {
  const handles = new WeakMap<object, number>()

  /** Node's FileHandle for a descriptor. */
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
      const bytes = Buffer.from(readRest(fd))
      const encoding = encodingOf(given)
      return encoding == null ? bytes : bytes.toString(encoding as 'utf8')
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
        const buffer = (isObject(given) && !isBytes(given) ? given['buffer'] : given) ?? Buffer.alloc(16_384)
        const options = isObject(given) && !isBytes(given) ? [{ ...given, buffer }] : [buffer, ...more]
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
      createReadStream: (options?: unknown) => createReadStream(null, { ...(isObject(options) ? options : {}), fd }),
      createWriteStream: (options?: unknown) => createWriteStream(null, { ...(isObject(options) ? options : {}), fd }),
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

  return {
    openHandle,
    /** A handle's descriptor; anything else unchanged. */
    descriptorOf: (value: unknown): unknown => (isObject(value) ? (handles.get(value) ?? value) : value),
  }
}
