import { serveModels } from '../serve-models'
import type { FromModelsWorker, ModelsWorkerPort, ToModelsWorker } from '../worker-messages'

/** The worker's code without a worker: messages are copied as between threads. */
export function workerHere(
  fetch: typeof globalThis.fetch = globalThis.fetch,
  origin = 'https://nod.example',
): ModelsWorkerPort {
  const listeners = new Set<(event: { readonly data: FromModelsWorker }) => void>()
  const say = (message: FromModelsWorker) => {
    const data = structuredClone(message)
    queueMicrotask(() => listeners.forEach((listener) => listener({ data })))
  }
  const models = serveModels({ fetch, monotonic: () => 0, say, origin })
  return {
    postMessage: (message: ToModelsWorker) => void models.hear(structuredClone(message)),
    addEventListener(type: 'message' | 'error', listener: unknown) {
      if (type === 'message') listeners.add(listener as (event: { readonly data: FromModelsWorker }) => void)
    },
    terminate: () => listeners.clear(),
  }
}
