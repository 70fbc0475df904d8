import { failures } from '../failures'
import { vfsLimits, type VfsLimits } from '../limits'
import { joinPath, normalizePath } from '../path'
import { sortEntries } from '../sort-entries'
import type { FileChange, Vfs, VfsResult, VfsTreeEntry } from '../vfs'
import type { ChangeOrigin, ChangeSet, HistoryMove, VfsHistory } from '../vfs-history'
import { prepareContent } from './content'
import { databaseName } from './database-name'
import type { NodeRecord } from './records'
import type { State } from './state'
import { blockedBy, createSteps, entryOf, type PreparedChange } from './steps'
import { describeStorageFailure } from './storage-failure'
import { createSnapshots } from '../snapshot'
import { createFileStore, type FileStore, type View } from './store'

export interface ZenVfsOptions {
  readonly conversationId: string
  readonly indexedDB: IDBFactory
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly limits?: VfsLimits
  /** Called after each change; tells the other tabs. */
  readonly announce: () => void
  readonly watch: (listener: () => void) => () => void
  /** Is given, after each snapshot, what to call when no other follows for a while: it lets go of what was kept for that. */
  readonly whenUnused?: (forget: () => void) => void
  /** The bytes that are given to `write` and `apply` are never changed by the caller, so no copy is made. */
  readonly ownsBytes?: boolean
}

const ok = <T>(value: T): VfsResult<T> => ({ ok: true, value })
const nothingToPrepare = Promise.resolve(null)

/** The folder at a path. */
function folderAt({ state }: View, path: string): VfsResult<NodeRecord> {
  const node = state.tree.at(path)
  if (node === undefined) return failures.noFolder(path)
  return node.kind === 'file' ? failures.isFile(path) : ok(node)
}

function entriesBelow({ tree }: State, folder: NodeRecord, path: string): VfsTreeEntry[] {
  const found: VfsTreeEntry[] = []
  const visit = (node: NodeRecord, at: string) => {
    const here = tree.childrenOf(node).map((child) => ({ ...entryOf(child), path: joinPath(at, child.name), child }))
    for (const { child, ...entry } of sortEntries(here)) {
      found.push(entry)
      if (child.kind === 'directory') visit(child, entry.path)
    }
  }
  visit(folder, path)
  return found
}

