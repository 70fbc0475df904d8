import { serveMcp } from '@/lib/client/mcp/serve-mcp'
import type { ToMcpWorker } from '@/lib/client/mcp/worker-messages'

// Talks to one tool server, under a policy that names its origin alone (`/workers/mcp.js?to=ORIGIN`), so that the page's policy stays
// closed. Bundled into /workers/mcp.js by scripts/build-sandbox.mjs.

const server = serveMcp({
  fetch: (input, init) => fetch(input, init),
  say: (message) => self.postMessage(message),
  origin: self.location.origin,
  turn: () => new Promise((resolve) => setTimeout(resolve, 50)),
})

self.addEventListener('securitypolicyviolation', ({ blockedURI }) => server.refused(blockedURI))

self.onmessage = ({ data }: MessageEvent<ToMcpWorker>) => void server.hear(data)
