import { z } from 'zod'
import type { JsonObject } from '@/lib/base/json'
import { exactOfferOf, serverOwning } from '../exact/exact-servers'
import { createLazyModel } from '../lazy-model'
import { cacheListing, getJson } from '../listing'
import type { ListingPorts } from '../listing'
import { cacheCounts } from './cache-counts'
import type { ModelInfo, ModelProvider } from '../model'
import { withPlainWords } from './plain-words-model'
import { requireConfigured } from '../provider-config'
import type { OpenAICompatibleConfig } from '../provider-config'

const keepMs = 30_000
const timeoutMs = 5_000

const window = z.int().positive().optional().catch(undefined)

/** What each server calls a model's window: vLLM and SGLang, OpenRouter and Together, Groq, Mistral. Others don't say. */
const windowNames = ['max_model_len', 'context_length', 'context_window', 'max_context_length'] as const

const modelList = z.object({
  data: z.array(
    z.looseObject({
      id: z.string().min(1),
      owned_by: z.string().optional().catch(undefined),
      max_model_len: window,
      context_length: window,
      context_window: window,
      max_context_length: window,
    }),
  ),
})

/** Any server with `/chat/completions` under `baseUrl`. Without configured models the server is asked for its list. */
export function createOpenAICompatibleProvider(config: OpenAICompatibleConfig, ports: ListingPorts): ModelProvider {
  /** By whom each model of the last list is owned. */
  let owners: ReadonlyMap<string, string | undefined> = new Map()

  const ask = cacheListing(
    async (signal) => {
      const { data } = modelList.parse(await getJson(`${config.baseUrl}/models`, config.apiKey, ports, signal))
      owners = new Map(data.map((entry) => [entry.id, entry.owned_by]))
      return data.map((entry) => {
        const said = windowNames.map((name) => entry[name]).find((tokens) => tokens !== undefined)
        return infoOf(entry.id, said)
      })
    },
    { keepMs, timeoutMs, monotonic: ports.monotonic },
  )

  function infoOf(name: string, windowTokens: number | null = null): ModelInfo {
    const configured = config.models?.find((model) => model.name === name)
    return {
      id: `${config.id}/${name}`,
      label: configured?.label ?? name,
      providerLabel: config.label,
      contextTokens: configured?.contextTokens ?? windowTokens,
      ...(configured?.vision !== undefined && { seesImages: configured.vision }),
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
    // Who runs a server for himself gives it no key: behind one, somebody may pay.
    exact: (name) => exactOfferOf(config.server ?? serverOwning(owners.get(name)), { charges: config.apiKey !== null }),
  }
}

/** One model of such a server; also what Ollama's `/v1` is spoken to with. `fields` stand in each of its requests. */
export function createChatModel(
  server: { readonly id: string; readonly baseUrl: string; readonly apiKey: string | null },
  name: string,
  ports: ListingPorts,
  fields: JsonObject = {},
) {
  return createLazyModel(server.id, name, async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return withPlainWords(ports.fetch, (fetch) =>
      createOpenAICompatible({
        name: server.id,
        baseURL: server.baseUrl,
        includeUsage: true,
        ...cacheCounts(),
        transformRequestBody: (body: Readonly<Record<string, unknown>>) => ({ ...body, ...fields }),
        fetch,
        ...(server.apiKey === null ? {} : { apiKey: server.apiKey }),
      }).chatModel(name),
    )
  })
}
