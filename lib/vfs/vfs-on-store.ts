import { ok } from '@/lib/base/result'
import { createByteReader, isInBlob } from './file-bytes'
import { sameImage } from './log/change-log'
import { blockedBy, vfsEntryOf, listFolder, treeBelow, type TreeNode } from './node-tree'
import { isInside, normalizePath } from './path'
import { createSnapshots } from './snapshot'
import { type FileChange, type Vfs, type Written, failures, type VfsLimits } from './vfs'
import type { VfsResult, VfsFailure } from './vfs-result'
import type { ChangeOrigin, ChangeSet, HistoryMove, VfsHistory } from './vfs-history'
import type { FileContent, FileStep, VersionedFiles } from './versioned-files'

/** The files as of one moment. */
export interface View {
  readonly files: VersionedFiles
  /** The bytes of a content, newly allocated for the caller. */
  readonly bytes: (version: string, size: number) => Promise<Uint8Array>
}

/** What a backend must provide. `describe` turns its errors into failures. */
export interface FileStore {
  /**
   * Names the bytes. They are referenced until they are stored: a backend that shares them with others must copy them.
   */
  name(data: Uint8Array): Promise<FileContent>
  /** Runs `body` on the current files. It may run twice: only its last value counts. */
  read<T>(body: (view: View) => Promise<VfsResult<T>>): Promise<VfsResult<T>>
  /**
   * Runs `body` once the steps are ready, and stores what it changed; a failure changes nothing. It may run more than
   * once.
   * Calls are served in order.
   */
  change<T>(
    steps: Promise<readonly FileStep[]>,
    body: (files: VersionedFiles, steps: readonly FileStep[]) => VfsResult<T>,
  ): Promise<VfsResult<T>>
  /** Of a copy. */
  readonly base?: CopyBase | null | undefined
  describe(thrown: unknown, path: string): VfsFailure
  watch(listener: () => void): () => void
  close(): void
}

/** The files that a copy was made from. */
interface CopyBase {
  /** The current nodes; another map after each change. */
  nodes(): Promise<ReadonlyMap<string, TreeNode>>
  /** Nothing was read or written on the copy: it has no state of its own, so it begins with these files as they are. */
  isUnused(): Promise<boolean>
}

export interface VfsOptions {
  readonly limits: VfsLimits
  /**
   * Called after each snapshot with a function to call when no other snapshot follows for a while: it releases the kept
   * Blobs.
   */
  readonly whenUnused?: ((forget: () => void) => void) | undefined
}

const noSteps = Promise.resolve([])

const beside: ChangeOrigin = { kind: 'user', action: 'beside-copy', messageId: null }

/**
 * Paths that cannot be updated are left out one by one; if there are more than this, the rest waits for the next
 * update.
 */
const maxRefused = 20

/** Makes the changes of the base in the copy, except at paths that calls have touched. Returns whether it made all. */
function takeOver(files: VersionedFiles, there: ReadonlyMap<string, TreeNode>): VfsResult<boolean> {
  const made = files.log.sets.filter(({ origin, undone }) => origin.kind === 'call' && !undone)
  const touched = new Set(made.flatMap(({ changes }) => changes.map(({ path }) => path)))
  const imageAt = (nodes: ReadonlyMap<string, TreeNode>, path: string) => nodes.get(path)?.image ?? null
  const differs = (path: string) => {
    const [now, known] = [imageAt(there, path), imageAt(files.nodes, path)]
    // The root is always there, and not in every store.
    return path !== '/' && now !== known && !sameImage(now, known) && !touched.has(path)
  }
  const paths = [...there.keys()].filter(differs)
  for (const path of files.nodes.keys()) if (!there.has(path) && differs(path)) paths.push(path)
  let changes = paths.map((path) => ({ path, after: imageAt(there, path) }))
  for (let tries = 0; changes.length > 0 && tries < maxRefused; tries++) {
    const taken = files.adopt({ sets: [{ origin: beside, changes }], expected: [] })
    if (taken.ok) break
    if (taken.error.code !== 'EBUSY') return taken
    // Something in the copy blocks this path; its row shows that.
    const refused = taken.error.path
    changes = changes.filter(({ path }) => path !== refused && !isInside(path, refused))
  }
  return ok(changes.length === paths.length)
}

