import { checkSpace, failures, type VfsFailure } from '../failures'
import type { VfsLimits } from '../limits'
import { planMove, record, forgetOldest, type ChangeLog } from '../log/change-log'
import { isInside, joinPath, nameOf, normalizePath, parentOf, refusedName } from '../path'
import type { VfsEntry, VfsResult } from '../vfs'
import type { ChangeOrigin, ChangeSet, HistoryMove, NodeImage, PathChange } from '../vfs-history'
import type { Content } from './content'
import type { NodeRecord } from './records'
import type { State } from './state'

const ok = <T>(value: T): VfsResult<T> => ({ ok: true, value })

export const entryOf = ({ name, kind, size, modifiedAt, version }: NodeRecord): VfsEntry => ({
  name,
  kind,
  size,
  modifiedAt,
  version,
})

const imageOf = (node: NodeRecord | undefined): NodeImage =>
  node === undefined
    ? null
    : node.kind === 'directory'
      ? { kind: 'directory' }
      : { kind: 'file', size: node.size, version: node.version }

/** A file on the way to `path` stands in the way. */
export function blockedBy({ tree }: State, path: string): VfsFailure | null {
  const { node, missing } = tree.walk(path)
  return node.kind === 'file' && missing.length > 0 ? failures.isFile(tree.pathOf(node)) : null
}

/** A step of `apply` whose bytes, if it has any, are cut and hashed. Paths as the caller gave them. */
export type PreparedChange =
  | { readonly kind: 'write'; readonly path: string; readonly content: Content }
  | { readonly kind: 'makeDirectory'; readonly path: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'move'; readonly from: string; readonly to: string }

/**
 * Changes of the files in memory, one after the other; what they touch is noted for the log. A step that fails may leave
 * part of itself behind: the caller rolls the state back.
 */
