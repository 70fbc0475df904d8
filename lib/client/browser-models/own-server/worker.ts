import { monotonicClock } from '@/lib/base/clocks'
import { serveModels } from './serve-models'
import type { ToModelsWorker } from './worker-messages'

// The only part of the page that talks to foreign hosts. It has its own policy, so that the page's stays closed.
// Bundled into /workers/models.js by scripts/build-sandbox.mjs.

const models = serveModels({
  fetch: (input, init) => fetch(input, init),
  monotonic: monotonicClock,
  say: (message) => self.postMessage(message),
  origin: self.location.origin,
})

self.addEventListener('securitypolicyviolation', ({ blockedURI }) => models.refused(blockedURI))

self.onmessage = ({ data }: MessageEvent<ToModelsWorker>) => void models.hear(data)
