import { Buffer, EventEmitter, stream, streamPromises, StringDecoder } from './zenfs'
import { posixPath } from '../modules/resolve'
import { scratchFolder } from './layer'
import { assert } from './node-assert'
import { nodeCrypto } from './node-crypto'
import { matchesGlob } from './glob'
import { nodeError } from './node-error'
import type { createNodeFs } from './node-fs'
import type { createProcess } from './node-process'
import { util } from './node-util'
import { readline } from './readline'
import type { createTimers } from './timers'

type Listener = (...values: unknown[]) => void
interface Emitter {
  on(name: string | symbol, listener: Listener): unknown
  once(name: string | symbol, listener: Listener): unknown
  off(name: string | symbol, listener: Listener): unknown
}

/** Rejects with the emitter's `error`, unless `error` is the awaited event. */
function once(emitter: Emitter, name: string | symbol): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const failed: Listener = (error) => {
      emitter.off(name, onEmit)
      reject(error)
    }
    const onEmit: Listener = (...values) => {
      emitter.off('error', failed)
      resolve(values)
    }
    emitter.once(name, onEmit)
    if (name !== 'error') emitter.once('error', failed)
  })
}

/** Events as they occur; ends with the signal, or with the emitter's `error`. */
async function* on(emitter: Emitter, name: string | symbol, options: { readonly signal?: AbortSignal } = {}) {
  const emitted: unknown[][] = []
  let failure: { readonly error: unknown } | null = null
  let wake = () => {}
  const hear: Listener = (...values) => {
    emitted.push(values)
    wake()
  }
  const fail: Listener = (error) => {
    failure = { error }
    wake()
  }
  emitter.on(name, hear)
  emitter.on('error', fail)
  options.signal?.addEventListener('abort', () => fail(options.signal?.reason))
  try {
    for (;;) {
      const next = emitted.shift()
      if (next !== undefined) yield next
      else if (failure !== null) throw (failure as { error: unknown }).error
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    emitter.off(name, hear)
    emitter.off('error', fail)
  }
}

/** `require('events')` is the class itself, with the module's functions as properties. */
const events = Object.assign(EventEmitter, {
  EventEmitter,
  default: EventEmitter,
  once,
  on,
  defaultMaxListeners: 10,
  setMaxListeners: () => {},
  getEventListeners: (emitter: EventEmitter, name: string) => emitter.listeners(name),
  listenerCount: (emitter: EventEmitter, name: string) => emitter.listenerCount(name),
})

export interface BuiltInParts {
  readonly files: ReturnType<typeof createNodeFs>
  readonly process: ReturnType<typeof createProcess>['process']
  readonly timers: ReturnType<typeof createTimers>
}

const os = {
  EOL: '\n',
  platform: () => 'linux',
  type: () => 'Linux',
  arch: () => 'x64',
  release: () => '0',
  homedir: () => '/',
  tmpdir: () => scratchFolder,
  hostname: () => 'sandbox',
  cpus: () => [{ model: 'sandbox', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 0, irq: 0 } }],
  availableParallelism: () => 1,
  totalmem: () => 0,
  freemem: () => 0,
  uptime: () => 0,
  loadavg: () => [0, 0, 0],
  userInfo: () => ({ username: 'user', uid: 0, gid: 0, shell: null, homedir: '/' }),
  networkInterfaces: () => ({}),
  endianness: () => 'LE',
}

function fileURLToPath(given: string | URL): string {
  const url = new URL(given)
  if (url.protocol !== 'file:') throw nodeError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError)
  return decodeURIComponent(url.pathname)
}

const url = {
  URL,
  URLSearchParams,
  fileURLToPath,
  pathToFileURL: (path: string) => {
    const made = new URL('file:///')
    made.pathname = posixPath.resolve(path).replaceAll('%', '%25').replaceAll('?', '%3F').replaceAll('#', '%23')
    return made
  },
  format: (given: { toString(): string }) => given.toString(),
  parse: (text: string) => new URL(text),
}

