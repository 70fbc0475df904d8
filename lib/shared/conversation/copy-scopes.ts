/* The scope of grants on a copy of the chat's files, and the end of a copy (`lib/shared/calls/copy.ts`). */

/** How a copy changes a path. A removed file and a new one with the same content count as one moved file. */
export type EffectKind = 'created' | 'changed' | 'moved' | 'deleted'

/**
 * Later tasks start on a copy by themselves, and their changes within these limits are kept without asking. If
 * `maxFiles` is 0, nothing is kept without asking: the user decides on each task.
 */
export interface EffectsScope {
  readonly kind: 'effects'
  /** Absolute paths; `/`: every folder. */
  readonly folders: readonly string[]
  readonly changes: readonly EffectKind[]
  /** Changed files of one task. */
  readonly maxFiles: number
  /** Total size of the files that one task changes. */
  readonly maxBytes: number
  /** How many tasks it may keep. */
  readonly runs: number
}

/**
 * Calls that stay in the browser run by themselves, on a copy of the chat's files that the browser holds. While it is open,
 * every call of the chat runs on it. It ends with its grant.
 */
export interface CopyScope {
  readonly kind: 'copy'
  /** The grant of the kind `effects` under which the copy began and may be kept. Left out: it began by a click. */
  readonly under?: string
  /** The user chose the copy with the message of the task, before any call of it. */
  readonly chosen?: true
  /** Results wait after each reply, until the user decides on its changes or goes on. */
  readonly isPreview?: true
  /** What the server let that grant keep; counted as one of its runs. */
  readonly allowed?: { readonly at: number; readonly files: number; readonly bytes: number }
  /** What its browser stored for a link to another device; left out: no link, or the copy has ended. */
  readonly look?: CopyLook
  /** The end of the copy; left out while it is open. */
  readonly end?: CopyEnd
}

/** Why a change should be reviewed before the others. */
export type ReviewReason = 'asked' | 'skill' | 'deleted' | 'outside' | 'edited' | 'binary' | 'large'

/** A changed path as another device shows it. Contents stay in the browser that has the copy. */
export interface ShownChange {
  readonly path: string
  readonly change: EffectKind
  /** Only with `moved`. */
  readonly from?: string
  /** Bytes after the change; for a deleted file, before it. */
  readonly size: number
  readonly reasons: readonly ReviewReason[]
  /** Lines added and removed; text files only. */
  readonly lines?: { readonly added: number; readonly removed: number }
}

export interface ShownCopy {
  readonly changes: readonly ShownChange[]
  readonly runs: number
  /** How long they took together. */
  readonly ms: number
}

/** Contents are in one browser, so an answer is a request that this browser carries out. */
export interface CopyLook extends ShownCopy {
  /** Also names this state of the copy. */
  readonly at: number
  /** The first answer. `here`: the browser that has the copy decides; it then ends the copy. */
  readonly answer?: {
    readonly kind: 'keep' | 'discard'
    readonly from: 'link' | 'here'
    /** The name of another account that answered, at that moment. Left out: the owner did. */
    readonly reviewer?: string
  }
}

export interface CopyEnd {
  /** `kept`: all of it, or the part that the user chose. */
  readonly kind: 'kept' | 'discarded'
  /** Files that the copy had changed. */
  readonly changed: number
  /** Files of them that the user kept. */
  readonly kept: number
  /** Paths that the user did not keep, at most `maxLeftOut` of them; none where all or nothing was kept. */
  readonly leftOut: readonly string[]
  /** The grant of the kind `effects` that kept the copy. Left out: the user decided. */
  readonly by?: 'grant'
  /** The name of the other account that decided, at that moment. Left out: none did. */
  readonly reviewer?: string
}
