/** A matching line. */
export interface LineMatch {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** The line, or the surroundings of the match if it is long. */
  readonly text: string
}

/** Some files, and the text to search for. */
export interface SearchRequest {
  readonly query: string
  /** How many more lines are wanted: the search ends after the last one. */
  readonly most: number
  readonly excerptCharacters: number
  readonly files: readonly { readonly path: string; readonly data: Uint8Array }[]
}

export interface SearchReply {
  readonly found: readonly LineMatch[]
  /** Files that were searched: all of them, or the first ones if enough was found. */
  readonly searched: number
  /** How many of those are not text. */
  readonly binary: number
}

/** The part of a Worker that a search uses. Each request gets one reply, in order. */
export interface SearchWorkerPort {
  postMessage(request: SearchRequest, transfer: Transferable[]): void
  terminate(): void
  onmessage: ((event: { readonly data: SearchReply }) => void) | null
  onerror: ((event: { readonly message?: string; preventDefault?: () => void }) => void) | null
}
