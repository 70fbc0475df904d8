import { decodeBytes, encodeText, isEncoding, toReadable } from './guest-bytes'
import { openGuestFile } from './guest-file-handle'
import type { Answer, AnswerValue, CallArgument, FileStat } from './protocol'

/** Asks the page for a file operation; the answer comes as data. */
export type CallHost = (op: string, args: readonly CallArgument[]) => Promise<Answer>

interface ReadOptions {
  readonly encoding?: string | null
  readonly flag?: string
}
type Encoding = string | ReadOptions | null | undefined
type Content = string | ArrayBuffer | ArrayBufferView | Blob

/** An Error as Node makes it, with `code`, `path` and the caller's stack; the sentence is ours. */
export function fsError(code: string, message: string, path: string, syscall: string, at: Error): Error {
  const error = Object.assign(new Error(message), { code, path, syscall })
  const frames = (at.stack ?? '').split('\n').slice(1)
  error.stack = [`Error: ${message}`, ...frames].join('\n')
  return error
}

async function toArgument(content: unknown, encoding: string): Promise<CallArgument> {
  if (typeof content === 'string') return /^utf-?8$/i.test(encoding) ? content : encodeText(content, encoding)
  if (content instanceof ArrayBuffer) return new Uint8Array(content.slice(0))
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength).slice()
  if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer())
  throw new TypeError('A file takes text, bytes (Uint8Array, ArrayBuffer) or a Blob. Use JSON.stringify for objects.')
}

const isFile = (kind: FileStat['kind']) => () => kind === 'file'
const isDirectory = (kind: FileStat['kind']) => () => kind === 'directory'
const never = () => false

const toStats = ({ size, kind, modifiedAt }: FileStat) => {
  const at = new Date(modifiedAt)
  const times = { atimeMs: modifiedAt, mtimeMs: modifiedAt, ctimeMs: modifiedAt, birthtimeMs: modifiedAt }
  return {
    size,
    mode: kind === 'file' ? 0o100644 : 0o40755,
    ...times,
    atime: at,
    mtime: at,
    ctime: at,
    birthtime: at,
    isFile: isFile(kind),
    isDirectory: isDirectory(kind),
    isSymbolicLink: never,
  }
}

const toEntry = ({ kind }: FileStat, name: string, parentPath: string) => ({
  name,
  parentPath,
  isFile: isFile(kind),
  isDirectory: isDirectory(kind),
  isSymbolicLink: never,
})

/** The encoding that is asked for, or null for bytes. */
function encodingOf(options: Encoding): string | null {
  const encoding = typeof options === 'object' ? options?.encoding : options
  if (encoding == null || encoding === 'buffer') return null
  if (isEncoding(encoding)) return encoding
  throw new TypeError(
    `The encoding ${encoding} is not known here: use 'utf8', 'base64', 'hex', 'latin1', or none for bytes.`,
  )
}

const flagOf = (options: Encoding, standard: string) =>
  (typeof options === 'object' ? options?.flag : undefined) ?? standard

const toPath = (path: unknown): string => {
  if (typeof path === 'string') return path
  if (path instanceof URL && path.protocol === 'file:') return decodeURIComponent(path.pathname)
  throw new TypeError('A path must be a text.')
}

const join = (folder: string, name: string) => (folder.endsWith('/') ? folder + name : `${folder}/${name}`)

const constants = Object.freeze({ F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, COPYFILE_EXCL: 1 })

