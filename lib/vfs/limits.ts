export interface VfsLimits {
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
  readonly maxFiles: number
  /** Of what only the history holds. */
  readonly maxHistoryBytes: number
  /** Change sets that are kept. */
  readonly maxHistorySets: number
}

/** Limits of one conversation's files. */
export const vfsLimits: VfsLimits = {
  maxFileBytes: 50_000_000,
  maxTotalBytes: 500_000_000,
  maxFiles: 20_000,
  maxHistoryBytes: 200_000_000,
  maxHistorySets: 500,
}