/** The files of a conversation on any store of versioned files. */
export function createVfsOnStore(store: FileStore, { limits, whenUnused }: VfsOptions): Vfs {
  const snapshots = createSnapshots()

  async function guarded<T>(path: string, work: (path: string) => Promise<VfsResult<T>>): Promise<VfsResult<T>> {
    const normal = normalizePath(path)
    if (!normal.ok) return normal
    try {
      return await work(normal.value)
    } catch (thrown) {
      return store.describe(thrown, normal.value)
    }
  }

  const reading = <T>(path: string, body: (view: View, path: string) => VfsResult<T> | Promise<VfsResult<T>>) =>
    guarded(path, (p) => store.read(async (view) => blockedBy(view.files.nodes, p) ?? body(view, p)))

  /** Applies the steps in order, or none of them. */
  const changing = (path: string, origin: ChangeOrigin | null, changes: readonly FileChange[]) => {
    const bytesOf = createByteReader()
    const named = changes.map(async (change): Promise<FileStep> => {
      if (change.kind !== 'write') return change
      const { kind, path: at, data } = change
      // Bytes in memory are named before anything else happens: the caller may change them later.
      const content = await store.name(isInBlob(data) ? await bytesOf(data) : data)
      return { kind, path: at, content }
    })
    return guarded(path, () => store.change(Promise.all(named), (files, steps) => files.change(steps, origin)))
  }

  const changed = async (path: string, origin: ChangeOrigin | null, changes: readonly FileChange[]) => {
    const done = await changing(path, origin, changes)
    return done.ok ? ok({ changeId: done.value.changeId }) : done
  }

  const moveTo = (flag: (set: ChangeSet) => ChangeSet) =>
    guarded('/', () => store.change(noSteps, (files): VfsResult<HistoryMove> => files.moveTo(flag)))

  /** What the last update of a copy ended with. */
  let updated: { readonly there: ReadonlyMap<string, TreeNode>; readonly log: VersionedFiles['log'] } | null = null

  /** `there`: the base, if this is a copy. */
  function follow(messageIds: readonly string[], there: ReadonlyMap<string, TreeNode> | null) {
    const flag = (set: ChangeSet) => {
      if (set.origin.kind !== 'call') return set
      const offBranch = !messageIds.includes(set.origin.messageId)
      return offBranch === set.offBranch ? set : { ...set, offBranch }
    }
    return store.change(noSteps, (files): VfsResult<HistoryMove> => {
      const moved = files.moveTo(flag)
      if (!moved.ok || there === null || (updated?.there === there && updated.log === files.log)) return moved
      const taken = takeOver(files, there)
      if (!taken.ok) return taken
      updated = taken.value ? { there, log: files.log } : null
      return moved
    })
  }

  const history: VfsHistory = {
    list: () =>
      guarded('/', async () =>
        (await store.base?.isUnused()) ? ok([]) : store.read(async ({ files }) => ok(files.log.sets.toReversed())),
      ),
    read: (id, path, side) =>
      guarded(path, (p) =>
        store.read(async ({ files, bytes }) => {
          const set = files.log.sets.find((each) => each.id === id)
          const image = set?.changes.find((change) => change.path === p)?.[side]
          return image?.kind === 'file' ? ok(await bytes(image.version, image.size)) : failures.noFile(p)
        }),
      ),
    setUndone: (ids, undone) =>
      moveTo((set) => (ids.includes(set.id) && set.undone !== undone ? { ...set, undone } : set)),
    follow: (messageIds) =>
      guarded('/', async () => {
        if (await store.base?.isUnused()) return ok({ changed: [], kept: [] })
        return follow(messageIds, (await store.base?.nodes()) ?? null)
      }),
    adopt: ({ contents, ...adoption }) => {
      // The steps only carry the contents, so that these are stored with the change.
      const named = contents.map(async (data): Promise<FileStep> => {
        return { kind: 'write', path: '/', content: await store.name(data) }
      })
      return guarded('/', () => store.change(Promise.all(named), (files) => files.adopt(adoption)))
    },
    forget: () => guarded('/', () => store.change(noSteps, (files) => files.forget())),
    async usage() {
      const { maxHistoryBytes: limitBytes } = limits
      const used = await reading('/', ({ files }) =>
        ok({ sets: files.log.sets.length, usedBytes: files.historyBytes(), limitBytes }),
      )
      return used.ok ? used.value : { sets: 0, usedBytes: 0, limitBytes }
    },
  }

  const view = (origin: ChangeOrigin | null): Vfs => ({
    stat: (path) =>
      reading(path, ({ files }, p) => {
        const node = files.nodes.get(p)
        return node === undefined ? failures.nothing(p) : ok(vfsEntryOf(p, node))
      }),
    list: (path) => reading(path, ({ files }, p) => listFolder(files.nodes, p)),
    tree: (path) => reading(path, ({ files }, p) => treeBelow(files.nodes, p)),
    read: (path) =>
      reading(path, async ({ files, bytes }, p) => {
        const image = files.nodes.get(p)?.image
        if (image === undefined) return failures.noFile(p)
        return image.kind === 'file' ? ok(await bytes(image.version, image.size)) : failures.isFolder(p)
      }),
    async snapshot() {
      const taken = await reading('/', async ({ files, bytes }) => {
        const tree = treeBelow(files.nodes, '/')
        return tree.ok ? ok(await snapshots.take(tree.value, ({ version, size }) => bytes(version, size))) : tree
      })
      whenUnused?.(() => snapshots.forget())
      return taken
    },
    async write(path, data) {
      const done = await changing(path, origin, [{ kind: 'write', path, data }])
      if (!done.ok) return done
      const { last, changeId } = done.value
      return ok({ ...(last as Omit<Written, 'changeId'>), changeId })
    },
    makeDirectory: (path) => changed(path, origin, [{ kind: 'makeDirectory', path }]),
    remove: (path) => changed(path, origin, [{ kind: 'remove', path }]),
    move: (from, to) => changed(from, origin, [{ kind: 'move', from, to }]),
    apply: (changes) => changed('/', origin, changes),
    async usage() {
      const { maxTotalBytes: limitBytes } = limits
      const used = await reading('/', ({ files }) => ok(files.nodes.used))
      return used.ok
        ? { usedBytes: used.value.bytes, limitBytes, files: used.value.files }
        : { usedBytes: 0, limitBytes, files: 0 }
    },
    watch: (listener) => store.watch(listener),
    recording: view,
    history,
    close: async () => store.close(),
  })
  return view(null)
}
