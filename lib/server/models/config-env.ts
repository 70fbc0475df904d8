import { exactServerNames, type ExactServerName } from '@/lib/shared/models/exact/exact-forms'
import {
  configuredModel,
  defaultModels,
  type ConfiguredModel,
  type ProviderConfig,
} from '@/lib/shared/models/provider-config'
import { vendorKinds, vendors } from '@/lib/shared/models/vendors'
import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { withoutEndpoint } from '@/lib/shared/models/model-list'

/** The environment as a record; an empty variable counts as missing. */
export type Env = Readonly<Record<string, string | undefined>>

/** Null for a variable that is missing, empty or blank. */
export const envValue = (env: Env, name: string): string | null => {
  const value = env[name]?.trim()
  return value === undefined || value === '' ? null : value
}

/**
 * A URL as `http(s)://host[:port][/path]` without a trailing slash, or null. `path` is appended to a bare host; a
 * trailing endpoint (`/chat/completions`) is removed. URLs with a user name or password are refused, because URLs are
 * shown.
 */
export function baseUrlOf(text: string, path: string): string | null {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') return null
  const { path: kept, isCut } = withoutEndpoint(url.pathname)
  return `${url.origin}${kept === '' && !isCut ? path : kept}`
}

const ollamaDefault = 'http://127.0.0.1:11434'

/**
 * Providers that the environment alone configures, in the order of the model picker, and the configuration errors as
 * sentences.
 */
export function providersFromEnv(
  env: Env,
  configured: readonly ProviderConfig[],
): { readonly providers: readonly ProviderConfig[]; readonly problems: readonly ModelMessage[] } {
  const providers: ProviderConfig[] = []
  const problems: ModelMessage[] = []

  const url = envValue(env, 'NOD_OPENAI_COMPATIBLE_URL')
  if (url !== null) {
    const baseUrl = baseUrlOf(url, '/v1')
    if (baseUrl === null) {
      problems.push(makeModelMessage('config.env-url', { like: 'http://127.0.0.1:1234/v1' }))
    } else {
      providers.push({
        kind: 'openai-compatible',
        id: 'openai-compatible',
        label: envValue(env, 'NOD_OPENAI_COMPATIBLE_NAME') ?? new URL(baseUrl).host,
        baseUrl,
        apiKey: envValue(env, 'NOD_OPENAI_COMPATIBLE_KEY'),
        models: compatibleModels(env),
        ...compatibleServer(env, problems),
      })
    }
  }

  for (const kind of vendorKinds) {
    const vendor = vendors[kind]
    const apiKey = envValue(env, vendor.keyEnv)
    if (apiKey === null) continue
    providers.push({
      kind,
      id: kind,
      label: vendor.label,
      apiKey,
      baseUrl: null,
      models: modelNames(env, vendor.modelsEnv) ?? defaultModels(kind),
    })
  }

  if (!isOff(envValue(env, 'NOD_OLLAMA')) && !configured.some(({ kind }) => kind === 'ollama')) {
    const host = envValue(env, 'OLLAMA_HOST')
    const baseUrl = host === null ? ollamaDefault : ollamaAddress(host)
    if (baseUrl === null) problems.push(makeModelMessage('config.env-ollama', { like: '127.0.0.1:11434' }))
    else providers.push({ kind: 'ollama', id: 'ollama', label: 'Ollama', baseUrl, silent: true })
  }
  return { providers, problems }
}

/** The configured server name, if any. */
function compatibleServer(env: Env, problems: ModelMessage[]): { readonly server?: ExactServerName } {
  const serverKind = envValue(env, 'NOD_OPENAI_COMPATIBLE_SERVER')
  if (serverKind === null) return {}
  const server = exactServerNames.find((name) => name === serverKind.toLowerCase())
  if (server) return { server }
  problems.push(makeModelMessage('config.env-server', { names: exactServerNames }))
  return {}
}

const isOff = (value: string | null): boolean => value !== null && /^(?:off|no|false|0)$/i.test(value)

/** The configured models; those listed as vision models are sent pictures. */
function compatibleModels(env: Env): readonly ConfiguredModel[] | null {
  const models = modelNames(env, 'NOD_OPENAI_COMPATIBLE_MODELS')
  const seeing = new Set(modelNames(env, 'NOD_OPENAI_COMPATIBLE_VISION_MODELS')?.map(({ name }) => name))
  return models?.map((model) => (seeing.has(model.name) ? { ...model, vision: true } : model)) ?? null
}

/** `a, b,,a` → a, b; null if none are named. */
function modelNames(env: Env, variable: string): readonly ConfiguredModel[] | null {
  const names = (envValue(env, variable) ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.length === 0 ? null : [...new Set(names)].map(configuredModel)
}

/**
 * OLLAMA_HOST is meant for the listening server: it may lack scheme and port, and 0.0.0.0 or :: mean "every address",
 * which no client can connect to.
 */
export function ollamaAddress(host: string): string | null {
  const withScheme = /^https?:\/\//i.test(host) ? host : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`
  const base = baseUrlOf(withScheme, '')
  if (base === null) return null
  const url = new URL(base)
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1'
  if (url.port === '' && url.protocol === 'http:' && !/:\d+(\/|$)/.test(withScheme.slice(7))) url.port = '11434'
  return url.href.replace(/\/+$/, '')
}
