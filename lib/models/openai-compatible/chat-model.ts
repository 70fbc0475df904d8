import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import { createLazyModel } from '../lazy-model'
import type { ListingPorts } from '../listing'
import { beginningOf } from './refusal-body'
import { replyStream } from './reply-stream'
import { waitForModel } from './wait-for-model'

/** A header that tells requests apart. It never leaves this process. */
const REQUEST = 'x-nod-request'

/** A server that is spoken to as OpenAI's is. */
export interface ChatServer {
  readonly id: string
  /** `/chat/completions` stands under it. */
  readonly baseUrl: string
  readonly apiKey: string | null
}

/** One model of such a server; also what Ollama's `/v1` is spoken to with. `fields` stand in each of its requests. */
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

/** The vendor's package writes the request and reads refusals; what a server answers is read here (`replyStream`). */
function chatModel(
  create: typeof createOpenAICompatible,
  server: ChatServer,
  name: string,
  { ports, fields }: { readonly ports: ListingPorts; readonly fields: JsonObject },
): LanguageModelV4 {
  /** Bodies of answers, until the request that asked for them is done. */
  const bodies = new Map<string, ReadableStream<Uint8Array> | null>()
  let asked = 0

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    const id = headers.get(REQUEST) ?? ''
    headers.delete(REQUEST)
    const response = await ports.fetch(input, { ...init, headers })
    if (!response.ok) return beginningOf(response)
    if (response.body === null || !bodies.has(id)) return response
    bodies.set(id, response.body)
    const { status, statusText, headers: answered } = response
    return new Response('', { status, statusText, headers: answered })
  }

  /** Making one builds the schemas of the package, so it is made once and not for each reply. */
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
        // Some servers know no `stream_options`: they are asked without from now on, and say nothing of tokens.
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
