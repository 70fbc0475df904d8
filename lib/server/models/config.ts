import type { Refusal } from '@/lib/base/app-error'
import type { BudgetRule } from '@/lib/shared/models/budget'
import { decodeConfigFile } from './config-file'
import { providersFromEnv, envValue, type Env } from './config-env'
import type { ModelId } from '@/lib/shared/models/model'
import type { ProviderConfig } from '@/lib/shared/models/provider-config'

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
