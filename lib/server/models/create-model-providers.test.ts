import { describe, expect, it } from 'vitest'
import { decodeModelConfig } from './config'
import type { Env } from './config-env'
import { createModelProviders } from './create-model-providers'
import { createModelRegistry } from './registry'

const noServer: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))

/** A registry as the wiring creates it. */
function createRegistry(env: Env, configText: string | null = null, fetch = noServer) {
  const { providers, defaultModel, problems } = decodeModelConfig(configText, env)
  const demo = { strategies: [], formatCalls: () => '', delay: () => Promise.resolve(), stepMs: 0 }
  return createModelRegistry({
    monotonic: () => 0,
    providers: createModelProviders(providers, { fetch, monotonic: () => 0, demo }),
    defaultModel,
    problems,
  })
}

const signal = new AbortController().signal

describe('a configured server', () => {
  it('has the demo and no problem if nothing is configured and Ollama does not run', async () => {
    expect(await createRegistry({}).list(signal)).toEqual({
      models: [
        {
          id: 'demo/demo',
          label: 'Demo (a script)',
          providerLabel: 'Nod',
          contextTokens: null,
          seesImages: false,
          simulated: true,
        },
      ],
      defaultModel: 'demo/demo',
      problems: [],
    })
    const { sources } = await createRegistry({}).sources(signal)
    expect(sources[0]).toEqual({ label: 'Ollama', models: [], problem: null, notAt: 'http://127.0.0.1:11434' })
  })

  it('keeps the demo if everything is invalid, and reports the errors', async () => {
    const registry = createRegistry(
      { NOD_OPENAI_COMPATIBLE_URL: 'nowhere' },
      '{"providers": [{"kind": "openai"}, {"kind": "ollama"}]}',
    )
    const { models, defaultModel, problems } = await registry.list(signal)
    expect(models.map(({ id }) => id)).toEqual(['demo/demo'])
    expect(defaultModel).toBe('demo/demo')
    expect(problems.map(({ message }) => message)).toEqual([
      'nod.config.json, provider 1 is ignored: it needs a key. Set OPENAI_API_KEY, or name a variable in "keyEnv".',
      expect.stringContaining('NOD_OPENAI_COMPATIBLE_URL'),
      'Ollama cannot be reached, so its models are missing.',
    ])
    expect(registry.languageModel('demo/demo').modelId).toBe('demo')
  })

  it('creates a model for each provider without a request, and keeps keys out of the list', async () => {
    const env = {
      OPENAI_API_KEY: 'k-openai',
      ANTHROPIC_API_KEY: 'k-anthropic',
      GOOGLE_GENERATIVE_AI_API_KEY: 'k-google',
    }
    const registry = createRegistry({
      ...env,
      NOD_OPENAI_COMPATIBLE_URL: 'http://x/v1',
      NOD_OPENAI_COMPATIBLE_KEY: 'k-x',
      NOD_OPENAI_COMPATIBLE_MODELS: 'm',
    })
    const list = await registry.list(signal)
    expect(list.models.map(({ providerLabel }) => providerLabel)).toContain('x')
    for (const { id } of list.models) expect(registry.languageModel(id).specificationVersion).toBe('v4')
    expect(JSON.stringify(list)).not.toMatch(/k-(openai|anthropic|google|x)/)
    expect(() => registry.languageModel('openai/other')).toThrow('does not offer the OpenAI model other')
  })

  it.each([
    [
      () => Promise.reject(new TypeError('fetch failed')),
      'x:1 cannot be reached, so its models are not available now.',
    ],
    [() => new Response('{}', { status: 401 }), 'x:1 rejected this server’s key, so its models are not available.'],
    [() => new Response('no list here', { status: 404 }), null],
  ])('lists configured models, and reports if their server is unreachable or refuses (%#)', async (answer, problem) => {
    const env = { NOD_OLLAMA: 'off', NOD_OPENAI_COMPATIBLE_URL: 'http://x:1/v1', NOD_OPENAI_COMPATIBLE_MODELS: 'm' }
    const registry = createRegistry(env, null, () => Promise.resolve(answer()))
    const { models, problems } = await registry.list(signal)
    expect(models.map(({ id }) => id)).toEqual(['openai-compatible/m', 'demo/demo'])
    expect(problems.map(({ message }) => message)).toEqual(problem === null ? [] : [problem])
  })

  it('reaches each vendor with its key, through the given fetch', async () => {
    const asked: string[] = []
    const refuse: typeof fetch = (url, init) => {
      const headers = new Headers(init?.headers)
      const key = headers.get('authorization') ?? headers.get('x-api-key') ?? headers.get('x-goog-api-key')
      asked.push(`${new URL(url instanceof Request ? url.url : url).host} ${key ?? ''}`)
      return Promise.resolve(new Response('{"error":{"message":"no"}}', { status: 401 }))
    }
    const env = { NOD_OLLAMA: 'off', OPENAI_API_KEY: 'k1', ANTHROPIC_API_KEY: 'k2', GOOGLE_GENERATIVE_AI_API_KEY: 'k3' }
    const registry = createRegistry(env, null, refuse)
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hello' }] }]
    for (const id of ['openai/gpt-5.6', 'anthropic/claude-sonnet-5-5', 'google/gemini-4-argon']) {
      await expect(registry.languageModel(id).doStream({ prompt })).rejects.toMatchObject({ statusCode: 401 })
    }
    expect(asked).toEqual(['api.openai.com Bearer k1', 'api.anthropic.com k2', 'generativelanguage.googleapis.com k3'])
  })
})
