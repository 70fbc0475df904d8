export interface VfsLimits {
  readonly maxFileBytes: number
  readonly maxTotalBytes: number
  readonly maxFiles: number
}

/** Limits of one conversation's files. */
export const vfsLimits: VfsLimits = { maxFileBytes: 8_000_000, maxTotalBytes: 100_000_000, maxFiles: 2_000 }
