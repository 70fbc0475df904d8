import { AppError } from '@/lib/base/app-error'
import { makeError, refusalText } from '@/lib/i18n/t'
import type {
  WllamaAnswers,
  WllamaWorkerRequest,
  WllamaReply,
  WllamaRequest,
  WllamaNotice,
  ChatTurn,
  LoadedModel,
  WriteEnd,
  WriteOptions,
} from './protocol'

/** The part of a Worker that is used, so that tests can replace it. */
export interface WllamaWorkerPort {
  postMessage(message: WllamaRequest): void
  terminate(): void
  onmessage: ((event: { readonly data: WllamaReply }) => void) | null
  onerror: ((event: { readonly message?: string; preventDefault?: () => void }) => void) | null
}

export interface ClientPorts {
  readonly startWorker: () => WllamaWorkerPort
  readonly wait: (ms: number) => Promise<void>
}

/**
 * A stopped reply ends with its batch. If a machine needs longer for one, its worker is ended, and the model is loaded
 * again.
 */
export const STOP_PATIENCE_MS = 10_000

interface Waiting {
  readonly onTold: (notice: WllamaNotice) => void
  readonly settle: (reply: WllamaReply | null) => void
}

/**
 * The page's side of the worker that runs models: sends requests, stops them, and starts another worker after a
 * failure.
 */
export function createWllamaClient({ startWorker, wait }: ClientPorts) {
  const waiting = new Map<number, Waiting>()
  let worker: WllamaWorkerPort | null = null
  /** Stopped requests that llama.cpp has not ended yet. */
  const stopping = new Set<Promise<unknown>>()
  let lastId = 0
  /** Increases with each worker: a new worker has nothing loaded. */
  let generation = 0

  function end(why: AppError = makeError('unavailable', 'wllama.crashed', { details: '' })): void {
    if (worker === null) return
    worker.terminate()
    worker = null
    generation++
    const left = [...waiting.values()]
    waiting.clear()
    stopping.clear()
    lastFailure = why
    for (const { settle } of left) settle(null)
  }
  let lastFailure: AppError = makeError('unavailable', 'wllama.crashed', { details: '' })

  function start(): WllamaWorkerPort {
    if (worker !== null) return worker
    const started = startWorker()
    started.onmessage = ({ data }) => {
      const asker = waiting.get(data.id)
      if (asker === undefined) return
      if ('notice' in data) return asker.onTold(data.notice)
      waiting.delete(data.id)
      asker.settle(data)
    }
    started.onerror = (event) => {
      event.preventDefault?.()
      end(makeError('unavailable', 'wllama.no-worker', { details: event.message ?? '' }))
    }
    worker = started
    return started
  }

  const endNow = () => end()

  /**
   * Waits for the end of a stopped request, with a time limit. Does not wait if another one was awaited already: then
   * the user has pressed Stop a second time.
   */
  async function freeOr(done: Promise<unknown>, isOfEngine: boolean): Promise<void> {
    const before = generation
    if (isOfEngine && stopping.size > 0) return endNow()
    if (isOfEngine) stopping.add(done)
    const isOver = await Promise.race([done.then(() => true), wait(STOP_PATIENCE_MS).then(() => false)])
    stopping.delete(done)
    if (!isOver && before === generation) endNow()
  }

  /**
   * Sends a request to the worker. Rejects with an AppError of its reason, or with the signal's own as soon as that
   * ends it; the request is then stopped in the background.
   */
  function ask<K extends keyof WllamaAnswers>(
    what: Extract<WllamaWorkerRequest, { ask: K }>,
    {
      onTold = () => {},
      signal,
    }: { readonly onTold?: (notice: WllamaNotice) => void; readonly signal?: AbortSignal } = {},
  ): Promise<WllamaAnswers[K]> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error)
    const id = lastId++
    const { promise, resolve, reject } = Promise.withResolvers<WllamaAnswers[K]>()
    const over = Promise.withResolvers<void>()
    let isStopped = false
    const stop = () => {
      isStopped = true
      worker?.postMessage({ id, stop: true })
      reject(signal?.reason as Error)
      void freeOr(over.promise, what.ask === 'load' || what.ask === 'write')
    }
    waiting.set(id, {
      onTold: (notice) => void (isStopped || onTold(notice)),
      settle(reply) {
        over.resolve()
        signal?.removeEventListener('abort', stop)
        if (reply === null || 'stopped' in reply) reject(lastFailure)
        else if ('failed' in reply)
          reject(new AppError(reply.failed.code, { ...reply.failed, message: refusalText(reply.failed) }))
        else if ('answer' in reply) resolve(reply.answer as WllamaAnswers[K])
      },
    })
    signal?.addEventListener('abort', stop, { once: true })
    try {
      start().postMessage({ id, ask: what })
    } catch (cause) {
      waiting.delete(id)
      const details = cause instanceof Error ? cause.message : ''
      reject(makeError('unavailable', 'wllama.no-worker', { details }, { cause }))
    }
    return promise
  }

  return {
    ask,
    /** A loaded model stays loaded as long as this value does not change. */
    generation: () => generation,
    /** Ends the worker at once if it has not ended a stopped request yet: a second Stop waits for nothing. */
    hasten: () => void (stopping.size > 0 && endNow()),
    /**
     * Ends the worker at once, with all its work, for the reason `why`; its memory is freed. The next request starts
     * another one.
     */
    end,
  }
}

