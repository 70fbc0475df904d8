/** A vendor with its own API and package. */
interface Vendor {
  readonly label: string
  /** The variable with the key, and the one that may name the models. */
  readonly keyEnv: string
  readonly modelsEnv: string
  /** What is offered with only a key: a strong, a middle and a quick model, from the package's own catalogue. */
  readonly models: readonly string[]
  /** Names of the models that accept images. */
  readonly seesImages: RegExp
}

/** In the order of the picker. */
export const vendors = {
  openai: {
    label: 'OpenAI',
    keyEnv: 'OPENAI_API_KEY',
    modelsEnv: 'NOD_OPENAI_MODELS',
    models: ['gpt-5.6', 'gpt-5.4-mini', 'gpt-5.4-nano'],
    // All but the text-only ones since 4o; "gpt-4-turbo" and "o1" have vision, "o1-mini", "o3-mini" and "gpt-4" don't.
    seesImages:
      /^(?:chatgpt-4o|gpt-4o|gpt-4\.[15]|gpt-4-turbo|gpt-[5-9]|o1(?!-mini|-preview)|o3(?!-mini)|o[4-9])(?!.*(?:audio|tts|transcribe|realtime))/i,
  },
  anthropic: {
    label: 'Anthropic',
    keyEnv: 'ANTHROPIC_API_KEY',
    modelsEnv: 'NOD_ANTHROPIC_MODELS',
    models: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5'],
    seesImages: /^claude-(?:3(?!-5-haiku-20241022)|[a-z]+-[4-9]|[4-9])/i,
  },
  google: {
    label: 'Google',
    keyEnv: 'GOOGLE_GENERATIVE_AI_API_KEY',
    modelsEnv: 'NOD_GOOGLE_MODELS',
    models: ['gemini-4-argon', 'gemini-3.8-flash', 'gemini-2.5-flash'],
    seesImages: /^(?:gemini|gemma-[3-9])/i,
  },
} as const satisfies Readonly<Record<string, Vendor>>

export type VendorKind = keyof typeof vendors

const isVendor = (kind: string): kind is VendorKind => Object.hasOwn(vendors, kind)

export const vendorKinds: readonly VendorKind[] = Object.keys(vendors).filter(isVendor)
