import { z } from 'zod'
import { exactOfferOf } from '../exact/exact-servers'
import { createChatModel } from '../openai-compatible/index'
import { cacheListing, getJson } from '../listing'
import type { ListingPorts } from '../listing'
import type { ModelInfo, ModelProvider } from '../model'
import type { OllamaConfig } from '../provider-config'
import { ollamaSees } from '../sees-images'

const keepMs = 30_000
const timeoutMs = 700

const tags = z.object({
  models: z.array(
    z.looseObject({
      name: z.string().min(1),
      digest: z.string().optional().catch(undefined),
      details: z.looseObject({ families: z.array(z.string()).nullish() }).nullish(),
    }),
  ),
})

/** Models of these families turn text into vectors; they cannot chat. */
const embeddingFamilies = new Set(['bert', 'nomic-bert', 'xlm-roberta'])

/**
 * A local Ollama: listed by its own `/api/tags`, spoken to through its OpenAI-compatible `/v1`. Where nobody asked for it
 * (`silent`), an absent Ollama is an empty list.
 */
export function createOllamaProvider(config: OllamaConfig, ports: ListingPorts): ModelProvider {
  const infoOf = (name: string, families: readonly string[]): ModelInfo => ({
    id: `${config.id}/${name}`,
    label: name,
    providerLabel: config.label,
    contextTokens: null,
    seesImages: ollamaSees(name, families),
    simulated: false,
  })

  /** What stands behind each name, as the last list said. */
  let digests: ReadonlyMap<string, string | undefined> = new Map()

  const ask = cacheListing(
    async (signal) => {
      const { models } = tags.parse(await getJson(`${config.baseUrl}/api/tags`, null, ports, signal))
      digests = new Map(models.map(({ name, digest }) => [name, digest]))
      return models
        .map(({ name, details }) => ({ name, families: details?.families ?? [] }))
        .filter(({ families }) => !families.some((family) => embeddingFamilies.has(family)))
        .map(({ name, families }) => infoOf(name, families))
    },
    { keepMs, timeoutMs, monotonic: ports.monotonic },
  )

  return {
    id: config.id,
    label: config.label,
    list: (signal) => (config.silent ? ask(signal).catch(() => []) : ask(signal)),
    languageModel: (name, fields) =>
      createChatModel({ id: config.id, baseUrl: `${config.baseUrl}/v1`, apiKey: null }, name, ports, fields),
    // Its cloud takes a schema without a word, and does nothing with it.
    exact: (name) =>
      /[-:]cloud$/i.test(name) ? null : exactOfferOf('ollama', { charges: false, stamp: digests.get(name) ?? '' }),
  }
}
