import { describe, expect, it } from 'vitest'
import { cacheListing, ListingError } from './model'
import { createOllamaProvider } from '@/lib/server/models/ollama/index'
import { createOpenAICompatibleProvider } from './openai-compatible/index'

const signal = new AbortController().signal
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const server = {
  kind: 'openai-compatible',
  id: 's',
  label: 'S',
  baseUrl: 'http://s/v1',
  apiKey: 'secret-key',
  models: null,
} as const
const ollama = { kind: 'ollama', id: 'ollama', label: 'Ollama', baseUrl: 'http://o', silent: true } as const

const addressOf = (input: Parameters<typeof fetch>[0]): string =>
  input instanceof Request ? input.url : input.toString()

function recorder(answer: () => Response | Promise<Response>) {
  const asked: { url: string; authorization: string | null }[] = []
  const fetch: typeof globalThis.fetch = (url, init) => {
    asked.push({ url: addressOf(url), authorization: new Headers(init?.headers).get('authorization') })
    return Promise.resolve(answer())
  }
  return { asked, fetch }
}

describe('a listing', () => {
  it('is requested once and kept for its time; a failure is kept for two seconds only', async () => {
    let now = 0
    let calls = 0
    const list = cacheListing(
      () => {
        calls += 1
        return calls === 1 ? Promise.reject(new ListingError(500)) : Promise.resolve([])
      },
      { keepMs: 30_000, timeoutMs: 1_000, monotonic: () => now },
    )
    await expect(list(signal)).rejects.toThrow('500')
    now = 1_999
    await expect(list(signal)).rejects.toThrow('500')
    expect(calls).toBe(1)
    now = 2_000
    await expect(Promise.all([list(signal), list(signal)])).resolves.toEqual([[], []])
    expect(calls).toBe(2)
    now = 31_999
    await expect(list(signal)).resolves.toEqual([])
    expect(calls).toBe(2)
  })

  it('stops waiting when its caller does, and others still get the response', async () => {
    let answer: (models: []) => void = () => undefined
    const list = cacheListing(() => new Promise((resolve) => (answer = resolve)), {
      keepMs: 100,
      timeoutMs: 1_000,
      monotonic: () => 0,
    })
    const impatient = new AbortController()
    const first = list(impatient.signal)
    const second = list(signal)
    impatient.abort(new Error('gone'))
    await expect(first).rejects.toThrow('gone')
    answer([])
    await expect(second).resolves.toEqual([])
  })
})

describe('an OpenAI-compatible server', () => {
  it('is asked for its models with its key', async () => {
    const { asked, fetch } = recorder(() => json({ object: 'list', data: [{ id: 'org/m', object: 'model' }] }))
    const provider = createOpenAICompatibleProvider(server, { fetch, monotonic: () => 0 })
    expect(await provider.list(signal)).toEqual([
      { id: 's/org/m', label: 'org/m', providerLabel: 'S', contextTokens: null, simulated: false },
    ])
    expect(asked).toEqual([{ url: 'http://s/v1/models', authorization: 'Bearer secret-key' }])
  })

  it('reads context windows as vLLM, OpenRouter, Groq or Mistral give them, and ignores nonsense', async () => {
    const said = [
      { max_model_len: 32_768 },
      { context_length: 131_072 },
      { context_window: 8_192 },
      { max_context_length: 4_096 },
      { context_length: 'large' },
      { context_window: -1 },
      {},
    ]
    const data = said.map((words, at) => ({ id: `m${at}`, ...words }))
    const provider = createOpenAICompatibleProvider(server, {
      fetch: recorder(() => json({ data })).fetch,
      monotonic: () => 0,
    })
    const windows = (await provider.list(signal)).map(({ contextTokens }) => contextTokens)
    expect(windows).toEqual([32_768, 131_072, 8_192, 4_096, null, null, null])
  })

  it('is not asked if its models are configured, and refuses other names', async () => {
    const { asked, fetch } = recorder(() => json({}))
    const models = [{ name: 'm', label: 'Em', contextTokens: 8192 }]
    const provider = createOpenAICompatibleProvider({ ...server, models }, { fetch, monotonic: () => 0 })
    expect(await provider.list(signal)).toMatchObject([{ id: 's/m', label: 'Em', contextTokens: 8192 }])
    expect(asked).toEqual([])
    expect(provider.languageModel('m').modelId).toBe('m')
    expect(() => provider.languageModel('n')).toThrow('does not offer the S model n')
  })

  it.each([() => json({ error: 'x' }, 401), () => json({ data: 'x' }), () => new Response('<html>')])(
    'rejects a response that is no list (%#)',
    async (answer) => {
      const provider = createOpenAICompatibleProvider(server, { fetch: recorder(answer).fetch, monotonic: () => 0 })
      await expect(provider.list(signal)).rejects.toThrow()
    },
  )
})

describe('Ollama', () => {
  it('lists its chat models', async () => {
    const { asked, fetch } = recorder(() =>
      json({
        models: [
          { name: 'qwen3:8b', details: { families: ['qwen3'] } },
          { name: 'nomic-embed-text:latest', details: { families: ['nomic-bert'] } },
          { name: 'old:latest' },
        ],
      }),
    )
    const provider = createOllamaProvider(ollama, { fetch, monotonic: () => 0 })
    expect((await provider.list(signal)).map(({ id }) => id)).toEqual(['ollama/qwen3:8b', 'ollama/old:latest'])
    expect(asked).toEqual([{ url: 'http://o/api/tags', authorization: null }])
  })

  it('is found by the next request once it runs', async () => {
    let now = 0
    let up = false
    const { fetch } = recorder(() => (up ? json({ models: [{ name: 'qwen3:8b' }] }) : json({}, 502)))
    const provider = createOllamaProvider(ollama, { fetch, monotonic: () => now })
    await expect(provider.list(signal)).rejects.toThrow()
    up = true
    now = 2_000
    expect(await provider.list(signal)).toMatchObject([{ id: 'ollama/qwen3:8b' }])
  })

  it('says where it was tried only if it was not configured', () => {
    const ports = { fetch: () => Promise.reject(new TypeError('fetch failed')), monotonic: () => 0 }
    expect(createOllamaProvider(ollama, ports).triedAt).toBe('http://o')
    expect(createOllamaProvider({ ...ollama, silent: false }, ports).triedAt).toBeUndefined()
  })
})
