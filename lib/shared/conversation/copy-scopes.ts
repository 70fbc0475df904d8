/* What grants cover that speak of a copy of the chat's files, and what became of one (`lib/shared/calls/copy.ts`). */

/** How a copy changes a path. A file that went and one that came with the same content are one that moved. */
export type EffectKind = 'created' | 'changed' | 'moved' | 'deleted'

/**
 * Later tasks begin on a copy by themselves, and what they change within these limits is kept without asking. With
 * `maxFiles` 0 nothing is kept: each of them ends with the user's decision.
 */
export interface EffectsScope {
  readonly kind: 'effects'
  /** Absolute paths; `/`: every folder. */
  readonly folders: readonly string[]
  readonly changes: readonly EffectKind[]
  /** Of one task. */
  readonly maxFiles: number
  /** Of all files that one task leaves changed. */
  readonly maxBytes: number
  /** Tasks that are kept by it. */
  readonly runs: number
}

/**
 * Calls that stay in the browser run by themselves, on a copy of the chat's files that the browser holds. While it is open,
 * every call of the chat runs on it. It ends with its grant.
 */
export interface CopyScope {
  readonly kind: 'copy'
  /** The grant of the kind `effects` by which it began and may be kept; left out: it began by a click. */
  readonly under?: string
  /** Results wait after each reply, until the user decides on its changes or goes on. */
  readonly isPreview?: true
  /** What the server let that grant keep; counted as one of its runs. */
  readonly allowed?: { readonly at: number; readonly files: number; readonly bytes: number }
  /** What became of its changes; left out while it is open. */
  readonly end?: CopyEnd
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
  /** A grant of the kind `effects` kept it; left out: the user decided. */
  readonly by?: 'grant'
}
