import type { LanguageModelV4 } from '@ai-sdk/provider'
import { createLazyModel } from './lazy-model'
import type { ModelProvider } from './model'
import { requireConfigured } from './provider-config'
import type { VendorConfig } from './provider-config'
import { seesByName } from './sees-images'

/**
 * A provider whose models are a list of the configuration. Names outside it are refused: with a paid key, the operator
 * decides which models may be used. `load` imports the vendor's package and makes one model.
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
      return createLazyModel(config.id, name, () => load(name))
    },
  }
}
