import { wallClock } from '@/lib/base/clocks'
import {
  byteCount,
  createByteReader,
  sameBytes,
  type FileBytes,
  type ReadBytes,
  readBytes,
  createBlobs,
} from '../file-bytes'
import {
  blockedBy,
  checkWrite,
  emptyNodes,
  makeFolder,
  moveNode,
  putFile,
  removeNode,
  type Nodes,
  type TreeNode,
} from '../node-tree'
import { normalizePath, isInside, parentOf, type ChangedPath } from '../path'
import { partOf } from '../snapshot'
import {
  failures,
  type FileChange,
  type RunFiles,
  type Vfs,
  type VfsTreeEntry,
  vfsLimits,
  type VfsLimits,
} from '../vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import { decodeText } from '@/lib/base/text/text-encoding'
import { sameImage } from '../log/change-log'
import type { NodeImage } from '../vfs-history'

/** Larger differences are not shown. */
const maxBytes = 400_000

/** A file's text for a comparison, with its byte order mark; null if it is not text, or too large. */
async function comparableText(data: FileBytes): Promise<string | null> {
  if (byteCount(data) > maxBytes) return null
  const read = decodeText(await readBytes(data))
  if (read === null) return null
  return read.markBytes > 0 ? `\ufeff${read.text}` : read.text
}

/** Changes that code made to files, held back until they are kept; the files themselves do not change before that. */
export interface PendingChanges {
  /**
   * The files for the code to run on: a snapshot of the moment of its first request. Steps that it submits are checked
   * and held back.
   */
  readonly files: RunFiles
  /** All paths that would change, sorted; folders too. A file written with its previous contents is not included. */
  changes(): readonly ChangedPath[]
  /** A file before and after; null if there is none, or if it is not text of comparable size. */
  texts(path: string): Promise<{ readonly before: string | null; readonly after: string | null }>
  /**
   * Applies the changes: all or nothing, as one step. EBUSY: something else changed the same path meanwhile, so one of
   * the changes would be lost. Other errors as in `apply`.
   */
  commit(): Promise<VfsResult<unknown>>
}

const done = { ok: true, value: null } as const

function nodesOf(entries: readonly VfsTreeEntry[], at: number): Nodes {
  const found = emptyNodes(at)
  for (const { path, kind, size, version, modifiedAt } of entries)
    found.set(path, { image: kind === 'file' ? { kind, size, version } : { kind }, modifiedAt })
  return found
}

/** `base` are the files to change, in the view under which the changes will be recorded. */
export function createPendingChanges(
  base: Vfs,
  { now = wallClock, ...options }: { readonly now?: () => number; readonly limits?: Partial<VfsLimits> } = {},
): PendingChanges {
  const own = createBlobs('own-')
  let old = emptyNodes(0)
  let nodes = old

  const begin = async () => {
    const [taken, { limitBytes }] = await Promise.all([base.snapshot(), base.usage()])
    if (!taken.ok) return taken
    const { entries } = taken.value
    old = nodesOf(entries, now())
    nodes = old
    const limits: VfsLimits = { ...vfsLimits, ...options.limits, maxTotalBytes: limitBytes }
    const versions = new Map(entries.map(({ version }, index) => [version, index]))
    return { ok: true, value: { snapshot: taken.value, limits, versions } } as const
  }
  let opening: ReturnType<typeof begin> | null = null
  const start = () => (opening ??= begin())

  /** Contents that the code wrote, or those of the files before. */
  async function contents(): Promise<(version: string) => FileBytes> {
    const started = await start()
    return (version) => {
      const data =
        own.get(version) ??
        (started.ok ? partOf(started.value.snapshot, started.value.versions.get(version) ?? -1) : null)
      if (data === null) throw new Error('Contents that were there are nowhere')
      return data
    }
  }

  /** Writing a path's existing contents is not a change. */
  async function imageOf(path: string, data: FileBytes, read: ReadBytes): Promise<TreeNode['image']> {
    const there = old.get(path)?.image
    if (there?.kind !== 'file' || there.size !== byteCount(data)) return own.put(data, read)
    const bytesOf = await contents()
    return (await sameBytes(bytesOf(there.version), data, read)) ? there : own.put(data, read)
  }

  async function applyStep(
    draft: Nodes,
    change: FileChange,
    limits: VfsLimits,
    read: ReadBytes,
  ): Promise<VfsResult<unknown>> {
    const normal = normalizePath(change.kind === 'move' ? change.from : change.path)
    if (!normal.ok) return normal
    const path = normal.value
    const blocked = blockedBy(draft, path)
    if (blocked !== null) return blocked
    switch (change.kind) {
      case 'write': {
        const checked = checkWrite(draft, path, byteCount(change.data), limits)
        if (checked.ok) putFile(draft, path, await imageOf(path, change.data, read), now())
        return checked
      }
      case 'makeDirectory':
        return makeFolder(draft, path, now())
      case 'remove':
        return removeNode(draft, path)
      case 'move':
        return moveNode(draft, path, change.to, now())
    }
  }

  const files: RunFiles = {
    async snapshot() {
      const started = await start()
      return started.ok ? { ok: true, value: started.value.snapshot } : started
    },
    usage: () => base.usage(),
    async apply(changes) {
      const started = await start()
      if (!started.ok) return started
      const draft = nodes.copy()
      const read = createByteReader()
      for (const change of changes) {
        const result = await applyStep(draft, change, started.value.limits, read)
        if (!result.ok) return result
      }
      nodes = draft
      return done
    },
  }

  return {
    files,
    changes: () => differences(old, nodes).map(changedPath),
    async texts(path) {
      const normal = normalizePath(path)
      const bytesOf = await contents()
      const textAt = async (at: Nodes) => {
        const image = normal.ok ? at.get(normal.value)?.image : undefined
        return image?.kind === 'file' ? comparableText(bytesOf(image.version)) : null
      }
      return { before: await textAt(old), after: await textAt(nodes) }
    },
    async commit() {
      const mine = differences(old, nodes)
      if (mine.length === 0) return done
      const tree = await base.tree('/')
      if (!tree.ok) return tree
      const fresh = nodesOf(tree.value, 0)
      const conflict = conflictOf(mine, old, fresh)
      if (conflict !== null) return failures.changedMeanwhile(conflict)
      const steps = planSteps(mine, fresh, await contents())
      return steps.length === 0 ? done : base.apply(steps)
    },
  }
}

