import { createRemoteServer, type RemoteServer } from '../remote-server'
import { serveMcp, type ServeMcpPorts } from '../serve-mcp'
import type { StoredSignIns, SignedIn } from '../sign-in/signed-in'
import type { FromMcpWorker, ToMcpWorker } from '../worker-messages'

/** A worker in this thread: messages between it and the page are cloned, as between threads. */
export function openWorker(
  url: string,
  fetch: typeof globalThis.fetch,
  signedIn: Map<string, SignedIn> = new Map(),
  /** What the tabs of one browser share. */
  inFewTabs?: ServeMcpPorts['inFewTabs'],
): RemoteServer {
  const kept: StoredSignIns<SignedIn> = {
    get: (at) => Promise.resolve(signedIn.get(at) ?? null),
    put: (at, row) => Promise.resolve(void signedIn.set(at, row)),
    remove: (at) => Promise.resolve(void signedIn.delete(at)),
  }
  return createRemoteServer((more) => {
    const listeners: ((event: { readonly data: FromMcpWorker }) => void)[] = []
    const served = serveMcp({
      fetch,
      say(message) {
        const data = structuredClone(message)
        queueMicrotask(() => listeners.forEach((listener) => listener({ data })))
      },
      origin: 'https://nod.example',
      turn: () => Promise.resolve(),
      origins: [new URL(url).origin, ...more],
      kept,
      inTurn: (_name, work) => work(),
      ...(inFewTabs && { inFewTabs }),
      now: () => 0,
    })
    return {
      postMessage: (message: ToMcpWorker) => void served.hear(structuredClone(message)),
      addEventListener(type: string, listener: unknown) {
        if (type === 'message') listeners.push(listener as (typeof listeners)[number])
      },
      terminate: () => void listeners.splice(0),
    }
  })
}
