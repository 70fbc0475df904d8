import { ok } from '@/lib/base/result'
import {
  emptyLog,
  forgetOldest,
  imagesOf,
  moveSteps,
  planHistoryMove,
  record,
  sameImage,
  type ChangeLog,
  type MoveStep,
} from './log/change-log'
import {
  blockedBy,
  checkWrite,
  emptyNodes,
  makeFolder,
  moveNode,
  Nodes,
  putFile,
  removeNode,
  type TreeNode,
} from './node-tree'
import { normalizePath } from './path'
import { type Changed, type FileChange, failures, type VfsLimits } from './vfs'
import type { VfsResult } from './vfs-result'
import type { Adoption, ChangeOrigin, ChangeSet, HistoryMove, NodeImage } from './vfs-history'

/** The bytes of a file with their name, which equal bytes share. */
export interface FileContent {
  readonly version: string
  readonly size: number
  readonly bytes: Uint8Array
}

/** A step of `apply` whose bytes are already named. Paths as the caller gave them. */
export type FileStep =
  | { readonly kind: 'write'; readonly path: string; readonly content: FileContent }
  | Exclude<FileChange, { kind: 'write' }>

export interface Made extends Changed {
  /** The result of the last step. */
  readonly last: unknown
}

/** The changes since the last `settle`. */
export interface Unsettled {
  /** The current and the previous node at each path. */
  readonly nodes: ReadonlyMap<string, { readonly before: TreeNode | undefined; readonly now: TreeNode | undefined }>
  readonly logBefore: ChangeLog
}

interface PastChange {
  readonly path: string
  readonly before: TreeNode | undefined
}

const sizeOf = (node: TreeNode | undefined) => (node?.image.kind === 'file' ? node.image.size : 0)

/**
 * The tree and the log of its changes, in memory, with contents by name: the part that all backends share. A change is
 * applied as a whole or not at all. Changes since `settle` can be rolled back; they are what a backend has to store.
 */
export function createVersionedFiles(limits: VfsLimits, now: () => number) {
  /** The previous node at each changed path, oldest first. */
  const past: PastChange[] = []
  const nodes = emptyNodes(0, new Nodes((path, before) => void past.push({ path, before })))
  let log: ChangeLog = emptyLog
  let settledLog: ChangeLog = emptyLog
  /** An upper bound for the size of the history: the exact size requires a walk over everything. */
  let historyAtMost = 0
  past.length = 0

  const imageAt = (path: string): NodeImage => nodes.get(path)?.image ?? null

  function rollback(mark: { readonly past: number; readonly log: ChangeLog }): void {
    for (const { path, before } of past.slice(mark.past).toReversed()) {
      if (before === undefined) nodes.delete(path)
      else nodes.set(path, before)
    }
    past.length = mark.past
    log = mark.log
  }

  /** Runs all of it or none. */
  function whole<T>(body: (mark: number) => VfsResult<T>): VfsResult<T> {
    const mark = { past: past.length, log }
    try {
      const result = body(mark.past)
      if (!result.ok) rollback(mark)
      return result
    } catch (thrown) {
      rollback(mark)
      throw thrown
    }
  }

  const tree = { imageAt, inside: (path: string) => [...nodes.inside(path)] }

  /** Takes steps without checks: the log knows that they lead to a valid state. */
  function take(steps: readonly MoveStep[]): void {
    for (const step of steps) {
      historyAtMost += sizeOf(nodes.get(step.path))
      if (step.kind === 'remove') nodes.delete(step.path)
      else {
        const image = step.kind === 'file' ? step.image : ({ kind: 'directory' } as const)
        nodes.set(step.path, { image, modifiedAt: now() })
      }
    }
  }

  function forgetWhatIsTooMuch(): void {
    if (limits.copy) return
    while (log.sets.length > limits.maxHistorySets) log = forgetOldest(log)
    while (log.sets.length > 0 && historyAtMost > limits.maxHistoryBytes) {
      historyAtMost = bytesOfHistory(nodes, log)
      if (historyAtMost > limits.maxHistoryBytes) log = forgetOldest(log)
    }
  }

  /** Records the differences since `mark`; returns the set's id if the history keeps it. */
  function writeDown(mark: number, origin: ChangeOrigin | null): number | null {
    const before = log
    const changes = [...firstOf(past.slice(mark))].map(([path, node]) => {
      historyAtMost += sizeOf(node)
      return { path, before: node?.image ?? null, after: imageAt(path) }
    })
    log = record(before, origin, changes, now())
    const fresh = log === before ? undefined : log.sets.findLast((set) => !before.sets.includes(set))
    forgetWhatIsTooMuch()
    return fresh !== undefined && log.sets.includes(fresh) ? fresh.id : null
  }

  return {
    nodes,
    get log() {
      return log
    },
    historyBytes: () => bytesOfHistory(nodes, log),
    change: (steps: readonly FileStep[], origin: ChangeOrigin | null): VfsResult<Made> =>
      whole((mark) => {
        let last: unknown = null
        for (const step of steps) {
          const done = takeStep(nodes, step, limits, now)
          if (!done.ok) return done
          last = done.value
        }
        const changeId = writeDown(mark, origin)
        return isCopyFull(log, limits) ? failures.copyFull() : ok({ last, changeId })
      }),
    /** Moves the files to the state of the log after `flag` decides again which sets count. */
    moveTo: (flag: (set: ChangeSet) => ChangeSet): VfsResult<HistoryMove> =>
      whole(() => {
        const before = nodes.used
        const plan = planHistoryMove(log, flag, tree)
        take(plan.steps)
        if (isTooMuch(before, nodes.used, limits)) return failures.noRoomToMove()
        if (plan.log.sets.some((set, at) => set !== log.sets[at])) log = plan.log
        return ok(plan.move)
      }),
    /** Makes changes that were recorded on a copy; see `VfsHistory.adopt`. */
    adopt: ({ sets, expected }: Pick<Adoption, 'sets' | 'expected'>): VfsResult<readonly number[]> =>
      whole((): VfsResult<readonly number[]> => {
        const known = new Set(log.sets.flatMap(({ origin }) => callOf(origin) ?? []))
        const fresh = sets.filter(({ origin }) => !known.has(callOf(origin) ?? ''))
        if (fresh.length === 0) return ok([])
        const other = expected.find(({ path, image }) => !sameImage(imageAt(path), image))
        if (other) return failures.changedMeanwhile(other.path)
        const before = nodes.used
        const ids: number[] = []
        for (const { origin, changes } of fresh) {
          const mark = past.length
          const wanted = new Map(changes.map(({ path, after }) => [path, { image: after }]))
          const { steps, blocked } = moveSteps(wanted, tree)
          const [inTheWay] = blocked
          if (inTheWay !== undefined) return failures.changedMeanwhile(inTheWay)
          take(steps)
          const id = writeDown(mark, origin)
          if (id !== null) ids.push(id)
        }
        return isTooMuch(before, nodes.used, limits) ? failures.noRoomToMove() : ok(ids)
      }),
    forget(): VfsResult<null> {
      if (log.sets.length > 0) log = { ...emptyLog, nextId: log.nextId }
      return ok(null)
    },
    unsettled(): Unsettled | null {
      if (past.length === 0 && log === settledLog) return null
      const changed = [...firstOf(past)].map(([path, before]) => [path, { before, now: nodes.get(path) }] as const)
      return { nodes: new Map(changed), logBefore: settledLog }
    },
    /** The changes were stored. */
    settle(): void {
      past.length = 0
      settledLog = log
    },
    /** The changes could not be stored: rolls them back. */
    giveUp: () => rollback({ past: 0, log: settledLog }),
    /** Takes over what another tab stored. */
    learn(changes: Iterable<readonly [path: string, node: TreeNode | null]>, next: ChangeLog): void {
      for (const [path, node] of changes) {
        if (node === null) nodes.delete(path)
        else nodes.set(path, node)
      }
      log = next
      historyAtMost = Number.POSITIVE_INFINITY
      this.settle()
    },
    /** The names of all contents that the files or the log refer to. */
    versions: () => versionsIn(nodes, log),
  }
}

