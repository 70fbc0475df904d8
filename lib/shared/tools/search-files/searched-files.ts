/** A file that a search includes. */
export interface SearchedFile {
  readonly path: string
  readonly size: number
  readonly version: string
}

/** What was left out and why, for the note of the result. */
export interface LeftOut {
  files: number
  binary: number
  large: string[]
  /** Documents without an available text that would have taken too long to read. */
  documents: string[]
  stoppedAtFiles: boolean
  stoppedAtBytes: boolean
}

export const nothingLeftOut = (): LeftOut => ({
  files: 0,
  binary: 0,
  large: [],
  documents: [],
  stoppedAtFiles: false,
  stoppedAtBytes: false,
})

export interface FileToSearch {
  readonly path: string
  readonly data: Uint8Array
  /** How many of the included files had been reached, this one included. */
  readonly nth: number
}

/** The limits of one search. Characters are UTF-16 units. */
export const searchLimits = {
  results: { standard: 50, most: 200 },
  files: 10_000,
  fileBytes: 2_000_000,
  /** Text in all: for a text search, and for a pattern, which is slower. */
  totalBytes: { text: 50_000_000, pattern: 10_000_000 },
  /** Files sent to the worker at once, or as few as reach the bytes. */
  batch: { files: 100, bytes: 1_000_000 },
  queryCharacters: 1_000,
  /** A pattern sees no more than this of a line. */
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

export const searchedLines = (text: string): readonly string[] => text.split(/\r?\n/)

/** The shown part of a line: the match with about as much before it as after. Never half of a surrogate pair. */
export function excerpt(line: string, at: number, length: number): string {
  if (line.length <= length) return line
  const start = Math.max(0, Math.min(at - Math.floor(length / 3), line.length - length))
  const part = line.slice(start, start + length).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return `${start > 0 ? '…' : ''}${part}${start + length < line.length ? '…' : ''}`
}
