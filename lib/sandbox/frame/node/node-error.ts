import { inspect } from './inspect'
import { Buffer } from './zenfs'

/*
 * Errors with Node's messages: `ENOENT: no such file or directory, open 'a.txt'`, with `errno`, `code`, `syscall`,
 * `path`.
 */

/** Messages as in libuv, numbers as in Linux. */
const known: Readonly<Record<string, readonly [errno: number, words: string]>> = {
  EPERM: [1, 'operation not permitted'],
  ENOENT: [2, 'no such file or directory'],
  EIO: [5, 'i/o error'],
  EBADF: [9, 'bad file descriptor'],
  EACCES: [13, 'permission denied'],
  EBUSY: [16, 'resource busy or locked'],
  EEXIST: [17, 'file already exists'],
  EXDEV: [18, 'cross-device link not permitted'],
  ENOTDIR: [20, 'not a directory'],
  EISDIR: [21, 'illegal operation on a directory'],
  EINVAL: [22, 'invalid argument'],
  EFBIG: [27, 'file too large'],
  ENOSPC: [28, 'no space left on device'],
  EROFS: [30, 'read-only file system'],
  ENAMETOOLONG: [36, 'name too long'],
  ENOTEMPTY: [39, 'directory not empty'],
  ELOOP: [40, 'too many symbolic links encountered'],
}

export interface FsErrorFacts {
  readonly code: string
  readonly syscall: string
  readonly path?: string | undefined
  readonly dest?: string | undefined
  /** More detail than the code, as a sentence. */
  readonly sentence?: string | undefined
}

export function fsError({ code, syscall, path, dest, sentence }: FsErrorFacts): Error {
  const [errno, words] = known[code] ?? [5, 'i/o error']
  const places = (path === undefined ? '' : ` '${path}'`) + (dest === undefined ? '' : ` -> '${dest}'`)
  const message = `${code}: ${words}, ${syscall}${places}${sentence === undefined ? '' : `. ${sentence}`}`
  const facts = {
    errno: -errno,
    code,
    syscall,
    ...(path !== undefined && { path }),
    ...(dest !== undefined && { dest }),
  }
  return Object.assign(new Error(message), facts)
}

/** The code and the sentence of an error from ZenFS or the layer; null for anything else. */
export function readThrown(thrown: unknown): { readonly code: string; readonly sentence?: string | undefined } | null {
  if (!(thrown instanceof Error)) return null
  const { code, sentence } = thrown as { code?: unknown; sentence?: unknown }
  if (typeof code !== 'string' || known[code] === undefined) return null
  return { code, sentence: typeof sentence === 'string' ? sentence : undefined }
}

/**
 * Errors that Node throws itself, such as `ERR_FS_EISDIR`; the kind and the code are part of the name in stack traces.
 */
export function nodeError(code: string, message: string, Kind: ErrorConstructor | TypeErrorConstructor = Error): Error {
  const error = Object.assign(new Kind(message), { code })
  const { name } = error
  error.name = `${name} [${code}]`
  // The stack is created on first access, with the name at that moment.
  void error.stack
  Reflect.deleteProperty(error, 'name')
  return error
}

export function systemError(facts: {
  readonly code: string
  readonly message: string
  readonly syscall: string
  readonly errno: number
  readonly path: string
}): Error {
  return Object.assign(new Error(facts.message), { ...facts, name: 'SystemError' })
}

/** `type number (5)`, `an instance of Object`, `undefined`. */
function received(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'function') return `function ${value.name}`
  if (typeof value === 'object') {
    const { constructor } = value as { constructor?: { name?: unknown } }
    return typeof constructor?.name === 'string' && constructor.name !== ''
      ? `an instance of ${constructor.name}`
      : inspect(value, { depth: -1 })
  }
  const text = inspect(value)
  return `type ${typeof value} (${text.length > 28 ? `${text.slice(0, 25)}...` : text})`
}

export const wrongType = (name: string, expected: string, value: unknown): Error =>
  nodeError(
    'ERR_INVALID_ARG_TYPE',
    `The "${name}" argument must be ${expected}. Received ${received(value)}`,
    TypeError,
  )

export const wrongValue = (name: string, why: string, value: unknown): Error =>
  nodeError('ERR_INVALID_ARG_VALUE', `The argument '${name}' ${why}. Received ${inspect(value)}`, TypeError)

/* Arguments of the functions of `fs`: paths, options, data. */

export type Callable = (...values: unknown[]) => unknown
export type Functions = Record<string, Callable>

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
export const optionOf = (given: unknown, name: string): unknown => (isObject(given) ? given[name] : undefined)
export const encodingOf = (given: unknown): unknown => (typeof given === 'string' ? given : optionOf(given, 'encoding'))
export const isBytes = (value: unknown): value is ArrayBufferView => ArrayBuffer.isView(value)

function textOf(path: URL): string {
  if (path.protocol !== 'file:') throw nodeError('ERR_INVALID_URL_SCHEME', 'The URL must be of scheme file', TypeError)
  return decodeURIComponent(path.pathname)
}

/** A path as text, as it was passed. */
export function pathOf(path: unknown, name = 'path'): string {
  const text =
    path instanceof URL
      ? textOf(path)
      : isBytes(path)
        ? Buffer.from(path.buffer, path.byteOffset, path.byteLength).toString()
        : path
  if (typeof text !== 'string') throw wrongType(name, 'of type string or an instance of Buffer or URL', path)
  // ZenFS would treat it as a slash, and the chat's files have no such names.
  if (text.includes('\\'))
    throw fsError({ code: 'EINVAL', syscall: 'open', path: text, sentence: 'Folders are separated by /.' })
  if (text.includes('\0')) throw wrongValue(name, 'must be a string, Uint8Array, or URL without null bytes', text)
  return text
}

/** Converts data to bytes by the encoding; ZenFS accepts only one kind of bytes. */
export function bytesOf(data: unknown, given: unknown): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data, (encodingOf(given) ?? 'utf8') as 'utf8')
  if (isBytes(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  throw wrongType('data', 'of type string or an instance of Buffer, TypedArray, or DataView', data)
}

export function checkEncoding(given: unknown): void {
  const encoding = encodingOf(given)
  if (encoding == null || encoding === 'buffer' || (typeof encoding === 'string' && Buffer.isEncoding(encoding))) return
  throw wrongValue('encoding', 'is invalid encoding', encoding)
}

/** Joins data that comes in parts. */
export async function gathered(data: unknown): Promise<unknown> {
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer())
  const isParts = isObject(data) && !isBytes(data) && (Symbol.asyncIterator in data || Symbol.iterator in data)
  if (!isParts) return data
  const parts: Uint8Array[] = []
  for await (const part of data as unknown as AsyncIterable<unknown>) parts.push(bytesOf(part, null))
  return Buffer.concat(parts)
}
