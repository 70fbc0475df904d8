import type { FileChange, VfsUsage, VfsLimits } from '../vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import type { Adoption, ChangeOrigin, HistoryUsage } from '../vfs-history'

/**
 * One request to the worker: the methods of `Vfs`, and under `history.` those of `VfsHistory`, with their arguments.
 */
export type VfsCall =
  | { readonly op: 'stat' | 'list' | 'tree' | 'read'; readonly path: string }
  | { readonly op: 'write'; readonly path: string; readonly data: Uint8Array; readonly origin: ChangeOrigin | null }
  | { readonly op: 'makeDirectory' | 'remove'; readonly path: string; readonly origin: ChangeOrigin | null }
  | { readonly op: 'move'; readonly path: string; readonly to: string; readonly origin: ChangeOrigin | null }
  | { readonly op: 'apply'; readonly changes: readonly FileChange[]; readonly origin: ChangeOrigin | null }
  | { readonly op: 'snapshot' | 'usage' | 'history.list' | 'history.forget' | 'history.usage' }
  | { readonly op: 'history.read'; readonly id: number; readonly path: string; readonly side: 'before' | 'after' }
  | { readonly op: 'history.setUndone'; readonly ids: readonly number[]; readonly undone: boolean }
  | { readonly op: 'history.adopt'; readonly adoption: Adoption }
  | { readonly op: 'history.follow'; readonly messageIds: readonly string[] }

/** Requests from the page to the worker. `open` comes first, once. */
export type VfsRequest =
  | {
      readonly type: 'open'
      readonly conversationId: string
      /** Set for a copy of the conversation's files. */
      readonly copyId?: string
      readonly limits: VfsLimits
    }
  | { readonly type: 'call'; readonly id: number; readonly call: VfsCall }

export interface VfsReply {
  readonly id: number
  readonly value: VfsResult<unknown> | VfsUsage | HistoryUsage
}

/** Names the files of a conversation, or one copy of them. */
export const filesKey = (conversationId: string, copyId?: string): string =>
  copyId === undefined ? conversationId : `${conversationId}~${copyId}`

/** The channel on which changes of a conversation's files are announced, to this tab and the others. */
export const changesChannel = (key: string) => `nod:vfs:changes:${key}`
