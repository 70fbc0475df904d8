import type { ChangeLog } from '../log/change-log'
import type { ChangeSet } from '../vfs-history'
import { isJoined } from './content'
import { settled, type Stores } from './database'
import type { BaseRecord, ContentRecord, MetaRecord, NodeRecord } from './records'
import { imagesOf } from '../log/change-log'
import { createState, type State } from './state'

/** A content of one block: its version is the block's key. */
const single = (version: string, size: number) => [{ key: version, size }]

/** Makes a node's or an image's content known; `joined` has those of several blocks. */
function knowIn(state: State, joined: ReadonlyMap<string, ContentRecord>, version: string, size: number): void {
  if (state.ledger.knows(version)) return
  state.ledger.know(version, isJoined(version) ? (joined.get(version)?.blocks ?? []) : single(version, size))
}

function knowLog(state: State, joined: ReadonlyMap<string, ContentRecord>, log: ChangeLog): void {
  for (const image of imagesOf(log)) if (image?.kind === 'file') knowIn(state, joined, image.version, image.size)
}

/** All that the database holds, but the bytes. */
export async function loadState(stores: Stores, meta: MetaRecord): Promise<State> {
  const state = createState()
  const [nodes, contents, sets, base] = await Promise.all([
    settled<NodeRecord[]>(stores('nodes').getAll()),
    settled<ContentRecord[]>(stores('contents').getAll()),
    settled<ChangeSet[]>(stores('sets').getAll()),
    settled<BaseRecord[]>(stores('base').getAll()),
  ])
  const joined = new Map(contents.map((content) => [content.version, content]))
  for (const node of nodes) {
    if (node.kind === 'file') knowIn(state, joined, node.version, node.size)
    state.setNode(node.id, node)
  }
  const log: ChangeLog = {
    sets,
    base: new Map(base.map(({ path, image }) => [path, image])),
    nextId: meta.nextSetId,
  }
  knowLog(state, joined, log)
  state.setLog(log)
  state.loaded(meta)
  return state
}

/** The deltas since a generation; null when they are not all there any more. */
function deltasSince(meta: MetaRecord, generation: number) {
  const missed = meta.recent.filter((delta) => delta.generation > generation)
  return generation <= meta.generation && missed.length === meta.generation - generation ? missed : null
}

/** Brings a state that knew `generation` up to date; loads it anew when it is too far behind. */
export async function catchUp(
  stores: Stores,
  meta: MetaRecord,
  known: { readonly state: State; readonly generation: number } | null,
): Promise<State> {
  const missed = known === null ? null : deltasSince(meta, known.generation)
  if (known === null || missed === null) return loadState(stores, meta)
  const { state } = known
  const [nodeIds, setIds, paths] = [
    [...new Set(missed.flatMap(({ nodes }) => nodes))],
    [...new Set(missed.flatMap(({ sets }) => sets))],
    [...new Set(missed.flatMap(({ base }) => base))],
  ]
  const all = <T>(store: 'nodes' | 'sets' | 'base', keys: readonly (number | string)[]) =>
    Promise.all(keys.map((key) => settled<T | undefined>(stores(store).get(key))))
  const [nodes, sets, base] = await Promise.all([
    all<NodeRecord>('nodes', nodeIds),
    all<ChangeSet>('sets', setIds),
    all<BaseRecord>('base', paths),
  ])
  const newSets = new Map(state.log.sets.map((set) => [set.id, set]))
  for (const [at, id] of setIds.entries()) {
    const set = sets[at]
    if (set === undefined) newSets.delete(id)
    else newSets.set(id, set)
  }
  const newBase = new Map(state.log.base)
  for (const [at, path] of paths.entries()) {
    const record = base[at]
    if (record === undefined) newBase.delete(path)
    else newBase.set(path, record.image)
  }
  const log: ChangeLog = {
    sets: [...newSets.values()].toSorted((a, b) => a.id - b.id),
    base: newBase,
    nextId: meta.nextSetId,
  }
  const versions = new Set(
    [...nodes, ...imagesOf(log)].flatMap((one) =>
      one?.kind === 'file' && isJoined(one.version) && !state.ledger.knows(one.version) ? [one.version] : [],
    ),
  )
  const contents = await Promise.all(
    [...versions].map((version) => settled<ContentRecord | undefined>(stores('contents').get(version))),
  )
  const joined = new Map(contents.flatMap((content) => (content ? [[content.version, content] as const] : [])))
  knowLog(state, joined, log)
  for (const node of nodes) if (node?.kind === 'file') knowIn(state, joined, node.version, node.size)
  // What goes leaves first: a file may have taken the place of another.
  for (const [at, id] of nodeIds.entries()) if (nodes[at] === undefined) state.setNode(id, undefined)
  for (const node of nodes) if (node !== undefined) state.setNode(node.id, node)
  state.setLog(log)
  state.loaded(meta)
  return state
}
