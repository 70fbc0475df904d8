import { exactOfferOf, serverOwning } from '../exact/exact-forms'
import { type ModelInfo, type ModelProvider, cacheListing, getJson, NoListError, type ListingPorts } from '../model'
import { readModelList } from '../model-list'
import { imagesInEntry, seesByOpenName } from '../sees-images'
import { createChatModel } from './chat-model'
import { requireConfigured } from '../provider-config'
import type { OpenAICompatibleConfig } from '../provider-config'

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

  function infoOf(name: string, windowTokens: number | null = null, said: boolean | null = null): ModelInfo {
    const configured = config.models?.find((model) => model.name === name)
    const sees = configured?.vision ?? said ?? (seesByOpenName(name) ? true : null)
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

export { createChatModel } from './chat-model'
