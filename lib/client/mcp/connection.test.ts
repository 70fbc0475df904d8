import { describe, expect, it } from 'vitest'
import {
  eventStream,
  legacyServer,
  modernServer,
  oddServer,
  oldServer,
  testAddress,
  type TestServer,
} from '@/lib/client/mcp/testing/mcp-servers'
import { connectMcp, ConnectError } from '@/lib/client/mcp/connection'
import type { CallProgress } from '@/lib/shared/mcp/call-answer'
import type { QuestionAnswer } from '@/lib/shared/conversation/wire/call-requests'
import type { JsonObject } from '@/lib/base/json'
import type { AskUser } from '@/lib/shared/mcp/session'

const connect = ({ fetch }: Pick<TestServer, 'fetch'>, era: 'auto' | 'legacy' = 'auto') =>
  connectMcp({ fetch }, { url: testAddress, era })
const call = (name: string, args = {}) => ({ name, args, timeoutMs: 10_000 })

const eras = [
  ['2026-07-28', 'modern', modernServer, []],
  ['2025-11-25', 'legacy', legacyServer, []],
  // By HTTP+SSE, whose stream is the session.
  ['2025-11-25', 'legacy', oldServer, ['GET']],
] as const

describe.each(eras)('a connection to a server of %s', (version, era, make, gets) => {
  it('reports its version and lists its tools', async () => {
    const connection = await connect(make())
    expect(connection.server).toEqual({ version, era, name: 'Test server' })
    const tools = await connection.listTools()
    expect(tools).toHaveLength(8)
    expect(tools[0]).toMatchObject({ name: 'echo', description: 'Says it back', annotations: { readOnlyHint: true } })
  })

  it('returns texts, images, structured content and errors unchanged', async () => {
    const connection = await connect(make())
    expect(await connection.call(call('echo', { text: '北京' }), {})).toMatchObject({
      kind: 'answered',
      result: { content: [{ type: 'text', text: '北京' }] },
    })
    expect(await connection.call(call('picture'), {})).toMatchObject({
      result: { content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }] },
    })
    expect(await connection.call(call('sum'), {})).toMatchObject({ result: { structuredContent: { sum: 3 } } })
    expect(await connection.call(call('fails'), {})).toMatchObject({ kind: 'answered', result: { isError: true } })
  })

  it('reports progress', async () => {
    const connection = await connect(make())
    const heard: CallProgress[] = []
    const options = { onProgress: (progress: CallProgress) => void heard.push(progress) }
    expect(await connection.call(call('steps', { steps: 3 }), options)).toMatchObject({ kind: 'answered' })
    expect(heard).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })))
  })

  it.each<QuestionAnswer>([{ action: 'accept', content: { seats: 4 } }, { action: 'decline' }, { action: 'cancel' }])(
    'asks the user the server’s question, and continues the same call: %j',
    async (answer) => {
      const server = make()
      const connection = await connect(server)
      const asked: unknown[] = []
      const onAsk: AskUser = async (params) => (asked.push(params), answer)
      const other = () =>
        connection.call(call('echo', { text: 'a' }), { onAsk: () => Promise.reject(new Error('another call')) })
      // All calls share the stream of an old server, so its question can only be matched with a single call.
      const beside = make === oldServer ? await other() : null
      const [first, second] = await Promise.all([connection.call(call('book'), { onAsk }), beside ?? other()])
      expect(first).toMatchObject({ kind: 'answered', result: { content: [{ text: answer.action }] } })
      expect(second).toMatchObject({ kind: 'answered' })
      expect(asked).toMatchObject([
        { message: 'Which table?', requestedSchema: { properties: { seats: { type: 'integer', minimum: 1 } } } },
      ])
      expect(server.seen.filter((one) => one.startsWith('book'))).toEqual([`book ${JSON.stringify(answer)}`])
    },
  )

  it('does not count the time of the user, and withdraws the question when the call is stopped', async () => {
    const connection = await connect(make())
    const stop = new AbortController()
    const over = Promise.withResolvers<void>()
    const onAsk: AskUser = (_params, ended) =>
      new Promise((resolve) => {
        ended.addEventListener('abort', () => (over.resolve(), resolve({ action: 'cancel' })))
        // Longer than the call's time limit.
        setTimeout(() => stop.abort(), 60)
      })
    const answer = connection.call({ ...call('book'), timeoutMs: 20 }, { signal: stop.signal, onAsk })
    expect(await answer).toEqual({ kind: 'stopped' })
    await over.promise
  })

  it('cancels on the server when the call is stopped', async () => {
    const server = make()
    const connection = await connect(server)
    const stop = new AbortController()
    const running = connection.call(call('steps', { steps: 1, waits: true }), {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    })
    expect(await running).toEqual({ kind: 'stopped' })
    await expect.poll(() => server.seen).toContain('steps was cancelled')
  })

  it('opens no standing stream of its own and sends each call once', async () => {
    const server = make()
    const connection = await connect(server)
    await connection.listTools()
    const streams = () => server.requests.map(({ method }) => method).filter((method) => method === 'GET')
    expect(streams()).toEqual(gets)
    await connection.call(call('echo', { text: 'a' }), {})
    if (make === oldServer) expect(streams()).toEqual(gets)
    expect(server.requests.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1)
    expect(server.seen).toEqual(['echo a'])
  })

  it('tells many parallel calls apart', async () => {
    const connection = await connect(make())
    const texts = ['a', 'b', 'c', 'd']
    const answers = await Promise.all(texts.map((text) => connection.call(call('echo', { text }), {})))
    expect(answers.map((answer) => answer.kind === 'answered' && answer.result['content'])).toEqual(
      texts.map((text) => [{ type: 'text', text }]),
    )
  })
})