/** A conversation's files in IndexedDB, for use inside a worker of the app's origin. */
export function createZenVfs(options: ZenVfsOptions): Vfs {
  const { limits = vfsLimits, now, ownsBytes = false } = options
  const snapshots = createSnapshots()
  const store: FileStore = createFileStore(databaseName(options.conversationId), options)

  async function guarded<T>(path: string, work: (path: string) => Promise<VfsResult<T>>): Promise<VfsResult<T>> {
    const normal = normalizePath(path)
    if (!normal.ok) return normal
    try {
      return await work(normal.value)
    } catch (thrown) {
      return describeStorageFailure(thrown, normal.value)
    }
  }

  const reading = <T>(path: string, body: (view: View, path: string) => VfsResult<T> | Promise<VfsResult<T>>) =>
    guarded(path, (p) => store.read(async (view) => blockedBy(view.state, p) ?? body(view, p)))

  const prepare = (data: Uint8Array) => prepareContent(ownsBytes ? data : data.slice())

  /** Takes the steps in order, or none of them; gives back the last one's value. */
  const changing = <T>(path: string, origin: ChangeOrigin | null, changes: () => Promise<readonly PreparedChange[]>) =>
    guarded(path, () =>
      store.change(changes(), (state, prepared): VfsResult<T> => {
        const steps = createSteps(state, limits, now)
        let last: VfsResult<unknown> = ok(null)
        for (const change of prepared) {
          last = steps.one(change)
          if (!last.ok) return last
        }
        steps.record(origin)
        return last as VfsResult<T>
      }),
    )

  const prepareAll = (changes: readonly FileChange[]): Promise<readonly PreparedChange[]> =>
    Promise.all(
      changes.map(async (change) =>
        change.kind === 'write'
          ? { kind: change.kind, path: change.path, content: await prepare(change.data) }
          : change,
      ),
    )

  const moveTo = (flag: (set: ChangeSet) => ChangeSet) =>
    guarded('/', () =>
      store.change(nothingToPrepare, (state): VfsResult<HistoryMove> => createSteps(state, limits, now).moveTo(flag)),
    )

  const history: VfsHistory = {
    list: () => reading('/', ({ state }) => ok(state.log.sets.toReversed())),
    read: (id, path, side) =>
      guarded(path, (p) =>
        store.read(async (files) => {
          const set = files.state.log.sets.find((each) => each.id === id)
          const image = set?.changes.find((change) => change.path === p)?.[side]
          return image?.kind === 'file' ? ok(await files.bytes(image.version, image.size)) : failures.noFile(p)
        }),
      ),
    setUndone: (ids, undone) =>
      moveTo((set) => (ids.includes(set.id) && set.undone !== undone ? { ...set, undone } : set)),
    follow: (messageIds) =>
      moveTo((set) => {
        if (set.origin.kind !== 'call') return set
        const offBranch = !messageIds.includes(set.origin.messageId)
        return offBranch === set.offBranch ? set : { ...set, offBranch }
      }),
    forget: () =>
      guarded('/', () =>
        store.change(nothingToPrepare, (state) => {
          if (state.log.sets.length > 0) state.setLog({ sets: [], base: new Map(), nextId: state.log.nextId })
          return ok(null)
        }),
      ),
    async usage() {
      const { maxHistoryBytes: limitBytes } = limits
      try {
        return await store.read(async ({ state }) => ({
          sets: state.log.sets.length,
          usedBytes: state.ledger.logBytes,
          limitBytes,
        }))
      } catch {
        return { sets: 0, usedBytes: 0, limitBytes }
      }
    },
  }

  const view = (origin: ChangeOrigin | null): Vfs => ({
    stat: (path) =>
      reading(path, ({ state }, p) => {
        const node = state.tree.at(p)
        return node === undefined ? failures.nothing(p) : ok(entryOf(node))
      }),
    list: (path) =>
      reading(path, (files, p) => {
        const folder = folderAt(files, p)
        return folder.ok ? ok(sortEntries(files.state.tree.childrenOf(folder.value).map(entryOf))) : folder
      }),
    tree: (path) =>
      reading(path, (files, p) => {
        const folder = folderAt(files, p)
        return folder.ok ? ok(entriesBelow(files.state, folder.value, p)) : folder
      }),
    read: (path) =>
      reading(path, async (files, p) => {
        const node = files.state.tree.at(p)
        if (node === undefined) return failures.noFile(p)
        return node.kind === 'file' ? ok(await files.bytes(node.version, node.size)) : failures.isFolder(p)
      }),
    async snapshot() {
      const taken = await reading('/', async (files) => {
        const root = folderAt(files, '/')
        if (!root.ok) return root
        const entries = entriesBelow(files.state, root.value, '/')
        return ok(await snapshots.take(entries, ({ version, size }) => files.bytes(version, size)))
      })
      options.whenUnused?.(() => snapshots.forget())
      return taken
    },
    write: (path, data) => changing(path, origin, () => prepareAll([{ kind: 'write', path, data }])),
    makeDirectory: (path) => changing(path, origin, async () => [{ kind: 'makeDirectory', path }]),
    remove: (path) => changing(path, origin, async () => [{ kind: 'remove', path }]),
    move: (from, to) => changing(from, origin, async () => [{ kind: 'move', from, to }]),
    async apply(changes) {
      const done = await changing('/', origin, () => prepareAll(changes))
      return done.ok ? ok(null) : done
    },

    async usage() {
      const { maxTotalBytes: limitBytes } = limits
      try {
        const { bytes, files } = await store.read(async ({ state }) => state.tree.usage)
        return { usedBytes: bytes, limitBytes, files }
      } catch {
        return { usedBytes: 0, limitBytes, files: 0 }
      }
    },

    watch: options.watch,
    recording: view,
    history,
    close: async () => store.close(),
  })
  return view(null)
}
