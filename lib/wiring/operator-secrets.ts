import type { ModelConfig } from '@/lib/models/config'

type Env = Readonly<Record<string, string | undefined>>

/** Everything that only the operator may know: no error, log line or stored row may hold it. */
export const operatorSecrets = ({ providers }: ModelConfig, env: Env): readonly (string | null | undefined)[] => [
  env['NOD_SECRET'],
  env['NOD_SECRET_PREVIOUS'],
  env['NOD_ACCESS_TOKEN'],
  ...credentialsOf(env['DATABASE_URL']),
  ...providers.flatMap((provider) => [
    'apiKey' in provider ? provider.apiKey : null,
    ...credentialsOf(provider.baseUrl ?? undefined),
  ]),
]

/** The password of an address, and what a query may carry as a key. */
function credentialsOf(address: string | undefined): readonly string[] {
  if (address === undefined || !URL.canParse(address)) return []
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
