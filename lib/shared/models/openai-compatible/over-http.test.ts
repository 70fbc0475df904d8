import { streamText } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeFailure } from '../failure'
import { createOpenAICompatibleProvider } from './index'
import { loadReplies, startModelServer, type ModelServer } from '@/e2e/support/model-server'
import type { ModelProvider } from '../model'

const model = { label: 'replay', providerLabel: 'Replay' }
let server: ModelServer
let provider: ModelProvider

beforeAll(async () => {
  server = await startModelServer()
  provider = createOpenAICompatibleProvider(
    { kind: 'openai-compatible', id: 'replay', label: 'Replay', baseUrl: server.url, apiKey: 'the-key', models: null },
    { fetch: globalThis.fetch, monotonic: () => 0 },
  )
})
afterAll(() => server.close())

type Said = { readonly role: 'user' | 'assistant'; readonly content: string }

async function ask(said: string | readonly Said[], signal?: AbortSignal) {
  const errors: unknown[] = []
  const reply = { text: '', reasoning: '', finishReason: '', outputTokens: null as number | null, errors }
  const result = streamText({
    model: provider.languageModel('replay'),
    instructions: 'Be brief.',
    messages: typeof said === 'string' ? [{ role: 'user', content: said }] : [...said],
    maxRetries: 0,
    onError: ({ error }) => void errors.push(error),
    ...(signal === undefined ? {} : { abortSignal: signal }),
  })
  try {
    for await (const part of result.stream) {
      if (part.type === 'text-delta') reply.text += part.text
      if (part.type === 'reasoning-delta') reply.reasoning += part.text
      if (part.type === 'finish') {
        reply.finishReason = part.finishReason
        reply.outputTokens = part.totalUsage.outputTokens ?? null
      }
    }
  } catch (error) {
    // A connection that breaks ends the stream itself, without an error part.
    errors.push(error)
  }
  return reply
}

describe('a reply over HTTP', () => {
  const good = loadReplies().filter(({ failure }) => failure === undefined)

  it.each(good)('$name arrives complete, however its bytes are split', async (fixture) => {
    const reply = await ask(`fixture:${fixture.name}`)
    expect(reply.errors).toEqual([])
    expect(reply.text).toBe(fixture.chunks.join(''))
    expect(reply.reasoning).toBe((fixture.reasoning ?? []).join(''))
    expect(reply.finishReason).toBe(fixture.finish.replace('_', '-'))
    expect(reply.outputTokens).toBeGreaterThan(0)
  })

  it('sends system prompt, key and messages unchanged', async () => {
    await ask('fixture:json-strict-write')
    expect(server.requests.at(-1)).toEqual({
      model: 'replay',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'fixture:json-strict-write' },
      ],
      authorization: 'Bearer the-key',
    })
  })

  it('continues after results', async () => {
    const reply = await ask([
      { role: 'user', content: 'fixture:json-strict-write' },
      { role: 'assistant', content: '{"tool_calls": []}' },
      { role: 'user', content: '{"tool_call_result": {"toolCallId": "call_1"}}' },
    ])
    expect(reply.text).toBe('Done: the list is in `/notes/list.md`, with café ☕ and 日本語 👩‍🚀.')
  })

  it('lists its models', async () => {
    const models = await provider.list(new AbortController().signal)
    expect(models.map(({ id }) => id)).toEqual(['replay/replay'])
  })
})

