import type { ChangedPath } from '@/lib/chat/conversation'
import { createBlobs } from '../blobs'
import { failures, vfsFailure } from '../failures'
import { vfsLimits, type VfsLimits } from '../limits'
import { sameImage } from '../log/change-log'
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
  type TreeNode,
} from '../node-tree'
import { isInside, normalizePath } from '../path'
import { createSnapshots } from '../snapshot'
import type { FileChange, Vfs, VfsEntry, VfsResult, VfsSnapshot, VfsTreeEntry } from '../vfs'
import { copiedVersions, differences, planSteps, type NodeDifference } from './plan-steps'
import { comparableText } from './comparable-text'

/** Files whose changes stay in memory until they are committed; the base never sees them before. */
export interface OverlayVfs extends Vfs {
  /** All paths that would change, sorted; folders too. What was written and is the same as before is none. */
  changes(): readonly ChangedPath[]
  /** A file before and after; null where there is none, or where it is no text of a size that can be compared. */
  texts(path: string): Promise<{ readonly before: string | null; readonly after: string | null }>
  /**
   * What brings the base to where this layer is, for one `apply`; [] when nothing changed. EBUSY: something else changed
   * the same path of the base meanwhile, so that one of the two would be lost.
   */
  steps(): Promise<VfsResult<readonly FileChange[]>>
  /** Applies the steps to the base, or to a view of it: all or nothing. Errors as in `steps` and `apply`. */
  commit(view?: Vfs): Promise<VfsResult<null>>
}

const done = { ok: true, value: null } as const

/** Dead contents are swept out when they are more than this and than what is alive. */
const sweepBytes = 16_000_000

/**
 * A layer over files: it sees the base as it is at its first use, keeps what is changed to itself, and answers as the base
 * would, limits included. Reads fall through. Changes are recorded by the view that is committed to, not here.
 */
