import { createHostCalls, type AssetBytes, type RelayToWorker, type WorkerToRelay } from '../protocol'
import { takeSnapshot } from '../run-files'
import { readFormats, type DocumentSummary, type ReadFormat, type ReaderPorts } from '../../document'
import { FlawedDocument } from '../../documents/flaw'

/*
 * A worker with a single task for the files that it receives: it reports that it is ready, gets its order, takes the
 * files, and answers with JSON.
 */

export interface SubmittedFile {
  readonly path: string
  readonly data: () => Promise<Uint8Array>
}

export interface FilePorts {
  /** Shows a value before the answer is ready; it is kept even if the rest takes too long. */
  readonly show: (kind: 'json' | 'table', value: unknown) => void
  /** Null: there is no such asset. */
  readonly asset: (name: string) => Promise<Uint8Array<ArrayBuffer> | null>
}

/** `answer` should turn failures into answers; if it throws anyway, the run ends with the error's message. */
export function serveFiles(
  answer: (order: string, files: readonly SubmittedFile[], ports: FilePorts) => Promise<unknown>,
): void {
  const post = self.postMessage.bind(self)
  const send = (message: WorkerToRelay) => post(message)
  const calls = createHostCalls(send)
  const assets = new Map<number, (bytes: AssetBytes) => void>()

  const ports: FilePorts = {
    show: (kind, value) => send({ type: 'show', kind, data: JSON.stringify(value) }),
    asset: (name) =>
      new Promise((resolve) => {
        const id = assets.size + 1
        assets.set(id, resolve)
        send({ type: 'asset', id, name })
      }),
  }

  async function run(order: string): Promise<void> {
    const { entries, places, blobs } = await takeSnapshot(calls.callHost)
    const files = entries.flatMap(({ path, kind, size }, at) => {
      const [bundle, from] = places[at] ?? [-1, 0]
      const blob = blobs[bundle]
      if (kind !== 'file' || blob === undefined) return []
      const data = async () => new Uint8Array(await blob.slice(from, from + size).arrayBuffer())
      return [{ path, data }]
    })
    send({ type: 'done', ok: true, text: JSON.stringify(await answer(order, files, ports)), isJson: true })
  }

  self.addEventListener('message', ({ data }: MessageEvent<RelayToWorker>) => {
    switch (data.type) {
      case 'run':
        return void run(data.code).catch((thrown: unknown) =>
          send({
            type: 'done',
            ok: false,
            text: thrown instanceof Error ? thrown.message : String(thrown),
            isJson: false,
          }),
        )
      case 'answer':
        return calls.take(data.id, data.answer)
      case 'asset':
        assets.get(data.id)?.(data.bytes)
        return
      case 'idle':
      case 'tool-answer':
      // For workers that run code.
    }
  })
  send({ type: 'ready' })
}

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
