import { readerAssets, type ReaderName } from '../../document-assets'
import type { RelayToWorker } from '../protocol'
import type { RelayWorker } from '../relay'

const notLoaded = 'The document reader could not be loaded. Check the network, then try again.'

/** The id of the only asset that the frame requests itself; workers count theirs from 1. */
const ownId = 0

/**
 * Creates the workers that read documents, one per run, for the relay. A worker consists of one asset, which is
 * requested from the page at the first document of its kind and cached.
 */
export function createReaderWorkers(open: (source: Uint8Array<ArrayBuffer>) => RelayWorker) {
  const sources = new Map<ReaderName, Uint8Array<ArrayBuffer>>()

  return (reader: ReaderName): RelayWorker => {
    let real: RelayWorker | null = null
    let isOver = false

    const start = (source: Uint8Array<ArrayBuffer> | null) => {
      if (isOver || real !== null) return
      if (source === null) return worker.onerror?.({ message: notLoaded })
      sources.set(reader, source)
      real = open(source)
      real.onmessage = (event) => worker.onmessage?.(event)
      real.onmessageerror = (event) => worker.onmessageerror?.(event)
      real.onerror = (event) => worker.onerror?.(event)
    }

    const worker: RelayWorker = {
      postMessage(message: RelayToWorker, transfer?: Transferable[]) {
        if (message.type === 'asset' && message.id === ownId) return start(message.bytes)
        real?.postMessage(message, transfer)
      },
      terminate() {
        isOver = true
        real?.terminate()
      },
      onmessage: null,
      onmessageerror: null,
      onerror: null,
    }
    // The relay sets its handlers first.
    queueMicrotask(() => {
      const known = sources.get(reader)
      if (known) start(known)
      else worker.onmessage?.({ data: { type: 'asset', id: ownId, name: readerAssets[reader] } })
    })
    return worker
  }
}
