/** A line that was found. */
export interface LineMatch {
  readonly path: string
  /** From 1. */
  readonly line: number
  /** The line, or what stands around the match when it is long. */
  readonly text: string
}

/** Some files, and what to look for in them. */
export interface SearchRequest {
  readonly query: string
  /** Lines that are still wanted: with the last of them the search ends. */
  readonly most: number
  readonly excerptCharacters: number
  readonly files: readonly { readonly path: string; readonly data: Uint8Array }[]
}

export interface SearchReply {
  readonly found: readonly LineMatch[]
  /** Files that were looked at: all of them, or the first ones when enough was found. */
  readonly searched: number
  /** How many of those are not text. */
  readonly binary: number
}

/** The part of a Worker that a search uses. Each request is answered by one reply, in order. */
export interface SearchWorkerPort {
  postMessage(request: SearchRequest, transfer: Transferable[]): void
  terminate(): void
  onmessage: ((event: { readonly data: SearchReply }) => void) | null
  onerror: ((event: { readonly message?: string; preventDefault?: () => void }) => void) | null
}