function changedPath({ path, before, after }: NodeDifference): ChangedPath {
  const change = before === null ? 'created' : after === null ? 'deleted' : 'changed'
  const kind = (after ?? before)?.kind ?? 'file'
  return { path, change, kind, size: after?.kind === 'file' ? after.size : 0 }
}

/** A path at which two trees differ. */
interface NodeDifference {
  readonly path: string
  readonly before: NodeImage
  readonly after: NodeImage
}

/** Sorted by path. */
function differences(before: Nodes, after: Nodes): readonly NodeDifference[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((path) => {
    const [old, next] = [before.get(path)?.image ?? null, after.get(path)?.image ?? null]
    return sameImage(old, next) ? [] : [{ path, before: old, after: next }]
  })
}

/** The first of these paths that in `fresh` has neither its old nor its new state; `old` is the whole tree before. */
function conflictOf(mine: readonly NodeDifference[], old: Nodes, fresh: Nodes): string | null {
  for (const { path, before, after } of mine) {
    const there = fresh.get(path)?.image ?? null
    if (!sameImage(there, before) && !sameImage(there, after)) return path
    if (before?.kind !== 'directory' || after?.kind === 'directory') continue
    // Removing a folder must not remove anything that was added to it meanwhile.
    for (const other of fresh.keys()) if (isInside(other, path) && !old.has(other)) return other
  }
  return null
}

/**
 * The steps that make these differences in `fresh`, if none of them conflicts. Space is freed before it is used, so
 * that no step fails for lack of space if the end state fits. `bytesOf` gives the contents of a written file.
 */
function planSteps(
  mine: readonly NodeDifference[],
  fresh: Nodes,
  bytesOf: (version: string) => FileBytes,
): readonly FileChange[] {
  const removals: FileChange[] = []
  const folders: FileChange[] = []
  const writes: { readonly growth: number; readonly step: FileChange }[] = []
  const gone = new Set<string>()
  for (const { path, after } of mine) {
    const there = fresh.get(path)?.image ?? null
    if (sameImage(there, after)) continue
    if (there !== null && there.kind !== after?.kind) {
      // A removed folder includes everything that was in it.
      gone.add(path)
      if (!gone.has(parentOf(path))) removals.push({ kind: 'remove', path })
    }
    if (after?.kind === 'directory') folders.push({ kind: 'makeDirectory', path })
    if (after?.kind !== 'file') continue
    const growth = after.size - (there?.kind === 'file' ? there.size : 0)
    writes.push({ growth, step: { kind: 'write', path, data: bytesOf(after.version) } })
  }
  return [...removals, ...folders, ...writes.toSorted((a, b) => a.growth - b.growth).map(({ step }) => step)]
}
