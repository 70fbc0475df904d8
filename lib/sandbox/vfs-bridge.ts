import { refusalText } from '@/lib/i18n/t'
import { vfsLimits } from '@/lib/vfs/failures'
import type { RunFiles } from '@/lib/vfs/vfs'
import { applyChangeList, parseChangeList } from './change-list'
import type { Answer, CallArgument, RunSnapshot } from './frame/protocol'

const bad = (code: string, message: string): Answer => ({ ok: false, code, message })
const isOver = bad('ECANCELED', 'The run is over.')

/** All files, and what may be done to them: a run is told before its first try. */
async function snapshot(files: RunFiles): Promise<Answer> {
  const { limitBytes } = await files.usage()
  const { maxFileBytes, maxFiles } = vfsLimits
  const limits = { maxFileBytes, maxFiles, maxTotalBytes: limitBytes }
  const taken = await files.snapshot()
  if (!taken.ok) {
    const none: RunSnapshot = { entries: [], places: [], blobs: [], access: 'none', limits }
    const { code, message } = taken.error
    return code === 'EACCES' ? { ok: true, value: none } : bad(code, message)
  }
  const { entries, places, blobs, isReadOnly } = taken.value
  return { ok: true, value: { entries, places, blobs, limits, access: isReadOnly === true ? 'read' : 'write' } }
}

/** `mayApply` is asked last: a run may be over by then. */
async function commit(
  files: RunFiles,
  [list, bytes]: readonly CallArgument[],
  mayApply: () => boolean,
): Promise<Answer> {
  if (typeof list !== 'string' || !(bytes instanceof Blob)) return bad('EINVAL', 'Changes are a list and a Blob.')
  const steps = parseChangeList(list, bytes.size)
  if (!steps.ok) return bad('EINVAL', steps.error)
  const applied = await applyChangeList(files, steps.value, bytes, mayApply)
  if (applied === null) return isOver
  return applied.ok ? { ok: true, value: null } : bad(applied.error.code, refusalText(applied.error, 'en'))
}

export interface VfsBridge {
  /** Never rejects. Unknown operations and wrong arguments are answered with ENOSYS or EINVAL. */
  call(op: string, args: readonly CallArgument[]): Promise<Answer>
  /** Resolves when nothing is under way. */
  idle(): Promise<unknown>
  /** What was not done until now never will be. */
  close(): void
}

/**
 * What sandboxed code of any language may ask about files, both of them foreign words: a `snapshot` of all, the same one
 * however often, and one `commit` of what it did.
 */
export function createVfsBridge(files: RunFiles): VfsBridge {
  let closed = false
  let taken: Promise<Answer> | null = null
  let committed: Promise<Answer> | null = null
  const orFailed = (answer: Promise<Answer>) => answer.catch(() => bad('EIO', 'The files could not be reached.'))

  return {
    async call(op, args) {
      if (op !== 'snapshot' && op !== 'commit') return bad('ENOSYS', 'There is no such file operation.')
      if (closed) return isOver
      if (op === 'snapshot') return (taken ??= orFailed(snapshot(files)))
      if (committed !== null) return bad('ECANCELED', 'The changes of this run were handed in before.')
      committed = orFailed(commit(files, args, () => !closed))
      return committed
    },
    idle: () => Promise.all([taken, committed]),
    close() {
      closed = true
    },
  }
}
