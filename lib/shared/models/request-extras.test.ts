import { describe, expect, it } from 'vitest'
import { decodeModelConfig, keyVariables } from '@/lib/server/models/config'
import { createModelProviders } from '@/lib/server/models/create-model-providers'

const file = (extras: object, kind: object = { kind: 'openai-compatible', url: 'http://m.test/v1' }) =>
  JSON.stringify({ providers: [{ id: 'own', ...kind, ...extras }] })

const quiet = { NOD_OLLAMA: 'off' }

async function requestsOf(text: string, env: Readonly<Record<string, string>> = quiet, model = 'm') {
  const asked: { headers: Headers; body: Record<string, unknown> | null }[] = []
  const [provider] = createModelProviders(decodeModelConfig(text, env).providers, {
    fetch(_input, init) {
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : null
      asked.push({ headers: new Headers(init?.headers), body })
      return Promise.resolve(body ? new Response('data: [DONE]\n\n') : Response.json({ data: [{ id: 'm' }] }))
    },
    monotonic: () => 0,
    demo: { strategies: [], formatCalls: () => '', delay: () => Promise.resolve(), stepMs: 0 },
  })
  await provider?.list(new AbortController().signal).catch(() => {})
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  const { stream } = (await provider?.languageModel(model).doStream({ prompt, temperature: 0.5 })) ?? {}
  await stream?.cancel()
  return asked
}

describe('headers and fields of a provider', () => {
  const headers = { 'HTTP-Referer': 'https://nod.example', 'X-Api-Key': { env: 'GATEWAY_KEY' } }
  const env = { ...quiet, GATEWAY_KEY: 'a-secret-of-the-gateway' }

  it('are sent with each request; null removes a field', async () => {
    const body = { stream_options: null, provider: { order: ['a'] }, temperature: 0.1 }
    const [list, chat] = await requestsOf(file({ headers, body }), env)
    for (const one of [list, chat]) {
      expect(one?.headers.get('http-referer')).toBe('https://nod.example')
      expect(one?.headers.get('x-api-key')).toBe('a-secret-of-the-gateway')
    }
    expect(chat?.body).toMatchObject({ model: 'm', stream: true, provider: { order: ['a'] }, temperature: 0.1 })
    expect(chat?.body).not.toHaveProperty('stream_options')
  })

  it.each([
    ['ollama', {}, 'm'],
    ['anthropic', { key: 'k', models: ['m'] }, 'm'],
    ['google', { key: 'k', models: ['m'] }, 'm'],
    ['openai', { key: 'k', models: ['m'] }, 'm'],
  ])('are sent to %s too', async (kind, more, model) => {
    const asked = await requestsOf(file({ headers, body: { extra_field: 1 } }, { kind, ...more }), env, model)
    const chat = asked.find(({ body }) => body)
    expect(chat?.headers.get('x-api-key')).toBe('a-secret-of-the-gateway')
    expect(chat?.body).toMatchObject({ extra_field: 1 })
  })

  it('are left out together with a provider that has none', async () => {
    expect(decodeModelConfig(file({}), quiet).providers[0]).not.toHaveProperty('extras')
  })

  it('keep their secrets: variables are named, and their values are known as secrets', () => {
    expect(keyVariables(file({ headers, keyEnv: 'MAIN_KEY' }))).toEqual(['MAIN_KEY', 'GATEWAY_KEY'])
    const { providers } = decodeModelConfig(file({ headers: { ...headers, Cookie: 'session=1' } }), env)
    expect(providers[0]?.extras?.secrets).toEqual(['a-secret-of-the-gateway', 'session=1'])
  })

  it.each([
    [{ headers }, 'the variable GATEWAY_KEY, which the header X-Api-Key names, is not set'],
    [{ headers: { Host: 'x' } }, 'the header Host'],
    [{ headers: { 'bad name': 'x' } }, 'the header bad name'],
    [{ headers: { 'X-A': 'a\nb' } }, 'the header X-A'],
    [{ headers: { 'X-A': 1 } }, '"headers'],
    [{ body: { messages: [], model: 'x' } }, '"body" cannot set'],
    [{ body: 'x' }, '"body"'],
  ])('are refused with a sentence: %j', (extras, sentence) => {
    const { providers, problems } = decodeModelConfig(file(extras), quiet)
    expect(providers).toEqual([])
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining(sentence)])
  })
})
