import type { VfsLimits } from '../limits'
import type { VfsResult, VfsUsage } from '../vfs'

/** What the page asks the worker. `open` comes first, once. */
export type VfsRequest =
  | { readonly type: 'open'; readonly conversationId: string; readonly limits: VfsLimits }
  | { readonly type: 'call'; readonly id: number; readonly op: VfsOp; readonly args: readonly (string | Uint8Array)[] }

export type VfsOp = 'stat' | 'list' | 'read' | 'write' | 'makeDirectory' | 'remove' | 'move' | 'usage'

export interface VfsReply {
  readonly id: number
  readonly value: VfsResult<unknown> | VfsUsage
}

/** Changes of a conversation's files are announced here, to this tab and to the others. */
export const changesChannel = (conversationId: string) => `nod:vfs:changes:${conversationId}`
