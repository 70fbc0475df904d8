import { inspect } from './inspect'

/* Errors as Node words them: `ENOENT: no such file or directory, open 'a.txt'`, with `errno`, `code`, `syscall`, `path`. */

/** libuv's words, and Linux's numbers. */
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
  /** More than the code says, as a sentence. */
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

/** The code of what ZenFS or the layer throws, and its sentence; null for anything else. */
export function readThrown(thrown: unknown): { readonly code: string; readonly sentence?: string | undefined } | null {
  if (!(thrown instanceof Error)) return null
  const { code, sentence } = thrown as { code?: unknown; sentence?: unknown }
  if (typeof code !== 'string' || known[code] === undefined) return null
  return { code, sentence: typeof sentence === 'string' ? sentence : undefined }
}

/** What Node throws of itself, such as `ERR_FS_EISDIR`; its kind and code are part of its name in stacks. */
export function nodeError(code: string, message: string, Kind: ErrorConstructor | TypeErrorConstructor = Error): Error {
  const error = Object.assign(new Kind(message), { code })
  const { name } = error
  error.name = `${name} [${code}]`
  // The stack is made when it is first asked for, with the name of that moment.
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
