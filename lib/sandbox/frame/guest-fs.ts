import type { Answer, AnswerValue, CallArgument, FileStat } from './protocol'

/** Asks the page for a file operation; the answer comes as data. */
export type CallHost = (op: string, args: readonly CallArgument[]) => Promise<Answer>

type Encoding = string | { readonly encoding?: string | null } | null | undefined
type Content = string | ArrayBuffer | ArrayBufferView | Blob

const decoder = new TextDecoder()

/** An Error whose stack is the caller's, with Node's `code` and `path`. */
function failure(answer: Answer & { ok: false }, path: string, at: Error): Error {
  const error = Object.assign(new Error(answer.message), { code: answer.code, path })
  const frames = (at.stack ?? '').split('\n').slice(1)
  error.stack = [`Error: ${answer.message}`, ...frames].join('\n')
  return error
}

async function toArgument(content: unknown): Promise<CallArgument> {
  if (typeof content === 'string') return content
  if (content instanceof ArrayBuffer) return new Uint8Array(content.slice(0))
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength).slice()
  if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer())
  throw new TypeError('A file takes text, bytes (Uint8Array, ArrayBuffer) or a Blob. Use JSON.stringify for objects.')
}

/** Bytes whose `toString` reads as text, as a Node Buffer's does. */
function readable(bytes: Uint8Array): Uint8Array {
  const toString = () => decoder.decode(bytes)
  return Object.defineProperty(bytes, 'toString', { value: toString, enumerable: false })
}

const toStats = ({ kind, size, modifiedAt }: FileStat) => ({
  size,
  mtimeMs: modifiedAt,
  mtime: new Date(modifiedAt),
  isFile: () => kind === 'file',
  isDirectory: () => kind === 'directory',
  isSymbolicLink: () => false,
})

const toEntry = ({ name, kind }: FileStat, parentPath: string) => ({
  name,
  parentPath,
  isFile: () => kind === 'file',
  isDirectory: () => kind === 'directory',
  isSymbolicLink: () => false,
})

const wantsText = (options: Encoding) => {
  const encoding = typeof options === 'object' ? options?.encoding : options
  if (encoding == null || encoding === 'buffer') return false
  if (/^utf-?8$/i.test(encoding)) return true
  throw new TypeError(`The encoding ${encoding} is not known here: use 'utf8', or none for bytes.`)
}

const toPath = (path: unknown): string => {
  if (typeof path === 'string') return path
  if (path instanceof URL && path.protocol === 'file:') return decodeURIComponent(path.pathname)
  throw new TypeError('A path must be a text.')
}

/** `fs` as the code sees it: the shape of Node's fs/promises over the conversation's files. */
export function createGuestFs(callHost: CallHost) {
  async function ask<T extends AnswerValue>(op: string, path: unknown, ...rest: readonly CallArgument[]): Promise<T> {
    const at = new Error()
    const name = toPath(path)
    const answer = await callHost(op, [name, ...rest])
    if (!answer.ok) throw failure(answer, name, at)
    return answer.value as T
  }

  async function readFile(path: string, options?: Encoding): Promise<string | Uint8Array> {
    const asText = wantsText(options)
    const bytes = await ask<Uint8Array>('read', path)
    return asText ? decoder.decode(bytes) : readable(bytes)
  }

  async function readdir(path: string, options?: { withFileTypes?: boolean; recursive?: boolean } | string) {
    const { withFileTypes = false, recursive = false } = typeof options === 'object' ? options : {}
    const found: { readonly stat: FileStat; readonly parent: string; readonly name: string }[] = []
    const visit = async (folder: string, prefix: string): Promise<void> => {
      for (const stat of await ask<readonly FileStat[]>('list', folder)) {
        found.push({ stat, parent: folder, name: prefix + stat.name })
        if (recursive && stat.kind === 'directory') await visit(`${folder}/${stat.name}`, `${prefix}${stat.name}/`)
      }
    }
    await visit(toPath(path), '')
    return found.map(({ stat, parent, name }) => (withFileTypes ? toEntry(stat, parent) : name))
  }

  const exists = (path: string) =>
    ask('stat', path).then(
      () => true,
      () => false,
    )

  const flags = (options: Readonly<Record<string, unknown>> | undefined, names: readonly string[]) =>
    names.filter((name) => options?.[name] === true).join(' ')

  const methods = {
    readFile,
    writeFile: async (path: string, content: Content) => void (await ask('write', path, await toArgument(content))),
    appendFile: async (path: string, content: Content) => void (await ask('append', path, await toArgument(content))),
    readdir,
    stat: async (path: string) => toStats(await ask<FileStat>('stat', path)),
    lstat: async (path: string) => toStats(await ask<FileStat>('stat', path)),
    mkdir: async (path: string, options?: { recursive?: boolean }) =>
      void (await ask('mkdir', path, flags(options, ['recursive']))),
    rm: async (path: string, options?: { recursive?: boolean; force?: boolean }) =>
      void (await ask('rm', path, flags(options, ['recursive', 'force']))),
    rmdir: async (path: string) => void (await ask('rmdir', path)),
    unlink: async (path: string) => void (await ask('rm', path, '')),
    rename: async (from: string, to: string) => void (await ask('rename', from, toPath(to))),
    copyFile: async (from: string, to: string) => void (await ask('write', to, await ask<Uint8Array>('read', from))),
    access: async (path: string) => void (await ask('stat', path)),
    exists,
  }
  const promises = Object.freeze({ ...methods })

  // Code written for Node reaches for these; the error says what works instead.
  const refuseSync = (name: string) => () => {
    throw new Error(`fs.${name} does not exist here: use \`await fs.${name.replace(/Sync$/, '')}(…)\`.`)
  }
  const sync = [
    'readFileSync',
    'writeFileSync',
    'appendFileSync',
    'readdirSync',
    'statSync',
    'mkdirSync',
    'rmSync',
    'existsSync',
  ]
  return Object.freeze({
    ...methods,
    promises,
    ...Object.fromEntries(sync.map((name) => [name, refuseSync(name)])),
  })
}
