import { assertNever } from '@/lib/base/assert-never'
import { createAnthropicProvider } from './anthropic/index'
import { createDemoProvider } from './demo/index'
import type { DemoPorts } from './demo/index'
import { createGoogleProvider } from './google/index'
import type { ListingPorts } from './listing'
import type { ModelProvider } from './model'
import { createOllamaProvider } from './ollama/index'
import { createOpenAICompatibleProvider } from './openai-compatible/index'
import { createOpenAIProvider } from './openai/index'
import type { ProviderConfig } from './provider-config'

interface ProviderPorts extends ListingPorts {
  readonly demo: DemoPorts
}

/** One provider a configuration, in its order, and the demo at the end: whatever is broken, the demo is there. */
export function createModelProviders(
  configs: readonly ProviderConfig[],
  ports: ProviderPorts,
): readonly ModelProvider[] {
  return [...configs.map((config) => createProvider(config, ports)), createDemoProvider(ports.demo)]
}

function createProvider(config: ProviderConfig, ports: ListingPorts): ModelProvider {
  switch (config.kind) {
    case 'openai-compatible':
      return createOpenAICompatibleProvider(config, ports)
    case 'ollama':
      return createOllamaProvider(config, ports)
    case 'openai':
      return createOpenAIProvider(config, ports)
    case 'anthropic':
      return createAnthropicProvider(config, ports)
    case 'google':
      return createGoogleProvider(config, ports)
    default:
      return assertNever(config)
  }
}
