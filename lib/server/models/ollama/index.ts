import { isRecord } from '@/lib/base/json'
import { exactOfferOf } from '@/lib/shared/models/exact/exact-forms'
import { createChatModel } from '@/lib/shared/models/openai-compatible'
import {
  type ModelInfo,
  type ModelProvider,
  cacheListing,
  getJson,
  NoListError,
  type ListingPorts,
} from '@/lib/shared/models/model'
import { readModelList } from '@/lib/shared/models/model-list'
import type { OllamaConfig } from '@/lib/shared/models/provider-config'
import { imagesInEntry } from '@/lib/shared/models/sees-images'
import { ollamaSees } from '../vendor-provider'

const keepMs = 30_000
const timeoutMs = 700

const familiesIn = (details: unknown): readonly string[] => {
  const { families, family } = isRecord(details) ? details : {}
  const all = Array.isArray(families) && families.length > 0 ? families : [family]
  return all.filter((one): one is string => typeof one === 'string')
}

/** Models of these families compute embeddings; they cannot chat. */
const embeddingFamilies = new Set(['bert', 'nomic-bert', 'xlm-roberta'])

/**
 * A local Ollama: listed by its own `/api/tags`, called through its OpenAI-compatible `/v1`. If it was not configured
 * (`silent`), it may be absent.
 */
export function createOllamaProvider(config: OllamaConfig, ports: ListingPorts): ModelProvider {
  const infoOf = (name: string, seesImages: boolean): ModelInfo => ({
    id: `${config.id}/${name}`,
    label: name,
    providerLabel: config.label,
    contextTokens: null,
    seesImages,
    simulated: false,
  })

  /** The model digest for each name, from the last list. */
  let digests: ReadonlyMap<string, string | undefined> = new Map()

  const ask = cacheListing(
    async (signal) => {
      const models = readModelList(await getJson(`${config.baseUrl}/api/tags`, null, ports, signal))
      if (!models) throw new NoListError()
      digests = new Map(
        models.map(({ name, entry: { digest } }) => [name, typeof digest === 'string' ? digest : undefined]),
      )
      return models
        .map(({ name, entry }) => ({ name, entry, families: familiesIn(entry['details']) }))
        .filter(({ families }) => !families.some((family) => embeddingFamilies.has(family)))
        .map(({ name, entry, families }) => infoOf(name, imagesInEntry(entry) ?? ollamaSees(name, families)))
    },
    { keepMs, timeoutMs, monotonic: ports.monotonic },
  )

  return {
    id: config.id,
    label: config.label,
    list: ask,
    ...(config.silent && { triedAt: config.baseUrl }),
    languageModel: (name, fields) =>
      createChatModel({ id: config.id, baseUrl: `${config.baseUrl}/v1`, apiKey: null }, name, ports, fields),
    // Ollama's cloud models accept a schema but ignore it.
    exact: (name) =>
      /[-:]cloud$/i.test(name) ? null : exactOfferOf('ollama', { charges: false, stamp: digests.get(name) ?? '' }),
  }
}
