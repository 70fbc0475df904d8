import { err, type Result } from '@/lib/base/result'
import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import type { DocumentText, ReadFormat } from '@/lib/sandbox/document'
import { readDocument } from '@/lib/sandbox/read-document'
import type { Sandbox } from '@/lib/sandbox/sandbox'

export interface StoredDocument {
  readonly format: ReadFormat
  /** The file's version: the same bytes are read once. */
  readonly version: string
  /** Called only if the document must be read. Null: the file is gone. */
  readonly data: () => Promise<Uint8Array | null>
}

/** Documents as text, for tools, attachments and the viewer of one page. */
export interface DocumentReader {
  /** Errors are sentences. */
  read(document: StoredDocument, signal: AbortSignal): Promise<Result<DocumentText, ModelMessage>>
  /** The text if it was read before; null: it must be read. */
  known(version: string): DocumentText | null
}

/** Characters of all texts that are kept; the least recently used ones are dropped first. */
const keptCharacters = 16_000_000

const lengthOf = ({ parts }: DocumentText): number => parts.reduce((sum, { text }) => sum + text.length, 0)

/**
 * Reads documents in the sandbox and caches their texts by the versions of their files, as long as the page lives. They
 * are not stored: a text that outlives its chat would be a second copy of its contents.
 */
export function createDocumentReader(sandbox: Sandbox): DocumentReader {
  const texts = new Map<string, DocumentText>()
  const reading = new Map<string, Promise<Result<DocumentText, ModelMessage>>>()

  function keep(version: string, text: DocumentText): void {
    texts.delete(version)
    texts.set(version, text)
    let kept = [...texts.values()].reduce((sum, each) => sum + lengthOf(each), 0)
    for (const [oldest, each] of texts) {
      if (kept <= keptCharacters || oldest === version) break
      texts.delete(oldest)
      kept -= lengthOf(each)
    }
  }
  const known = (version: string): DocumentText | null => {
    const text = texts.get(version)
    if (text) keep(version, text)
    return text ?? null
  }
  async function readNow(
    { format, data }: StoredDocument,
    signal: AbortSignal,
  ): Promise<Result<DocumentText, ModelMessage>> {
    const bytes = await data()
    return bytes === null
      ? err(makeModelMessage('told.document.gone'))
      : readDocument(sandbox, { format, data: bytes }, signal)
  }

  return {
    known,
    async read(document, signal) {
      const { version } = document
      const before = known(version)
      if (before) return { ok: true, value: before }
      const running = reading.get(version)
      const other = running && (await running)
      // The other request may have been stopped by its own caller.
      if (other && (other.ok || other.error.reason !== 'told.stopped')) return other
      const mine = readNow(document, signal)
      reading.set(version, mine)
      try {
        const read = await mine
        // With more time the rest may be read, too.
        if (read.ok && read.value.cut !== 'time') keep(version, read.value)
        return read
      } finally {
        if (reading.get(version) === mine) reading.delete(version)
      }
    },
  }
}

/** The reader of one chat's files. Versions identify contents only within a chat. */
export const documentsOfChat = (reader: DocumentReader, conversationId: string): DocumentReader => {
  const named = (version: string): string => `${conversationId} ${version}`
  return {
    read: (document, signal) => reader.read({ ...document, version: named(document.version) }, signal),
    known: (version) => reader.known(named(version)),
  }
}
