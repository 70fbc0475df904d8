import type { Stores } from './database'
import { foldedKey, type CommitRecord, type EndRecord, type StoreName, storeNames } from './records'
import type { Keys, State } from './state'
import type { Known } from './loading'

/** A commit that would hold more than this, or find more than this waiting, folds. */
const foldAt = { commits: 256, records: 400, newBytes: 1_000_000, waitingBytes: 4_000_000 } as const

/** A copy where the bytes are a view: the browser would store all of the memory behind it. */
const alone = (bytes: Uint8Array | undefined) =>
  bytes === undefined || bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()

function needed(state: State, key: string): Uint8Array {
  const bytes = alone(state.bytesOf(key))
  if (bytes === undefined) throw new Error('the bytes of a block are missing')
  return bytes
}

/** The records of these keys as they are now; those that are no more, by key. */
function recordsOf(state: State, keys: Keys) {
  const nodes = [...keys.nodes].map((id) => ({ id, node: state.tree.get(id) }))
  const known = new Map(keys.sets.size > 0 ? state.log.sets.map((set) => [set.id, set]) : [])
  const sets = [...keys.sets].map((id) => ({ id, set: known.get(id) }))
  const paths = [...keys.base].map((path) => ({ path, mark: state.log.base.get(path) }))
  return {
    nodes: nodes.flatMap(({ node }) => node ?? []),
    goneNodes: nodes.flatMap(({ id, node }) => (node === undefined ? [id] : [])),
    sets: sets.flatMap(({ set }) => set ?? []),
    goneSets: sets.flatMap(({ id, set }) => (set === undefined ? [id] : [])),
    base: paths.flatMap(({ path, mark }) => (mark === undefined ? [] : [{ path, mark }])),
    goneBase: paths.flatMap(({ path, mark }) => (mark === undefined ? [path] : [])),
  }
}

const contentOf = (state: State, version: string) => ({
  version,
  blocks: state.ledger.blocksOf(version).map(({ key, size }) => ({ key, size })),
})

/** Of one block: its version says it all. */
const isPlain = (state: State, version: string): boolean => {
  const refs = state.ledger.blocksOf(version)
  return refs.length === 1 && refs[0]?.key === version
}

export interface Commit {
  readonly generation: number
  readonly folds: boolean
  /** The stores that its transaction needs. */
  readonly names: readonly StoreName[]
  /** Sends all of it; when somebody else has committed meanwhile, the browser gives the transaction up: `isOvertaken`. */
  put(stores: Stores): void
}

/** How to store what the state has changed since `generation`. */
export function planCommit({ state, generation: before, foldedAt }: Known): Commit {
  const generation = before + 1
  const end: EndRecord = { generation: -1 - foldedAt }
  const ids = { nextNodeId: state.nextNodeId, nextSetId: state.log.nextId }
  const touched = state.touchedKeys()
  const { largeBlocks, smallBlocks, goneBlocks, contents } = state.ledger.pending()
  const newBytes = smallBlocks.reduce((sum, key) => sum + (state.bytesOf(key)?.byteLength ?? 0), 0)
  const folds =
    generation - foldedAt >= foldAt.commits ||
    touched.nodes.size + touched.sets.size + touched.base.size > foldAt.records ||
    newBytes > foldAt.newBytes ||
    state.committedBytes() + state.ledger.deadBytes() > foldAt.waitingBytes

  function putLarge(stores: Stores): void {
    for (const key of largeBlocks) stores('blocks').put(needed(state, key), key)
    for (const key of goneBlocks) stores('blocks').delete(key)
  }

  function putCommit(stores: Stores): void {
    const commit: CommitRecord = {
      generation,
      ...recordsOf(state, touched),
      contents: contents.filter((version) => !isPlain(state, version)).map((version) => contentOf(state, version)),
      blocks: smallBlocks.map((key) => ({ key, bytes: needed(state, key) })),
      ...ids,
    }
    stores('commits').add(commit)
    stores('commits').add(end)
    stores('commits').delete(end.generation)
    putLarge(stores)
  }

  function putFold(stores: Stores): void {
    const empty = { nodes: [], goneNodes: [], sets: [], goneSets: [], base: [], goneBase: [], contents: [], blocks: [] }
    const mark: CommitRecord = { generation, ...empty, ...ids }
    stores('commits').add(mark)
    stores('commits').add(end)
    stores('commits').delete(IDBKeyRange.bound(0, before))
    const { blocks, contents: all } = state.ledger.unfolded()
    for (const key of blocks.put) {
      const bytes = state.bytesOf(key)
      // Without bytes here, its own store has it.
      if (bytes !== undefined) stores('blocks').put(alone(bytes), key)
    }
    for (const key of blocks.gone) stores('blocks').delete(key)
    for (const version of all.put) if (!isPlain(state, version)) stores('contents').put(contentOf(state, version))
    for (const version of all.gone) stores('contents').delete(version)
    const records = recordsOf(state, state.unfoldedKeys())
    for (const node of records.nodes) stores('nodes').put(node)
    for (const id of records.goneNodes) stores('nodes').delete(id)
    for (const set of records.sets) stores('sets').put(set)
    for (const id of records.goneSets) stores('sets').delete(id)
    for (const one of records.base) stores('base').put(one)
    for (const path of records.goneBase) stores('base').delete(path)
    stores('meta').put({ generation, ...ids }, foldedKey)
  }

  const needsBlocks = largeBlocks.length + goneBlocks.length > 0
  return {
    generation,
    folds,
    names: folds ? storeNames : needsBlocks ? ['commits', 'blocks'] : ['commits'],
    put: folds ? putFold : putCommit,
  }
}