export function createOverlayVfs(
  base: Vfs,
  { now = Date.now, ...options }: { readonly now?: () => number; readonly limits?: Partial<VfsLimits> } = {},
): OverlayVfs {
  const own = createBlobs('own-')
  const ownSnapshots = createSnapshots()
  const listeners = new Set<() => void>()
  let limits: VfsLimits = { ...vfsLimits, ...options.limits }
  let old: Nodes = emptyNodes(0)
  let nodes: Nodes = emptyNodes(0)
  let sources = new Map<string, string>()
  /** The base changed since it was looked at. */
  let stale = false
  let started: Promise<VfsResult<null>> | null = null
  let turn: Promise<unknown> = Promise.resolve()
  let putBytes = 0

  const changed = () => {
    for (const listener of listeners) listener()
  }
  const unwatch = base.watch(() => {
    stale = true
    changed()
  })

  async function look(): Promise<VfsResult<Nodes>> {
    const tree = await base.tree('/')
    if (!tree.ok) return tree
    const found = emptyNodes(now())
    for (const { path, kind, size, version, modifiedAt } of tree.value) {
      found.set(path, { image: kind === 'file' ? { kind, size, version } : { kind }, modifiedAt })
    }
    return { ok: true, value: found }
  }

  const start = () =>
    (started ??= (async () => {
      const [found, usage] = await Promise.all([look(), base.usage()])
      if (!found.ok) return found
      limits = { ...limits, maxTotalBytes: usage.limitBytes }
      old = found.value
      nodes = new Map(old)
      sources = new Map([...old].flatMap(([path, { image }]) => (image.kind === 'file' ? [[image.version, path]] : [])))
      return done
    })())

  /** Normalises, looks for blocking files, and runs. */
  async function within<T>(
    path: string,
    body: (path: string) => VfsResult<T> | Promise<VfsResult<T>>,
  ): Promise<VfsResult<T>> {
    const normal = normalizePath(path)
    if (!normal.ok) return normal
    const ready = await start()
    if (!ready.ok) return ready
    return blockedBy(nodes, normal.value) ?? body(normal.value)
  }

  /** Changes go one after the other, in the order in which they were asked for. */
  function inTurn<T>(work: () => Promise<VfsResult<T>>): Promise<VfsResult<T>> {
    const mine = turn.then(work)
    turn = mine.catch(() => null)
    return mine
  }

  const inOrder = <T>(work: () => Promise<VfsResult<T>>): Promise<VfsResult<T>> =>
    inTurn(async () => {
      const result = await work()
      if (result.ok) changed()
      return result
    })

  function sweep(added: number): void {
    putBytes += added
    if (putBytes < sweepBytes) return
    const alive = new Set<string>()
    for (const { image } of nodes.values()) if (image.kind === 'file') alive.add(image.version)
    own.keepOnly(alive)
    putBytes = 0
  }

  /** The base's own image where the data is what it holds at this path: such a change is none. */
  async function sameInBase(path: string, data: Uint8Array): Promise<TreeNode['image'] | null> {
    const there = old.get(path)?.image
    if (there?.kind !== 'file' || there.size !== data.byteLength || stale) return null
    const read = await base.read(path)
    return read.ok && !stale && read.value.every((byte, at) => byte === data[at]) ? there : null
  }

  async function imageOf(path: string, data: Uint8Array): Promise<TreeNode['image']> {
    const copy = data.slice()
    return (await sameInBase(path, copy)) ?? own.put(copy)
  }

  /** What is moved to where the base holds the same changes nothing there either. */
  async function move(on: Nodes, from: string, to: string): Promise<VfsResult<null>> {
    const moved = moveNode(on, from, to, now())
    const target = normalizePath(to)
    if (!moved.ok || !target.ok) return moved
    for (const [path, node] of on) {
      const there = old.get(path)?.image
      if (path !== target.value && !isInside(path, target.value)) continue
      if (node.image.kind !== 'file' || there?.kind !== 'file' || there.size !== node.image.size) continue
      const content = await contentOf(path, node)
      const same = content.ok ? await sameInBase(path, content.value) : null
      if (same !== null) on.set(path, { ...node, image: same })
    }
    return moved
  }

  function write(to: Nodes, path: string, image: TreeNode['image']): VfsResult<{ size: number; replaced: boolean }> {
    const size = image.kind === 'file' ? image.size : 0
    const checked = checkWrite(to, path, size, { limits, used: usedBy(to) })
    if (!checked.ok) return checked
    putFile(to, path, image, now())
    return { ok: true, value: { size, replaced: checked.value !== null } }
  }

  async function contentOf(path: string, { image }: TreeNode): Promise<VfsResult<Uint8Array>> {
    if (image.kind === 'directory') return failures.isFolder(path)
    if (own.has(image.version)) return { ok: true, value: own.get(image.version) }
    const source = old.get(path)?.image === image ? path : (sources.get(image.version) ?? path)
    const read = await base.read(source)
    if (!stale || !read.ok) return read
    const entry = await base.stat(source)
    if (!entry.ok) return entry
    const { kind, version } = entry.value
    if (kind !== 'file' || version === image.version) return read
    if (source !== path || nodes.get(path)?.image !== image) return changedMeanwhile(source)
    adopt(path, entry.value)
    return read
  }

  /** Nobody but the base changed this file: it is what the base holds now. */
  function adopt(path: string, { size, version, modifiedAt }: VfsEntry): void {
    const next = { image: { kind: 'file', size, version }, modifiedAt } as const
    old.set(path, next)
    nodes.set(path, next)
    sources.set(version, path)
  }

  /** The base's Blobs as they are, and one more set for what is this layer's own. */
  async function snapshot(): Promise<VfsResult<VfsSnapshot>> {
    const taken = await base.snapshot()
    if (!taken.ok) return taken
    const there = new Map(
      taken.value.entries.map((entry, at) => [entry.path, { entry, place: taken.value.places[at] }]),
    )
    const byVersion = new Map([...there.values()].map(({ entry, place }) => [entry.version, place]))
    for (const [path, node] of nodes) {
      if (node.image.kind === 'directory' || own.has(node.image.version) || byVersion.has(node.image.version)) continue
      const found = there.get(path)?.entry
      if (found?.kind !== 'file' || old.get(path)?.image !== node.image) return changedMeanwhile(path)
      adopt(path, found)
    }
    const tree = treeBelow(nodes, '/')
    if (!tree.ok) return tree
    const isOwn = ({ version }: VfsTreeEntry) => own.has(version)
    const mine = await ownSnapshots.take(tree.value.filter(isOwn), ({ version }) => own.get(version))
    let at = 0
    const places = tree.value.map((entry): readonly [number, number] => {
      if (!isOwn(entry)) return byVersion.get(entry.version) ?? [-1, 0]
      const [bundle, offset] = mine.places[at++] ?? [-1, 0]
      return [taken.value.blobs.length + bundle, offset]
    })
    return { ok: true, value: { entries: tree.value, places, blobs: [...taken.value.blobs, ...mine.blobs] } }
  }

  async function applyStep(draft: Nodes, change: FileChange): Promise<VfsResult<unknown>> {
    const normal = normalizePath(change.kind === 'move' ? change.from : change.path)
    if (!normal.ok) return normal
    const path = normal.value
    const blocked = blockedBy(draft, path)
    if (blocked !== null) return blocked
    switch (change.kind) {
      case 'write':
        return write(draft, path, await imageOf(path, change.data))
      case 'makeDirectory':
        return makeFolder(draft, path, now())
      case 'remove':
        return removeNode(draft, path)
      case 'move':
        return move(draft, path, change.to)
    }
  }

  /** What would change now, on the base as it stands by then. */
  async function steps(): Promise<VfsResult<readonly FileChange[]>> {
    await turn
    const mine = differences(old, nodes)
    if (mine.length === 0) return { ok: true, value: [] }
    const found = await look()
    if (!found.ok) return found
    const fresh = found.value
    const conflict = conflictOf(mine, old, fresh)
    if (conflict !== null) return changedMeanwhile(conflict)
    const wanted = new Map(fresh)
    for (const { path, after } of mine) {
      if (after === null) wanted.delete(path)
      else wanted.set(path, { image: after, modifiedAt: 0 })
    }
    const copied = new Map<string, Uint8Array>()
    for (const version of copiedVersions(fresh, wanted, (one) => own.has(one))) {
      const read = await base.read(sources.get(version) ?? '/')
      if (!read.ok) return read
      copied.set(version, read.value)
    }
    const ownBytes = (version: string) => copied.get(version) ?? (own.has(version) ? own.get(version) : null)
    return { ok: true, value: planSteps(fresh, wanted, ownBytes) }
  }

  const overlay: OverlayVfs = {
    stat: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        return node === undefined ? failures.nothing(p) : { ok: true, value: entryOf(p, node) }
      }),
    list: (path) => within(path, (p) => listFolder(nodes, p)),
    tree: (path) => within(path, (p) => treeBelow(nodes, p)),
    read: (path) =>
      within(path, (p) => {
        const node = nodes.get(p)
        return node === undefined ? failures.noFile(p) : contentOf(p, node)
      }),
    write(path, data) {
      const copy = data.slice()
      return inOrder(() =>
        within(path, async (p) => {
          const image = await imageOf(p, copy)
          const written = write(nodes, p, image)
          sweep(copy.byteLength)
          return written
        }),
      )
    },
    makeDirectory: (path) => inOrder(() => within(path, (p) => makeFolder(nodes, p, now()))),
    remove: (path) => inOrder(() => within(path, (p) => removeNode(nodes, p))),
    move: (from, to) => inOrder(() => within(from, (p) => move(nodes, p, to))),
    apply: (changes) =>
      inOrder(() =>
        within('/', async () => {
          const draft = new Map(nodes)
          for (const change of changes) {
            const result = await applyStep(draft, change)
            if (!result.ok) return result
          }
          nodes = draft
          return done
        }),
      ),
    snapshot: () => inTurn(() => within('/', snapshot)),
    async usage() {
      const ready = await start()
      if (!ready.ok) return base.usage()
      const { bytes, files } = usedBy(nodes)
      return { usedBytes: bytes, limitBytes: limits.maxTotalBytes, files }
    },
    watch(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    recording: () => overlay,
    history: {
      ...base.history,
      list: () => base.history.list(),
      read: (id, path, side) => base.history.read(id, path, side),
      usage: () => base.history.usage(),
      setUndone: async () => notHere,
      follow: async () => notHere,
      forget: async () => notHere,
    },
    async close() {
      unwatch()
      listeners.clear()
      own.keepOnly(new Set())
    },
    changes: () => differences(old, nodes).map(changedPath),
    async texts(path) {
      const normal = normalizePath(path)
      if (!normal.ok) return { before: null, after: null }
      const [before, after] = [old.get(normal.value), nodes.get(normal.value)]
      const same = async (read: () => Promise<VfsResult<Uint8Array>>, node: TreeNode | undefined) =>
        node?.image.kind === 'file' ? comparableText(await read()) : null
      return {
        before: await same(() => base.read(normal.value), before),
        after: await same(() => overlay.read(normal.value), after),
      }
    },
    steps,
    async commit(view = base) {
      const planned = await steps()
      if (!planned.ok) return planned
      return planned.value.length === 0 ? done : view.apply(planned.value)
    },
  }
  return overlay
}

const notHere = vfsFailure('EBUSY', '/', 'The history can’t be moved from within a layer over the files.')

const changedMeanwhile = (path: string) =>
  vfsFailure('EBUSY', path, `${path} was changed meanwhile by something else. Nothing was written over it.`)

/** The first path that this layer changed and that is not in the base any more what it was, nor what it becomes. */
function conflictOf(mine: readonly NodeDifference[], old: Nodes, fresh: Nodes): string | null {
  for (const { path, before, after } of mine) {
    const there = fresh.get(path)?.image ?? null
    if (!sameImage(there, before) && !sameImage(there, after)) return path
    if (before?.kind !== 'directory' || after?.kind === 'directory') continue
    // A folder that goes takes nothing along that came to be in it.
    for (const other of fresh.keys()) if (isInside(other, path) && !old.has(other)) return other
  }
  return null
}

function changedPath({ path, before, after }: NodeDifference): ChangedPath {
  const change = before === null ? 'created' : after === null ? 'deleted' : 'changed'
  const kind = (after ?? before)?.kind ?? 'file'
  return { path, change, kind, size: after?.kind === 'file' ? after.size : 0 }
}
