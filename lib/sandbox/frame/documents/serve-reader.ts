import { documentFormats, type DocumentFormat } from '@/lib/base/text/document-formats'
import type { DocumentSummary } from '../../document'
import { FlawedDocument } from '../../documents/flaw'
import type { ReaderPorts } from '../../documents/reader-ports'
import { createHostCalls, type AssetBytes, type RelayToWorker, type WorkerToRelay } from '../protocol'
import { takeSnapshot } from '../run-files'

/*
 * The worker of a reader: it says that it is there, gets the order, takes the one file that is its snapshot, and sends what it
 * reads, part by part, as displays of JSON. What was sent early is kept also when the rest takes too long.
 */

export type Reader = (format: DocumentFormat, data: Uint8Array, ports: ReaderPorts) => Promise<DocumentSummary>

/** What a reader that failed says. The parsers of foreign files throw whatever they like. */
function flawOf(thrown: unknown): DocumentSummary {
  if (thrown instanceof FlawedDocument) return { flaw: thrown.flaw }
  const name = thrown instanceof Error ? thrown.name : ''
  // Neither of these comes from an honest document: memory that could not be had, or calls too deep.
  if (name === 'RangeError') return { flaw: 'too-large' }
  return { flaw: 'broken' }
}

export function serveReader(read: Reader): void {
  const post = self.postMessage.bind(self)
  const send = (message: WorkerToRelay) => post(message)
  const calls = createHostCalls(send)
  const assets = new Map<number, (bytes: AssetBytes) => void>()

  const ports: ReaderPorts = {
    part: (part) => send({ type: 'show', kind: 'json', data: JSON.stringify(part) }),
    about: (summary) => send({ type: 'show', kind: 'json', data: JSON.stringify(summary) }),
    asset: (name) =>
      new Promise((resolve) => {
        const id = assets.size + 1
        assets.set(id, resolve)
        send({ type: 'asset', id, name })
      }),
  }

  async function run(order: string): Promise<void> {
    const format = documentFormats.find((each) => each === order)
    if (format === undefined) throw new FlawedDocument('unknown')
    const { blobs } = await takeSnapshot(calls.callHost)
    const [blob] = blobs
    if (blob === undefined) throw new FlawedDocument('unknown')
    const summary = await read(format, new Uint8Array(await blob.arrayBuffer()), ports)
    send({ type: 'done', ok: true, text: JSON.stringify(summary), isJson: true })
  }

  self.addEventListener('message', ({ data }: MessageEvent<RelayToWorker>) => {
    switch (data.type) {
      case 'run':
        return void run(data.code).catch((thrown: unknown) =>
          send({ type: 'done', ok: true, text: JSON.stringify(flawOf(thrown)), isJson: true }),
        )
      case 'answer':
        return calls.take(data.id, data.answer)
      case 'asset':
        assets.get(data.id)?.(data.bytes)
    }
  })
  send({ type: 'ready' })
}
