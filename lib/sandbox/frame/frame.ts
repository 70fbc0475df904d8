import preludeSource from 'virtual:prelude'
import { budgetOf } from '../limits'
import { isReaderName } from '../document-assets'
import type { SandboxLanguage } from '../sandbox'
import { createReaderWorkers } from './documents/reader-workers'
import type { FrameHello, HostToRelay } from './protocol'
import { createPythonWorkers, type RealWorker } from './python/python-workers'
import { createRelay, type RelayWorker } from './relay'

// The only script of /sandbox.html. The page is served with an opaque origin and without any network, so a parent of
// any origin may embed it: there is nothing to steal here, and the port goes to whoever opens it first.

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
