import type { ModelConfig } from '@/lib/server/models/config'
import { isSecret, type Setting } from '@/lib/server/settings/setting'
import { settingsTable } from '@/lib/server/settings/settings-table'

type Env = Readonly<Record<string, string | undefined>>

const rows: readonly (readonly [string, Setting])[] = Object.entries(settingsTable)
const secretNames = rows.filter(([, setting]) => isSecret(setting)).map(([name]) => name)

/**
 * Everything that only the operator may know: no error, log line or stored row may hold it. `env` with what stood in the
 * files of secrets.
 */
export const operatorSecrets = ({ providers }: ModelConfig, env: Env): readonly (string | null | undefined)[] => [
  ...secretNames.flatMap((name) => secretsOf(settingsTable[name as keyof typeof settingsTable], env[name])),
  ...providers.flatMap((provider) => [
    'apiKey' in provider ? provider.apiKey : null,
    ...credentialsOf(provider.baseUrl ?? undefined),
    ...(provider.extras?.secrets ?? []),
  ]),
]

/** An address is no secret as a whole: its password is. */
const secretsOf = ({ kind }: Setting, value: string | undefined): readonly (string | undefined)[] =>
  kind === 'url' ? credentialsOf(value) : kind === 'secrets' ? [value, ...(value ?? '').split(/[,\n]/)] : [value]

/** The password of an address, and what a query may carry as a key; also of one without a host, as for a socket. */
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
