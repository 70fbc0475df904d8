import { createVendorProvider } from '../vendor-provider'
import type { ModelProvider, ListingPorts } from '@/lib/shared/models/model'
import type { VendorConfig } from '@/lib/shared/models/provider-config'

/** Anthropic's own API; the package is imported at the first reply. */
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
