import type { BaseMark } from '../log/log-parts'
import type { ChangeSet } from '../vfs-history'

/*
 * What a conversation's database holds, one object store each:
 *
 *   commits   generation → CommitRecord    the latest changes, each whole, in one record; the last one always stands.
 *                                          Below zero: EndRecord, one for each fold
 *   nodes     id → NodeRecord              the tree; the root is not stored
 *   blocks    SHA-256 → bytes              equal blocks of any files, old or new, are stored once
 *   contents  version → ContentRecord      which blocks make a file that has several; of one block, the version is its key
 *   sets      id → ChangeSet               the log of changes
 *   base      path → BaseRecord            what stands there since a change that is not recorded, or was forgotten
 *   meta      'folded' → FoldedRecord
 *
 * A small change is one record in `commits`, with its bytes. Now and then a change also folds: it puts all that the commits
 * came to into the other stores, and removes the commits before it. Either way a change is one transaction.
 */
export const storeNames = ['commits', 'nodes', 'blocks', 'contents', 'sets', 'base', 'meta'] as const
export type StoreName = (typeof storeNames)[number]

export const databaseVersion = 2
export const foldedKey = 'folded'

/** A larger block goes to its own store at once: to write it twice would cost more than a request. */
export const inlineBytes = 16_384

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
  readonly mark: BaseMark
}

/** Ids that are never given twice. */
export interface NextIds {
  readonly nextNodeId: number
  readonly nextSetId: number
}

/** What one change wrote and removed. */
export interface CommitRecord extends NextIds {
  /** Rises by one with each change. */
  readonly generation: number
  readonly nodes: readonly NodeRecord[]
  readonly goneNodes: readonly number[]
  readonly sets: readonly ChangeSet[]
  readonly goneSets: readonly number[]
  readonly base: readonly BaseRecord[]
  readonly goneBase: readonly string[]
  readonly contents: readonly ContentRecord[]
  readonly blocks: readonly { readonly key: string; readonly bytes: Uint8Array }[]
}

/**
 * Says that what followed the fold of generation `-1 - generation` is folded too. A change adds the commit after the one it
 * knows, and adds and removes the end of the fold it knows: with both it can't succeed on old knowledge, and needs no answer.
 */
export interface EndRecord {
  readonly generation: number
}

export interface FoldedRecord extends NextIds {
  /** The other stores hold all up to this one. */
  readonly generation: number
}
