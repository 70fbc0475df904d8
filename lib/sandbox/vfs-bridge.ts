import type { Vfs, VfsError, VfsResult } from '@/lib/vfs/vfs'
import type { Answer, AnswerValue, CallArgument } from './frame/protocol'

const good = (value: AnswerValue = null): Answer => ({ ok: true, value })
const bad = (code: string, message: string): Answer => ({ ok: false, code, message })
const failed = ({ code, message }: VfsError): Answer => bad(code, message)

const answerOf = <T>(result: VfsResult<T>, value: (value: T) => AnswerValue): Answer =>
  result.ok ? good(value(result.value)) : failed(result.error)

const nothing = () => null

const toBytes = (content: CallArgument) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content.slice()

interface Operation {
  /** Changes run alone and in order; reads run together, between changes. */
  readonly changes: boolean
  readonly run: (vfs: Vfs, path: string, second: CallArgument) => Promise<Answer>
}

async function append(vfs: Vfs, path: string, content: CallArgument): Promise<Answer> {
  const before = await vfs.read(path)
  if (!before.ok && before.error.code !== 'ENOENT') return failed(before.error)
  const head = before.ok ? before.value : new Uint8Array()
  const tail = toBytes(content)
  const whole = new Uint8Array(head.byteLength + tail.byteLength)
  whole.set(head)
  whole.set(tail, head.byteLength)
  return answerOf(await vfs.write(path, whole), nothing)
}

async function makeFolder(vfs: Vfs, path: string, flags: string): Promise<Answer> {
  if (!flags.includes('recursive')) {
    const found = await vfs.stat(path)
    if (found.ok) return bad('EEXIST', `There is already something at ${path}.`)
    if (found.error.code !== 'ENOENT') return failed(found.error)
    const parent = await vfs.stat(`${path}/..`)
    if (!parent.ok) return bad('ENOENT', `There is no folder to make ${path} in. Use { recursive: true }.`)
  }
  return answerOf(await vfs.makeDirectory(path), nothing)
}

async function remove(vfs: Vfs, path: string, flags: string): Promise<Answer> {
  const found = await vfs.stat(path)
  if (!found.ok) return found.error.code === 'ENOENT' && flags.includes('force') ? good() : failed(found.error)
  if (found.value.kind === 'directory' && !flags.includes('recursive')) {
    return bad('EISDIR', `${path} is a folder. Use { recursive: true } to remove it with all it holds.`)
  }
  return answerOf(await vfs.remove(path), nothing)
}

async function removeFolder(vfs: Vfs, path: string): Promise<Answer> {
  const listed = await vfs.list(path)
  if (!listed.ok) return failed(listed.error)
  if (listed.value.length > 0) return bad('ENOTEMPTY', `The folder ${path} is not empty.`)
  return answerOf(await vfs.remove(path), nothing)
}

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['stat', { changes: false, run: async (vfs, path) => answerOf(await vfs.stat(path), (entry) => entry) }],
  ['list', { changes: false, run: async (vfs, path) => answerOf(await vfs.list(path), (entries) => entries) }],
  ['read', { changes: false, run: async (vfs, path) => answerOf(await vfs.read(path), (bytes) => bytes) }],
  ['write', { changes: true, run: async (vfs, path, data) => answerOf(await vfs.write(path, toBytes(data)), nothing) }],
  ['append', { changes: true, run: append }],
  ['mkdir', { changes: true, run: (vfs, path, flags) => makeFolder(vfs, path, String(flags)) }],
  ['rm', { changes: true, run: (vfs, path, flags) => remove(vfs, path, String(flags)) }],
  ['rmdir', { changes: true, run: removeFolder }],
  [
    'rename',
    {
      changes: true,
      run: async (vfs, path, to) =>
        typeof to === 'string' ? answerOf(await vfs.move(path, to), nothing) : bad('EINVAL', 'A path must be a text.'),
    },
  ],
])

export interface VfsBridge {
  /** Never rejects. Unknown operations and wrong arguments are answered with ENOSYS or EINVAL. */
  call(op: string, args: readonly CallArgument[]): Promise<Answer>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** Operations that have not begun yet never will. */
  close(): void
}

/**
 * The file operations that sandboxed code may ask for, on one conversation's files. Operation names and arguments are
 * foreign. Each operation is done after all earlier ones that it could clash with: appends in a row are all kept, and a
 * read sees the writes before it.
 */
export function createVfsBridge(vfs: Vfs): VfsBridge {
  let lastChange: Promise<unknown> = Promise.resolve()
  let reads: Promise<unknown>[] = []
  let closed = false
  const closedAnswer = bad('ECANCELED', 'The run is over.')

  async function perform(operation: Operation, path: string, second: CallArgument): Promise<Answer> {
    if (closed) return closedAnswer
    try {
      return await operation.run(vfs, path, second)
    } catch {
      return bad('EIO', `The files could not be reached (${path}).`)
    }
  }

  return {
    call(op, args) {
      const operation = operations.get(op)
      if (operation === undefined) return Promise.resolve(bad('ENOSYS', 'There is no such file operation.'))
      const [path, second = ''] = args
      if (typeof path !== 'string') return Promise.resolve(bad('EINVAL', 'A path must be a text.'))
      if (!operation.changes) {
        const read = lastChange.then(() => perform(operation, path, second))
        reads.push(read)
        return read
      }
      const change = Promise.all([lastChange, ...reads]).then(() => perform(operation, path, second))
      lastChange = change
      reads = []
      return change
    },
    async idle() {
      await Promise.all([lastChange, ...reads])
    },
    close() {
      closed = true
    },
  }
}
