/** What one search may take. Characters are UTF-16 units. */
export const searchLimits = {
  results: { standard: 50, most: 200 },
  files: 10_000,
  fileBytes: 2_000_000,
  /** Of text in all: of a text's search, and of a pattern's, which is slower. */
  totalBytes: { text: 50_000_000, pattern: 10_000_000 },
  /** Of files, go over to the worker at once, or as few as reach the bytes. */
  batch: { files: 100, bytes: 1_000_000 },
  queryCharacters: 1_000,
  /** Of a line, a pattern sees no more than this. */
  patternLineCharacters: 2_000,
  /** Milliseconds that a pattern may run, over all lines. */
  patternMs: 10_000,
  excerptCharacters: 240,
} as const

export type SearchLimits = {
  readonly [Key in keyof typeof searchLimits]: (typeof searchLimits)[Key] extends number
    ? number
    : { readonly [Inner in keyof (typeof searchLimits)[Key]]: number }
}
