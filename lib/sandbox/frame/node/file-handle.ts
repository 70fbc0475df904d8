import { Buffer } from './zenfs'
import { bytesOf, encodingOf, gathered, isBytes, isObject, optionOf, type Callable } from './call-arguments'
import { fsError } from './node-error'
import { readRest, runSync } from './sync-calls'

export interface HandlePorts {
  readonly track: <T>(promise: Promise<T>) => Promise<T>
  readonly createReadStream: (path: unknown, options?: unknown) => object
  readonly createWriteStream: (path: unknown, options?: unknown) => object
}

export function createHandles({ track, createReadStream, createWriteStream }: HandlePorts) {
  const handles = new WeakMap<object, number>()

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
    /** A handle's descriptor; anything else as it is. */
    descriptorOf: (value: unknown): unknown => (isObject(value) ? (handles.get(value) ?? value) : value),
  }
}
