import { vendorKinds, vendors, type VendorKind } from '@/lib/shared/models/vendors'
import type { ListSetting, SecretSetting, Setting } from './setting'

type Vendors = typeof vendors
type VendorSettings = { readonly [K in VendorKind as Vendors[K]['keyEnv']]: SecretSetting } & {
  readonly [K in VendorKind as Vendors[K]['modelsEnv']]: ListSetting
}

/** The variables of every vendor with its own API: a new vendor needs no row here. */
const vendorSettings = Object.fromEntries(
  vendorKinds.flatMap((kind): readonly (readonly [string, SecretSetting | ListSetting])[] => {
    const { label, keyEnv, modelsEnv, models } = vendors[kind]
    const otherwise = models.map((name) => `\`${name}\``).join(', ')
    return [
      [keyEnv, { kind: 'secret', page: 'models', who: 'anyone', meaning: `API key for ${label}.` }],
      [
        modelsEnv,
        {
          kind: 'list',
          otherwise,
          page: 'models',
          who: 'anyone',
          meaning: `Models of ${label} to offer, separated by commas.`,
        },
      ],
    ]
  }),
) as unknown as VendorSettings

/** Variables for models, their servers and keys. */
export const modelSettings = {
  NOD_CONFIG: {
    kind: 'text',
    default: 'nod.config.json',
    page: 'models',
    who: 'anyone',
    meaning: 'Path of the configuration file.',
  },
  NOD_DEFAULT_MODEL: {
    kind: 'text',
    otherwise: '`defaultModel` of the file, the first real model, or the demo',
    page: 'models',
    who: 'anyone',
    meaning: 'The model of new chats, as `provider/name`.',
  },
  NOD_CONTEXT_TOKENS: {
    kind: 'number',
    unit: { one: 'token', other: 'tokens' },
    least: 0,
    most: 100_000_000,
    default: 0,
    otherwise: 'unknown; `NOD_MAX_PROMPT_TOKENS` limits the prompt',
    page: 'models',
    who: 'anyone',
    meaning: 'The context window for models whose window neither the file nor their server states.',
  },
  NOD_MAX_PROMPT_TOKENS: {
    kind: 'number',
    unit: { one: 'token', other: 'tokens' },
    least: 0,
    most: 100_000_000,
    default: 200_000,
    page: 'models',
    who: 'anyone',
    meaning:
      'The longest prompt for models with an unknown context window. The oldest messages are left out. `0`: no limit.',
  },
  NOD_OPENAI_COMPATIBLE_URL: {
    kind: 'text',
    page: 'models',
    who: 'anyone',
    meaning: 'Address of an OpenAI-compatible server, up to `/v1`. A bare host gets `/v1`.',
  },
  NOD_OPENAI_COMPATIBLE_MODELS: {
    kind: 'list',
    otherwise: 'the server’s list',
    page: 'models',
    who: 'anyone',
    meaning: 'Model names, separated by commas.',
  },
  NOD_OPENAI_COMPATIBLE_KEY: {
    kind: 'secret',
    page: 'models',
    who: 'anyone',
    meaning: 'Sent as `Authorization: Bearer …`.',
  },
  NOD_OPENAI_COMPATIBLE_NAME: {
    kind: 'text',
    otherwise: 'its host name',
    page: 'models',
    who: 'anyone',
    meaning: 'The server’s name in the list of models.',
  },
  NOD_OPENAI_COMPATIBLE_SERVER: {
    kind: 'text',
    otherwise: 'detected from its list of models',
    page: 'models',
    who: 'anyone',
    meaning:
      'The kind of server: `llama.cpp`, `vllm`, `sglang`, `lm-studio`, `ollama` or `other`. It decides how [exact calls](../using/exact-calls.md) are requested.',
  },
  NOD_OPENAI_COMPATIBLE_VISION_MODELS: {
    kind: 'list',
    page: 'models',
    who: 'anyone',
    meaning: 'Which of these models accept images.',
  },
  ...vendorSettings,
  OLLAMA_HOST: {
    kind: 'text',
    otherwise: '`127.0.0.1:11434`',
    page: 'models',
    who: 'anyone',
    meaning: 'Where Ollama listens.',
  },
  NOD_OLLAMA: {
    kind: 'flag',
    default: true,
    page: 'models',
    who: 'anyone',
    meaning: '`off`: do not look for Ollama.',
  },
} as const satisfies Readonly<Record<string, Setting>>
