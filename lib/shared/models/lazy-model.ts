import type { LanguageModelV4 } from '@ai-sdk/provider'

/**
 * A model whose package is imported at its first call, so that a start does not pay for providers that nobody uses.
 * A failed load is tried again at the next call.
 */
export function createLazyModel(
  provider: string,
  modelId: string,
  load: () => Promise<LanguageModelV4>,
): LanguageModelV4 {
  let loaded: Promise<LanguageModelV4> | null = null
  const model = (): Promise<LanguageModelV4> => {
    loaded ??= load().catch((error: unknown) => {
      loaded = null
      throw error
    })
    return loaded
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls: {},
    doGenerate: async (options) => (await model()).doGenerate(options),
    doStream: async (options) => (await model()).doStream(options),
  }
}
