import { APICallError, type LanguageModelV4, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { monotonicClock } from '@/lib/base/clocks'
import { readFailure } from '../read-failure'
import { aliveSign } from './reply-stream'

type Part = LanguageModelV4StreamPart

/** How long a server may take to load a model, and how often it is asked meanwhile. */
const LOADING_MS = 10 * 60_000
const ASK_EVERY_MS = 1_500

/**
 * The same model, which is asked again while its server says that it is still loading it (llama.cpp: 503 “Loading model”). Each
 * such answer is a sign of life. Other refusals are thrown as ever.
 */
export function waitForModel(model: LanguageModelV4): LanguageModelV4 {
  return {
    ...model,
    async doStream(options) {
      try {
        return await model.doStream(options)
      } catch (error) {
        if (!isLoading(error)) throw error
        return { stream: laterParts(() => model.doStream(options), error, options.abortSignal) }
      }
    },
  }
}

function laterParts(
  ask: () => PromiseLike<{ readonly stream: ReadableStream<Part> }>,
  refusal: unknown,
  signal: AbortSignal | undefined,
): ReadableStream<Part> {
  const until = monotonicClock() + LOADING_MS
  let reader: ReadableStreamDefaultReader<Part> | null = null
  let last = refusal
  const gone = new AbortController()
  const given = signal ? AbortSignal.any([signal, gone.signal]) : gone.signal

  async function open(): Promise<ReadableStreamDefaultReader<Part> | null> {
    await pause(ASK_EVERY_MS, given)
    if (monotonicClock() > until) throw last
    try {
      return (await ask()).stream.getReader()
    } catch (error) {
      if (!isLoading(error)) throw error
      last = error
      return null
    }
  }

  return new ReadableStream<Part>(
    {
      async pull(controller) {
        reader ??= await open()
        if (!reader) return controller.enqueue(aliveSign)
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      async cancel(reason) {
        gone.abort(reason)
        await reader?.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const isLoading = (error: unknown): boolean => APICallError.isInstance(error) && readFailure(error).reason === 'loading'

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  if (signal.aborted) reject(signal.reason as Error)
  const timer = setTimeout(resolve, ms)
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  return promise.finally(() => {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  })
}
