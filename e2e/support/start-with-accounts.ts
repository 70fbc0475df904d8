import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oidcClient, startOidcProvider } from '@/lib/accounts/testing/oidc-provider'
import { basePath, restartPort } from './addresses'
import { startNod } from './start-nod'

export interface NodWithAccounts {
  /** Where the server's first page is, without a slash at the end. */
  readonly address: string
  close(): Promise<void>
}

/**
 * A server with data of its own that people sign in to by a password or a provider. That knows one person, Grace, whom the server has for
 * an administrator; `name`: what she is called.
 */
export async function startWithAccounts(
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<NodWithAccounts> {
  const dataDir = mkdtempSync(join(tmpdir(), 'nod-accounts-'))
  const origin = `http://localhost:${restartPort}`
  const address = `${origin}${basePath}`
  const provider = await startOidcProvider(`${address}/api/auth/callback/oidc`)
  provider.people.set('grace', { email: 'grace@corp.example', email_verified: true, name })
  const server = await startNod({
    port: restartPort,
    dataDir,
    env: {
      NOD_AUTH: 'password,oidc',
      NOD_PUBLIC_URL: origin,
      NOD_ADMINS: 'grace@corp.example',
      NOD_OIDC_ISSUER: provider.issuer,
      NOD_OIDC_CLIENT_ID: oidcClient.id,
      NOD_OIDC_CLIENT_SECRET: oidcClient.secret,
      NOD_OIDC_LABEL: 'Corp',
      ...env,
    },
  })
  return {
    address,
    async close() {
      await server.kill()
      await provider.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
