import { Buffer, stream } from './zenfs'

/*
 * `fs.createReadStream` and `createWriteStream` on top of the sync functions: written data is in the file as soon as
 * the stream passes it on, so a stream that is never ended leaves the same file as in Node.
 */

export interface StreamFiles {
  readonly openSync: (path: string, flags: string, mode?: number) => number
  readonly readSync: (fd: number, into: Uint8Array, offset: number, length: number, position: number | null) => number
  readonly writeSync: (fd: number, data: Uint8Array, offset: number, length: number, position: number | null) => number
  readonly closeSync: (fd: number) => void
  readonly pathOf: (path: unknown) => string
}

interface StreamOptions {
  readonly flags?: string
  readonly encoding?: string | null
  readonly fd?: number | { readonly fd: number } | null
  readonly mode?: number
  readonly autoClose?: boolean
  readonly emitClose?: boolean
  readonly start?: number
  /** The last byte to read, inclusive. */
  readonly end?: number
  readonly highWaterMark?: number
  readonly signal?: AbortSignal
}

type Done = (error?: Error | null, value?: unknown) => void

const optionsOf = (given: unknown): StreamOptions =>
  typeof given === 'string' ? { encoding: given } : typeof given === 'object' && given !== null ? given : {}

const fdOf = ({ fd }: StreamOptions): number | null => (typeof fd === 'object' ? (fd?.fd ?? null) : (fd ?? null))

/** Options that are passed to the underlying streams unchanged. */
const passed = ({ emitClose, autoClose, signal }: StreamOptions) => ({
  emitClose: emitClose ?? true,
  autoDestroy: autoClose ?? true,
  ...(signal !== undefined && { signal }),
})

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

/** Runs `work` and reports its end through the stream's callback. */
const attempt = (done: Done, work: () => unknown) => {
  let value: unknown
  try {
    value = work()
  } catch (thrown) {
    done(asError(thrown))
    return
  }
  done(null, value)
}

function closing(files: StreamFiles, of: { fd: number | null }, error: Error | null, done: Done): void {
  const { fd } = of
  of.fd = null
  if (fd === null) return done(error)
  attempt(
    (failed) => done(error ?? failed),
    () => files.closeSync(fd),
  )
}

function readStreamOn(files: StreamFiles) {
  return class ReadStream extends stream.Readable {
    readonly path: string | undefined
    readonly flags: string
    readonly mode: number | undefined
    fd: number | null
    bytesRead = 0
    #position: number | null
    readonly #end: number

    constructor(path: unknown, given?: unknown) {
      const options = optionsOf(given)
      super({ highWaterMark: options.highWaterMark ?? 65_536, ...passed(options) })
      this.fd = fdOf(options)
      this.path = this.fd === null ? files.pathOf(path) : undefined
      this.flags = options.flags ?? 'r'
      this.mode = options.mode
      this.#position = options.start ?? (this.fd === null ? 0 : null)
      this.#end = options.end ?? Infinity
      if (options.encoding != null) this.setEncoding(options.encoding as 'utf8')
    }

    get pending() {
      return this.fd === null
    }

    override _construct(done: Done): void {
      if (this.fd !== null) return done()
      attempt(done, () => {
        this.fd = files.openSync(this.path ?? '', this.flags, this.mode)
        this.emit('open', this.fd)
        this.emit('ready')
      })
    }

    override _read(wanted: number): void {
      const left = this.#position === null ? wanted : Math.min(wanted, this.#end - this.#position + 1)
      if (left <= 0) return void this.push(null)
      try {
        const buffer = Buffer.alloc(left)
        const count = files.readSync(this.fd ?? -1, buffer, 0, left, this.#position)
        if (this.#position !== null) this.#position += count
        this.bytesRead += count
        this.push(count === 0 ? null : buffer.subarray(0, count))
      } catch (thrown) {
        this.destroy(asError(thrown))
      }
    }

    override _destroy(error: Error | null, done: Done): void {
      closing(files, this, error, done)
    }

    close(done?: (error?: Error | null) => void): void {
      if (done !== undefined) this.once('close', () => done())
      this.destroy()
    }
  }
}

function writeStreamOn(files: StreamFiles) {
  return class WriteStream extends stream.Writable {
    readonly path: string | undefined
    readonly flags: string
    readonly mode: number | undefined
    fd: number | null
    bytesWritten = 0
    #position: number | null

    constructor(path: unknown, given?: unknown) {
      const options = optionsOf(given)
      super({ decodeStrings: true, highWaterMark: options.highWaterMark ?? 16_384, ...passed(options) })
      this.fd = fdOf(options)
      this.path = this.fd === null ? files.pathOf(path) : undefined
      this.flags = options.flags ?? 'w'
      this.mode = options.mode
      this.#position = options.start ?? null
      if (options.encoding != null) this.setDefaultEncoding(options.encoding as 'utf8')
    }

    get pending() {
      return this.fd === null
    }

    override _construct(done: Done): void {
      if (this.fd !== null) return done()
      attempt(done, () => {
        this.fd = files.openSync(this.path ?? '', this.flags, this.mode)
        this.emit('open', this.fd)
        this.emit('ready')
      })
    }

    override _write(chunk: Uint8Array, _encoding: unknown, done: Done): void {
      attempt(done, () => {
        const count = files.writeSync(this.fd ?? -1, chunk, 0, chunk.byteLength, this.#position)
        if (this.#position !== null) this.#position += count
        this.bytesWritten += count
      })
    }

    override _destroy(error: Error | null, done: Done): void {
      closing(files, this, error, done)
    }

    close(done?: (error?: Error | null) => void): void {
      if (done !== undefined) this.once('close', () => done())
      if (this.writableFinished) this.destroy()
      else this.end()
    }
  }
}

export const createFileStreams = (files: StreamFiles) => ({
  ReadStream: readStreamOn(files),
  WriteStream: writeStreamOn(files),
})
