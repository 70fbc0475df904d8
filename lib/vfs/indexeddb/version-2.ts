import { emptyLog, imagesOf, type ChangeLog } from '../log/change-log'
import type { BaseMark } from '../log/log-parts'
import type { TreeNode } from '../node-tree'
import { joinPath } from '../path'
import type { ChangeSet } from '../vfs-history'
import { settled } from './settled'
import { checkpointKey, type Checkpoint, type StubRecord } from './records'

/*
 * Databases of version 2 kept files as blocks: `blocks` by their hash, `contents` naming the blocks of a file of several, a
 * table of `nodes` by number, and `commits` that were not folded into these stores yet. A file of several blocks keeps the name
 * that it had: written again with equal bytes, it counts as changed, once.
 */
interface OldNode {
  readonly id: number
  readonly parent: number
  readonly name: string
  readonly kind: 'file' | 'directory'
  readonly size: number
  readonly modifiedAt: number
  readonly version: string
}

interface OldContent {
  readonly version: string
  readonly blocks: readonly { readonly key: string; readonly size: number }[]
}

interface OldBase {
  readonly path: string
  readonly mark: BaseMark
}

/** What one change did; of those that were folded only the number is left. */
interface OldCommit {
  readonly generation: number
  readonly nodes: readonly OldNode[]
  readonly goneNodes: readonly number[]
  readonly sets: readonly ChangeSet[]
  readonly goneSets: readonly number[]
  readonly base: readonly OldBase[]
  readonly goneBase: readonly string[]
  readonly contents: readonly OldContent[]
  readonly blocks: readonly { readonly key: string; readonly bytes: Uint8Array }[]
  readonly nextSetId: number
}

const rootId = 0

function pathsOf(nodes: ReadonlyMap<number, OldNode>): readonly (readonly [string, TreeNode])[] {
  const pathOf = (id: number): string => {
    const node = nodes.get(id)
    return node === undefined ? '/' : joinPath(pathOf(node.parent), node.name)
  }
  return [...nodes.values()]
    .filter(({ id }) => id !== rootId)
    .map(({ id, kind, size, version, modifiedAt }) => [
      pathOf(id),
      { image: kind === 'file' ? { kind, size, version } : { kind }, modifiedAt },
    ])
}

/** The tree and the log as they were, and what is needed to find a file's bytes. */
async function readOld(transaction: IDBTransaction) {
  const all = <T>(name: string): Promise<T[]> => settled(transaction.objectStore(name).getAll())
  const folded = await settled<{ readonly generation: number; readonly nextSetId: number } | undefined>(
    transaction.objectStore('meta').get('folded'),
  )
  const nodes = new Map((await all<OldNode>('nodes')).map((node) => [node.id, node]))
  const contents = new Map((await all<OldContent>('contents')).map((content) => [content.version, content.blocks]))
  const sets = new Map((await all<ChangeSet>('sets')).map((set) => [set.id, set]))
  const base = new Map((await all<OldBase>('base')).map(({ path, mark }) => [path, mark]))
  const inCommits = new Map<string, Uint8Array>()
  let nextId = folded?.nextSetId ?? emptyLog.nextId
  for (const commit of await all<OldCommit>('commits')) {
    if (commit.generation <= (folded?.generation ?? 0)) continue
    for (const id of commit.goneNodes) nodes.delete(id)
    for (const node of commit.nodes) nodes.set(node.id, node)
    for (const id of commit.goneSets) sets.delete(id)
    for (const set of commit.sets) sets.set(set.id, set)
    for (const path of commit.goneBase) base.delete(path)
    for (const { path, mark } of commit.base) base.set(path, mark)
    for (const { version, blocks } of commit.contents) contents.set(version, blocks)
    for (const { key, bytes } of commit.blocks) inCommits.set(key, bytes)
    nextId = commit.nextSetId
  }
  const log: ChangeLog = { sets: [...sets.values()].toSorted((a, b) => a.id - b.id), base, nextId }
  return { nodes: pathsOf(nodes), log, contents, inCommits }
}

/** Puts a database of version 2 into the stores of this one. Runs in the transaction that opens it: wholly, or not at all. */
export async function carryOver(db: IDBDatabase, transaction: IDBTransaction, makeStores: () => void): Promise<void> {
  const { nodes, log, contents, inCommits } = await readOld(transaction)
  for (const name of ['nodes', 'contents', 'sets', 'base', 'meta', 'commits']) db.deleteObjectStore(name)
  makeStores()
  const blocks = transaction.objectStore('blocks')
  const versions = new Set<string>()
  for (const image of [...nodes.map(([, node]) => node.image), ...imagesOf(log)]) {
    if (image?.kind === 'file') versions.add(image.version)
  }
  for (const version of versions) {
    const parts: Uint8Array<ArrayBuffer>[] = []
    for (const { key } of contents.get(version) ?? [{ key: version }]) {
      const bytes = inCommits.get(key) ?? (await settled<Uint8Array | undefined>(blocks.get(key)))
      if (bytes === undefined) throw new Error('a part of a file is missing')
      parts.push(bytes as Uint8Array<ArrayBuffer>)
    }
    const whole = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0))
    let at = 0
    for (const part of parts) {
      whole.set(part, at)
      at += part.byteLength
    }
    transaction.objectStore('contents').put(whole, version)
  }
  db.deleteObjectStore('blocks')
  const stub: StubRecord = { generation: 1 }
  const checkpoint: Checkpoint = { ...stub, nodes, log }
  transaction.objectStore('changes').add(stub)
  transaction.objectStore('state').put(checkpoint, checkpointKey)
}