/** Equal for changes of one run of one call; null for those of a user. */
const callOf = (origin: ChangeOrigin): string | null =>
  origin.kind === 'call' ? JSON.stringify([origin.messageId, origin.slot, origin.attempt]) : null

/** Counts every content that a call added, even if it is gone: all of them are kept with the copy. */
function isCopyFull({ sets }: ChangeLog, { copy }: VfsLimits): boolean {
  if (!copy) return false
  const made = sets.filter(({ origin }) => origin.kind === 'call')
  if (made.length > copy.maxSets) return true
  let sum = 0
  for (const { changes } of made) for (const { after } of changes) sum += after?.kind === 'file' ? after.size : 0
  return sum > copy.maxBytes
}

/** Applies one step to the tree and returns its result. */
function takeStep(nodes: Nodes, step: FileStep, limits: VfsLimits, now: () => number): VfsResult<unknown> {
  const normal = normalizePath(step.kind === 'move' ? step.from : step.path)
  if (!normal.ok) return normal
  const path = normal.value
  const blocked = blockedBy(nodes, path)
  if (blocked !== null) return blocked
  switch (step.kind) {
    case 'write': {
      const { size, version } = step.content
      const checked = checkWrite(nodes, path, size, limits)
      if (!checked.ok) return checked
      putFile(nodes, path, { kind: 'file', size, version }, now())
      return ok({ size, replaced: checked.value !== null, version })
    }
    case 'makeDirectory':
      return makeFolder(nodes, path, now())
    case 'remove':
      return removeNode(nodes, path)
    case 'move':
      return moveNode(nodes, path, step.to, now())
  }
}

/** Each changed path with its first previous node. */
function firstOf(changes: readonly PastChange[]): ReadonlyMap<string, TreeNode | undefined> {
  const found = new Map<string, TreeNode | undefined>()
  for (const { path, before } of changes) if (!found.has(path)) found.set(path, before)
  return found
}

/** The total bytes of contents that only the log refers to. */
function bytesOfHistory(nodes: Nodes, log: ChangeLog): number {
  const live = new Set<string>()
  for (const { image } of nodes.values()) if (image.kind === 'file') live.add(image.version)
  let sum = 0
  for (const image of imagesOf(log)) {
    if (image?.kind !== 'file' || live.has(image.version)) continue
    live.add(image.version)
    sum += image.size
  }
  return sum
}

function versionsIn(nodes: Nodes, log: ChangeLog): ReadonlySet<string> {
  const found = new Set<string>()
  for (const { image } of nodes.values()) if (image.kind === 'file') found.add(image.version)
  for (const image of imagesOf(log)) if (image?.kind === 'file') found.add(image.version)
  return found
}

/** Over the limit and larger than before: files that were already over the limit may still be moved back. */
function isTooMuch(before: Nodes['used'], after: Nodes['used'], limits: VfsLimits): boolean {
  const grewOver = (old: number, next: number, most: number) => next > most && next > old
  return (
    grewOver(before.bytes, after.bytes, limits.maxTotalBytes) || grewOver(before.files, after.files, limits.maxFiles)
  )
}

export type VersionedFiles = ReturnType<typeof createVersionedFiles>
