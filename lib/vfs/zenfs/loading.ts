import { imagesOf, type ChangeLog } from '../log/change-log'
import type { ChangeSet, NodeImage } from '../vfs-history'
import { isJoined } from './content'
import { settled, type Stores } from './database'
import {
  foldedKey,
  type BaseRecord,
  type CommitRecord,
  type ContentRecord,
  type FoldedRecord,
  type NodeRecord,
} from './records'
import { createState, type State } from './state'

export interface Known {
  readonly state: State
  /** The last commit that the state holds; 0 before the first. */
  readonly generation: number
  /** The fold that the commits up to it follow; 0 before the first. */
  readonly foldedAt: number
}

/** Makes the contents of nodes and images known; `joined` has those of several blocks. */
function know(state: State, joined: readonly ContentRecord[], of: Iterable<NodeRecord | NodeImage>): void {
  for (const { version, blocks } of joined) state.ledger.know(version, blocks)
  for (const one of of) {
    // Of one block: its version is the block's key.
    if (one?.kind === 'file' && !isJoined(one.version)) {
      state.ledger.know(one.version, [{ key: one.version, size: one.size }])
    }
  }
}

async function loadFolded(stores: Stores): Promise<Known> {
  const state = createState()
  const folded = await settled<FoldedRecord | undefined>(stores('meta').get(foldedKey))
  if (folded === undefined) return { state, generation: 0, foldedAt: 0 }
  const [nodes, contents, sets, base] = await Promise.all([
    settled<NodeRecord[]>(stores('nodes').getAll()),
    settled<ContentRecord[]>(stores('contents').getAll()),
    settled<ChangeSet[]>(stores('sets').getAll()),
    settled<BaseRecord[]>(stores('base').getAll()),
  ])
  const log: ChangeLog = {
    sets,
    base: new Map(base.map(({ path, mark }) => [path, mark])),
    nextId: folded.nextSetId,
  }
  know(state, contents, nodes)
  know(state, [], imagesOf(log))
  for (const node of nodes) state.setNode(node.id, node)
  state.setLog(log)
  state.learnIds(folded)
  state.settleFolded()
  return { state, generation: folded.generation, foldedAt: folded.generation }
}

function replay(state: State, commit: CommitRecord): void {
  for (const { key, bytes } of commit.blocks) state.takeBlock(key, bytes)
  know(state, commit.contents, commit.nodes)
  // What goes leaves first: a file may have taken the place of another.
  for (const id of commit.goneNodes) state.setNode(id, undefined)
  for (const node of commit.nodes) state.setNode(node.id, node)
  const sets = new Map(state.log.sets.map((set) => [set.id, set]))
  for (const id of commit.goneSets) sets.delete(id)
  for (const set of commit.sets) sets.set(set.id, set)
  let base = state.log.base
  if (commit.base.length + commit.goneBase.length > 0) {
    const next = new Map(base)
    for (const path of commit.goneBase) next.delete(path)
    for (const { path, mark } of commit.base) next.set(path, mark)
    base = next
  }
  const log: ChangeLog = {
    sets: [...sets.values()].toSorted((a, b) => a.id - b.id),
    base,
    nextId: commit.nextSetId,
  }
  know(
    state,
    [],
    imagesOf({ sets: commit.sets, base: new Map(commit.base.map(({ path, mark }) => [path, mark])), nextId: 0 }),
  )
  state.setLog(log)
  state.learnIds(commit)
  state.settle()
}

/** Whether nobody has changed the files since: the last commit always stands, and a new one stands beside or instead of it. */
export async function isCurrent(stores: Stores, { generation }: Known): Promise<boolean> {
  const keys = await settled(stores('commits').getAllKeys(IDBKeyRange.lowerBound(generation), 2))
  return generation === 0 ? keys.length === 0 : keys.length === 1 && keys[0] === generation
}

/** Brings what is known up to date, or loads it anew when others have folded since. */
export async function catchUp(stores: Stores, known: Known | null): Promise<Known> {
  const stands =
    known !== null && known.generation > 0 && (await settled(stores('commits').getKey(known.generation))) !== undefined
  const from = stands ? known : await loadFolded(stores)
  const commits = await settled<CommitRecord[]>(stores('commits').getAll(IDBKeyRange.lowerBound(from.generation, true)))
  for (const commit of commits) replay(from.state, commit)
  return { ...from, generation: commits.at(-1)?.generation ?? from.generation }
}
