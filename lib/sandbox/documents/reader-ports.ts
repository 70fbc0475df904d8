import type { DocumentPart, DocumentSummary } from '../document'

/** What a reader reports, and what it may request, while it reads. */
export interface ReaderPorts {
  readonly part: (part: DocumentPart) => void
  /** Describes the parts; called before the first one if it is known by then. */
  readonly about: (summary: DocumentSummary) => void
  /** Null: there is no such asset. */
  readonly asset: (name: string) => Promise<Uint8Array<ArrayBuffer> | null>
}
