import { readFormats, type DocumentSummary, type ReadFormat } from '../../document'
import { FlawedDocument } from '../../documents/flaw'
import type { ReaderPorts } from '../../documents/reader-ports'
import { serveFiles } from './serve-files'

export type Reader = (format: ReadFormat, data: Uint8Array, ports: ReaderPorts) => Promise<DocumentSummary>

/** The summary for a reader that failed. Parsers of untrusted files may throw anything. */
function flawOf(thrown: unknown): DocumentSummary {
  if (thrown instanceof FlawedDocument) return { flaw: thrown.flaw }
  const name = thrown instanceof Error ? thrown.name : ''
  // Neither comes from an honest document: memory that could not be allocated, or too deep recursion.
  if (name === 'RangeError') return { flaw: 'too-large' }
  return { flaw: 'broken' }
}

/**
 * The worker of a reader: it takes the one file in its snapshot, and sends what it reads, part by part, as JSON
 * displays.
 * Parts that were already sent are kept even if the rest takes too long.
 */
export function serveReader(read: Reader): void {
  serveFiles(async (order, files, { show, asset }) => {
    const format = readFormats.find((each) => each === order)
    const [file] = files
    try {
      if (format === undefined || file === undefined) throw new FlawedDocument('unknown')
      const ports: ReaderPorts = {
        part: (part) => show('json', part),
        about: (summary) => show('json', summary),
        asset,
      }
      return await read(format, await file.data(), ports)
    } catch (thrown) {
      return flawOf(thrown)
    }
  })
}
