import { withBase } from '@/lib/base/base-path'
import { clientDocument, returnPage } from '@/lib/client/mcp/sign-in/returned'
import { isSecure } from '@/lib/server/http/access'

/**
 * Describes this app to an authorization server (OAuth Client ID Metadata Document). Its address is the client id, so
 * it names the requested origin. Without https there is none, because nobody could trust it.
 */
export function GET(request: Request): Response {
  const host = request.headers.get('x-forwarded-host')?.split(',')[0]?.trim() ?? request.headers.get('host')
  const address = `https://${host ?? ''}`
  if (!isSecure(request) || !URL.canParse(address)) return new Response(null, { status: 404 })
  const { origin } = new URL(address)
  const document = {
    client_id: `${origin}${withBase(clientDocument)}`,
    client_name: 'Nod',
    client_uri: `${origin}${withBase('/')}`,
    redirect_uris: [`${origin}${withBase(returnPage)}`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'web',
    // No scope: a list here would be a limit, and each tool server has its own scopes.
  }
  return new Response(JSON.stringify(document), {
    headers: {
      'content-type': 'application/json',
      // Authorization servers cache it this long; a mistake should not stay.
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    },
  })
}