export function createSteps(state: State, limits: VfsLimits, now: () => number) {
  const { tree } = state
  const before = new Map<string, NodeImage>()

  const note = (path: string) => {
    if (!before.has(path)) before.set(path, imageOf(tree.at(path)))
  }

  function put(
    path: string,
    parent: number,
    node: Omit<NodeRecord, 'id' | 'parent' | 'name' | 'modifiedAt'>,
  ): NodeRecord {
    note(path)
    const standing = tree.at(path)
    const id = standing?.id ?? state.newNodeId()
    const next = { ...node, id, parent, name: nameOf(path), modifiedAt: now() }
    state.setNode(id, next)
    return next
  }

  /** The folder at a path, made with all above it where it is missing. Nothing but folders stands on the way. */
  function ensureFolder(path: string): NodeRecord {
    const { node, missing } = tree.walk(path)
    let folder = node
    let at = tree.pathOf(node)
    for (const name of missing) {
      at = joinPath(at, name)
      folder = put(at, folder.id, { kind: 'directory', size: 0, version: '' })
    }
    return folder
  }

  function dropAll(node: NodeRecord, path: string): void {
    for (const below of [...tree.below(node, path)].toReversed()) {
      note(below.path)
      state.setNode(below.node.id, undefined)
    }
  }

  const refused = (path: string) => refusedName(path, (at) => tree.at(at) !== undefined)

  const steps = {
    write(path: string, content: Content): VfsResult<{ readonly size: number; readonly replaced: boolean }> {
      const standing = tree.at(path)
      if (standing?.kind === 'directory') return failures.isFolder(path)
      const barred = refused(path)
      if (barred) return barred
      const replaced = standing === undefined ? null : entryOf(standing)
      const full = checkSpace({ path, size: content.size, replaced, used: tree.usage }, limits)
      if (full !== null) return full
      state.take(content)
      const { id } = ensureFolder(parentOf(path))
      put(path, id, { kind: 'file', size: content.size, version: content.version })
      return ok({ size: content.size, replaced: replaced !== null })
    },
    makeDirectory(path: string): VfsResult<null> {
      if (tree.at(path)?.kind === 'file') return failures.exists(path)
      const barred = refused(path)
      if (barred) return barred
      ensureFolder(path)
      return ok(null)
    },
    remove(path: string): VfsResult<null> {
      if (path === '/') return failures.isRoot('removed')
      const node = tree.at(path)
      if (node === undefined) return failures.nothing(path)
      dropAll(node, path)
      return ok(null)
    },
    move(source: string, to: string): VfsResult<null> {
      const normal = normalizePath(to)
      if (!normal.ok) return normal
      const target = normal.value
      if (source === '/') return failures.isRoot('moved')
      const node = tree.at(source)
      if (node === undefined) return failures.nothing(source)
      if (target === source) return ok(null)
      if (isInside(target, source)) return failures.intoItself(source)
      const blocked = blockedBy(state, target)
      if (blocked !== null) return blocked
      const standing = tree.at(target)
      if (standing?.kind === 'directory') return failures.folderExists(target)
      if (standing !== undefined && node.kind === 'directory') return failures.exists(target)
      const barred = refused(target)
      if (barred) return barred
      const paths = [...tree.below(node, source)].map((below) => below.path)
      for (const path of paths) {
        note(path)
        note(target + path.slice(source.length))
      }
      if (standing !== undefined) state.setNode(standing.id, undefined)
      const { id } = ensureFolder(parentOf(target))
      state.setNode(node.id, { ...node, parent: id, name: nameOf(target) })
      return ok(null)
    },
  }

  function one(change: PreparedChange): VfsResult<unknown> {
    const normal = normalizePath(change.kind === 'move' ? change.from : change.path)
    if (!normal.ok) return normal
    const blocked = blockedBy(state, normal.value)
    if (blocked !== null) return blocked
    switch (change.kind) {
      case 'write':
        return steps.write(normal.value, change.content)
      case 'makeDirectory':
        return steps.makeDirectory(normal.value)
      case 'remove':
        return steps.remove(normal.value)
      case 'move':
        return steps.move(normal.value, change.to)
    }
  }

  const tooMuch = (log: ChangeLog) =>
    log.sets.length > limits.maxHistorySets || (log.sets.length > 0 && state.ledger.logBytes > limits.maxHistoryBytes)

  return {
    one,
    /** Writes down in the log what the steps so far came to, and forgets the oldest sets above the limits. */
    record(origin: ChangeOrigin | null): void {
      const changes: PathChange[] = [...before].map(([path, image]) => ({
        path,
        before: image,
        after: imageOf(tree.at(path)),
      }))
      const next = record(state.log, origin, changes, now())
      if (next === state.log) return
      state.setLog(next)
      while (tooMuch(state.log)) state.setLog(forgetOldest(state.log))
    },
    /** Brings the files to where the log says when `flag` says anew which sets count. */
    moveTo(flag: (set: ChangeSet) => ChangeSet): VfsResult<HistoryMove> {
      const used = tree.usage
      const plan = planMove(state.log, flag, {
        imageAt: (path) => imageOf(tree.at(path)),
        inside(path) {
          const folder = tree.at(path)
          return folder === undefined ? [] : tree.childrenOf(folder).map(({ name }) => joinPath(path, name))
        },
      })
      for (const step of plan.steps) {
        if (step.kind === 'remove') {
          const node = tree.at(step.path)
          if (node !== undefined) state.setNode(node.id, undefined)
        } else {
          const image =
            step.kind === 'file'
              ? { kind: 'file' as const, size: step.image.size, version: step.image.version }
              : { kind: 'directory' as const, size: 0, version: '' }
          put(step.path, ensureFolder(parentOf(step.path)).id, image)
        }
      }
      const after = tree.usage
      const tooMany = (old: number, next: number, most: number) => next > most && next > old
      if (tooMany(used.bytes, after.bytes, limits.maxTotalBytes) || tooMany(used.files, after.files, limits.maxFiles)) {
        return failures.noRoomToMove()
      }
      if (plan.log.sets.some((set, at) => set !== state.log.sets[at])) state.setLog(plan.log)
      return ok(plan.move)
    },
  }
}

export type Steps = ReturnType<typeof createSteps>
