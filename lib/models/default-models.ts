import type { ConfiguredModel, VendorConfig } from './provider-config'

type VendorKind = VendorConfig['kind']

export const configuredModel = (name: string): ConfiguredModel => ({ name, label: null, contextTokens: null })

/** What is offered with nothing but a key: a strong, a middle and a quick model, from the packages' own catalogues. */
const defaultNames: Record<VendorKind, readonly string[]> = {
  openai: ['gpt-5.6', 'gpt-5.4-mini', 'gpt-5.4-nano'],
  anthropic: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5'],
  google: ['gemini-4-argon', 'gemini-3.8-flash', 'gemini-2.5-flash'],
}

export const defaultModels = (kind: VendorKind): readonly ConfiguredModel[] => defaultNames[kind].map(configuredModel)

export const vendors: Record<
  VendorKind,
  { readonly label: string; readonly keyEnv: string; readonly modelsEnv: string }
> = {
  openai: { label: 'OpenAI', keyEnv: 'OPENAI_API_KEY', modelsEnv: 'NOD_OPENAI_MODELS' },
  anthropic: { label: 'Anthropic', keyEnv: 'ANTHROPIC_API_KEY', modelsEnv: 'NOD_ANTHROPIC_MODELS' },
  google: { label: 'Google', keyEnv: 'GOOGLE_GENERATIVE_AI_API_KEY', modelsEnv: 'NOD_GOOGLE_MODELS' },
}

export const vendorKinds = ['openai', 'anthropic', 'google'] as const satisfies readonly VendorKind[]
