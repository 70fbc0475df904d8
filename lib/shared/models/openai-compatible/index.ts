import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import {
  createLazyModel,
  type ListingPorts,
  type ModelInfo,
  type ModelProvider,
  cacheListing,
  getJson,
  NoListError,
} from '../model'
import { replyStream, aliveSign } from './reply-stream'
import { monotonicClock } from '@/lib/base/clocks'
import { readFailure } from '../read-failure'
import { exactOfferOf, serverOwning } from '../exact/exact-forms'
import { readModelList } from '../model-list'
import { imagesInEntry, seesByOpenName } from '../sees-images'
import { requireConfigured, type OpenAICompatibleConfig } from '../provider-config'

type Part = LanguageModelV4StreamPart

/** How long a server may take to load a model, and how often it is asked meanwhile. */
const LOADING_MS = 10 * 60_000
const ASK_EVERY_MS = 1_500

/**
 * The same model, retried while its server says that it is still loading it (llama.cpp: 503 “Loading model”). Each such
 * response is a sign of life. Other refusals are thrown as usual.
 */
function waitForModel(model: LanguageModelV4): LanguageModelV4 {
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

/** The part of a refusal that is read: a reason is not longer. */
const MAX_BYTES = 64 * 1024
/** How long its body may be silent: some servers keep the connection open after it. */
const SILENCE_MS = 1_000

/** The same refusal with the beginning of its body, which may be endless or never end. */
async function startOf(response: Response): Promise<Response> {
  const { status, statusText, headers } = response
  const reader = response.body?.getReader()
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (;;) {
    if (!reader || bytes >= MAX_BYTES) break
    const silence = waitFor(SILENCE_MS)
    const step = await Promise.race([reader.read(), silence.over]).finally(silence.cancel)
    if (step === null || step.done) break
    pieces.push(new Uint8Array(step.value))
    bytes += step.value.length
  }
  void reader?.cancel().catch(() => {})
  return new Response(new Blob(pieces), { status, statusText, headers })
}

function waitFor(ms: number) {
  const { promise: over, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), ms)
  return { over, cancel: () => clearTimeout(timer) }
}

/** A header that tells requests apart. It never leaves this process. */
const REQUEST = 'x-nod-request'

/** A server with an OpenAI-compatible API. */
export interface ChatServer {
  readonly id: string
  /** `/chat/completions` is under it. */
  readonly baseUrl: string
  readonly apiKey: string | null
}

/** One model of such a server; also used for Ollama's `/v1`. `fields` are in each of its requests. */
export const createChatModel = (
  server: ChatServer,
  name: string,
  ports: ListingPorts,
  fields: JsonObject = {},
): LanguageModelV4 =>
  createLazyModel(server.id, name, async () =>
    waitForModel(
      chatModel((await import('@ai-sdk/openai-compatible')).createOpenAICompatible, server, name, { ports, fields }),
    ),
  )

