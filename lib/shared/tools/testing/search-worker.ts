import { searchBatch } from '../search-files/search-batch'
import type { SearchReply, SearchRequest, SearchWorkerPort } from '../search-worker-port'

export interface FakeSearchWorker {
  /** The received requests, in order; the sender's bytes are transferred, as with a real worker. */
  readonly requests: readonly SearchRequest[]
  readonly isTerminated: () => boolean
  readonly breakWith: (message: string) => void
  readonly start: () => SearchWorkerPort
}

/** A worker that runs the same code in this process. `answer` null: it never answers. */
export function createFakeSearchWorker(
  answer: ((request: SearchRequest) => SearchReply) | null = searchBatch,
): FakeSearchWorker {
  const requests: SearchRequest[] = []
  let isTerminated = false
  const port: SearchWorkerPort = {
    onmessage: null,
    onerror: null,
    postMessage(message, transfer) {
      const request = structuredClone(message, { transfer })
      requests.push(request)
      if (answer === null) return
      queueMicrotask(() => {
        if (!isTerminated) port.onmessage?.({ data: structuredClone(answer(request)) })
      })
    },
    terminate: () => void (isTerminated = true),
  }
  return {
    requests,
    isTerminated: () => isTerminated,
    breakWith: (message) => port.onerror?.({ message }),
    start: () => port,
  }
}
