import type { Refusal } from '@/lib/base/app-error'
import type { BudgetRule } from '@/lib/shared/models/budget'
import { decodeConfigFile } from './config-file'
import { providersFromEnv, envValue, type Env } from './config-env'
import type { ModelId } from '@/lib/shared/models/model'
import type { ProviderConfig } from '@/lib/shared/models/provider-config'

export interface ModelConfig {
  readonly providers: readonly ProviderConfig[]
  readonly defaultModel: ModelId | null
  /** What may be used of models in a day. */
  readonly budgets: readonly BudgetRule[]
  /** Tool servers as they are in the file, not read yet. */
  readonly mcpServers?: unknown
  /** One sentence a mistake, fit to be shown to anyone who runs the server; never a secret. */
  readonly problems: readonly Refusal[]
}

/**
 * What the operator configured: the text of `nod.config.json` (null when there is none) and the environment. Never
 * throws: a mistake costs the provider that it is in and is listed. A provider of the file wins over one of the
 * environment with the same id; `NOD_DEFAULT_MODEL` wins over the file's `defaultModel`.
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
