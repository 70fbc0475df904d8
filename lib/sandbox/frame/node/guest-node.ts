import { Buffer, configureLog, defaultContext, mount, setAccessChecks, umount } from './zenfs'
import { setWorkingFolder } from '../modules/resolve'
import { createBuiltIns, missingBuiltIns } from './built-ins'
import type { RunChange } from '../run-files'
import type { LayerOptions } from './layer'
import { LayerFileSystem } from './layer-file-system'
import { createNodeFs } from './node-fs'
import { createProcess } from './node-process'
import { format } from './node-util'
import { createTimers, type WorldTimers } from './timers'
import { customInspect } from './inspect'

/* Where the package `buffer` differs from Node's Buffer: it has no base64url, and it prints differently. */

interface Bytes {
  toString(encoding?: string, start?: number, end?: number): string
  write(text: string, ...rest: unknown[]): number
}

const isUrl = (encoding: unknown): boolean => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url'
let isMended = false

function mendBuffer(): void {
  if (isMended) return
  isMended = true
  const from = Buffer.from.bind(Buffer) as (...values: unknown[]) => unknown
  const isEncoding = Buffer.isEncoding.bind(Buffer)
  const byteLength = Buffer.byteLength.bind(Buffer)
  const prototype = Buffer.prototype as unknown as Bytes & Record<PropertyKey, unknown>
  const toString = Reflect.get(prototype, 'toString')
  const write = Reflect.get(prototype, 'write')
  const plain = (encoding: unknown) => (isUrl(encoding) ? 'base64' : encoding)
  Object.assign(Buffer, {
    from: (value: unknown, encoding?: unknown, length?: unknown) =>
      from(value, typeof value === 'string' ? plain(encoding) : encoding, length),
    isEncoding: (encoding: unknown) => isUrl(encoding) || isEncoding(encoding as string),
    byteLength: (value: unknown, encoding?: unknown) =>
      isUrl(encoding) && typeof value === 'string'
        ? Math.floor((value.replace(/=+$/, '').length * 3) / 4)
        : byteLength(value as string, encoding as 'utf8'),
    poolSize: 8192,
  })
  prototype.toString = function (this: Bytes, encoding, start, end) {
    const text = toString.call(this, plain(encoding) as string, start, end)
    return isUrl(encoding) ? text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') : text
  }
  prototype.write = function (this: Bytes, text, ...rest) {
    return write.call(this, text, ...rest.map(plain))
  }
  prototype[customInspect] = function (this: Uint8Array) {
    const hex = Array.from(this.subarray(0, 50), (byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const rest = this.byteLength - 50
    return `<Buffer ${hex}${rest > 0 ? ` ... ${rest} more byte${rest > 1 ? 's' : ''}` : ''}>`
  }
}

export interface GuestNodePorts extends Omit<LayerOptions, 'errorOf'> {
  readonly timers: WorldTimers
  readonly print: (level: 'log' | 'error', text: string) => void
  readonly exit: (code: number) => never
  readonly elapsed: () => number
}

interface OpenStream {
  once(name: string, listener: () => void): unknown
  readonly writableEnded?: boolean
  readonly readableFlowing?: boolean | null
  readonly closed?: boolean
}

export interface GuestNode {
  /** Available without an import: `fs`, `process`, `Buffer`, timers and the like. */
  readonly globals: Readonly<Record<string, unknown>>
  /** By their names without `node:`. */
  readonly builtIns: Readonly<Record<string, unknown>>
  /** Why a built-in module of Node is not available. */
  readonly missing: Readonly<Record<string, string>>
  readonly format: typeof format
  readonly files: {
    /** Null if it is not a folder. */
    list(path: string): ReadonlyMap<string, 'file' | 'directory'> | null
    read(path: string): Uint8Array
    /** -1: there is no such file. */
    size(path: string): number
    /** The paths of all files and folders. */
    paths(): Iterable<string>
  }
  /** Resolves when no started operation is pending. */
  idle(): Promise<void>
  /** The changes made to the files; no more changes are possible after this call. */
  end(): readonly RunChange[]
}

/** Node's files, built-ins and globals for one run, on a snapshot of the chat's files. */
export function createGuestNode({ timers: world, print, exit, elapsed, ...snapshot }: GuestNodePorts): GuestNode {
  configureLog({ enabled: false })
  setAccessChecks(false)
  mendBuffer()
  umount('/')
  const files = new LayerFileSystem(snapshot)
  mount('/', files)
  defaultContext.pwd = '/'
  setWorkingFolder(() => defaultContext.pwd)

  const underWay = new Set<Promise<unknown>>()
  const streams = new Map<OpenStream, Promise<void>>()
  const track = <T>(promise: Promise<T>): Promise<T> => {
    const over = () => underWay.delete(promise)
    underWay.add(promise)
    promise.then(over, over)
    return promise
  }
  const onStream = (made: object) => {
    const stream = made as OpenStream
    const closed = new Promise<void>((resolve) => stream.once('close', resolve))
    streams.set(stream, closed)
    void closed.then(() => streams.delete(stream))
  }

  const node = createNodeFs({ track, later: world.soon, onStream })
  const timers = createTimers(world)
  const { layer } = files
  const { process, flush } = createProcess({
    cwd: () => defaultContext.pwd,
    moveTo: (folder) => {
      defaultContext.pwd = folder
    },
    kindAt: (path) => (layer.has(path) ? (layer.at(path).children === null ? 'file' : 'folder') : null),
    print,
    exit(code): never {
      process.emit('exit', code)
      flush()
      return exit(code)
    },
    elapsed,
  })
  const builtIns = createBuiltIns({ files: node, process, timers })
  const tick = () => new Promise<void>((resolve) => world.soon(resolve))
  /** Streams that will close by themselves: they are being read, or were ended. */
  const closing = () =>
    [...streams].flatMap(([stream, closed]) =>
      stream.writableEnded === true || stream.readableFlowing === true ? [closed] : [],
    )

  return {
    globals: { fs: node.fs, process, Buffer, global: globalThis, ...timers.api },
    builtIns,
    missing: missingBuiltIns,
    format,
    files: {
      list(path) {
        if (!layer.has(path) || layer.at(path).children === null) return null
        const kind = (name: string) =>
          layer.at(path === '/' ? `/${name}` : `${path}/${name}`).children === null ? 'file' : 'directory'
        return new Map(layer.list(path).map((name) => [name, kind(name)]))
      },
      read: (path) => {
        const { size } = layer.at(path)
        const into = new Uint8Array(size)
        layer.read(path, into, 0, size)
        return into
      },
      paths: () => layer.paths(),
      size: (path) => (layer.has(path) && layer.at(path).children === null ? layer.at(path).size : -1),
    },
    async idle() {
      for (let quiet = 0; quiet < 2;) {
        const wait = [...underWay, ...closing()]
        if (wait.length > 0) await Promise.allSettled(wait)
        else if (!timers.isIdle) await timers.idle()
        else quiet++
        if (wait.length > 0 || !timers.isIdle) quiet = 0
        // Piping data from one stream to the next takes an extra tick.
        await tick()
      }
      process.emit('beforeExit', 0)
      process.emit('exit', process.exitCode ?? 0)
      flush()
    },
    end() {
      flush()
      // ZenFS keeps data written to an open file until it is closed.
      for (const fd of Array.from(defaultContext.descriptors.keys())) node.closeIgnoringErrors(fd)
      const changes = layer.changes()
      layer.close()
      return changes
    },
  }
}