export type WllamaClient = ReturnType<typeof createWllamaClient>

/** The user's choice of a model: where its file is, and how it is loaded. */
export interface ModelChoice {
  /** The same choice has the same key: a model that is loaded under it is not loaded again. */
  readonly key: string
  /** @throws {AppError} if the file is gone, or must be picked again */
  readonly file: () => Promise<File>
  /** Null: chosen for the model and the page. */
  readonly windowTokens: number | null
  readonly threads: number
}

/** Loads a model when it is to write: one at a time, since each takes most of a page's memory. */
export function createWllamaRunner(client: WllamaClient) {
  let loaded: { readonly key: string; readonly generation: number; readonly model: LoadedModel } | null = null
  let loading: Promise<unknown> = Promise.resolve()

  const isLoaded = (key: string): boolean => loaded?.key === key && loaded.generation === client.generation()

  async function load(
    choice: ModelChoice,
    onTold: (notice: WllamaNotice) => void,
    signal?: AbortSignal,
  ): Promise<LoadedModel> {
    await loading.catch(() => {})
    if (loaded !== null && isLoaded(choice.key)) return loaded.model
    loaded = null
    const { key, windowTokens, threads } = choice
    const doing = (async () => {
      const file = await choice.file()
      // An ended worker loads nothing: the worker that answers is the one that has the model.
      const model = await client.ask(
        { ask: 'load', file, windowTokens, threads },
        { onTold, ...(signal && { signal }) },
      )
      loaded = { key, generation: client.generation(), model }
      return model
    })()
    loading = doing
    return doing
  }

  return {
    /** Loads it unless it is loaded. Rejects with an AppError, or with the signal's reason. */
    load,
    isLoaded,
    /** True if a model is loaded whose key begins with this. */
    isLoadedFrom: (start: string): boolean => loaded !== null && loaded.key.startsWith(start) && isLoaded(loaded.key),
    /** @throws {AppError} with the reason; the signal's own at once when that ends it */
    async write(
      choice: ModelChoice,
      turns: readonly ChatTurn[],
      options: WriteOptions,
      onTold: (notice: WllamaNotice) => void,
      signal?: AbortSignal,
    ): Promise<WriteEnd> {
      const given = signal && { signal }
      await load(choice, onTold, signal)
      try {
        return await client.ask({ ask: 'write', turns, options }, { onTold, ...given })
      } catch (error) {
        // llama.cpp crashed inside of its worker, which still runs: the model must be loaded again.
        if (isNamedCrash(error)) loaded = null
        throw error
      }
    },
    /**
     * Stop was pressed a second time: remaining work ends at once, and the model is loaded again for the next reply.
     */
    hasten: client.hasten,
    /** Frees the memory at once; a reply that it writes ends with `why`. */
    unload(key: string, why: AppError): void {
      if (!isLoaded(key)) return
      loaded = null
      client.end(why)
    },
  }
}

const isNamedCrash = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'reason' in error && error.reason === 'wllama.crashed'

export type WllamaRunner = ReturnType<typeof createWllamaRunner>
