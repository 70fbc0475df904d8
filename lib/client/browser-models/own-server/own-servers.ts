import { APICallError, type LanguageModelV4, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type {
  FromModelsWorker,
  ModelOfServer,
  ModelsWorkerPort,
  LocalizedError,
  ToModelsWorker,
} from './worker-messages'

/** The worker's policy does not let it reach that host. */
export class HostNotAllowed extends Error {
  constructor() {
    // The host is not named, because Nod's server gets a reply's error.
    super('whoever runs this server does not let models be reached at this address')
    this.name = 'HostNotAllowed'
  }
}

/** A server's response for inspection. `status` 0: it answered, but can't be read. */
export interface ServerAnswer {
  readonly status: number
  readonly headers: Headers
  /** Its beginning. */
  readonly text: string
}

export interface ServerRequest {
  readonly url: string
  readonly method?: 'GET' | 'POST' | 'OPTIONS'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly mode?: 'cors' | 'no-cors'
}

/** Servers that this browser reaches, through a worker that is started on first use, and again after it failed. */
export interface OwnServers {
  /** Rejects with TypeError if nothing may be read, with HostNotAllowed, or with the signal's reason. */
  ask(request: ServerRequest, signal?: AbortSignal): Promise<ServerAnswer>
  languageModel(model: ModelOfServer): LanguageModelV4
}

interface Running {
  readonly url: string
  readonly hear: (message: Exclude<FromModelsWorker, { type: 'failed' }>) => void
  readonly fail: (error: unknown) => void
}

export function createOwnServers(start: () => ModelsWorkerPort): OwnServers {
  const running = new Map<number, Running>()
  let worker: ModelsWorkerPort | null = null
  let count = 0

  function hear(message: FromModelsWorker): void {
    const one = running.get(message.id)
    if (!one) return
    if (message.type !== 'part' && message.type !== 'error') running.delete(message.id)
    if (message.type !== 'failed') return one.hear(message)
    one.fail(message.blocked ? new HostNotAllowed() : errorOf(message.error, one.url))
  }

  function broke(): void {
    worker?.terminate()
    worker = null
    const all = [...running.values()]
    running.clear()
    for (const { fail } of all) fail(new Error('the part of this page that asks models did not load'))
  }

  function started(): ModelsWorkerPort {
    if (worker) return worker
    worker = start()
    worker.addEventListener('message', ({ data }) => hear(data))
    worker.addEventListener('error', broke)
    return worker
  }

  /** Sends a message to the worker; returns what ends it when the signal aborts. */
  function begin(
    message: Exclude<ToModelsWorker, { type: 'abort' }>,
    one: Running,
    signal: AbortSignal | undefined,
  ): () => void {
    const port = started()
    const end = () => signal?.removeEventListener('abort', stop)
    function stop() {
      end()
      if (!running.delete(message.id)) return
      port.postMessage({ type: 'abort', id: message.id })
      one.fail(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
    running.set(message.id, one)
    port.postMessage(message)
    return end
  }

  return {
    async ask({ url, method = 'GET', headers = {}, body, mode = 'cors' }, signal) {
      signal?.throwIfAborted()
      const id = (count += 1)
      const { promise, resolve, reject } = Promise.withResolvers<ServerAnswer>()
      const request = {
        type: 'fetch',
        id,
        url,
        method,
        headers: Object.entries(headers),
        body: body ?? null,
        mode,
      } as const
      const one: Running = {
        url,
        hear: (message) => {
          if (message.type !== 'answer') return
          const pairs = message.headers.map(([name, value]): [string, string] => [name, value])
          resolve({ status: message.status, headers: new Headers(pairs), text: message.text })
        },
        fail: reject,
      }
      const end = begin(request, one, signal)
      return promise.finally(end)
    },

    languageModel: (model) => ({
      specificationVersion: 'v4',
      provider: 'browser',
      modelId: model.name,
      supportedUrls: {},
      doGenerate: () => Promise.reject(new Error('replies are streamed')),
      async doStream({ abortSignal, ...options }) {
        abortSignal?.throwIfAborted()
        const id = (count += 1)
        let end = () => {}
        const stream = new ReadableStream<LanguageModelV4StreamPart>({
          start(out) {
            const one: Running = {
              url: model.baseUrl,
              hear(message) {
                if (message.type === 'part') out.enqueue(message.part)
                else if (message.type === 'error')
                  out.enqueue({ type: 'error', error: errorOf(message.error, model.baseUrl) })
                else if (message.type === 'end') {
                  end()
                  out.close()
                }
              },
              fail(error) {
                end()
                out.error(error)
              },
            }
            end = begin({ type: 'stream', id, model, options }, one, abortSignal)
          },
          cancel() {
            end()
            if (running.delete(id)) worker?.postMessage({ type: 'abort', id })
          },
        })
        return Promise.resolve({ stream })
      },
    }),
  }
}

/** The error that the vendor's package would have thrown here. */
function errorOf(
  { name, message, cause: causeText, code, type, status, body, headers }: LocalizedError,
  url: string,
): Error {
  const cause = causeText && errorOf(causeText, url)
  const options = cause && { cause }
  if (name !== 'AI_APICallError') {
    const error = name === 'TypeError' ? new TypeError(message, options) : new Error(message, options)
    error.name = name
    return Object.assign(error, code !== undefined && { code }, type !== undefined && { type })
  }
  return new APICallError({
    message,
    url,
    requestBodyValues: {},
    ...options,
    ...(status !== undefined && { statusCode: status }),
    ...(body !== undefined && { responseBody: body }),
    ...(headers && { responseHeaders: { ...headers } }),
  })
}
