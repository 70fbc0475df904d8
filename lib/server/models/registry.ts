import type { MonotonicClock } from '@/lib/base/clocks'
import type { Refusal } from '@/lib/base/app-error'
import { makeError, makeModelMessage, type ModelMessage } from '@/lib/i18n/t'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { JsonObject } from '@/lib/base/json'
import { createConstrainedDecoding, type ConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import { describeCheckFailure, describeListingFailure } from '@/lib/shared/models/failure'
import type { ModelId, ModelInfo, ModelList, ModelProvider } from '@/lib/shared/models/model'

type MakeModel = (id: ModelId, fields?: JsonObject) => LanguageModelV4

/** For servers without a list, which accept any name. */
const MOST = 200

/**
 * Returns the same model for the same id. Otherwise a vendor's package would build its response schemas for each
 * request, which takes a millisecond before the first token. A model with extra fields is created each time. The oldest
 * ones are dropped first; a failure is not kept.
 */
export function memoizeByKey(make: MakeModel, most = MOST): MakeModel {
  const made = new Map<ModelId, LanguageModelV4>()
  return (id, fields) => {
    if (fields !== undefined) return make(id, fields)
    const known = made.get(id)
    if (known) return known
    const model = make(id)
    made.set(id, model)
    const [oldest] = made.keys()
    if (made.size > most && oldest !== undefined) made.delete(oldest)
    return model
  }
}

const LISTING_TIMEOUT_MS = 3_000
/** Nothing that waits for it has been stored yet. */
const WINDOW_TIMEOUT_MS = 500

/** A source of models with its current response. */
export interface ModelSource {
  readonly label: string
  readonly models: readonly ModelInfo[]
  /** Why it returned no list, or why its models will not answer: a sentence without secrets. */
  readonly problem: Refusal | null
  /** It was not configured, and is not at this address. */
  readonly notAt?: string
}

export interface ModelRegistry {
  /** Each source in the picker's order, and the configuration errors; for the operator. Never rejects. */
  sources(
    signal: AbortSignal,
  ): Promise<{ readonly sources: readonly ModelSource[]; readonly mistakes: readonly Refusal[] }>
  /** Never rejects if a source does not respond: the list then contains a problem. */
  list(signal: AbortSignal): Promise<ModelList>
  /**
   * Throws `AppError` `unknown-model` with a sentence; sends no request to the model's server. `fields` are added to
   * each of its requests.
   */
  languageModel(id: ModelId, fields?: JsonObject): LanguageModelV4
  /** For sentences about a model, also one that no longer exists. Never throws, sends no request. */
  info(id: ModelId): ModelInfo
  /** Whether the model accepts pictures. Asks its server if it was not listed yet; never rejects. */
  seesImages(id: ModelId): Promise<boolean>
  /**
   * The model's context window in tokens, its reply included; null if unknown. Asks its server if it was not listed
   * yet, with a short timeout; never rejects.
   */
  windowTokens(id: ModelId): Promise<number | null>
  /** What each model supports for constrained decoding. */
  readonly exact: ConstrainedDecoding
}

export interface ModelRegistryOptions {
  /** In the picker's order. */
  readonly providers: readonly ModelProvider[]
  /** The operator's choice, or null for the first real model. */
  readonly defaultModel: ModelId | null
  /** The errors of the configuration. */
  readonly problems?: readonly Refusal[]
  /** The window for models whose own is unknown, in tokens; null: unknown too. */
  readonly otherWindowTokens?: number | null
  readonly monotonic: MonotonicClock
}

export function createModelRegistry({
  providers,
  defaultModel,
  problems: configProblems = [],
  otherWindowTokens = null,
  monotonic,
}: ModelRegistryOptions): ModelRegistry {
  const byId = new Map(providers.map((provider) => [provider.id, provider]))
  const seen = new Map<ModelId, ModelInfo>()

  async function listOf(provider: ModelProvider, signal: AbortSignal): Promise<readonly ModelInfo[]> {
    const listed = await provider.list(signal)
    const models = listed.map((model) =>
      model.contextTokens === null && !model.simulated ? { ...model, contextTokens: otherWindowTokens } : model,
    )
    for (const model of models) seen.set(model.id, model)
    return models.map((model) => {
      const found = exact.of(model.id)
      return found ? { ...model, exact: found } : model
    })
  }

  const exact = createConstrainedDecoding({
    offerOf(id) {
      const found = split(id)
      return found?.provider.exact?.(found.name) ?? null
    },
    modelWith: (id, fields) => modelOf(id, fields),
    monotonic,
  })

  const modelOf = memoizeByKey((id, fields) => {
    const found = split(id)
    if (found === null) throw makeError('unknown-model', 'models.unknown', { quoted: quote(id) })
    return found.provider.languageModel(found.name, fields)
  })

  async function ask(provider: ModelProvider, signal: AbortSignal): Promise<ModelSource> {
    const { label } = provider
    try {
      const models = await listOf(provider, signal)
      return { label, models, problem: await check(provider, signal) }
    } catch (error) {
      const { triedAt } = provider
      if (triedAt !== undefined) return { label, models: [], problem: null, notAt: triedAt }
      return { label, models: [], problem: describeListingFailure(error, label) }
    }
  }

  async function check(provider: ModelProvider, signal: AbortSignal): Promise<ModelMessage | null> {
    try {
      await provider.check?.(signal)
      return null
    } catch (error) {
      return signal.aborted ? null : describeCheckFailure(error, provider.label)
    }
  }

  const askAll = (signal: AbortSignal) => Promise.all(providers.map((provider) => ask(provider, signal)))

  async function list(signal: AbortSignal): Promise<ModelList> {
    const sources = await askAll(signal)
    const models = sources.flatMap((source) => source.models)
    const problems: Refusal[] = [...configProblems, ...sources.flatMap(({ problem }) => problem ?? [])]
    const chosen = chooseDefault(models)
    if (defaultModel !== null && chosen !== defaultModel) {
      problems.push(makeModelMessage('listing.default-missing', { missing: defaultModel, chosen }))
    }
    return { models, defaultModel: chosen, problems }
  }

  /** A default that can't be listed now (its server is down) stays the default, as long as its provider exists. */
  function chooseDefault(models: readonly ModelInfo[]): ModelId {
    if (defaultModel !== null) {
      const provider = split(defaultModel)?.provider
      if (models.some((model) => model.id === defaultModel)) return defaultModel
      const answered = models.some((model) => model.id.startsWith(`${provider?.id}/`))
      if (provider !== undefined && !answered) return defaultModel
    }
    return (models.find((model) => !model.simulated) ?? models[0])?.id ?? 'demo/demo'
  }

  function split(id: ModelId): { readonly provider: ModelProvider; readonly name: string } | null {
    const slash = id.indexOf('/')
    const provider = byId.get(id.slice(0, Math.max(slash, 0)))
    const name = id.slice(slash + 1)
    return provider === undefined || name === '' ? null : { provider, name }
  }

  /** The facts of a model; asks its server if it was not listed yet. */
  async function lookUp(id: ModelId, timeoutMs: number): Promise<ModelInfo | undefined> {
    const provider = seen.get(id) ? undefined : split(id)?.provider
    if (provider) await listOf(provider, AbortSignal.timeout(timeoutMs)).catch(() => [])
    return seen.get(id)
  }

  return {
    list,
    async sources(signal) {
      return { sources: await askAll(signal), mistakes: configProblems }
    },
    // A server that does not respond now will not accept a picture either.
    seesImages: async (id) => (await lookUp(id, LISTING_TIMEOUT_MS))?.seesImages ?? false,
    windowTokens: async (id) =>
      ((await lookUp(id, WINDOW_TIMEOUT_MS)) ?? { contextTokens: otherWindowTokens }).contextTokens,
    languageModel: modelOf,
    exact,
    info(id) {
      const found = split(id)
      return (
        seen.get(id) ?? {
          id,
          label: found?.name ?? quote(id),
          providerLabel: found?.provider.label ?? '',
          contextTokens: null,
          simulated: false,
        }
      )
    },
  }
}

/** Ids come from stored settings and requests: shortened and on one line for sentences. */
const quote = (id: string): string => {
  const line = id.replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

/**
 * The start-up lines for the operator: one per source, then the configuration errors. Lines that need attention start
 * with `! `.
 */
export function sourceLines(sources: readonly ModelSource[], mistakes: readonly Refusal[]): readonly string[] {
  return [...sources.map(lineOf), ...mistakes.map(({ message }) => `! ${message}`)]
}

function lineOf({ label, models, problem, notAt }: ModelSource): string {
  if (problem !== null) return `! ${problem.message}`
  if (notAt !== undefined) return `${label}: not found at ${notAt}`
  const [first, ...others] = models
  if (first?.simulated === true) return `${first.label}: built in`
  if (first === undefined) return `${label}: no models found`
  return `${label}: ${others.length === 0 ? '1 model' : `${models.length} models`}`
}