describe('a failure over HTTP', () => {
  it.each([
    ['failure-401', 'unauthorised', 'Replay rejected the key'],
    ['failure-429', 'rate-limited', 'Retry in 20 s'],
    ['failure-500', 'server-error', 'Replay failed while replay was answering.'],
    ['too-long', 'too-long', 'This chat is too long for replay at Replay.'],
  ])('%s, before any text', async (name, code, words) => {
    const { text, errors } = await ask(`fixture:${name}`)
    expect(text).toBe('')
    const failure = describeFailure(errors[0], model)
    expect(failure.code).toBe(code)
    expect(failure.message).toContain(words)
    expect(failure.detail).not.toContain('sk-wrongkey')
    expect(failure.detail).not.toContain('the-key')
  })

  it.each([
    ['invalid-sse', 'bad-response', 'This much arrived. '],
    ['error-event', 'server-error', 'This much arrived. '],
    ['dropped', 'unreachable', 'I write it: {"tool_calls": [{"name": "write_file", "argu'],
  ])('%s, in the middle: the text so far is kept', async (name, code, kept) => {
    const { text, errors } = await ask(`fixture:${name}`)
    expect(text).toBe(kept)
    expect(describeFailure(errors[0], model).code).toBe(code)
  })

  it.each(['stall', 'stall-midway'])('%s ends when the caller gives up', async (name) => {
    const giveUp = new AbortController()
    const asked = ask(`fixture:${name}`, giveUp.signal)
    const before = server.requests.length
    while (server.requests.length === before) await new Promise((resolve) => setImmediate(resolve))
    giveUp.abort(new DOMException('nothing came', 'TimeoutError'))
    const { finishReason } = await asked
    expect(finishReason).toBe('')
  })

  it('of an unreachable server', async () => {
    const gone = await startModelServer()
    await gone.close()
    const absent = createOpenAICompatibleProvider(
      { kind: 'openai-compatible', id: 'gone', label: 'Gone', baseUrl: gone.url, apiKey: null, models: null },
      { fetch: globalThis.fetch, monotonic: () => 0 },
    )
    const errors: unknown[] = []
    const result = streamText({
      model: absent.languageModel('m'),
      prompt: 'hello',
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    })
    await result.consumeStream()
    expect(describeFailure(errors[0], { label: 'm', providerLabel: 'Gone' }, false)).toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('m at Gone could not be reached.'),
    })
  })
})

describe('parallel requests to one model', () => {
  it('each get their own response, and send no header of ours', async () => {
    const seen: Headers[] = []
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (_, init) => {
      seen.push(new Headers(init?.headers))
      const { messages } = JSON.parse(init?.body as string) as { messages: { content: string }[] }
      const text = messages.at(-1)?.content ?? ''
      asked.push(text)
      // The first request is answered last.
      while (asked.length < 3) await new Promise((resolve) => setTimeout(resolve, 1))
      await new Promise((resolve) => setTimeout(resolve, text === 'a' ? 10 : 1))
      const chunk = { choices: [{ index: 0, delta: { content: `answer to ${text}` }, finish_reason: 'stop' }] }
      return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    }
    const config = { kind: 'openai-compatible', id: 'one', label: 'One', baseUrl: 'http://one', apiKey: null } as const
    const one = createOpenAICompatibleProvider({ ...config, models: null }, { fetch, monotonic: () => 0 })
    const asking = one.languageModel('m')
    const texts = await Promise.all(
      ['a', 'b', 'c'].map((prompt) => streamText({ model: asking, prompt, maxRetries: 0 }).text),
    )
    expect(texts).toEqual(['answer to a', 'answer to b', 'answer to c'])
    expect(seen.flatMap((headers) => [...headers.keys()].filter((name) => name.startsWith('x-')))).toEqual([])
  })

  it('that a server refuses because of usage are all retried without', async () => {
    let refused = 0
    const fetch: typeof globalThis.fetch = (_, init) => {
      if (JSON.stringify(init?.body).includes('stream_options')) {
        refused += 1
        return Promise.resolve(Response.json({ error: { message: 'unknown field stream_options' } }, { status: 400 }))
      }
      return Promise.resolve(new Response('data: {"choices":[{"delta":{"content":"yes"},"finish_reason":"stop"}]}\n\n'))
    }
    const config = { kind: 'openai-compatible', id: 'one', label: 'One', baseUrl: 'http://one', apiKey: null } as const
    const one = createOpenAICompatibleProvider({ ...config, models: null }, { fetch, monotonic: () => 0 })
    const asking = one.languageModel('m')
    const say = () => streamText({ model: asking, prompt: 'hi', maxRetries: 0 }).text
    expect(await Promise.all([say(), say()])).toEqual(['yes', 'yes'])
    expect(refused).toBe(2)
    expect(await say()).toBe('yes')
    expect(refused).toBe(2)
  })
})
