import { checkSpace, failures, type VfsFailure } from '../failures'
import { vfsLimits, type VfsLimits } from '../limits'
import { emptyLog, forgetOldest, imagesOf, planMove, record, type ChangeLog } from '../log/change-log'
import { isInside, nameOf, normalizePath, parentOf } from '../path'
import { sortEntries } from '../sort-entries'
import type { FileChange, Vfs, VfsEntry, VfsResult, VfsTreeEntry } from '../vfs'
import type { ChangeOrigin, ChangeSet, HistoryMove, NodeImage, VfsHistory } from '../vfs-history'
import { createBlobs } from './blobs'

interface Node {
  readonly image: NonNullable<NodeImage>
  readonly modifiedAt: number
}

type Nodes = Map<string, Node>

const ok = <T>(value: T): VfsResult<T> => ({ ok: true, value })

const entryOf = (path: string, { image, modifiedAt }: Node): VfsEntry => ({
  name: nameOf(path),
  kind: image.kind,
  size: image.kind === 'file' ? image.size : 0,
  modifiedAt,
  version: image.kind === 'file' ? image.version : '',
})

/** A file on the way to `path` stands in the way. */
function blockedBy(nodes: Nodes, path: string): VfsFailure | null {
  for (let at = parentOf(path); at !== '/'; at = parentOf(at)) {
    if (nodes.get(at)?.image.kind === 'file') return failures.isFile(at)
  }
  return null
}

function used(nodes: Nodes) {
  let bytes = 0
  let files = 0
  for (const { image } of nodes.values()) {
    if (image.kind !== 'file') continue
    bytes += image.size
    files += 1
  }
  return { bytes, files }
}

/** Files in a Map: for tests, and the twin that every other backend must behave like. Nothing outlives the page. */
export function createMemoryVfs(options: { now?: () => number; limits?: Partial<VfsLimits> } = {}): Vfs {
  const { now = () => 0 } = options
  const limits = { ...vfsLimits, ...options.limits }
  const blobs = createBlobs()
  let nodes: Nodes = new Map([['/', { image: { kind: 'directory' }, modifiedAt: now() }]])
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
    if (origin !== null) log = trimmed(record(log, origin, changes, now()))
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

  function addFolders(draft: Nodes, path: string): void {
    for (let at = path; !draft.has(at); at = parentOf(at)) {
      draft.set(at, { image: { kind: 'directory' }, modifiedAt: now() })
    }
  }

  const steps = {
    write(draft: Nodes, path: string, data: Uint8Array): VfsResult<{ size: number; replaced: boolean }> {
      const standing = draft.get(path)
      if (standing?.image.kind === 'directory') return failures.isFolder(path)
      const replaced = standing === undefined ? null : entryOf(path, standing)
      const full = checkSpace({ path, size: data.byteLength, replaced, used: used(draft) }, limits)
      if (full !== null) return full
      addFolders(draft, parentOf(path))
      draft.set(path, { image: blobs.put(data), modifiedAt: now() })
      return ok({ size: data.byteLength, replaced: replaced !== null })
    },
    makeDirectory(draft: Nodes, path: string): VfsResult<null> {
      if (draft.get(path)?.image.kind === 'file') return failures.exists(path)
      addFolders(draft, path)
      return ok(null)
    },
    remove(draft: Nodes, path: string): VfsResult<null> {
      if (path === '/') return failures.isRoot('removed')
      if (!draft.has(path)) return failures.nothing(path)
      for (const other of draft.keys()) if (isInside(other, path)) draft.delete(other)
      return ok(null)
    },
    move(draft: Nodes, source: string, to: string): VfsResult<null> {
      const normal = normalizePath(to)
      if (!normal.ok) return normal
      const target = normal.value
      if (source === '/') return failures.isRoot('moved')
      const node = draft.get(source)
      if (node === undefined) return failures.nothing(source)
      if (target === source) return ok(null)
      if (isInside(target, source)) return failures.intoItself(source)
      const blocked = blockedBy(draft, target)
      if (blocked !== null) return blocked
      const standing = draft.get(target)
      if (standing?.image.kind === 'directory') return failures.folderExists(target)
      if (standing !== undefined && node.image.kind === 'directory') return failures.exists(target)
      addFolders(draft, parentOf(target))
      for (const [other, child] of [...draft].filter(([path]) => isInside(path, source))) {
        draft.delete(other)
        draft.set(target + other.slice(source.length), child)
      }
      return ok(null)
    },
  }

  /** Normalises, looks for blocking files, and runs; as in a real backend, nothing is done before a tick. */
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
        return steps.write(draft, normal.value, change.data)
      case 'makeDirectory':
        return steps.makeDirectory(draft, normal.value)
      case 'remove':
        return steps.remove(draft, normal.value)
      case 'move':
        return steps.move(draft, normal.value, change.to)
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
    const { bytes, files } = used(draft)
    if (bytes > limits.maxTotalBytes || files > limits.maxFiles) return failures.noRoomToMove()
    log = plan.log
    nodes = draft
    if (plan.steps.length > 0) changed()
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
    list: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        if (node === undefined) return failures.noFolder(p)
        if (node.image.kind === 'file') return failures.isFile(p)
        const entries = inside(p).flatMap((other) => {
          const child = nodes.get(other)
          return child ? [entryOf(other, child)] : []
        })
        return ok(sortEntries(entries))
      }),
    tree: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        if (node === undefined) return failures.noFolder(p)
        if (node.image.kind === 'file') return failures.isFile(p)
        const found: VfsTreeEntry[] = []
        const visit = (folder: string) => {
          const here = inside(folder).flatMap((other) => {
            const child = nodes.get(other)
            return child ? [{ ...entryOf(other, child), path: other }] : []
          })
          for (const entry of sortEntries(here)) {
            found.push(entry)
            if (entry.kind === 'directory') visit(entry.path)
          }
        }
        visit(p)
        return ok(found)
      }),
    read: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        if (node === undefined) return failures.noFile(p)
        return node.image.kind === 'file' ? ok(blobs.get(node.image.version)) : failures.isFolder(p)
      }),
    write: (path, data) => changing(origin, path, (draft, p) => steps.write(draft, p, data)),
    makeDirectory: (path) => changing(origin, path, (draft, p) => steps.makeDirectory(draft, p)),
    remove: (path) => changing(origin, path, (draft, p) => steps.remove(draft, p)),
    move: (from, to) => changing(origin, from, (draft, source) => steps.move(draft, source, to)),
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
      const { bytes, files } = used(nodes)
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