/** `fs` as the code sees it: the shape of Node's fs/promises over the conversation's files. */
export function createGuestFs(callHost: CallHost) {
  async function ask<T extends AnswerValue>(
    syscall: string,
    op: string,
    path: unknown,
    ...rest: readonly CallArgument[]
  ): Promise<T> {
    const at = new Error()
    const name = toPath(path)
    const answer = await callHost(op, [name, ...rest])
    if (!answer.ok) throw fsError(answer.code, answer.message, name, syscall, at)
    return answer.value as T
  }
  const statOf = (path: unknown, syscall = 'stat') => ask<FileStat>(syscall, 'stat', path)
  const bytesOf = (path: unknown) => ask<Uint8Array>('open', 'read', path)

  async function readFile(path: unknown, options?: Encoding): Promise<string | Uint8Array> {
    const encoding = encodingOf(options)
    const bytes = await bytesOf(path)
    return encoding === null ? toReadable(bytes) : decodeBytes(bytes, encoding)
  }

  /** Writes whole, at the end, or only what is not there yet, as the flag says. */
  async function put(path: unknown, content: Content, options: Encoding, standard: 'w' | 'a'): Promise<void> {
    const flag = flagOf(options, standard)
    const data = await toArgument(content, encodingOf(options) ?? 'utf8')
    if (flag.startsWith('r')) await statOf(path, 'open')
    await ask('open', flag.startsWith('a') ? 'append' : 'write', path, data, flag.includes('x') ? 'new' : '')
  }

  async function readdir(path: string, options?: { withFileTypes?: boolean; recursive?: boolean } | string) {
    const { withFileTypes = false, recursive = false } = typeof options === 'object' ? options : {}
    const found: { readonly stat: FileStat; readonly parent: string; readonly name: string }[] = []
    const visit = async (folder: string, prefix: string): Promise<void> => {
      for (const stat of await ask<readonly FileStat[]>('scandir', 'list', folder)) {
        found.push({ stat, parent: folder, name: prefix + stat.name })
        if (recursive && stat.kind === 'directory') await visit(join(folder, stat.name), `${prefix}${stat.name}/`)
      }
    }
    await visit(toPath(path), '')
    return found.map(({ stat, parent, name }) => (withFileTypes ? toEntry(stat, stat.name, parent) : name))
  }

  const exists = (path: string) =>
    statOf(path).then(
      () => true,
      () => false,
    )

  const flags = (options: Readonly<Record<string, unknown>> | undefined, names: readonly string[]) =>
    names.filter((name) => options?.[name] === true).join(' ')

  /** Node gives back the first folder that was made, when it makes those above. */
  async function mkdir(path: string, options?: { recursive?: boolean } | number): Promise<string | undefined> {
    const recursive = typeof options === 'object' && options.recursive === true
    let first: string | undefined
    if (recursive) {
      const names = toPath(path).split('/')
      for (let count = 1; count <= names.length && first === undefined; count++) {
        const above = names.slice(0, count).join('/')
        if (above !== '' && above !== '.' && !(await exists(above))) first = above
      }
    }
    await ask('mkdir', 'mkdir', path, recursive ? 'recursive' : '')
    return first
  }

  async function rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void> {
    try {
      await ask('rm', 'rm', path, flags(options, ['recursive', 'force']))
    } catch (thrown) {
      // Node has a code of its own for this one.
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EISDIR') thrown.code = 'ERR_FS_EISDIR'
      throw thrown
    }
  }

  async function unlink(path: string): Promise<void> {
    await ask('unlink', 'rm', path, '')
  }

  async function rename(from: string, to: string): Promise<void> {
    await ask('rename', 'rename', from, toPath(to))
  }

  async function copyFile(from: string, to: string, mode = 0): Promise<void> {
    await ask('copyfile', 'copyFile', from, toPath(to), mode === constants.COPYFILE_EXCL ? 'new' : '')
  }

  async function cp(from: string, to: string, options?: { recursive?: boolean; force?: boolean }): Promise<void> {
    const keep = options?.force === false ? ' keep' : ''
    await ask('cp', 'cp', from, toPath(to), flags(options, ['recursive']) + keep)
  }

  async function truncate(path: string, length = 0): Promise<void> {
    await ask('open', 'truncate', path, String(length))
  }

  async function mkdtemp(prefix: string): Promise<string> {
    const letters = [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => (byte % 36).toString(36)).join('')
    await ask('mkdtemp', 'mkdir', `${prefix}${letters}`, '')
    return `${prefix}${letters}`
  }

  /** Nothing is a link here: a path that exists is its own real one. */
  async function realpath(path: string): Promise<string> {
    await statOf(path, 'realpath')
    const names: string[] = []
    for (const name of toPath(path).split('/')) {
      if (name === '..') names.pop()
      else if (name !== '' && name !== '.') names.push(name)
    }
    return `/${names.join('/')}`
  }

  const methods = {
    readFile,
    writeFile: (path: string, content: Content, options?: Encoding) => put(path, content, options, 'w'),
    appendFile: (path: string, content: Content, options?: Encoding) => put(path, content, options, 'a'),
    readdir,
    stat: async (path: string) => toStats(await statOf(path)),
    lstat: async (path: string) => toStats(await statOf(path, 'lstat')),
    mkdir,
    rm,
    rmdir: async (path: string) => void (await ask('rmdir', 'rmdir', path)),
    unlink,
    rename,
    copyFile,
    cp,
    access: async (path: string) => void (await statOf(path, 'access')),
    truncate,
    mkdtemp,
    realpath,
    open: (path: string, flag = 'r') =>
      openGuestFile(toPath(path), flag, {
        read: bytesOf,
        write: put,
        stat: async (name) => toStats(await statOf(name, 'open')),
      }),
    exists,
  }
  const promises = Object.freeze({ ...methods, constants })

  // Code written for Node reaches for these; the error says what works instead.
  const refuseSync = (name: string) => () => {
    throw new Error(`fs.${name} does not exist here: use \`await fs.${name.replace(/Sync$/, '')}(…)\`.`)
  }
  const sync = Object.keys(methods).map((name) => `${name}Sync`)
  return Object.freeze({
    ...methods,
    constants,
    promises,
    ...Object.fromEntries(sync.map((name) => [name, refuseSync(name)])),
  })
}
