import { z } from 'zod'
import { budgetSchema, type BudgetRule } from '@/lib/shared/models/budget'
import { baseUrlOf, envValue, type Env, providersFromEnv } from './config-env'
import {
  configuredModel,
  defaultModels,
  type ConfiguredModel,
  type ProviderConfig,
  reservedFields,
  reservedHeaders,
  type RequestExtras,
} from '@/lib/shared/models/provider-config'
import { exactServerNames } from '@/lib/shared/models/exact/exact-forms'
import { vendorKinds, vendors } from '@/lib/shared/models/vendors'
import { makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import { variablesOfServers } from '@/lib/server/tool-servers/operator-server'
import type { Refusal } from '@/lib/base/app-error'
import type { ModelId } from '@/lib/shared/models/model'

/** The price per million tokens. */
const price = z.number().min(0).max(1_000_000)

const model = z.union([
  z.string().trim().min(1),
  z.strictObject({
    name: z.string().trim().min(1),
    label: z.string().trim().min(1).optional(),
    contextTokens: z.number().int().positive().optional(),
    vision: z.boolean().optional(),
    price: z.strictObject({ in: price, out: price }).optional(),
  }),
])

const entry = z.strictObject({
  kind: z.enum(['openai-compatible', 'ollama', ...vendorKinds]),
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/)
    .optional(),
  label: z.string().trim().min(1).max(60).optional(),
  url: z.string().optional(),
  key: z.string().trim().min(1).optional(),
  keyEnv: z.string().trim().min(1).optional(),
  models: z.array(model).min(1).optional(),
  server: z.enum(exactServerNames).optional(),
  headers: z.record(z.string(), z.union([z.string(), z.strictObject({ env: z.string().trim().min(1) })])).optional(),
  body: z.record(z.string(), z.json()).optional(),
})

const fileSchema = z.strictObject({
  $schema: z.string().optional(),
  defaultModel: z.string().trim().min(3).optional(),
  providers: z.array(z.unknown()).optional(),
  budgets: z.array(z.unknown()).optional(),
  /** Read by `lib/server/tool-servers`. */
  mcpServers: z.unknown().optional(),
})

type Entry = z.infer<typeof entry>

interface DecodedFile {
  readonly providers: readonly ProviderConfig[]
  readonly defaultModel: string | null
  readonly budgets: readonly BudgetRule[]
  /** Unparsed, as in the file. */
  readonly mcpServers: unknown
  readonly problems: readonly ModelMessage[]
}

const nothing = { providers: [], defaultModel: null, budgets: [], mcpServers: undefined }

/** Parses `nod.config.json`; an invalid provider does not affect the others. Error sentences never contain values. */
export function decodeConfigFile(text: string | null, env: Env): DecodedFile {
  if (text === null || text.trim() === '') return { ...nothing, problems: [] }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return {
      ...nothing,
      problems: [makeModelMessage('config.no-json', placeOf(error, text))],
    }
  }
  const decoded = fileSchema.safeParse(json)
  if (!decoded.success) {
    return { ...nothing, problems: [mistakeOf(decoded.error, { part: 'file', number: 0 })] }
  }

  const problems: ModelMessage[] = []
  const providers: ProviderConfig[] = []
  for (const [index, raw] of (decoded.data.providers ?? []).entries()) {
    const where: Where = { part: 'provider', number: index + 1 }
    const result = decodeProvider(raw, env, where)
    if ('reason' in result) problems.push(result)
    else if (result.id === 'demo' || providers.some((provider) => provider.id === result.id)) {
      problems.push(makeModelMessage('config.taken', { ...where, id: result.id }))
    } else providers.push(result)
  }
  const budgets = (decoded.data.budgets ?? []).flatMap((raw, index) => {
    const budget = budgetSchema.safeParse(raw)
    if (budget.success) return [budget.data]
    problems.push(mistakeOf(budget.error, { part: 'budget', number: index + 1 }))
    return []
  })
  const { defaultModel = null, mcpServers } = decoded.data
  return { providers, defaultModel, budgets, mcpServers, problems }
}

