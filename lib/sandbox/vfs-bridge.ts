import { vfsLimits } from '@/lib/vfs/limits'
import type { Vfs } from '@/lib/vfs/vfs'
import { answerOf, bad, failed, good, nothing } from './bridge-answers'
import { applyChangeList, parseChangeList } from './change-list'
import type { Answer, CallArgument, RunSnapshot } from './frame/protocol'

type Args = readonly CallArgument[]

interface Operation {
  /** Changes run alone and in order; reads run together, between changes. */
  readonly changes: boolean
  /** False: it takes no path. */
  readonly takesPath?: false
  readonly run: (vfs: Vfs, path: string, args: Args, isOpen: () => boolean) => Promise<Answer>
}

const toBytes = (content: CallArgument | undefined): Uint8Array | null =>
  typeof content === 'string'
    ? new TextEncoder().encode(content)
    : content instanceof Uint8Array
      ? content.slice()
      : null

/** All files, and what may be done to them: a run is told before its first try. */
async function snapshot(vfs: Vfs): Promise<Answer> {
  const { limitBytes } = await vfs.usage()
  const { maxFileBytes, maxFiles } = vfsLimits
  const limits = { maxFileBytes, maxFiles, maxTotalBytes: limitBytes }
  const taken = await vfs.snapshot()
  const none: RunSnapshot = { entries: [], places: [], blobs: [], access: 'none', limits }
  if (!taken.ok) return taken.error.code === 'EACCES' ? good(none) : failed(taken.error)
  const { entries, places, blobs, isReadOnly } = taken.value
  return good({ entries, places, blobs, limits, access: isReadOnly === true ? 'read' : 'write' })
}

async function commit(vfs: Vfs, [list, bytes]: Args, isOpen: () => boolean): Promise<Answer> {
  if (typeof list !== 'string' || !(bytes instanceof Blob)) return bad('EINVAL', 'Changes are a list and a Blob.')
  const steps = parseChangeList(list, bytes.size)
  if (!steps.ok) return bad('EINVAL', steps.error)
  const applied = await applyChangeList(vfs, steps.value, bytes, isOpen)
  return applied === null ? closedAnswer : answerOf(applied, nothing)
}

/** With the flag `force`, what is not there is removed well. */
async function remove(vfs: Vfs, path: string, [, flags]: Args): Promise<Answer> {
  const removed = await vfs.remove(path)
  const isForced = typeof flags === 'string' && flags.includes('force')
  return removed.ok || (isForced && removed.error.code === 'ENOENT') ? good() : failed(removed.error)
}

async function write(vfs: Vfs, path: string, [, content]: Args): Promise<Answer> {
  const data = toBytes(content)
  return data === null ? bad('EINVAL', 'A file takes text or bytes.') : answerOf(await vfs.write(path, data), nothing)
}

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['snapshot', { changes: false, takesPath: false, run: (vfs) => snapshot(vfs) }],
  ['commit', { changes: true, takesPath: false, run: (vfs, _path, args, isOpen) => commit(vfs, args, isOpen) }],
  ['stat', { changes: false, run: async (vfs, path) => answerOf(await vfs.stat(path), (entry) => entry) }],
  ['list', { changes: false, run: async (vfs, path) => answerOf(await vfs.list(path), (entries) => entries) }],
  ['read', { changes: false, run: async (vfs, path) => answerOf(await vfs.read(path), (bytes) => bytes) }],
  ['write', { changes: true, run: write }],
  ['mkdir', { changes: true, run: async (vfs, path) => answerOf(await vfs.makeDirectory(path), nothing) }],
  ['rm', { changes: true, run: remove }],
])

const closedAnswer = bad('ECANCELED', 'The run is over.')

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
 * foreign. Each operation is done after all earlier ones that it could clash with: a read sees the writes before it.
 * JavaScript takes a `snapshot` and hands in its changes by one `commit`; the others are Python's.
 */
export function createVfsBridge(vfs: Vfs): VfsBridge {
  let lastChange: Promise<unknown> = Promise.resolve()
  let reads: Promise<unknown>[] = []
  let closed = false
  let hasCommitted = false
  const isOpen = () => !closed

  async function perform(operation: Operation, path: string, args: Args): Promise<Answer> {
    if (closed) return closedAnswer
    try {
      return await operation.run(vfs, path, args, isOpen)
    } catch {
      return bad('EIO', `The files could not be reached (${path}).`)
    }
  }

  return {
    call(op, args) {
      const operation = operations.get(op)
      if (operation === undefined) return Promise.resolve(bad('ENOSYS', 'There is no such file operation.'))
      const [first] = args
      const path = operation.takesPath === false ? '/' : first
      if (typeof path !== 'string') return Promise.resolve(bad('EINVAL', 'A path must be a text.'))
      if (op === 'commit') {
        if (hasCommitted) return Promise.resolve(bad('ECANCELED', 'The changes of this run were handed in before.'))
        hasCommitted = true
      }
      if (!operation.changes) {
        const read = lastChange.then(() => perform(operation, path, args))
        reads.push(read)
        return read
      }
      const change = Promise.all([lastChange, ...reads]).then(() => perform(operation, path, args))
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
