import { createVendorProvider } from '../vendor-provider'
import type { ModelProvider, ListingPorts } from '@/lib/shared/models/model'
import type { VendorConfig } from '@/lib/shared/models/provider-config'

/** OpenAI's own API; the package is imported at the first reply. */
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
