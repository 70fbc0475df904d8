import { wallClock } from '@/lib/base/clocks'
import { serveMcp } from '@/lib/client/mcp/serve-mcp'
import { createStoredSignIns, type SignedIn } from '@/lib/client/mcp/sign-in/signed-in'
import type { ToMcpWorker } from '@/lib/client/mcp/worker-messages'

// Talks to one tool server, under a policy that names only its origin and those of its sign-in
// (`/workers/mcp.js?to=ORIGIN&to=ORIGIN`), so that the page's policy stays closed. Its name is that of the database of
// kept sign-ins. Bundled into /workers/mcp.js by scripts/build-sandbox.mjs.

async function isWanted(lock: string): Promise<boolean> {
  const { pending = [] } = await navigator.locks.query()
  return pending.some(({ name }) => name === lock)
}

const server = serveMcp({
  fetch: (input, init) => fetch(input, init),
  say: (message) => self.postMessage(message),
  origin: self.location.origin,
  origins: new URL(self.location.href).searchParams.getAll('to'),
  kept: createStoredSignIns<SignedIn>(() => self.indexedDB, self.name),
  inTurn: (name, work) => navigator.locks.request(name, work),
  async inFewTabs(name, work, { signal, onWait }) {
    // With its calls, two tabs take four of the six HTTP/1.1 connections that a browser has for a host.
    for (const place of ['1', '2']) {
      const isDone = await navigator.locks.request(`${name} ${place}`, { ifAvailable: true }, async (lock) => {
        if (lock) await work(() => isWanted(lock.name))
        return lock !== null
      })
      if (isDone) return
    }
    onWait()
    const last = `${name} 2`
    await navigator.locks.request(last, { signal }, () => work(() => isWanted(last))).catch(() => {})
  },
  now: wallClock,
  turn: () => new Promise((resolve) => setTimeout(resolve, 50)),
})

self.addEventListener('securitypolicyviolation', ({ blockedURI }) => server.refused(blockedURI))

self.onmessage = ({ data }: MessageEvent<ToMcpWorker>) => void server.hear(data)