/** The variables that "keyEnv" and "headers" name, even if the file is otherwise invalid. */
export function keyVariables(text: string | null): readonly string[] {
  try {
    const { providers, mcpServers } = z
      .object({ providers: z.array(z.unknown()).default([]), mcpServers: z.unknown().optional() })
      .parse(JSON.parse(text ?? ''))
    const named = z.object({ keyEnv: z.string().trim().min(1) })
    const headers = z.object({ headers: z.record(z.string(), z.unknown()) })
    const byEnv = z.object({ env: z.string().trim().min(1) })
    const ofProviders = providers.flatMap((provider) => [
      ...[named.safeParse(provider).data?.keyEnv ?? []].flat(),
      ...Object.values(headers.safeParse(provider).data?.headers ?? {}).flatMap(
        (value) => byEnv.safeParse(value).data?.env ?? [],
      ),
    ])
    return [...ofProviders, ...variablesOfServers(mcpServers)]
  } catch {
    return []
  }
}

/** Which entry is left out, counted from 1. */
type Where = { readonly part: 'file' | 'provider' | 'budget'; readonly number: number }

/** A provider, or why it is invalid. */
function decodeProvider(raw: unknown, env: Env, where: Where): ProviderConfig | ModelMessage {
  const decoded = entry.safeParse(raw)
  if (!decoded.success) return mistakeOf(decoded.error, where)
  const { data } = decoded
  const extras = extrasOf(data, env, where)
  if (extras && 'reason' in extras) return extras
  const provider = providerOf(data, env, where)
  return 'reason' in provider || !extras ? provider : { ...provider, extras }
}

/** Headers whose value is a secret, recognized by their name. */
const secretHeaderName = /auth|key|token|secret|cookie|password/i

