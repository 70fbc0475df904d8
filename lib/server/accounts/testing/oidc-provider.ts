import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

interface ProviderAccount {
  readonly email: string
  readonly email_verified: boolean
  readonly name?: string
}

export interface OidcProvider {
  readonly issuer: string
  /** Users by their login name; logins that are not here don't exist. */
  readonly people: Map<string, ProviderAccount>
  /**
   * Opens the URL, signs in and consents like a person in a browser; returns the URL that the provider redirects to.
   */
  readonly visit: (url: string, login: string) => Promise<string>
  readonly close: () => Promise<void>
}

export const oidcClient = { id: 'nod', secret: 'the secret of the client at the provider' }

/** A real OpenID Connect provider on this machine, with its own sign-in and consent pages. */
export async function startOidcProvider(redirectUri: string): Promise<OidcProvider> {
  const people = new Map<string, ProviderAccount>()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Many providers put these claims into the token; this one does so only with this setting.
    conformIdTokenClaims: false,
    findAccount(_context, id) {
      const person = people.get(id)
      return person ? { accountId: id, claims: () => ({ sub: id, ...person }) } : undefined
    },
    cookies: { keys: ['a key for the cookies of the provider'] },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  return {
    issuer,
    people,
    visit: (url, login) => walk(url, login, issuer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Follows redirects and fills in both forms, until the provider redirects to us. */
async function walk(start: string, login: string, issuer: string): Promise<string> {
  const jar = new Map<string, string>()
  const ask = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const pair = line.split(';')[0] ?? ''
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }
  let response = await ask(start)
  for (let step = 0; step < 12; step += 1) {
    const to = response.headers.get('location')
    if (to !== null) {
      const next = new URL(to, issuer)
      if (next.origin !== issuer) return next.href
      response = await ask(next.href)
      continue
    }
    const page = await response.text()
    const action = /action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1]
    if (action === undefined || prompt === undefined) throw new Error(`the provider says: ${page.slice(0, 300)}`)
    response = await ask(new URL(action, issuer).href, { prompt, ...(prompt === 'login' && { login, password: 'x' }) })
  }
  throw new Error('the provider goes round in circles')
}