describe('a connection', () => {
  it('falls back to 2025 if the headers of 2026 are refused', async () => {
    const server = legacyServer({ refusesNewHeaders: true })
    const connection = await connect(server)
    expect(connection.server).toMatchObject({ era: 'legacy', version: '2025-11-25' })
    expect(await connection.listTools()).toHaveLength(8)
  })

  /** A browser in front of a server whose CORS lacks the header that only calls have. */
  const withoutName = (server: TestServer, older?: TestServer): typeof globalThis.fetch => {
    return async (input, init) => {
      const headers = new Headers(init?.headers)
      if (headers.has('mcp-name')) throw new TypeError('Failed to fetch')
      return (headers.has('mcp-method') || !older ? server : older).fetch(input, init)
    }
  }
  it('uses 2025 if only calls of 2026 would be refused, and fails if there is no 2025', async () => {
    const [server, older] = [modernServer(), legacyServer()]
    const connection = await connect({ fetch: withoutName(server, older) })
    expect(connection.server).toMatchObject({ era: 'legacy', version: '2025-11-25' })
    expect(await connection.call(call('echo', { text: 'a' }), {})).toMatchObject({ kind: 'answered' })
    expect([server.seen, older.seen]).toEqual([[], ['echo a']])
    const failed = await connect({ fetch: withoutName(server) }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ failure: { kind: 'unread' } })
  })

  it.each([
    ['rejects the check in a way that can be read', () => Response.json({}, { status: 400 })],
    ['rejects it in a way that can’t be read', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('uses 2026 at a server that %s', async (_how, reject) => {
    const server = modernServer()
    const strict: typeof globalThis.fetch = async (input, init) => {
      const headers = new Headers(init?.headers)
      const { method } = JSON.parse(init?.body as string) as { method: string }
      const fits = headers.has('mcp-name') === (method === 'tools/call') && headers.get('mcp-method') === method
      return fits ? server.fetch(input, init) : reject()
    }
    const connection = await connect({ fetch: strict })
    expect(connection.server).toMatchObject({ era: 'modern' })
    expect(await connection.call(call('echo', { text: 'a' }), {})).toMatchObject({ kind: 'answered' })
  })

  it('lists every page once, also if a cursor repeats', async () => {
    const pages: Record<string, unknown> = {
      first: { tools: [{ name: 'a' }], nextCursor: 'two' },
      two: { tools: [{ name: 'b' }], nextCursor: 'three' },
      three: { tools: [{ name: 'c' }], nextCursor: 'two' },
    }
    const server = oddServer({ 'tools/list': ({ cursor }) => pages[typeof cursor === 'string' ? cursor : 'first'] })
    const tools = await (await connect(server)).listTools()
    expect(tools).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
  })

  it('keeps a result with an unknown kind of content, and one that violates the schemas', async () => {
    const odd = { content: [{ type: 'hologram', data: 7 }], structuredContent: 'no object', isError: 'perhaps' }
    const connection = await connect(oddServer({ 'tools/call': () => odd }))
    expect(await connection.call(call('any'), {})).toEqual({ kind: 'answered', result: odd })
  })

  it.each([
    ['ends', () => eventStream('data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}')],
    ['breaks', () => new Response(brokenBody(), { headers: { 'content-type': 'text/event-stream' } })],
    [
      'is cut inside of JSON',
      () => new Response('{"jsonrpc":"2.0","id":', { headers: { 'content-type': 'application/json' } }),
    ],
  ])('says at once that it is unknown whether a call ran when its stream %s', async (_how, answer) => {
    const server = oddServer({ 'tools/call': answer })
    const connection = await connect(server)
    // The call's time limit is longer than the test may take.
    expect(await connection.call({ ...call('any'), timeoutMs: 600_000 }, {})).toEqual({ kind: 'lost' })
    expect(server.requests.filter(({ rpc }) => rpc === 'tools/call')).toHaveLength(1)
  })

  it('aborts a response that is too large', async () => {
    const flood = () => {
      let sent = 0
      const chunk = new Uint8Array(1_000_000).fill(32)
      return new Response(
        new ReadableStream({
          pull(out) {
            sent += 1
            if (sent > 100) out.close()
            else out.enqueue(chunk)
          },
        }),
        { headers: { 'content-type': 'application/json' } },
      )
    }
    const connection = await connect(oddServer({ 'tools/call': flood }))
    expect(await connection.call(call('any'), {})).toEqual({ kind: 'too-large', mb: 16 })
  })

  it('tells a refusal of the server from an HTTP status', async () => {
    const connection = await connect(
      oddServer({ 'tools/call': ({ name }) => (name === 'down' ? new Response('', { status: 503 }) : undefined) }),
    )
    expect(await connection.call(call('down'), {})).toEqual({ kind: 'http', status: 503 })
    expect(await connection.call(call('any'), {})).toMatchObject({ kind: 'refused' })
  })

  it('uses no other origin, sends no cookies and follows no redirect', async () => {
    const inits: RequestInit[] = []
    const server = modernServer()
    const fetch: typeof globalThis.fetch = (input, init) => {
      inits.push(init ?? {})
      return server.fetch(input, init)
    }
    await (await connect({ fetch })).call(call('echo', { text: 'a' }), {})
    expect(inits.length).toBeGreaterThan(1)
    for (const init of inits)
      expect(init).toMatchObject({ credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' })
  })

  it.each([
    ['nobody answers', () => Promise.reject(new TypeError('Failed to fetch')), { kind: 'unread' }],
    ['a sign-in is needed', () => Promise.resolve(new Response('{}', { status: 401 })), { kind: 'sign-in' }],
    [
      'the sign-in allows too little',
      () =>
        Promise.resolve(
          new Response('{}', { status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } }),
        ),
      { kind: 'sign-in' },
    ],
    [
      'the server refuses this page',
      () => Promise.resolve(new Response('{}', { status: 403 })),
      { kind: 'http', status: 403 },
    ],
    [
      'a web page answers',
      () => Promise.resolve(new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })),
      { kind: 'not-mcp' },
    ],
    ['the server is ill', () => Promise.resolve(new Response('', { status: 502 })), { kind: 'http', status: 502 }],
  ])('names the failure when %s', async (_when, fetch, failure) => {
    const failed = await connect({ fetch }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ConnectError)
    expect((failed as ConnectError).failure).toMatchObject(failure)
  })
})

/** A body that sends a part and then fails. */
const brokenBody = () =>
  new ReadableStream<Uint8Array>({
    pull(out) {
      out.enqueue(new TextEncoder().encode(': hello\n\n'))
      out.error(new TypeError('network error'))
    },
  })

describe('a question on the standing stream of 2025', () => {
  const onAsk: AskUser = async () => ({ action: 'accept', content: {} })

  it('is received while a call runs, and the stream ends with the calls', async () => {
    const server = legacyServer()
    const connection = await connect(server)
    expect(server.requests.filter(({ method }) => method === 'GET')).toEqual([])
    for (const gets of [1, 2]) {
      expect(await connection.call(call('confirm'), { onAsk })).toMatchObject({
        kind: 'answered',
        result: { content: [{ text: 'accept' }] },
      })
      expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(gets)
    }
  })

  it('is received when other tabs have freed their places; the call says so until then', async () => {
    const server = legacyServer()
    const free = Promise.withResolvers<void>()
    const connection = await connectMcp(
      {
        fetch: server.fetch,
        async inFewTabs(work, { onWait }) {
          onWait()
          await free.promise
          await work()
        },
      },
      { url: testAddress, era: 'auto' },
    )
    const heard: CallProgress[] = []
    const onProgress = (progress: CallProgress) => void heard.push(progress)
    // Answers when its time is up, unless the stream brings something.
    const made = connection.call(call('confirm-late'), { onAsk, onProgress })
    await expect.poll(() => heard).toEqual([{ progress: 0, isUnheard: true }])
    expect(server.requests.filter(({ method }) => method === 'GET')).toEqual([])
    free.resolve()
    expect(await made).toMatchObject({ kind: 'answered', result: { content: [{ text: 'accept' }] } })
  })

  it('waits for no other tab once its calls have ended', async () => {
    const server = legacyServer()
    const waits: AbortSignal[] = []
    const connection = await connectMcp(
      {
        fetch: server.fetch,
        async inFewTabs(_work, { signal, onWait }) {
          waits.push(signal)
          onWait()
        },
      },
      { url: testAddress, era: 'auto' },
    )
    expect(await connection.call(call('echo', { text: 'a' }), {})).toMatchObject({ kind: 'answered' })
    expect(waits.map(({ aborted }) => aborted)).toEqual([true])
    expect(server.requests.filter(({ method }) => method === 'GET')).toEqual([])
  })
})

describe('notices beside a result', () => {
  it('shows the addresses that a server wants opened before it runs a call', async () => {
    const elicitations = [{ mode: 'url', elicitationId: '1', url: 'https://forms.example/1', message: 'Sign' }]
    const error = { code: -32042, message: 'Sign the form first', data: { elicitations } }
    const { fetch } = oddServer({ 'tools/call': (_params, id) => Response.json({ jsonrpc: '2.0', id, error }) })
    const connection = await connect({ fetch }, 'legacy')
    expect(await connection.call(call('echo'), {})).toEqual({
      kind: 'open-first',
      message: 'Sign',
      addresses: ['https://forms.example/1'],
    })
  })

  it('checks a result against its tool’s schema, and keeps it', async () => {
    const { fetch } = oddServer({ 'tools/call': () => ({ content: [], structuredContent: { sum: 'three' } }) })
    const connection = await connect({ fetch }, 'legacy')
    const outputSchema = { type: 'object', properties: { sum: { type: 'number' } } }
    expect(await connection.call({ ...call('sum'), outputSchema }, {})).toMatchObject({
      kind: 'answered',
      result: { structuredContent: { sum: 'three' } },
      mismatch: expect.stringContaining('number'),
    })
    const fits = { ...outputSchema, properties: { sum: { type: 'string' } } }
    expect(await connection.call({ ...call('sum'), outputSchema: fits }, {})).not.toHaveProperty('mismatch')
  })

  it('names no difference that only costly or unread keywords would find', async () => {
    const { fetch } = oddServer({
      'tools/call': () => ({ content: [], structuredContent: { x_sum: 3, pattern: 'b' } }),
    })
    const connection = await connect({ fetch }, 'legacy')
    const check = async (outputSchema: JsonObject) =>
      (await connection.call({ ...call('sum'), outputSchema }, {})) as { readonly mismatch?: string }
    const open = { type: 'object', patternProperties: { '^x_': { type: 'number' } }, additionalProperties: false }
    expect(await check(open)).not.toHaveProperty('mismatch')
    // A property may have the name of such a keyword.
    const named = { type: 'object', properties: { pattern: { type: 'number' }, x_sum: {} } }
    expect((await check(named)).mismatch).toContain('number')
    const $defs = { sum: { type: 'string' } }
    const referring = { type: 'object', properties: { x_sum: { $ref: '#/$defs/sum' } }, $defs }
    expect((await check(referring)).mismatch).toContain('string')
  })
})