/** The additions to each request, undefined, or what is wrong with them. */
function extrasOf(data: Entry, env: Env, where: Where): RequestExtras | ModelMessage | undefined {
  const { headers = {}, body = {} } = data
  const values: Record<string, string> = {}
  const secrets: string[] = []
  for (const [name, setting] of Object.entries(headers)) {
    const value = typeof setting === 'string' ? setting.trim() : envValue(env, setting.env)
    if (value === null)
      return makeModelMessage('config.header-unset', {
        ...where,
        name,
        variable: typeof setting === 'string' ? '' : setting.env,
      })
    if (
      !/^[\w!#$%&'*+.^`|~-]+$/.test(name) ||
      reservedHeaders.has(name.toLowerCase()) ||
      !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    ) {
      return makeModelMessage('config.header', { ...where, name })
    }
    values[name] = value
    if (typeof setting !== 'string' || secretHeaderName.test(name)) secrets.push(value)
  }
  const reserved = Object.keys(body).filter((name) => reservedFields.has(name))
  if (reserved.length > 0)
    return makeModelMessage('config.body', { ...where, names: reserved.map((name) => `"${name}"`) })
  if (data.headers === undefined && data.body === undefined) return undefined
  return { headers: values, body, secrets }
}

function providerOf(data: Entry, env: Env, where: Where): ProviderConfig | ModelMessage {
  if (data.key !== undefined && data.keyEnv !== undefined) return makeModelMessage('config.both-keys', where)
  if (data.server !== undefined && data.kind !== 'openai-compatible') {
    return makeModelMessage('config.server', where)
  }

  switch (data.kind) {
    case 'openai-compatible': {
      const baseUrl = data.url === undefined ? null : baseUrlOf(data.url, '/v1')
      if (baseUrl === null) return makeModelMessage('config.url', { ...where, like: 'http://127.0.0.1:1234/v1' })
      const apiKey = keyOf(data, env, null)
      if (apiKey !== null && typeof apiKey === 'object')
        return makeModelMessage('config.key-unset', { ...where, ...apiKey })
      const id = data.id ?? 'openai-compatible'
      return {
        kind: data.kind,
        id,
        label: data.label ?? data.id ?? new URL(baseUrl).host,
        baseUrl,
        apiKey,
        models: data.models?.map(modelOf) ?? null,
        ...(data.server !== undefined && { server: data.server }),
      }
    }
    case 'ollama': {
      const baseUrl = baseUrlOf(data.url ?? 'http://127.0.0.1:11434', '')
      if (baseUrl === null) return makeModelMessage('config.url', { ...where, like: 'http://127.0.0.1:11434' })
      if (data.models !== undefined) return makeModelMessage('config.ollama-models', where)
      if (data.key !== undefined || data.keyEnv !== undefined) {
        return makeModelMessage('config.ollama-key', where)
      }
      const address = baseUrl.replace(/\/v1$/, '')
      return {
        kind: data.kind,
        id: data.id ?? 'ollama',
        label: data.label ?? 'Ollama',
        baseUrl: address,
        silent: false,
      }
    }
    default: {
      const vendor = vendors[data.kind]
      const baseUrl = data.url === undefined ? null : baseUrlOf(data.url, '')
      if (data.url !== undefined && baseUrl === null) {
        return makeModelMessage('config.url', { ...where, like: 'https://example.com/v1' })
      }
      const apiKey = keyOf(data, env, vendor.keyEnv)
      if (apiKey !== null && typeof apiKey === 'object')
        return makeModelMessage('config.key-unset', { ...where, ...apiKey })
      if (apiKey === null) return makeModelMessage('config.no-key', { ...where, variable: vendor.keyEnv })
      return {
        kind: data.kind,
        id: data.id ?? data.kind,
        label: data.label ?? vendor.label,
        apiKey,
        baseUrl,
        models: data.models?.map(modelOf) ?? defaultModels(data.kind),
      }
    }
  }
}

/** A `keyEnv` whose variable is not set is an error; no key at all is null. */
function keyOf(data: Entry, env: Env, fallback: string | null): string | null | { readonly variable: string } {
  if (data.key !== undefined) return data.key
  if (data.keyEnv === undefined) return fallback === null ? null : envValue(env, fallback)
  return envValue(env, data.keyEnv) ?? { variable: data.keyEnv }
}

const modelOf = (value: z.infer<typeof model>): ConfiguredModel =>
  typeof value === 'string'
    ? configuredModel(value)
    : {
        name: value.name,
        label: value.label ?? null,
        contextTokens: value.contextTokens ?? null,
        ...(value.vision !== undefined && { vision: value.vision }),
        ...(value.price && { price: { perMillionIn: value.price.in, perMillionOut: value.price.out } }),
      }

/** zod's first issue with its position, without the values. */
function mistakeOf(error: z.ZodError, where: Where): ModelMessage {
  const issue = error.issues[0]
  if (issue === undefined) return makeModelMessage('config.form', where)
  if (issue.code === 'unrecognized_keys')
    return makeModelMessage('config.unknown', { ...where, names: issue.keys.map((key) => `"${key}"`) })
  const at = { ...where, place: issue.path.join('.') }
  if (issue.code === 'invalid_value')
    return makeModelMessage('config.one-of', { ...at, names: issue.values.map(String) })
  if (issue.code === 'invalid_type') return makeModelMessage('config.type', { ...at, type: issue.expected })
  if (issue.code === 'invalid_format') return makeModelMessage('config.id', where)
  return makeModelMessage('config.value', { ...at, code: issue.code.replaceAll('_', ' ') })
}

/**
 * Node's message is "… at position 12 (line 1 column 13)" and quotes the text, which may contain a key: only the
 * position is kept.
 */
function placeOf(
  error: unknown,
  text: string,
): { readonly at: string; readonly line: number; readonly column: number } {
  const message = error instanceof Error ? error.message : ''
  const position = /position (\d+)/.exec(message)?.[1]
  if (position === undefined) return { at: /end of JSON/.test(message) ? 'end' : '', line: 0, column: 0 }
  const before = text.slice(0, Number(position))
  return { at: 'place', line: before.split('\n').length, column: before.length - before.lastIndexOf('\n') }
}

export interface ModelConfig {
  readonly providers: readonly ProviderConfig[]
  readonly defaultModel: ModelId | null
  /** Daily limits on the use of models. */
  readonly budgets: readonly BudgetRule[]
  /** Tool servers as in the file, not parsed yet. */
  readonly mcpServers?: unknown
  /** One sentence per error, for the operator; never contains a secret. */
  readonly problems: readonly Refusal[]
}

/**
 * The operator's configuration: the text of `nod.config.json` (null if missing) and the environment. Never throws: an
 * error disables only its provider and is listed. A provider in the file wins over one in the environment with the same
 * id; `NOD_DEFAULT_MODEL` wins over the file's `defaultModel`.
 */
export function decodeModelConfig(text: string | null, env: Env): ModelConfig {
  const file = decodeConfigFile(text, env)
  const ids = new Set(file.providers.map((provider) => provider.id))
  const fromEnv = providersFromEnv(env, file.providers)
  return {
    providers: [...file.providers, ...fromEnv.providers.filter((provider) => !ids.has(provider.id))],
    defaultModel: envValue(env, 'NOD_DEFAULT_MODEL') ?? file.defaultModel,
    budgets: file.budgets,
    mcpServers: file.mcpServers,
    problems: [...file.problems, ...fromEnv.problems],
  }
}
