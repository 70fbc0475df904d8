import { createAnthropicProvider, createGoogleProvider, createOpenAIProvider } from './vendor-provider'
import { createDemoProvider, type DemoPorts } from './demo/index'
import type { ModelProvider, ListingPorts } from '@/lib/shared/models/model'
import { createOllamaProvider } from './ollama/index'
import { createOpenAICompatibleProvider } from '@/lib/shared/models/openai-compatible/index'
import { type ProviderConfig, type VendorConfig, withExtras } from '@/lib/shared/models/provider-config'
import type { VendorKind } from '@/lib/shared/models/vendors'

const vendorProviders: Readonly<Record<VendorKind, (config: VendorConfig, ports: ListingPorts) => ModelProvider>> = {
  openai: createOpenAIProvider,
  anthropic: createAnthropicProvider,
  google: createGoogleProvider,
}

interface ProviderPorts extends ListingPorts {
  readonly demo: DemoPorts
}

/**
 * One provider per configuration entry, in order, with the demo at the end: the demo is available even if all others
 * are broken.
 */
export function createModelProviders(
  configs: readonly ProviderConfig[],
  ports: ProviderPorts,
): readonly ModelProvider[] {
  return [...configs.map((config) => createProvider(config, ports)), createDemoProvider(ports.demo)]
}

function createProvider(config: ProviderConfig, given: ListingPorts): ModelProvider {
  const ports = { ...given, fetch: withExtras(given.fetch, config.extras) }
  switch (config.kind) {
    case 'openai-compatible':
      return createOpenAICompatibleProvider(config, ports)
    case 'ollama':
      return createOllamaProvider(config, ports)
    default:
      return vendorProviders[config.kind](config, ports)
  }
}
