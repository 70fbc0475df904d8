import type { NodeImage } from '../vfs-history'

/*
 * What a conversation's database holds, one object store each:
 *
 *   nodes     id → NodeRecord              the tree; the root is not stored
 *   blocks    SHA-256 → bytes              equal blocks of any files, old or new, are stored once
 *   contents  version → ContentRecord      which blocks make a file that has several; of one block, the version is its key
 *   sets      id → ChangeSet               the log of changes
 *   base      path → BaseRecord            what stood there before the log
 *   meta      'head' → MetaRecord
 *
 * Every change is one transaction over all of them, so that any moment's database is a whole state.
 */
export const storeNames = ['nodes', 'blocks', 'contents', 'sets', 'base', 'meta'] as const
export type StoreName = (typeof storeNames)[number]

export const databaseVersion = 2
export const headKey = 'head'

export interface NodeRecord {
  readonly id: number
  /** 0 is the root. */
  readonly parent: number
  readonly name: string
  readonly kind: 'file' | 'directory'
  /** Bytes; 0 for folders. */
  readonly size: number
  /** Epoch milliseconds. */
  readonly modifiedAt: number
  /** '' for folders. */
  readonly version: string
}

export interface ContentRecord {
  readonly version: string
  readonly blocks: readonly BlockRef[]
}

export interface BlockRef {
  readonly key: string
  readonly size: number
}

export interface BaseRecord {
  readonly path: string
  readonly image: NodeImage
}

export interface MetaRecord {
  /** Rises by one with each change: who knows another one has to catch up before it reads or writes. */
  readonly generation: number
  readonly nextNodeId: number
  readonly nextSetId: number
  /** The latest changes, oldest first, without gaps: who is not far behind loads only these records. */
  readonly recent: readonly Delta[]
}

/** Records that one change wrote or removed. */
export interface Delta {
  readonly generation: number
  readonly nodes: readonly number[]
  readonly sets: readonly number[]
  readonly base: readonly string[]
}
