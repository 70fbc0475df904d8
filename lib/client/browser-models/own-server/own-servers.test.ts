import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadReplies, startModelServer, type ModelServer } from '@/e2e/support/model-server'
import { describeFailure } from '@/lib/shared/models/failure'
import { createOwnServers } from './own-servers'
import { workerHere } from './testing/worker-here'

let server: ModelServer
beforeAll(async () => {
  server = await startModelServer()
})
afterAll(() => server.close())

const KEY = 'sk-a-key-of-the-person'

async function ask(said: string, signal?: AbortSignal) {
  const model = createOwnServers(() => workerHere()).languageModel({ baseUrl: server.url, key: KEY, name: 'replay' })
  const reply = { text: '', reasoning: '', finish: '', tokens: 0 as number | undefined, error: undefined as unknown }
  try {
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: said }] }],
      ...(signal && { abortSignal: signal }),
    })
    for (const reader = stream.getReader(); ;) {
      const { done, value } = await reader.read()
      if (done) break
      const part: LanguageModelV4StreamPart = value
      if (part.type === 'text-delta') reply.text += part.delta
      else if (part.type === 'reasoning-delta') reply.reasoning += part.delta
      else if (part.type === 'error') reply.error = part.error
      else if (part.type === 'finish') {
        reply.finish = part.finishReason.unified
        reply.tokens = part.usage.outputTokens.total
      }
    }
  } catch (error) {
    reply.error = error
  }
  return reply
}

describe('a model of a server that the browser reaches', () => {
  it.each(
    loadReplies()
      .filter(({ failure }) => failure === undefined)
      .slice(0, 12),
  )('passes $name through the worker unchanged', async (fixture) => {
    const reply = await ask(`fixture:${fixture.name}`)
    expect(reply.error).toBeUndefined()
    expect(reply.text).toBe(fixture.chunks.join(''))
    expect(reply.reasoning).toBe((fixture.reasoning ?? []).join(''))
    expect(reply.finish).toBe(fixture.finish.replace('_', '-'))
    expect(reply.tokens).toBeGreaterThan(0)
    expect(server.requests.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
  })

  it.each([
    ['failure-401', 'unauthorised'],
    ['failure-429', 'rate-limited'],
    ['failure-500', 'server-error'],
    ['too-long', 'too-long'],
  ])('recognizes %s on this side of the worker', async (name, code) => {
    const { error } = await ask(`fixture:${name}`)
    const failure = describeFailure(error, { label: 'M', providerLabel: 'your server' })
    expect(failure.code).toBe(code)
    expect(JSON.stringify(failure)).not.toContain(KEY)
  })

  it('is aborted when the caller gives up', async () => {
    const giveUp = new AbortController()
    const asked = ask('fixture:stall', giveUp.signal)
    const before = server.requests.length
    while (server.requests.length === before) await new Promise((resolve) => setImmediate(resolve))
    giveUp.abort(new DOMException('enough', 'AbortError'))
    expect((await asked).error).toMatchObject({ name: 'AbortError' })
  })

  it('is never the server of this page, no matter who asks', async () => {
    const asked: string[] = []
    const worker = workerHere((input) => {
      asked.push(input instanceof Request ? input.url : String(input))
      return Promise.reject(new TypeError('Failed to fetch'))
    })
    const servers = createOwnServers(() => worker)
    await expect(servers.ask({ url: 'https://nod.example/api/use' })).rejects.toThrow('never asked')
    const model = servers.languageModel({ baseUrl: 'https://nod.example/v1', key: KEY, name: 'm' })
    const { stream } = await model.doStream({ prompt: [] })
    await expect(stream.getReader().read()).rejects.toThrow()
    expect(asked).toEqual([])
  })

  it('is asked without cookies, redirects and trace headers', async () => {
    const inits: RequestInit[] = []
    const worker = workerHere((_, init) => {
      inits.push(init ?? {})
      return Promise.resolve(new Response('x'.repeat(2_000_000)))
    })
    const answer = await createOwnServers(() => worker).ask({ url: 'https://a.example/v1/models' })
    expect(inits).toMatchObject([
      { credentials: 'omit', referrerPolicy: 'no-referrer', redirect: 'error', cache: 'no-store' },
    ])
    expect(answer.text).toHaveLength(1_000_000)
  })
})