const querystring = {
  parse: (text: string) => {
    const found: Record<string, string | string[]> = {}
    for (const [key, value] of new URLSearchParams(text)) {
      const before = found[key]
      found[key] = before === undefined ? value : [before, value].flat()
    }
    return found
  },
  stringify: (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values)
      .flatMap(([key, value]) =>
        [value].flat().map((each) => `${encodeURIComponent(key)}=${encodeURIComponent(String(each))}`),
      )
      .join('&'),
}

const allOf = async (of: AsyncIterable<Uint8Array | string>): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  for await (const part of of) parts.push(typeof part === 'string' ? Buffer.from(part) : part)
  return Buffer.concat(parts)
}
const consumers = {
  buffer: allOf,
  text: async (of: AsyncIterable<Uint8Array>) => (await allOf(of)).toString('utf8'),
  json: async (of: AsyncIterable<Uint8Array>) => JSON.parse((await allOf(of)).toString('utf8')) as unknown,
  arrayBuffer: async (of: AsyncIterable<Uint8Array>) => new Uint8Array(await allOf(of)).buffer,
  blob: async (of: AsyncIterable<Uint8Array>) => new Blob([new Uint8Array(await allOf(of))]),
}

/** Node modules that are impossible in a sandbox without a network and other programs, each with what to do instead. */
export const missingBuiltIns: Readonly<Record<string, string>> = {
  http: 'There is no network here.',
  https: 'There is no network here.',
  http2: 'There is no network here.',
  net: 'There is no network here.',
  tls: 'There is no network here.',
  dgram: 'There is no network here.',
  dns: 'There is no network here.',
  child_process: 'No other program can be started here: do it in JavaScript.',
  cluster: 'No other program can be started here: do it in JavaScript.',
  worker_threads: 'No thread can be started here: do it in one.',
  zlib: 'Use `new CompressionStream("gzip")` and `new DecompressionStream("gzip")`.',
  vm: 'Use `new Function(…)`.',
  sqlite: 'There is no SQLite here: Python has one (`sqlite3`).',
  v8: 'Use `structuredClone`.',
  async_hooks: 'There is nothing like it here.',
  inspector: 'There is nothing like it here.',
  repl: 'There is nothing like it here.',
  tty: 'There is no terminal here.',
  test: 'Use `node:assert`.',
}

/** Node's built-in modules by their names without `node:`. */
export function createBuiltIns({
  files: { fs, promises },
  process,
  timers,
}: BuiltInParts): Readonly<Record<string, unknown>> {
  const path = { ...posixPath, matchesGlob: (name: string, pattern: string) => matchesGlob(name, pattern) }
  const posix = Object.assign(path, { posix: path, win32: path })
  const streams = Object.assign(stream.Stream ?? {}, stream, { promises: streamPromises, default: undefined })
  const timerModule = { ...timers.api, promises: timers.promises }
  return {
    fs,
    'fs/promises': promises,
    path: posix,
    'path/posix': posix,
    buffer: { Buffer, Blob, atob, btoa, constants: { MAX_LENGTH: 2 ** 31 - 1 }, kMaxLength: 2 ** 31 - 1 },
    stream: streams,
    'stream/promises': streamPromises,
    'stream/consumers': consumers,
    'stream/web': { ReadableStream, WritableStream, TransformStream, CompressionStream, DecompressionStream },
    string_decoder: { StringDecoder },
    events,
    util,
    'util/types': util.types,
    assert,
    'assert/strict': assert.strict,
    process,
    os,
    url,
    querystring,
    crypto: nodeCrypto,
    readline: { ...readline, promises: readline },
    'readline/promises': readline,
    timers: timerModule,
    'timers/promises': timers.promises,
    perf_hooks: { performance },
    console,
    constants: (fs as { constants: unknown }).constants,
    diagnostics_channel: {
      channel: () => Object.assign(new EventEmitter(), { hasSubscribers: false, publish: () => {} }),
    },
  }
}
