import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type ModelProvider, createLazyModel, type ListingPorts } from '@/lib/shared/models/model'
import { requireConfigured, type VendorConfig } from '@/lib/shared/models/provider-config'
import { seesByOpenName } from '@/lib/shared/models/sees-images'
import { vendors, type VendorKind } from '@/lib/shared/models/vendors'

/*
 * Which models accept pictures, judged by their names, because vendors' lists share no format for it. An unknown model
 * is sent none, and the prompt says so, which is always safe. The operator's `vision` setting takes precedence.
 */

/** Families in Ollama's list that indicate a vision model. */
const seeingFamilies = new Set(['clip', 'mllama'])

export const seesByName = (kind: VendorKind | 'ollama', name: string): boolean =>
  kind === 'ollama' ? seesByOpenName(name) : vendors[kind].seesImages.test(name)

export const ollamaSees = (name: string, families: readonly string[]): boolean =>
  families.some((family) => seeingFamilies.has(family)) || seesByName('ollama', name)

/**
 * A provider whose models are listed in the configuration. Other names are refused: with a paid key, the operator
 * decides which models may be used. `load` imports the vendor's package and creates one model.
 */
export function createVendorProvider(
  config: VendorConfig,
  load: (name: string) => Promise<LanguageModelV4>,
): ModelProvider {
  return {
    id: config.id,
    label: config.label,
    list: () =>
      Promise.resolve(
        config.models.map((model) => ({
          id: `${config.id}/${model.name}`,
          label: model.label ?? model.name,
          providerLabel: config.label,
          contextTokens: model.contextTokens,
          ...(model.price && { price: model.price }),
          seesImages: model.vision ?? seesByName(config.kind, model.name),
          simulated: false,
        })),
      ),
    languageModel: (name) => {
      requireConfigured(config, config.models, name)
      return createLazyModel(config.id, name, async () => showingLife(await load(name)))
    },
  }
}

/**
 * Adds a part for every event of the vendor, so that events without text (Anthropic’s `ping`) show that it is working.
 */
const showingLife = (model: LanguageModelV4): LanguageModelV4 => ({
  specificationVersion: model.specificationVersion,
  provider: model.provider,
  modelId: model.modelId,
  supportedUrls: model.supportedUrls,
  doGenerate: (options) => model.doGenerate(options),
  doStream: (options) => model.doStream({ ...options, includeRawChunks: true }),
})

/** Anthropic's own API; its package is imported for the first reply. */
export function createAnthropicProvider(config: VendorConfig, ports: ListingPorts): ModelProvider {
  return createVendorProvider(config, async (name) => {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    const provider = createAnthropic({
      apiKey: config.apiKey,
      fetch: ports.fetch,
      ...(config.baseUrl === null ? {} : { baseURL: config.baseUrl }),
    })
    return provider.languageModel(name)
  })
}

/** Google's own API; its package is imported for the first reply. */
export function createGoogleProvider(config: VendorConfig, ports: ListingPorts): ModelProvider {
  return createVendorProvider(config, async (name) => {
    const { createGoogle } = await import('@ai-sdk/google')
    const provider = createGoogle({
      apiKey: config.apiKey,
      fetch: ports.fetch,
      ...(config.baseUrl === null ? {} : { baseURL: config.baseUrl }),
    })
    return provider.languageModel(name)
  })
}

/** OpenAI's own API; its package is imported for the first reply. */
export function createOpenAIProvider(config: VendorConfig, ports: ListingPorts): ModelProvider {
  return createVendorProvider(config, async (name) => {
    const { createOpenAI } = await import('@ai-sdk/openai')
    const provider = createOpenAI({
      apiKey: config.apiKey,
      fetch: ports.fetch,
      ...(config.baseUrl === null ? {} : { baseURL: config.baseUrl }),
    })
    return provider.languageModel(name)
  })
}
