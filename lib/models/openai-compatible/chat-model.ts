import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, type LanguageModelV4, type LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import { createLazyModel } from '../lazy-model'
import type { ListingPorts } from '../listing'
import { beginningOf } from './refusal-body'
import { replyStream } from './reply-stream'
import { waitForModel } from './wait-for-model'

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
  let asksForUsage = true

  const make = (fetch: typeof globalThis.fetch) =>
    create({
      name: server.id,
      baseURL: server.baseUrl,
      includeUsage: asksForUsage,
      transformRequestBody: (body: Readonly<Record<string, unknown>>) => ({ ...body, ...fields }),
      fetch,
      ...(server.apiKey === null ? {} : { apiKey: server.apiKey }),
    }).chatModel(name)

  async function ask(options: LanguageModelV4CallOptions) {
    let body: ReadableStream<Uint8Array> | null = null
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const response = await ports.fetch(input, init)
      if (!response.ok) return beginningOf(response)
      if (response.body === null) return response
      body = response.body
      const { status, statusText, headers } = response
      return new Response('', { status, statusText, headers })
    }
    const { request, response, stream } = await make(fetch).doStream(options)
    const parts = replyStream(body ?? new Blob([]).stream(), server.id)
    // The package has nothing to read.
    void stream.cancel().catch(() => {})
    return { stream: parts, ...(request && { request }), ...(response && { response }) }
  }

  const { provider, modelId, supportedUrls } = make(ports.fetch)
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doGenerate: () => Promise.reject(new Error('replies are streamed')),
    async doStream(options) {
      try {
        return await ask(options)
      } catch (error) {
        if (!asksForUsage || !refusesUsage(error)) throw error
        // Some servers know no `stream_options`: they are asked without from now on, and say nothing of tokens.
        asksForUsage = false
        return ask(options)
      }
    },
  }
}

const refusesUsage = (error: unknown): boolean =>
  APICallError.isInstance(error) &&
  (error.statusCode === 400 || error.statusCode === 422) &&
  /stream_options|include_usage/.test(`${error.message} ${error.responseBody ?? ''}`)
