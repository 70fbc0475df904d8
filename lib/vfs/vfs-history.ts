import type { VfsResult } from './vfs-result'

/*
 * The history of a conversation's files, so that any change can be undone.
 *
 * The log is a sequence of change sets. A set is active unless the user undid it or its message is not on the current
 * branch. The state of a path is always a function of the log:
 *
 *   the `after` of the newest active set that touches the path; if none is active, the state before the log
 *
 * So undoing calls in any order, redoing them and switching branches never merges contents, is independent of order,
 * and always leads to the same files. Changes that the user made by hand belong to no branch and stay.
 */

/** Who changed files, and why. */
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
      /**
       * The last message of the conversation at that moment, for "restore to this message"; null before the first one.
       */
      readonly messageId: string | null
    }

/** The state of a path at one moment, by reference; null if it does not exist. */
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
 * Consecutive changes of one origin. A call's later changes join its set as long as no newer set touches those paths;
 * otherwise they form another set of the same origin.
 */
export interface ChangeSet {
  /** Increases with time, never reused in a conversation. */
  readonly id: number
  /** Time of its last change, in epoch milliseconds. */
  readonly at: number
  readonly origin: ChangeOrigin
  /**
   * Sorted by path, each path once; a moved or removed folder lists everything that was in it. `before` never equals
   * `after`.
   */
  readonly changes: readonly PathChange[]
  /** Undone by the user. */
  readonly undone: boolean
  /** Made by a call of a message that is not on the current branch. */
  readonly offBranch: boolean
}

/** The effect of a move on the files. */
export interface HistoryMove {
  /** Paths whose state changed, sorted. */
  readonly changed: readonly string[]
  /** Paths of the sets that were left unchanged. */
  readonly kept: readonly {
    readonly path: string
    /** A newer active set changed it too, or something that stays is in its place. */
    readonly why: 'changed-later' | 'in-the-way'
  }[]
}

/** Changes recorded elsewhere, on a copy of the files, to be made here. Contents are referenced by version. */
export interface Adoption {
  /** In order. Each becomes a set in the history under its own origin. */
  readonly sets: readonly {
    readonly origin: ChangeOrigin
    readonly changes: readonly Pick<PathChange, 'path' | 'after'>[]
  }[]
  /** Contents that these files may not have yet. */
  readonly contents: readonly Uint8Array[]
  /** The state that these paths must have now. */
  readonly expected: readonly { readonly path: string; readonly image: NodeImage }[]
}

export interface HistoryUsage {
  readonly sets: number
  /**
   * Bytes that only the history holds; contents that the files also hold do not count, and equal contents count once.
   */
  readonly usedBytes: number
  /** Above this limit the oldest sets are forgotten: their changes stay, and can no longer be undone. */
  readonly limitBytes: number
}

/** Every move is one step: all or nothing, durable, visible to other tabs. */
export interface VfsHistory {
  /** Newest first. */
  list(): Promise<VfsResult<readonly ChangeSet[]>>
  /** The contents of a file before or after a set. ENOENT: there was no file, or the set was forgotten. */
  read(id: number, path: string, side: 'before' | 'after'): Promise<VfsResult<Uint8Array>>
  /** Undoes or redoes sets. Unknown ids change nothing. EDQUOT: the files would not fit. */
  setUndone(ids: readonly number[], undone: boolean): Promise<VfsResult<HistoryMove>>
  /**
   * Switches the files to a branch: sets of calls count only if their message is one of these. A copy also takes over
   * what changed in its base, except at paths that its calls have touched.
   */
  follow(messageIds: readonly string[]): Promise<VfsResult<HistoryMove>>
  /**
   * Makes changes that were recorded elsewhere: all sets or none, in one step. A set of a call whose changes are
   * already in this history is skipped, so repeating it changes nothing. Returns the ids of the new sets. EBUSY: a path
   * does not have the expected state; EDQUOT: the files would not fit.
   */
  adopt(adoption: Adoption): Promise<VfsResult<readonly number[]>>
  /** Forgets all sets; the files stay as they are. */
  forget(): Promise<VfsResult<null>>
  usage(): Promise<HistoryUsage>
}
