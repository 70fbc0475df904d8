import { emptyLog, imagesOf, type ChangeLog } from '../log/change-log'
import type { ChangeSet, NodeImage } from '../vfs-history'
import type { Content } from './content'
import { createLedger } from './ledger'
import type { NextIds, NodeRecord } from './records'
import { createTree, rootId, type Undo } from './tree'

type Touch = { readonly kind: 'node' | 'set'; readonly key: number } | { readonly kind: 'base'; readonly key: string }

/** Keys of records, without doubles. */
export interface Keys {
  readonly nodes: ReadonlySet<number>
  readonly sets: ReadonlySet<number>
  readonly base: ReadonlySet<string>
}

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
  /** Records that differ from what is committed, and after how many undos. */
  const touched: (Touch & { readonly at: number })[] = []
  const touch = (what: Touch) => void touched.push({ ...what, at: undos.length })
  /** Records that differ from what is folded. */
  const unfolded = { nodes: new Set<number>(), sets: new Set<number>(), base: new Set<string>() }
  /** Bytes of blocks that were not committed yet, and of those that are committed and not folded. */
  const fresh = new Map<string, Uint8Array>()
  const committed = new Map<string, Uint8Array>()

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
      for (const [path, mark] of next.base) {
        const old = before.base.get(path)
        if (old === mark) continue
        swapImages(old === undefined ? [] : [old.image], [mark.image])
        touch({ kind: 'base', key: path })
      }
      for (const [path, mark] of before.base) {
        if (next.base.has(path)) continue
        swapImages([mark.image], [])
        touch({ kind: 'base', key: path })
      }
    }
    log = next
  }

  function touchedKeys(): Keys {
    const keys = { nodes: new Set<number>(), sets: new Set<number>(), base: new Set<string>() }
    for (const what of touched) {
      if (what.kind === 'base') keys.base.add(what.key)
      else keys[what.kind === 'node' ? 'nodes' : 'sets'].add(what.key)
    }
    return keys
  }

  function clear(): void {
    undos.length = 0
    touched.length = 0
    fresh.clear()
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
    learnIds(ids: NextIds): void {
      nextNodeId = Math.max(nextNodeId, ids.nextNodeId)
      log = { ...log, nextId: Math.max(log.nextId, ids.nextSetId) }
    },
    /** Makes a file's content known, so that nodes can refer to it. */
    take({ version, blocks }: Content): void {
      ledger.know(version, blocks)
      for (const { key, bytes } of blocks) fresh.set(key, bytes)
    },
    /** A block of a commit that was loaded. */
    takeBlock: (key: string, bytes: Uint8Array) => void fresh.set(key, bytes),
    /** The bytes of a block that its own store may not have. */
    bytesOf: (key: string): Uint8Array | undefined => fresh.get(key) ?? committed.get(key),
    mark: () => undos.length,
    rollback(mark: number): void {
      while (undos.length > mark) undos.pop()?.()
      while ((touched.at(-1)?.at ?? 0) > mark) touched.pop()
    },
    hasChanges: () => touched.length > 0,
    touchedKeys,
    unfoldedKeys: (): Keys => {
      const { nodes, sets, base } = touchedKeys()
      return {
        nodes: new Set([...unfolded.nodes, ...nodes]),
        sets: new Set([...unfolded.sets, ...sets]),
        base: new Set([...unfolded.base, ...base]),
      }
    },
    /** Bytes that are kept in memory until the next fold. */
    committedBytes(): number {
      let sum = 0
      for (const bytes of committed.values()) sum += bytes.byteLength
      return sum
    },
    /** The changes are committed; or were given up, and rolled back. */
    settle(): void {
      const { nodes, sets, base } = touchedKeys()
      for (const id of nodes) unfolded.nodes.add(id)
      for (const id of sets) unfolded.sets.add(id)
      for (const path of base) unfolded.base.add(path)
      ledger.settle()
      for (const [key, bytes] of fresh) if (ledger.isInCommit(key)) committed.set(key, bytes)
      for (const key of committed.keys()) if (!ledger.isInCommit(key)) committed.delete(key)
      clear()
    },
    /** The changes are committed and folded, or loaded from what was folded. */
    settleFolded(): void {
      ledger.settleFolded()
      committed.clear()
      for (const keys of Object.values(unfolded)) keys.clear()
      clear()
    },
  }
}

export type State = ReturnType<typeof createState>
