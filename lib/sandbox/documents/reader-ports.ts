import type { DocumentPart, DocumentSummary } from '../document'

/** What a reader says, and what it may ask for, while it reads. */
export interface ReaderPorts {
  readonly part: (part: DocumentPart) => void
  /** What the parts are; said before the first one where it is known by then. */
  readonly about: (summary: DocumentSummary) => void
  /** Null: there is no such asset. */
  readonly asset: (name: string) => Promise<Uint8Array<ArrayBuffer> | null>
}
