import { describe, expect, it } from 'vitest'
import { createToolServerApi } from '@/lib/client/api/tool-server-api'
import { createRelayedServer } from './relayed-server'

const tool = { name: 'keep', inputSchema: { type: 'object' } }
const of = { conversationId: 'c', messageId: 'm', slot: 0, attempt: 1 }
const answered = { kind: 'answered', result: {} } as const

function make(answer: (request: Request) => Response | Promise<Response>) {
  const requests: { readonly path: string; readonly body: string }[] = []
  const api = createToolServerApi(async (input, init) => {
    const request = new Request(new URL(input as string, 'http://nod.example'), init)
    requests.push({ path: new URL(request.url).pathname, body: await request.clone().text() })
    return answer(request)
  })
  return { requests, server: createRelayedServer(api, 'nod:files', () => Promise.resolve()) }
}
const call = (server: ReturnType<typeof make>['server'], signal = new AbortController().signal, seen: unknown[] = []) =>
  server.call(
    { name: 'keep', args: { path: '/secret' }, timeoutMs: 1 },
    { signal, of, onProgress: (progress) => seen.push(progress) },
  )
const lines = (...all: readonly unknown[]) => new Response(`\n${all.map((one) => `${JSON.stringify(one)}\n`).join('')}`)
const refusal = (status: number, code: string) =>
  Response.json({ error: { code, reason: '', values: {}, message: 'All places are busy.' } }, { status })

describe('a server that the operator runs', () => {
  it('lists its tools through Nod’s server', async () => {
    const { server, requests } = make(() =>
      Response.json({
        listed: {
          server: { version: '2025-11-25', era: 'legacy', name: 'Files' },
          tools: [tool],
          pages: [['keep', 'ui://a']],
        },
      }),
    )
    expect(await server.connect('nod:files', 'auto')).toMatchObject({ ok: true, value: { name: 'Files' } })
    expect(await server.list()).toEqual({
      ok: true,
      value: [{ ...tool, _meta: { ui: { resourceUri: 'ui://a' } } }],
    })
    expect(requests.map(({ path }) => path)).toEqual(['/api/servers/operator-files/tools'])
  })

  it('lists prompts and resources through Nod’s server', async () => {
    const offer = { prompts: [], resources: [], pieces: [{ kind: 'text', text: 'a', by: 'user', uri: 'x://a' }] }
    const { server, requests } = make(() => Response.json({ offer }))
    expect(await server.offer({ ask: 'resource', uri: 'x://a' })).toEqual({ ok: true, value: offer })
    expect(requests).toEqual([
      { path: '/api/servers/operator-files/offer', body: JSON.stringify({ ask: 'resource', uri: 'x://a' }) },
    ])
    const failure = { kind: 'relay', message: 'All places are busy.' }
    expect(await make(() => refusal(503, 'unavailable')).server.offer({ ask: 'prompts' })).toEqual({
      ok: false,
      failure,
    })
  })

  it('says in the server’s words why it does not run', async () => {
    const { server } = make(() => refusal(503, 'unavailable'))
    const failure = { kind: 'relay', message: 'All places are busy.' }
    expect(await server.connect('nod:files', 'auto')).toEqual({ ok: false, failure })
  })

  it('is called by naming the stored call, and nothing else', async () => {
    const { server, requests } = make(() => lines({ progress: { progress: 1 } }, { answer: answered }))
    const seen: unknown[] = []
    expect(await call(server, undefined, seen)).toEqual(answered)
    expect(seen).toEqual([{ progress: 1 }])
    expect(requests).toEqual([
      { path: '/api/conversations/c/calls/relay', body: JSON.stringify({ messageId: 'm', slot: 0, attempt: 1 }) },
    ])
  })

  it('sends the answers to its questions, again until one arrives, and closes what is withdrawn', async () => {
    const { promise: answered1, resolve: arrive } = Promise.withResolvers<void>()
    const { promise: withdrawn, resolve: withdraw } = Promise.withResolvers<void>()
    let puts = 0
    const encoder = new TextEncoder()
    const { server, requests } = make((request) => {
      if (request.method === 'PUT') {
        puts += 1
        if (puts === 1) return new Response('Bad gateway', { status: 502 })
        arrive()
        return new Response(null, { status: 204 })
      }
      return new Response(
        new ReadableStream({
          async start(stream) {
            const say = (line: unknown) => stream.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
            say({ question: 1, params: { message: 'Seats?' } })
            await answered1
            say({ question: 1, params: null })
            say({ question: 2, params: { message: 'Sure?' } })
            say({ question: 2, params: null })
            await withdrawn
            say({ answer: answered })
            stream.close()
          },
        }),
      )
    })
    const seen: unknown[] = []
    const answer = await server.call(
      { name: 'keep', args: {}, timeoutMs: 1 },
      {
        signal: new AbortController().signal,
        of,
        onProgress: () => {},
        onAsk(params, over) {
          seen.push(params)
          if (params['message'] === 'Seats?') return Promise.resolve({ action: 'accept', content: { seats: 4 } })
          return new Promise((resolve) => {
            over.addEventListener('abort', () => {
              withdraw()
              resolve({ action: 'cancel' })
            })
          })
        },
      },
    )
    expect(answer).toEqual({ kind: 'answered', result: {} })
    expect(seen).toEqual([{ message: 'Seats?' }, { message: 'Sure?' }])
    const { conversationId: _, ...key } = of
    expect(requests.slice(1, 3).map(({ body }) => JSON.parse(body) as unknown)).toEqual(
      [1, 1].map((question) => ({ ...key, question, answer: { action: 'accept', content: { seats: 4 } } })),
    )
  })

  it.each([
    [409, 'conflict'],
    [429, 'rate-limited'],
    [503, 'unavailable'],
  ])('says that nothing was sent if Nod’s server refuses (%s)', async (status, code) => {
    const failure = { kind: 'relay', message: 'All places are busy.' }
    expect(await call(make(() => refusal(status, code)).server)).toEqual({ kind: 'not-sent', failure })
  })

  it.each([
    ['the stream ends without an answer', () => lines({ progress: { progress: 1 } })],
    ['the stream is cut in a line', () => new Response('{"answer":{"kind"')],
    ['a line is no JSON', () => new Response('<html>\n')],
    ['nothing comes back', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['a proxy answers in its place', () => new Response('Bad gateway', { status: 502 })],
    ['Nod’s server fails', () => refusal(500, 'internal')],
  ])('does not know whether the call ran if %s, and asks once', async (_what, answer) => {
    const { server, requests } = make(answer)
    expect(await call(server)).toEqual({ kind: 'lost' })
    expect(requests).toHaveLength(1)
  })

  it('is stopped by ending the request', async () => {
    const stop = new AbortController()
    const { server } = make(
      (request) =>
        new Promise((_resolve, reject) => {
          request.signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))
          stop.abort()
        }),
    )
    expect(await call(server, stop.signal)).toEqual({ kind: 'stopped' })
  })
})