/** The vendor's package writes the request and reads refusals; replies are read here (`replyStream`). */
function chatModel(
  create: typeof createOpenAICompatible,
  server: ChatServer,
  name: string,
  { ports, fields }: { readonly ports: ListingPorts; readonly fields: JsonObject },
): LanguageModelV4 {
  /** Bodies of responses, until the request that they belong to is done. */
  const bodies = new Map<string, ReadableStream<Uint8Array> | null>()
  let asked = 0

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    const id = headers.get(REQUEST) ?? ''
    headers.delete(REQUEST)
    const response = await ports.fetch(input, { ...init, headers })
    if (!response.ok) return startOf(response)
    if (response.body === null || !bodies.has(id)) return response
    bodies.set(id, response.body)
    const { status, statusText, headers: answered } = response
    return new Response('', { status, statusText, headers: answered })
  }

  /** Creating one builds the schemas of the package, so it is created once and not for each reply. */
  const make = (includeUsage: boolean) =>
    create({
      name: server.id,
      baseURL: server.baseUrl,
      includeUsage,
      transformRequestBody: (body: Readonly<Record<string, unknown>>) => ({ ...body, ...fields }),
      fetch,
      ...(server.apiKey === null ? {} : { apiKey: server.apiKey }),
    }).chatModel(name)
  let model = make(true)
  let withoutUsage: LanguageModelV4 | null = null

  async function ask(one: LanguageModelV4, options: LanguageModelV4CallOptions) {
    const id = String((asked += 1))
    bodies.set(id, null)
    try {
      const headers = { ...options.headers, [REQUEST]: id }
      const { request, response, stream } = await one.doStream({ ...options, headers })
      const parts = replyStream(bodies.get(id) ?? new Blob([]).stream(), server.id)
      // The package has nothing to read.
      void stream.cancel().catch(() => {})
      return { stream: parts, ...(request && { request }), ...(response && { response }) }
    } finally {
      bodies.delete(id)
    }
  }

  const { provider, modelId, supportedUrls } = model
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate: () => Promise.reject(new Error('replies are streamed')),
    async doStream(options) {
      const used = model
      try {
        return await ask(used, options)
      } catch (error) {
        if (used === withoutUsage || !refusesUsage(error)) throw error
        // Some servers do not support `stream_options`: they are asked without from now on, and report no tokens.
        withoutUsage ??= make(false)
        model = withoutUsage
        return ask(withoutUsage, options)
      }
    },
  }
}

const refusesUsage = (error: unknown): boolean =>
  APICallError.isInstance(error) &&
  (error.statusCode === 400 || error.statusCode === 422) &&
  /stream_options|include_usage/.test(`${error.message} ${error.responseBody ?? ''}`)

const keepMs = 30_000
const timeoutMs = 5_000

const ownerIn = ({ owned_by: owner }: Readonly<Record<string, unknown>>): string | undefined =>
  typeof owner === 'string' ? owner : undefined

/** Any server with `/chat/completions` under `baseUrl`. Without configured models the server is asked for its list. */
export function createOpenAICompatibleProvider(config: OpenAICompatibleConfig, ports: ListingPorts): ModelProvider {
  /** The owner of each model in the last list. */
  let owners: ReadonlyMap<string, string | undefined> = new Map()

  const ask = cacheListing(
    async (signal) => {
      const models = readModelList(await getJson(`${config.baseUrl}/models`, config.apiKey, ports, signal))
      if (!models) throw new NoListError()
      owners = new Map(models.map(({ name, entry }) => [name, ownerIn(entry)]))
      return models.map(({ name, contextTokens, entry }) => infoOf(name, contextTokens, imagesInEntry(entry)))
    },
    { keepMs, timeoutMs, monotonic: ports.monotonic },
  )

  function infoOf(name: string, windowTokens: number | null = null, stated: boolean | null = null): ModelInfo {
    const configured = config.models?.find((model) => model.name === name)
    const sees = configured?.vision ?? stated ?? (seesByOpenName(name) ? true : null)
    return {
      id: `${config.id}/${name}`,
      label: configured?.label ?? name,
      providerLabel: config.label,
      contextTokens: configured?.contextTokens ?? windowTokens,
      ...(sees !== null && { seesImages: sees }),
      ...(configured?.price && { price: configured.price }),
      simulated: false,
    }
  }

  return {
    id: config.id,
    label: config.label,
    list: (signal) =>
      config.models === null ? ask(signal) : Promise.resolve(config.models.map((model) => infoOf(model.name))),
    async check(signal) {
      if (config.models !== null) await ask(signal)
    },
    languageModel: (name, fields) => {
      requireConfigured(config, config.models, name)
      return createChatModel(config, name, ports, fields)
    },
    // A private server has no key; behind a key, requests may cost money.
    exact: (name) => exactOfferOf(config.server ?? serverOwning(owners.get(name)), { charges: config.apiKey !== null }),
  }
}
