import preludeSource from 'virtual:prelude'
import { relayBudget } from '../limits'
import type { SandboxLanguage } from '../sandbox'
import type { FrameHello, HostToRelay } from './protocol'
import { createRelay, type RelayWorker } from './relay'

// The only script of /sandbox.html. The page is served with an opaque origin and without any network, so a parent of any
// origin may embed it: there is nothing here to steal, and the port goes to whoever opens it first.

let opened = false

/** What runs first in a worker, by language. */
const preludes: Readonly<Partial<Record<SandboxLanguage, string>>> = { javascript: preludeSource }

function startWorker(language: SandboxLanguage): RelayWorker {
  const source = preludes[language] ?? `throw new Error('The sandbox does not run ${language}.')`
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  const worker = new Worker(url)
  // Revoked later: a worker that has not fetched its script yet would fail to start.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
  return worker as RelayWorker
}

addEventListener('message', (event) => {
  const port = event.ports[0]
  if (opened || event.source !== parent || event.data?.type !== 'nod-sandbox-open' || port === undefined) return
  opened = true
  const relay = createRelay({ startWorker, post: (message) => port.postMessage(message), budget: relayBudget })
  port.onmessage = ({ data }: MessageEvent<HostToRelay>) => relay(data)
  port.postMessage({ type: 'ready' })
})

const hello: FrameHello = { type: 'nod-sandbox-hello' }
parent.postMessage(hello, '*')
