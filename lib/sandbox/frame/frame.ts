import preludeSource from 'virtual:prelude'
import { budgetOf } from '../limits'
import { type SandboxLanguage } from '../sandbox'
import { isReaderName, readerAssets, type ReaderName } from '../document-assets'
import type { FrameHello, HostToRelay, RelayToWorker } from './protocol'
import { createPythonWorkers, type RealWorker } from './python/python-workers'
import { createRelay, type RelayWorker } from './relay'

const notLoaded = 'The document reader could not be loaded. Check the network, then try again.'

/** The id of the only asset that the frame requests itself; workers count theirs from 1. */
const ownId = 0

/**
 * Creates the workers that read documents, one per run, for the relay. A worker consists of one asset, which is
 * requested from the page at the first document of its kind and cached.
 */
function createReaderWorkers(open: (source: Uint8Array<ArrayBuffer>) => RelayWorker) {
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

// The only script of /sandbox.html. The page is served with an opaque origin and without any network, so a parent of
// any origin may embed it: there is nothing to steal here, and the port goes to the first page that opens it.

let opened = false

function openWorker(source: BlobPart): Worker {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(url)
  // Revoked later: a worker that has not fetched its script yet would fail to start.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
  return worker
}

const startPython = createPythonWorkers({
  open: (source) => openWorker(source) as RealWorker,
  compile: (wasm) => WebAssembly.compile(wasm),
})

const startReader = createReaderWorkers((source) => openWorker(source) as RelayWorker)

const startWorker = (language: SandboxLanguage): RelayWorker => {
  if (language === 'python') return startPython()
  return isReaderName(language) ? startReader(language) : (openWorker(preludeSource) as RelayWorker)
}

addEventListener('message', (event) => {
  const port = event.ports[0]
  if (opened || event.source !== parent || event.data?.type !== 'nod-sandbox-open' || port === undefined) return
  opened = true
  const relay = createRelay({ startWorker, post: (message) => port.postMessage(message), budget: budgetOf })
  port.onmessage = ({ data }: MessageEvent<HostToRelay>) => relay(data)
  port.postMessage({ type: 'ready' })
})

const hello: FrameHello = { type: 'nod-sandbox-hello' }
parent.postMessage(hello, '*')
