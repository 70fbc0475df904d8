import { z } from 'zod'
import { budgetSchema, type BudgetRule } from './budget'
import { baseUrlOf, envValue } from './config-values'
import type { Env } from './config-values'
import { configuredModel, defaultModels, type ConfiguredModel, type ProviderConfig } from './provider-config'
import { exactServerNames } from './exact/exact-servers'
import { vendorKinds, vendors } from './vendors'

/** Of a million tokens. */
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
    .regex(/^[a-z0-9][a-z0-9._-]{0,39}$/, 'must be lower-case letters, digits, ".", "_" and "-", at most 40')
    .optional(),
  label: z.string().trim().min(1).max(60).optional(),
  url: z.string().optional(),
  key: z.string().trim().min(1).optional(),
  keyEnv: z.string().trim().min(1).optional(),
  models: z.array(model).min(1).optional(),
  server: z.enum(exactServerNames).optional(),
})

const file = z.strictObject({
  $schema: z.string().optional(),
  defaultModel: z.string().trim().min(3).optional(),
  providers: z.array(z.unknown()).optional(),
  budgets: z.array(z.unknown()).optional(),
})

type Entry = z.infer<typeof entry>

interface DecodedFile {
  readonly providers: readonly ProviderConfig[]
  readonly defaultModel: string | null
  readonly budgets: readonly BudgetRule[]
  readonly problems: readonly string[]
}

const nothing = { providers: [], defaultModel: null, budgets: [] }

/** The text of `nod.config.json`; one bad provider costs only itself. Values never stand in the sentences. */
export function decodeConfigFile(text: string | null, env: Env): DecodedFile {
  if (text === null || text.trim() === '') return { ...nothing, problems: [] }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return {
      ...nothing,
      problems: [`nod.config.json is not JSON${placeOf(error, text)}, so it is left out as a whole.`],
    }
  }
  const decoded = file.safeParse(json)
  if (!decoded.success) {
    return { ...nothing, problems: [`nod.config.json is left out as a whole: ${sentenceOf(decoded.error)}.`] }
  }

  const problems: string[] = []
  const providers: ProviderConfig[] = []
  for (const [index, raw] of (decoded.data.providers ?? []).entries()) {
    const result = decodeProvider(raw, env)
    if (typeof result === 'string') {
      problems.push(`nod.config.json, provider ${index + 1} is left out: ${result}.`)
    } else if (result.id === 'demo' || providers.some((provider) => provider.id === result.id)) {
      problems.push(
        `nod.config.json, provider ${index + 1} is left out: the id "${result.id}" is taken; give it another "id".`,
      )
    } else providers.push(result)
  }
  const budgets = (decoded.data.budgets ?? []).flatMap((raw, index) => {
    const budget = budgetSchema.safeParse(raw)
    if (budget.success) return [budget.data]
    problems.push(`nod.config.json, budget ${index + 1} is left out: ${sentenceOf(budget.error)}.`)
    return []
  })
  return { providers, defaultModel: decoded.data.defaultModel ?? null, budgets, problems }
}

/** The variables that "keyEnv" names, whatever else is wrong with the file. */
export function keyVariables(text: string | null): readonly string[] {
  try {
    const { providers } = z.object({ providers: z.array(z.unknown()) }).parse(JSON.parse(text ?? ''))
    const named = z.object({ keyEnv: z.string().trim().min(1) })
    return providers.flatMap((provider) => named.safeParse(provider).data?.keyEnv ?? [])
  } catch {
    return []
  }
}

/** A provider, or the end of a sentence that says why not. */
function decodeProvider(raw: unknown, env: Env): ProviderConfig | string {
  const decoded = entry.safeParse(raw)
  if (!decoded.success) return sentenceOf(decoded.error)
  const { data } = decoded
  if (data.key !== undefined && data.keyEnv !== undefined) return 'it has both "key" and "keyEnv"'
  if (data.server !== undefined && data.kind !== 'openai-compatible') {
    return '"server" says which server an "openai-compatible" one is; leave it out'
  }

  switch (data.kind) {
    case 'openai-compatible': {
      const baseUrl = data.url === undefined ? null : baseUrlOf(data.url, '/v1')
      if (baseUrl === null) return '"url" must be an address like http://127.0.0.1:1234/v1'
      const apiKey = keyOf(data, env, null)
      if (apiKey !== null && typeof apiKey === 'object') return apiKey.missing
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
      if (baseUrl === null) return '"url" must be an address like http://127.0.0.1:11434'
      if (data.models !== undefined) return 'Ollama is asked for its models; leave "models" out'
      if (data.key !== undefined || data.keyEnv !== undefined) {
        return 'Ollama takes no key; for one behind a key use the kind "openai-compatible"'
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
      if (data.url !== undefined && baseUrl === null) return '"url" must be an address like https://example.com/v1'
      const apiKey = keyOf(data, env, vendor.keyEnv)
      if (apiKey !== null && typeof apiKey === 'object') return apiKey.missing
      if (apiKey === null) return `it needs a key: set ${vendor.keyEnv}, or name a variable in "keyEnv"`
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

/** A key that was asked for by `keyEnv` and is not set is a mistake; no key at all is null. */
function keyOf(data: Entry, env: Env, fallback: string | null): string | null | { readonly missing: string } {
  if (data.key !== undefined) return data.key
  if (data.keyEnv === undefined) return fallback === null ? null : envValue(env, fallback)
  return envValue(env, data.keyEnv) ?? { missing: `the variable ${data.keyEnv}, which "keyEnv" names, is not set` }
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

/** zod's first issue with its place, without the values that stood there. */
function sentenceOf(error: z.ZodError): string {
  const issue = error.issues[0]
  if (issue === undefined) return 'it has the wrong form'
  if (issue.code === 'unrecognized_keys')
    return `it has no setting called ${issue.keys.map((key) => `"${key}"`).join(', ')}`
  const place = issue.path.length === 0 ? 'it' : `"${issue.path.join('.')}"`
  if (issue.code === 'invalid_value') return `${place} must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'invalid_type') return `${place} must be of type ${issue.expected}`
  if (issue.code === 'invalid_format') return `${place} ${issue.message}`
  return `${place} has a value that can't be used (${issue.code.replaceAll('_', ' ')})`
}

/** Node says "… at position 12 (line 1 column 13)" and quotes the text, which may hold a key: only the place is kept. */
function placeOf(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : ''
  const position = /position (\d+)/.exec(message)?.[1]
  if (position === undefined) return /end of JSON/.test(message) ? ' (it ends too early)' : ''
  const before = text.slice(0, Number(position))
  return ` (line ${before.split('\n').length}, column ${before.length - before.lastIndexOf('\n')})`
}
