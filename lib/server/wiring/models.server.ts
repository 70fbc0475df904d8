import type { ExactPort } from '@/lib/shared/prompt/exact-reply'
import { createReplyConstraints } from '@/lib/shared/prompt/constraint-requests'
import { prepareGrammars } from '@/lib/protocols/grammar-of'
import type { ConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import type { ModelId } from '@/lib/shared/models/model'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Refusal } from '@/lib/base/app-error'
import { monotonicClock } from '@/lib/base/clocks'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { strategyModules } from '@/lib/protocols/registry'
import { readBind } from '@/lib/server/http/bind'
import { decodeModelConfig, type ModelConfig, keyVariables } from '@/lib/server/models/config'
import { envValue } from '@/lib/server/models/config-env'
import { createModelProviders } from '@/lib/server/models/create-model-providers'
import { createModelRegistry, type ModelRegistry } from '@/lib/server/models/registry'
import { readSecretFiles } from '@/lib/server/settings/read-settings'
import { isSecret, type Setting } from '@/lib/server/settings/setting'
import { settingsTable, type Settings } from '@/lib/server/settings/settings-table'
import { readOperatorServers, type ReadServers } from '@/lib/server/tool-servers/operator-server'
import { readSecretFile } from './settings.server'

/** Constrained decoding of replies, as each model's server is known or detected to support it. */
export const createExactPort = (constrainedDecoding: ConstrainedDecoding): ExactPort => ({
  constrainedDecoding,
  askOf: createReplyConstraints(),
})

/**
 * Builds what all grammars need ahead, so that no reply waits for it. Only if one of these models may accept a grammar:
 * otherwise it would use 15 MB for nothing. `breathe` yields to other work.
 */
export async function prepareExact(
  constrainedDecoding: Pick<ConstrainedDecoding, 'of'>,
  models: readonly ModelId[],
  breathe: () => Promise<void>,
): Promise<void> {
  if (models.some((id) => constrainedDecoding.of(id) !== null)) await prepareGrammars(breathe)
}

type Env = Readonly<Record<string, string | undefined>>

/** For variables, in English, because operators read English. */
const asRefusal = (message: string): Refusal => ({ reason: '', values: {}, message })

/** Reads the configuration file with its tool servers. A key that `keyEnv` names can be in its own file. */
export function readConfig(settings: Settings, env: Env): ModelConfig & { readonly toolServers: ReadServers } {
  const file = path.resolve(/* turbopackIgnore: true */ settings.NOD_CONFIG)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : null
  const keys = readSecretFiles(env, keyVariables(text), readSecretFile)
  const config = decodeModelConfig(text, keys.env)
  const toolServers = readOperatorServers(config.mcpServers, {
    variable: (name) => envValue(keys.env, name),
    isForMany: !readBind(settings).isPersonal || settings.NOD_AUTH.length > 0,
  })
  const problems = [...keys.mistakes.map(asRefusal), ...config.problems, ...toolServers.problems]
  return { ...config, toolServers, problems }
}

export function makeModels(found: ModelConfig, settings: Settings): ModelRegistry {
  const providers = createModelProviders(found.providers, {
    fetch: (input, init) => fetch(input, init),
    monotonic: monotonicClock,
    demo: {
      strategies: strategyModules,
      formatCalls: (strategy, calls) => toolContextBuilder.get(strategy).formatCalls(calls),
      delay: (ms, signal) => wait(ms, undefined, signal ? { signal } : {}),
      stepMs: settings.NOD_DEMO_DELAY_MS,
    },
  })
  // Visitors can't fix a configuration; its problems are in the log.
  const problems = readBind(settings).isPersonal ? found.problems : []
  const otherWindowTokens = settings.NOD_CONTEXT_TOKENS === 0 ? null : settings.NOD_CONTEXT_TOKENS
  return createModelRegistry({
    providers,
    defaultModel: found.defaultModel,
    problems,
    otherWindowTokens,
    monotonic: monotonicClock,
  })
}

const rows: readonly (readonly [string, Setting])[] = Object.entries(settingsTable)
const secretNames = rows.filter(([, setting]) => isSecret(setting)).map(([name]) => name)

/**
 * Everything that only the operator may know: no error, log line or stored row may contain it. `env` includes the
 * contents of secret files.
 */
export const operatorSecrets = ({ providers }: ModelConfig, env: Env): readonly (string | null | undefined)[] => [
  ...secretNames.flatMap((name) => secretsOf(settingsTable[name as keyof typeof settingsTable], env[name])),
  ...providers.flatMap((provider) => [
    'apiKey' in provider ? provider.apiKey : null,
    ...credentialsOf(provider.baseUrl ?? undefined),
    ...(provider.extras?.secrets ?? []),
  ]),
]

/** Of a URL, only the password is secret. */
const secretsOf = ({ kind }: Setting, value: string | undefined): readonly (string | undefined)[] =>
  kind === 'url' ? credentialsOf(value) : kind === 'secrets' ? [value, ...(value ?? '').split(/[,\n]/)] : [value]

/** The password of a URL, and keys in its query; also without a host, as for a socket. */
function credentialsOf(address: string | undefined): readonly string[] {
  if (address === undefined) return []
  if (!URL.canParse(address)) {
    const password = /\/\/[^/?#@:]*:([^/?#]*)@/.exec(address)?.[1] ?? ''
    return [password, decoded(password)]
  }
  const url = new URL(address)
  const asked = ['key', 'token', 'api_key', 'password'].flatMap((name) => url.searchParams.getAll(name))
  return [url.password, decoded(url.password), ...asked]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
