import { expect, it } from 'vitest'
import { GET } from './route'

const ask = (headers: Record<string, string>) =>
  GET(new Request('http://127.0.0.1:3000/oauth/client.json', { headers }))

it('describes this app at the requested origin, with no scope', async () => {
  const answer = ask({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'nod.example:8443', host: 'inner' })
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60')
  const document: Record<string, unknown> = await answer.json()
  expect(document).toMatchObject({
    client_id: 'https://nod.example:8443/oauth/client.json',
    redirect_uris: ['https://nod.example:8443/signed-in.html'],
    token_endpoint_auth_method: 'none',
  })
  expect(document).not.toHaveProperty('scope')
})

it('does not exist without https, or for an invalid host', () => {
  expect(ask({ host: 'nod.example' }).status).toBe(404)
  expect(ask({ 'x-forwarded-proto': 'https', host: 'a b' }).status).toBe(404)
})
