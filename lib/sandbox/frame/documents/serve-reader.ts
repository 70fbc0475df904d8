import { readFormats, type DocumentSummary, type ReadFormat } from '../../document'
import { FlawedDocument } from '../../documents/flaw'
import type { ReaderPorts } from '../../documents/reader-ports'
import { serveFiles } from './serve-files'

export type Reader = (format: ReadFormat, data: Uint8Array, ports: ReaderPorts) => Promise<DocumentSummary>

/** What a reader that failed says. The parsers of foreign files throw whatever they like. */
function flawOf(thrown: unknown): DocumentSummary {
  if (thrown instanceof FlawedDocument) return { flaw: thrown.flaw }
  const name = thrown instanceof Error ? thrown.name : ''
  // Neither of these comes from an honest document: memory that could not be had, or calls too deep.
  if (name === 'RangeError') return { flaw: 'too-large' }
  return { flaw: 'broken' }
}

/**
 * The worker of a reader: it takes the one file that is its snapshot, and sends what it reads, part by part, as displays of JSON.
 * What was sent early is kept also when the rest takes too long.
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
