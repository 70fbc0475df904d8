import { createBlobs } from '../blobs'
import { failures } from '../failures'
import { vfsLimits, type VfsLimits } from '../limits'
import { emptyLog, forgetOldest, imagesOf, planMove, record, type ChangeLog } from '../log/change-log'
import {
  blockedBy,
  checkWrite,
  emptyNodes,
  entryOf,
  listFolder,
  makeFolder,
  moveNode,
  putFile,
  removeNode,
  treeBelow,
  usedBy,
  type Nodes,
} from '../node-tree'
import { normalizePath, parentOf } from '../path'
import { createSnapshots } from '../snapshot'
import type { FileChange, Vfs, VfsResult } from '../vfs'
import type { ChangeOrigin, ChangeSet, HistoryMove, NodeImage, VfsHistory } from '../vfs-history'

const ok = <T>(value: T): VfsResult<T> => ({ ok: true, value })

/** Files in a Map: for tests, and the twin that every other backend must behave like. Nothing outlives the page. */
export function createMemoryVfs(options: { now?: () => number; limits?: Partial<VfsLimits> } = {}): Vfs {
  const { now = () => 0 } = options
  const limits = { ...vfsLimits, ...options.limits }
  const blobs = createBlobs()
  const snapshots = createSnapshots()
  let nodes = emptyNodes(now())
  let log: ChangeLog = emptyLog
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of listeners) listener()
  }
  const imageAt = (path: string): NodeImage => nodes.get(path)?.image ?? null
  const inside = (path: string) => [...nodes.keys()].filter((other) => other !== '/' && parentOf(other) === path)

  /** Takes the draft over, and writes down what differs. */
  function commit(draft: Nodes, origin: ChangeOrigin | null): void {
    const before = nodes
    nodes = draft
    const paths = new Set([...before.keys(), ...draft.keys()])
    const changes = [...paths].flatMap((path) => {
      const [old, next] = [before.get(path)?.image ?? null, draft.get(path)?.image ?? null]
      return old === next ? [] : [{ path, before: old, after: next }]
    })
    log = trimmed(record(log, origin, changes, now()))
    changed()
  }

  function historyBytes(of: ChangeLog): number {
    const live = new Set([...nodes.values()].flatMap(({ image }) => (image.kind === 'file' ? [image.version] : [])))
    const held = new Map<string, number>()
    for (const image of imagesOf(of)) {
      if (image?.kind === 'file' && !live.has(image.version)) held.set(image.version, image.size)
    }
    return [...held.values()].reduce((sum, size) => sum + size, 0)
  }

  function trimmed(of: ChangeLog): ChangeLog {
    let next = of
    while (
      next.sets.length > limits.maxHistorySets ||
      (next.sets.length > 0 && historyBytes(next) > limits.maxHistoryBytes)
    ) {
      next = forgetOldest(next)
    }
    return next
  }

  function write(draft: Nodes, path: string, data: Uint8Array): VfsResult<{ size: number; replaced: boolean }> {
    const checked = checkWrite(draft, path, data.byteLength, { limits, used: usedBy(draft) })
    if (!checked.ok) return checked
    putFile(draft, path, blobs.put(data), now())
    return ok({ size: data.byteLength, replaced: checked.value !== null })
  }

  /** Normalises, looks for blocking files, and runs. */
  async function within<T>(path: string, body: (path: string) => VfsResult<T>): Promise<VfsResult<T>> {
    const normal = normalizePath(path)
    if (!normal.ok) return normal
    return blockedBy(nodes, normal.value) ?? body(normal.value)
  }

  async function changing<T>(
    origin: ChangeOrigin | null,
    path: string,
    body: (draft: Nodes, path: string) => VfsResult<T>,
  ): Promise<VfsResult<T>> {
    return within(path, (p) => {
      const draft = new Map(nodes)
      const result = body(draft, p)
      if (result.ok && (draft.size !== nodes.size || [...draft].some(([key, node]) => nodes.get(key) !== node))) {
        commit(draft, origin)
      }
      return result
    })
  }

  function applyStep(draft: Nodes, change: FileChange): VfsResult<unknown> {
    const normal = normalizePath(change.kind === 'move' ? change.from : change.path)
    if (!normal.ok) return normal
    const blocked = blockedBy(draft, normal.value)
    if (blocked !== null) return blocked
    switch (change.kind) {
      case 'write':
        return write(draft, normal.value, change.data)
      case 'makeDirectory':
        return makeFolder(draft, normal.value, now())
      case 'remove':
        return removeNode(draft, normal.value)
      case 'move':
        return moveNode(draft, normal.value, change.to, now())
    }
  }

  async function moveTo(flag: (set: ChangeSet) => ChangeSet): Promise<VfsResult<HistoryMove>> {
    const plan = planMove(log, flag, { imageAt, inside })
    const draft = new Map(nodes)
    for (const step of plan.steps) {
      if (step.kind === 'remove') draft.delete(step.path)
      else {
        const image = step.kind === 'file' ? step.image : ({ kind: 'directory' } as const)
        draft.set(step.path, { image, modifiedAt: now() })
      }
    }
    const [before, after] = [usedBy(nodes), usedBy(draft)]
    const tooMany = (old: number, next: number, most: number) => next > most && next > old
    if (
      tooMany(before.bytes, after.bytes, limits.maxTotalBytes) ||
      tooMany(before.files, after.files, limits.maxFiles)
    ) {
      return failures.noRoomToMove()
    }
    const isNews = plan.log.sets.some((set, at) => {
      const old = log.sets[at]
      return set.undone !== old?.undone || set.offBranch !== old.offBranch
    })
    log = plan.log
    nodes = draft
    if (isNews) changed()
    return ok(plan.move)
  }

  const history: VfsHistory = {
    list: async () => ok(log.sets.toReversed()),
    async read(id, path, side) {
      const normal = normalizePath(path)
      if (!normal.ok) return normal
      const image = log.sets.find((set) => set.id === id)?.changes.find((one) => one.path === normal.value)?.[side]
      return image?.kind === 'file' ? ok(blobs.get(image.version)) : failures.noFile(normal.value)
    },
    setUndone: (ids, undone) => moveTo((set) => (ids.includes(set.id) ? { ...set, undone } : set)),
    follow: (messageIds) =>
      moveTo((set) =>
        set.origin.kind === 'call' ? { ...set, offBranch: !messageIds.includes(set.origin.messageId) } : set,
      ),
    async forget() {
      log = { ...emptyLog, nextId: log.nextId }
      changed()
      return ok(null)
    },
    usage: async () => ({
      sets: log.sets.length,
      usedBytes: historyBytes(log),
      limitBytes: limits.maxHistoryBytes,
    }),
  }

  const view = (origin: ChangeOrigin | null): Vfs => ({
    stat: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        return node === undefined ? failures.nothing(p) : ok(entryOf(p, node))
      }),
    list: (path) => within(path, (p) => listFolder(nodes, p)),
    tree: (path) => within(path, (p) => treeBelow(nodes, p)),
    read: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        if (node === undefined) return failures.noFile(p)
        return node.image.kind === 'file' ? ok(blobs.get(node.image.version)) : failures.isFolder(p)
      }),
    async snapshot() {
      const tree = treeBelow(nodes, '/')
      return tree.ok ? ok(await snapshots.take(tree.value, ({ version }) => blobs.get(version))) : tree
    },
    write: (path, data) => changing(origin, path, (draft, p) => write(draft, p, data)),
    makeDirectory: (path) => changing(origin, path, (draft, p) => makeFolder(draft, p, now())),
    remove: (path) => changing(origin, path, (draft, p) => removeNode(draft, p)),
    move: (from, to) => changing(origin, from, (draft, source) => moveNode(draft, source, to, now())),
    async apply(changes) {
      const draft = new Map(nodes)
      for (const change of changes) {
        const done = applyStep(draft, change)
        if (!done.ok) return done
      }
      if (changes.length > 0) commit(draft, origin)
      return ok(null)
    },
    usage: async () => {
      const { bytes, files } = usedBy(nodes)
      return { usedBytes: bytes, limitBytes: limits.maxTotalBytes, files }
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    recording: view,
    history,
    close: async () => listeners.clear(),
  })
  return view(null)
}
