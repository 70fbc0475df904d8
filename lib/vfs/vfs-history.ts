import type { VfsResult } from './vfs-result'

/*
 * What happened to a conversation's files, so that any of it can be taken back.
 *
 * The log is a line of change sets. A set is active unless the user undid it or its message is not on the branch that is
 * shown. What stands at a path is always a function of the log:
 *
 *   the `after` of the newest active set that touches the path; where none is active, what stood there before the log
 *
 * So undoing calls in any order, redoing them and walking between branches never merge contents, need no order and end
 * at the same files whichever way one came. What the user changed by hand belongs to no branch and stays.
 */

/** Who changed files, and for what. */
export type ChangeOrigin =
  | {
      readonly kind: 'call'
      readonly messageId: string
      readonly slot: number
      readonly attempt: number
      readonly tool: string
    }
  | {
      readonly kind: 'user'
      /** For the list of changes: "edited", "uploaded", "deleted", "renamed", … */
      readonly action: string
      /** The head of the conversation at that moment, for "restore to this message"; null before the first one. */
      readonly messageId: string | null
    }

/** What stands at a path at one moment, by reference; null: nothing. */
export type NodeImage =
  | { readonly kind: 'file'; readonly size: number; readonly version: string }
  | { readonly kind: 'directory' }
  | null

export interface PathChange {
  readonly path: string
  readonly before: NodeImage
  readonly after: NodeImage
}

/**
 * What one origin did in a row. A call's later changes join its set as long as no newer set touches those paths; else
 * they make another set of the same origin.
 */
export interface ChangeSet {
  /** Rises with time, never used twice in a conversation. */
  readonly id: number
  /** Epoch milliseconds of its last change. */
  readonly at: number
  readonly origin: ChangeOrigin
  /** Sorted by path, each path once; a folder that moves or goes names all that was in it. Never `before` equal to `after`. */
  readonly changes: readonly PathChange[]
  /** Taken back by the user. */
  readonly undone: boolean
  /** Made by a call of a message that is not on the branch that is shown. */
  readonly offBranch: boolean
}

/** What became of the files. */
export interface HistoryMove {
  /** Paths that stand differently now, sorted. */
  readonly changed: readonly string[]
  /** Paths of the sets that stay as they are. */
  readonly kept: readonly {
    readonly path: string
    /** A newer active set changed it too; or something that stays stands in its way. */
    readonly why: 'changed-later' | 'in-the-way'
  }[]
}

/** Changes that were made elsewhere, on a copy of the files, and are now to be made here. Contents go by their versions. */
export interface Adoption {
  /** In their order. Each becomes a set of the history under its own origin. */
  readonly sets: readonly {
    readonly origin: ChangeOrigin
    readonly changes: readonly Pick<PathChange, 'path' | 'after'>[]
  }[]
  /** Contents that these files may not hold. */
  readonly contents: readonly Uint8Array[]
  /** What has to stand at these paths now. */
  readonly expected: readonly { readonly path: string; readonly image: NodeImage }[]
}

export interface HistoryUsage {
  readonly sets: number
  /** Bytes that only the history still holds; contents that the files hold too, or that are equal, count once or not at all. */
  readonly usedBytes: number
  /** Above it the oldest sets are forgotten: their changes stay, and can no longer be taken back. */
  readonly limitBytes: number
}

/** Every move is one step: all of it or none, durable, seen by other tabs. */
export interface VfsHistory {
  /** Newest first. */
  list(): Promise<VfsResult<readonly ChangeSet[]>>
  /** The contents of a file before or after a set. ENOENT: there was no file, or the set is forgotten. */
  read(id: number, path: string, side: 'before' | 'after'): Promise<VfsResult<Uint8Array>>
  /** Takes sets back, or puts them back. Ids that are not known change nothing. EDQUOT: the files would not fit. */
  setUndone(ids: readonly number[], undone: boolean): Promise<VfsResult<HistoryMove>>
  /** The files go where the branch is: sets of calls count only if their message is one of these. */
  follow(messageIds: readonly string[]): Promise<VfsResult<HistoryMove>>
  /**
   * Makes changes that were recorded elsewhere: all sets or none, in one step. A set of a call whose changes are in this
   * history already is left out, so doing it again changes nothing. Gives the ids of the new sets. EBUSY: something else
   * than expected is at a path; EDQUOT: the files would not fit.
   */
  adopt(adoption: Adoption): Promise<VfsResult<readonly number[]>>
  /** Forgets all sets; the files stay as they are. */
  forget(): Promise<VfsResult<null>>
  usage(): Promise<HistoryUsage>
}
