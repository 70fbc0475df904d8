import type { CallAnswer, CallProgress, CallRequest, ConnectedServer, ListedTool } from '@/lib/shared/mcp/call-answer'
import type {
  AskedAnswer,
  AskedRequest,
  FromMcpWorker,
  McpWorkerPort,
  ToMcpWorker,
} from '@/lib/client/mcp/worker-messages'
import type { RelayCall } from '@/lib/shared/conversation/wire/api-types'
import type { ConnectFailure } from '@/lib/shared/mcp/call-answer'

/** What a request of the page came to. */
export type Asked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: ConnectFailure }

export interface CallOfChat extends RelayCall {
  readonly conversationId: string
}

/** One tool server, as the page sees it. No method rejects. */
export interface RemoteServer {
  connect(url: string, era: 'auto' | 'legacy', signal?: AbortSignal): Promise<Asked<ConnectedServer>>
  list(signal?: AbortSignal): Promise<Asked<readonly ListedTool[]>>
  call(
    request: CallRequest,
    options: {
      readonly signal: AbortSignal
      readonly onProgress: (progress: CallProgress) => void
      /** The stored call, for a server that the operator runs. */
      readonly of?: CallOfChat
    },
  ): Promise<CallAnswer>
  /** For the doctor. */
  ask(request: AskedRequest, signal?: AbortSignal): Promise<Asked<AskedAnswer>>
  close(): void
}

interface Waiting {
  readonly isCall: boolean
  readonly hear: (message: FromMcpWorker) => void
}

/** Starts the worker when it is first needed. A worker that breaks answers everything that waits: a call as lost. */
export function createRemoteServer(start: () => McpWorkerPort): RemoteServer {
  const waiting = new Map<number, Waiting>()
  let worker: McpWorkerPort | null = null
  let count = 0

  function broke(): void {
    worker?.terminate()
    worker = null
    for (const [id, { hear, isCall }] of waiting) {
      if (isCall) hear({ type: 'answer', id, answer: { kind: 'lost' } })
      else hear({ type: 'failed', id, failure: { kind: 'unread' } })
    }
  }

  function started(): McpWorkerPort {
    if (worker) return worker
    worker = start()
    worker.addEventListener('message', ({ data }) => waiting.get(data.id)?.hear(data))
    worker.addEventListener('error', broke)
    return worker
  }

  function send<T>(
    message: (id: number) => Exclude<ToMcpWorker, { type: 'abort' }>,
    signal: AbortSignal | undefined,
    read: (answer: FromMcpWorker) => { readonly value: T } | null,
  ): Promise<T> {
    const id = (count += 1)
    const { promise, resolve } = Promise.withResolvers<T>()
    const stop = () => worker?.postMessage({ type: 'abort', id })
    const sent = message(id)
    waiting.set(id, {
      isCall: sent.type === 'call',
      hear(answer) {
        const done = read(answer)
        if (!done) return
        waiting.delete(id)
        signal?.removeEventListener('abort', stop)
        resolve(done.value)
      },
    })
    started().postMessage(sent)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
    return promise
  }

  const failed = (answer: FromMcpWorker) =>
    answer.type === 'failed' ? ({ value: { ok: false, failure: answer.failure } } as const) : null

  return {
    connect: (url, era, signal) =>
      send<Asked<ConnectedServer>>(
        (id) => ({ type: 'connect', id, url, era }),
        signal,
        (answer) => (answer.type === 'connected' ? { value: { ok: true, value: answer.server } } : failed(answer)),
      ),
    list: (signal) =>
      send<Asked<readonly ListedTool[]>>(
        (id) => ({ type: 'list', id }),
        signal,
        (answer) => (answer.type === 'tools' ? { value: { ok: true, value: answer.tools } } : failed(answer)),
      ),
    call: (request, { signal, onProgress }) =>
      send<CallAnswer>(
        (id) => ({ type: 'call', id, request }),
        signal,
        (answer) => {
          if (answer.type === 'progress') onProgress(answer.progress)
          return answer.type === 'answer' ? { value: answer.answer } : null
        },
      ),
    ask: (request, signal) =>
      send<Asked<AskedAnswer>>(
        (id) => ({ type: 'ask', id, request }),
        signal,
        (answer) => (answer.type === 'asked' ? { value: { ok: true, value: answer.answer } } : failed(answer)),
      ),
    close() {
      broke()
    },
  }
}
