import { vfsLimits } from '@/lib/vfs/limits'
import { normalizePath } from '@/lib/vfs/path'
import type { Vfs } from '@/lib/vfs/vfs'
import { answerOf, bad, failed, good, nothing } from './bridge-answers'
import { copyFile, copyTree, rename } from './bridge-moves'
import type { Answer, CallArgument } from './frame/protocol'

const toBytes = (content: CallArgument) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content.slice()

interface Operation {
  /** Changes run alone and in order; reads run together, between changes. */
  readonly changes: boolean
  readonly run: (vfs: Vfs, path: string, second: CallArgument, flags: string) => Promise<Answer>
}

/** With the flag `new`: why a file can't be made there; null when it can. */
async function inTheWay(vfs: Vfs, path: string, flags: string): Promise<Answer | null> {
  if (!flags.includes('new')) return null
  const found = await vfs.stat(path)
  if (found.ok) return bad('EEXIST', `There is already something at ${path}.`)
  return found.error.code === 'ENOENT' ? null : failed(found.error)
}

async function write(vfs: Vfs, path: string, content: CallArgument, flags: string): Promise<Answer> {
  return (await inTheWay(vfs, path, flags)) ?? answerOf(await vfs.write(path, toBytes(content)), nothing)
}

async function append(vfs: Vfs, path: string, content: CallArgument, flags: string): Promise<Answer> {
  const refused = await inTheWay(vfs, path, flags)
  if (refused) return refused
  const before = await vfs.read(path)
  if (!before.ok && before.error.code !== 'ENOENT') return failed(before.error)
  const head = before.ok ? before.value : new Uint8Array()
  const tail = toBytes(content)
  const whole = new Uint8Array(head.byteLength + tail.byteLength)
  whole.set(head)
  whole.set(tail, head.byteLength)
  return answerOf(await vfs.write(path, whole), nothing)
}

async function truncate(vfs: Vfs, path: string, length: number): Promise<Answer> {
  if (!Number.isInteger(length)) return bad('EINVAL', 'A length must be a whole number.')
  if (length > vfsLimits.maxFileBytes) return bad('EFBIG', `${path} would become larger than a file may be.`)
  const before = await vfs.read(path)
  if (!before.ok) return failed(before.error)
  const whole = new Uint8Array(Math.max(0, length))
  whole.set(before.value.subarray(0, whole.byteLength))
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

/** An operation from one path to another, both normalised. */
const withTarget =
  (run: (vfs: Vfs, from: string, to: string, flags: string) => Promise<Answer>): Operation['run'] =>
  async (vfs, path, second, flags) => {
    if (typeof second !== 'string') return bad('EINVAL', 'A path must be a text.')
    const [from, to] = [normalizePath(path), normalizePath(second)]
    if (!from.ok) return failed(from.error)
    return to.ok ? run(vfs, from.value, to.value, flags) : failed(to.error)
  }

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['stat', { changes: false, run: async (vfs, path) => answerOf(await vfs.stat(path), (entry) => entry) }],
  ['list', { changes: false, run: async (vfs, path) => answerOf(await vfs.list(path), (entries) => entries) }],
  ['read', { changes: false, run: async (vfs, path) => answerOf(await vfs.read(path), (bytes) => bytes) }],
  ['write', { changes: true, run: write }],
  ['append', { changes: true, run: append }],
  ['truncate', { changes: true, run: (vfs, path, length) => truncate(vfs, path, Number(length)) }],
  ['mkdir', { changes: true, run: (vfs, path, flags) => makeFolder(vfs, path, String(flags)) }],
  ['rm', { changes: true, run: (vfs, path, flags) => remove(vfs, path, String(flags)) }],
  ['rmdir', { changes: true, run: removeFolder }],
  ['rename', { changes: true, run: withTarget(rename) }],
  ['copyFile', { changes: true, run: withTarget(copyFile) }],
  ['cp', { changes: true, run: withTarget(copyTree) }],
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

  async function perform(operation: Operation, path: string, second: CallArgument, flags: string): Promise<Answer> {
    if (closed) return closedAnswer
    try {
      return await operation.run(vfs, path, second, flags)
    } catch {
      return bad('EIO', `The files could not be reached (${path}).`)
    }
  }

  return {
    call(op, args) {
      const operation = operations.get(op)
      if (operation === undefined) return Promise.resolve(bad('ENOSYS', 'There is no such file operation.'))
      const [path, second = '', third = ''] = args
      const flags = typeof third === 'string' ? third : ''
      if (typeof path !== 'string') return Promise.resolve(bad('EINVAL', 'A path must be a text.'))
      if (!operation.changes) {
        const read = lastChange.then(() => perform(operation, path, second, flags))
        reads.push(read)
        return read
      }
      const change = Promise.all([lastChange, ...reads]).then(() => perform(operation, path, second, flags))
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
