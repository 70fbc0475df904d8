import type { LogDelta } from '../log/log-delta'
import type { ChangeLog } from '../log/log-parts'
import type { TreeNode } from '../node-tree'

/*
 * What a conversation's database holds, one object store each:
 *
 *   changes   generation → ChangeRecord     what each change since the checkpoint did; of those before it a stub
 *   contents  SHA-256 → bytes               whole files, of now and of the history; equal ones are stored once
 *   state     'checkpoint' → Checkpoint     the tree and the log as of one generation
 *
 * A change adds the generation after the one that it knows. Where another tab was first, the browser refuses the record, and
 * with it all of the transaction: so a change needs no answer before it is sent. Stubs stay for good, some 30 bytes each: a
 * tab that slept must never find its number free.
 *
 * Now and then a change is also a checkpoint: it puts the whole state, and removes the contents that nothing refers to.
 */
export const storeNames = ['changes', 'contents', 'state'] as const
export type StoreName = (typeof storeNames)[number]

export const databaseVersion = 3
export const checkpointKey = 'checkpoint'

export interface ChangeRecord {
  /** Rises by one with each change. */
  readonly generation: number
  /** Null: nothing stands there any more. In an order in which they can be done. */
  readonly nodes: readonly (readonly [path: string, node: TreeNode | null])[]
  readonly log: LogDelta | null
}

/** What a checkpoint leaves of a change. */
export interface StubRecord {
  readonly generation: number
}

export interface Checkpoint {
  readonly generation: number
  readonly nodes: readonly (readonly [path: string, node: TreeNode])[]
  readonly log: ChangeLog
}
