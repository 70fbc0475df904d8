import { createVendorProvider } from '../vendor-provider'
import type { ModelProvider, ListingPorts } from '@/lib/shared/models/model'
import type { VendorConfig } from '@/lib/shared/models/provider-config'

/** Google's own API; the package is imported at the first reply. */
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
