import { refusalText } from '@/lib/i18n/t'
import { type RunFiles, type FileChange, vfsLimits, failures } from '@/lib/vfs/vfs'
import type { Answer, CallArgument, RunSnapshot } from './frame/protocol'
import { err, ok, type Result } from '@/lib/base/result'
import { normalizePath } from '@/lib/vfs/path'
import { partOf } from '@/lib/vfs/snapshot'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import * as z from 'zod/mini'

/*
 * The changes of a run to the files, submitted at its end: a JSON text of steps, and one Blob with all the bytes to
 * write.
 *
 *   [{"kind":"remove","path":"/old"},{"kind":"makeDirectory","path":"/out"},
 *    {"kind":"write","path":"/out/a.txt","at":0,"size":5},{"kind":"copyOf","path":"/b","from":"/old/b"}]
 *
 * It comes from the worker of the code, so it is untrusted: all of it is validated before anything is applied. `copyOf`
 * means the contents of `from` before the first step.
 */

const path = z.string().check(z.minLength(2), z.maxLength(1_024))
const offset = z.int().check(z.gte(0))

const stepSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('remove'), path }),
  z.strictObject({ kind: z.literal('makeDirectory'), path }),
  z.strictObject({ kind: z.literal('write'), path, at: offset, size: offset }),
  z.strictObject({ kind: z.literal('copyOf'), path, from: path }),
])

export type ChangeStep = z.output<typeof stepSchema>

/** Each file and folder may be removed and created again. */
const maxSteps = vfsLimits.maxFiles * 5
const listSchema = z.array(stepSchema).check(z.maxLength(maxSteps))

const unreadable = 'The list of changes that the code handed in can’t be read'

/** Why a step is invalid; null if it is valid. */
function flawOf(step: ChangeStep, bytes: number): string | null {
  for (const each of step.kind === 'copyOf' ? [step.path, step.from] : [step.path]) {
    const normal = normalizePath(each)
    if (!normal.ok) return refusalText(normal.error, 'en')
    if (normal.value !== each)
      return `A path in the list of changes is not in its plain form: it means ${normal.value}.`
  }
  if (step.kind === 'write' && step.at + step.size > bytes)
    return `${unreadable}: it writes bytes that did not come with it.`
  return null
}

/** Parses the steps of a list whose Blob has this many bytes. Errors are sentences. */
export function parseChangeList(text: string, bytes: number): Result<readonly ChangeStep[], string> {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return err(`${unreadable}: it is no JSON.`)
  }
  if (Array.isArray(given) && given.length > maxSteps) return err(`${unreadable}: it has more than ${maxSteps} steps.`)
  const parsed = listSchema.safeParse(given)
  if (!parsed.success) {
    const [at] = parsed.error.issues[0]?.path ?? []
    return err(`${unreadable}${typeof at === 'number' ? `: step ${at + 1} is none` : ''}.`)
  }
  // Checked before each step is tried: that many would block the page.
  const written = new Set(
    parsed.data.flatMap(({ kind, path: each }) => (kind === 'write' || kind === 'copyOf' ? [each] : [])),
  )
  if (written.size > vfsLimits.maxFiles)
    return err(`A chat holds at most ${vfsLimits.maxFiles} files. Nothing was written.`)
  for (const step of parsed.data) {
    const flaw = flawOf(step, bytes)
    if (flaw !== null) return err(flaw)
  }
  return ok(parsed.data)
}

/**
 * Applies all of the steps at once, or none of them. Contents are passed on as parts of Blobs: the page never reads
 * them. `mayApply` is called last: a run may be over by then.
 */
export async function applyChangeList(
  files: RunFiles,
  steps: readonly ChangeStep[],
  bytes: Blob,
  mayApply: () => boolean,
): Promise<VfsResult<unknown> | null> {
  const sources = steps.some(({ kind }) => kind === 'copyOf') ? await files.snapshot() : null
  if (sources?.ok === false) return sources
  const indices = new Map(sources?.value.entries.map(({ path: at }, index) => [at, index]))
  const changes: FileChange[] = []
  for (const step of steps) {
    if (step.kind === 'write') {
      const { at, size } = step
      changes.push({ kind: 'write', path: step.path, data: { blob: bytes, at, size } })
    } else if (step.kind === 'copyOf') {
      const data = sources && partOf(sources.value, indices.get(step.from) ?? -1)
      if (!data) return failures.noFile(step.from)
      changes.push({ kind: 'write', path: step.path, data })
    } else changes.push({ kind: step.kind, path: step.path })
  }
  return mayApply() ? files.apply(changes) : null
}

const bad = (code: string, message: string): Answer => ({ ok: false, code, message })
const isOver = bad('ECANCELED', 'The run is over.')

/** All files, and the allowed access to them, so that a run knows it before its first attempt. */
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

/** `mayApply` is called last: a run may be over by then. */
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
  /** Resolves when no operation is pending. */
  idle(): Promise<unknown>
  /** Cancels everything that was not done until now. */
  close(): void
}

/**
 * The requests that sandboxed code of any language may make about files, both untrusted: a `snapshot` of all files,
 * always the same one, and one `commit` of its changes.
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
