import { emptyLog, imagesOf, type ChangeLog } from '../log/change-log'
import type { ChangeSet, NodeImage } from '../vfs-history'
import type { Content } from './content'
import { createLedger } from './ledger'
import type { Delta, NodeRecord } from './records'
import { createTree, rootId, type Undo } from './tree'

type Touch = { readonly kind: 'node' | 'set'; readonly key: number } | { readonly kind: 'base'; readonly key: string }

const versionOf = (image: NodeImage) => (image?.kind === 'file' ? image.version : null)

/**
 * All of a conversation's files but their bytes, in memory: the tree, the log, and who holds which contents. Changes are
 * made here first; they are taken back by `rollback`, and kept by `settle` once the database has them.
 */
export function createState() {
  const undos: Undo[] = []
  const onUndo = (undo: Undo) => void undos.push(undo)
  const tree = createTree(onUndo)
  const ledger = createLedger(onUndo)
  let log: ChangeLog = emptyLog
  let nextNodeId = rootId + 1
  /** Records that differ from the database's, and after how many undos. */
  const touched: (Touch & { readonly at: number })[] = []
  const touch = (what: Touch) => void touched.push({ ...what, at: undos.length })
  /** Bytes of blocks that the database may not have yet. */
  const fresh = new Map<string, Uint8Array>()

  function setNode(id: number, next: NodeRecord | undefined): void {
    const old = tree.get(id)
    // Held before it is released: a content that only changes its file must not seem to go.
    if (next?.kind === 'file') ledger.hold(next.version, 'files')
    if (old?.kind === 'file') ledger.release(old.version, 'files')
    tree.set(id, next)
    touch({ kind: 'node', key: id })
  }

  function swapImages(old: Iterable<NodeImage>, next: Iterable<NodeImage>): void {
    for (const image of next) {
      const version = versionOf(image)
      if (version !== null) ledger.hold(version, 'log')
    }
    for (const image of old) {
      const version = versionOf(image)
      if (version !== null) ledger.release(version, 'log')
    }
  }

  const imagesOfSets = (sets: readonly ChangeSet[]) => imagesOf({ ...emptyLog, sets })

  function setLog(next: ChangeLog): void {
    const before = log
    const known = new Map(before.sets.map((set) => [set.id, set]))
    const kept = new Set(next.sets)
    const added = next.sets.filter((set) => known.get(set.id) !== set)
    const removed = before.sets.filter((set) => !kept.has(set))
    undos.push(() => (log = before))
    for (const { id } of [...added, ...removed]) touch({ kind: 'set', key: id })
    swapImages(imagesOfSets(removed), imagesOfSets(added))
    if (next.base !== before.base) {
      for (const [path, image] of next.base) {
        const old = before.base.get(path)
        if (old === image && before.base.has(path)) continue
        swapImages(old === undefined ? [] : [old], [image])
        touch({ kind: 'base', key: path })
      }
      for (const [path, image] of before.base) {
        if (next.base.has(path)) continue
        swapImages([image], [])
        touch({ kind: 'base', key: path })
      }
    }
    log = next
  }

  return {
    tree,
    ledger,
    setNode,
    setLog,
    get log() {
      return log
    },
    get nextNodeId() {
      return nextNodeId
    },
    /** Never given twice, also not when the change that asked for it is taken back. */
    newNodeId: () => nextNodeId++,
    /** Makes a file's content known, so that nodes can refer to it. */
    take({ version, blocks }: Content): void {
      ledger.know(version, blocks)
      for (const { key, bytes } of blocks) fresh.set(key, bytes)
    },
    bytesOf: (key: string) => fresh.get(key),
    /** After loading: the database has all that is known so far. */
    loaded(ids: { readonly nextNodeId: number; readonly nextSetId: number }): void {
      nextNodeId = Math.max(nextNodeId, ids.nextNodeId)
      log = { ...log, nextId: ids.nextSetId }
      this.settle()
    },
    mark: () => undos.length,
    rollback(mark: number): void {
      while (undos.length > mark) undos.pop()?.()
      while ((touched.at(-1)?.at ?? 0) > mark) touched.pop()
    },
    hasChanges: () => touched.length > 0,
    delta(generation: number): Delta {
      const keys = (wanted: Touch['kind']) => [
        ...new Set(touched.filter(({ kind }) => kind === wanted).map(({ key }) => key)),
      ]
      return {
        generation,
        nodes: keys('node') as number[],
        sets: keys('set') as number[],
        base: keys('base') as string[],
      }
    },
    /** The database has all changes; or never will, and they are rolled back. */
    settle(): void {
      undos.length = 0
      touched.length = 0
      fresh.clear()
      ledger.settle()
    },
  }
}

export type State = ReturnType<typeof createState>
