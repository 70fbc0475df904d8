import { afterEach, expect, it, vi } from 'vitest'
import { connectMcp, ConnectError, type McpConnection } from './connection'
import { legacyServer, oldServer, testAddress, type OldState, type TestServer } from './testing/mcp-servers'
import { openWorker } from './testing/worker'

/* Servers of 2024-11-05 (HTTP+SSE), honest and not. The contract that they share with others: connection.test.ts. */

const origin = new URL(testAddress).origin
const open: McpConnection[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(open.splice(0).map((connection) => connection.close()))
})

async function connect({ fetch }: Pick<TestServer, 'fetch'>): Promise<McpConnection> {
  const made = await connectMcp({ fetch }, { url: testAddress, era: 'auto' })
  open.push(made)
  return made
}
const failureOf = async (server: Pick<TestServer, 'fetch'>) => {
  const failed: unknown = await connect(server).catch((error: unknown) => error)
  return failed instanceof ConnectError ? failed.failure : failed
}
const call = (name: string, args = {}) => ({ name, args, timeoutMs: 10_000 })
const steps = call('steps', { steps: 1, waits: true })
const sentCalls = ({ requests }: TestServer) => requests.filter(({ rpc }) => rpc === 'tools/call').length

it('sends no header that such a server’s CORS does not know', async () => {
  const server = oldServer()
  await (await connect(server)).call(call('echo', { text: 'a' }), {})
  const own = server.requests.slice(server.requests.findIndex(({ method }) => method === 'GET'))
  expect([...new Set(own.flatMap(({ headers }) => headers))].toSorted()).toEqual(['accept', 'content-type'])
})

it.each(['ends', 'breaks'] as const)(
  'a call whose stream %s is not known to have run, and is not sent again; the next one gets a new session',
  async (how) => {
    const state: OldState = {}
    const server = oldServer(state)
    const tab = openWorker(testAddress, server.fetch)
    expect(await tab.connect(testAddress, 'auto')).toMatchObject({ ok: true })
    const { signal } = new AbortController()
    const both = await Promise.all([
      tab.call(steps, { signal, onProgress: () => state.cut?.(how) }),
      tab.call(steps, { signal, onProgress() {} }),
    ])
    expect(both).toEqual([{ kind: 'lost' }, { kind: 'lost' }])
    expect(sentCalls(server)).toBe(2)
    expect(await tab.call(call('echo', { text: 'b' }), { signal, onProgress() {} })).toMatchObject({ kind: 'answered' })
    expect(sentCalls(server)).toBe(3)
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(2)
    // It knows by now that newer messages are refused here.
    expect(server.requests.filter(({ rpc }) => rpc === 'server/discover')).toHaveLength(1)
    tab.close()
  },
)

it.each([
  ['HTTP+SSE', oldServer],
  ['2025-11-25', legacyServer],
])(
  'a session of %s outlives later checks of the list, and is replaced when the server has ended it',
  async (_of, make) => {
    let server = make()
    const before = server
    const tab = openWorker(testAddress, (input, init) => server.fetch(input, init))
    const check = async (era: 'auto' | 'legacy') => {
      expect(await tab.connect(testAddress, era)).toMatchObject({ ok: true, value: { era: 'legacy' } })
      expect(await tab.list()).toMatchObject({ ok: true })
    }
    const begun = () => server.requests.filter(({ rpc }) => rpc === 'initialize').length
    await check('auto')
    const sessions = begun()
    await check('legacy')
    await check('legacy')
    expect(begun()).toBe(sessions)
    expect(server.requests.filter(({ rpc }) => rpc === 'tools/list')).toHaveLength(3)
    // Another process answers, which knows no session.
    server = make()
    await check('legacy')
    expect(
      await tab.call(call('echo', { text: 'a' }), { signal: AbortSignal.timeout(5_000), onProgress() {} }),
    ).toMatchObject({ kind: 'answered' })
    expect([before.seen, server.seen]).toEqual([[], ['echo a']])
    tab.close()
  },
)

it('opens no second stream after the first has ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const state: OldState = {}
  const server = oldServer(state)
  const connection = await connect(server)
  state.cut?.('ends')
  await vi.waitFor(() => expect(connection.isOver()).toBe(true))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(1)
  expect(await connection.call(call('echo', { text: 'a' }), {})).toEqual({
    kind: 'not-sent',
    failure: { kind: 'unread' },
  })
  expect(server.seen).toEqual([])
})

it.each<[string, OldState['endpoint'], object]>([
  ['another origin', () => 'https://evil.example/messages', { kind: 'not-mcp' }],
  ['another port', () => `${origin}:8443/messages`, { kind: 'not-mcp' }],
  ['the same host by http', () => `${origin.replace('https', 'http')}/messages`, { kind: 'not-mcp' }],
  ['another origin without a scheme', () => '//evil.example/messages', { kind: 'not-mcp' }],
  ['this computer', () => 'http://127.0.0.1:9/messages', { kind: 'not-mcp' }],
  ['no address', () => 'http://', { kind: 'unread' }],
  ['a script', () => 'javascript:alert(1)', { kind: 'not-mcp' }],
  ['a file', () => 'file:///etc/passwd', { kind: 'not-mcp' }],
])('sends nothing to an endpoint that names %s', async (_what, endpoint, failure) => {
  const asked: string[] = []
  const server = oldServer({ ...(endpoint && { endpoint }) })
  const fetch: typeof globalThis.fetch = (input, init) => {
    asked.push(`${init?.method ?? 'GET'} ${input instanceof Request ? input.url : String(input)}`)
    return server.fetch(input, init)
  }
  expect(await failureOf({ fetch })).toMatchObject(failure)
  expect(new Set(asked.map((one) => one.replace(/^POST /, 'GET ')))).toEqual(new Set([`GET ${testAddress}`]))
  expect(server.streams()).toBe(0)
})

it('sends nothing to an endpoint that changes to another origin in a call', async () => {
  const state: OldState = {}
  const server = oldServer(state)
  const asked: string[] = []
  const connection = await connect({
    fetch: (input, init) => {
      asked.push(new URL(input instanceof Request ? input.url : input).origin)
      return server.fetch(input, init)
    },
  })
  const push = () => state.push?.('event: endpoint\ndata: https://evil.example/messages\n\n')
  expect(await connection.call(steps, { onProgress: push })).toEqual({ kind: 'lost' })
  expect(await connection.call(call('echo', { text: 'secret' }), {})).toMatchObject({ kind: 'not-sent' })
  expect(new Set(asked)).toEqual(new Set([origin]))
})

it('ends a stream that floods a call, and says that the result is too large', async () => {
  const state: OldState = {}
  const server = oldServer(state)
  const connection = await connect(server)
  const flood = () => {
    for (let index = 0; index < 17; index += 1) state.push?.(`: ${' '.repeat(1_000_000)}\n\n`)
  }
  expect(await connection.call(steps, { onProgress: flood })).toEqual({ kind: 'too-large', mb: 16 })
  expect(server.streams()).toBe(0)
})

it('does not count what came before an answer: a session may be long', async () => {
  const state: OldState = {}
  const connection = await connect(oldServer(state))
  for (let round = 0; round < 3; round += 1) {
    state.push?.(`: ${' '.repeat(9_000_000)}\n\n`)
    expect(await connection.call(call('echo', { text: 'a' }), {})).toMatchObject({ kind: 'answered' })
  }
})

it.each([403, 404, 500])('names the status %i with which a call is refused', async (posted) => {
  const server = oldServer({ posted })
  const connection = await connect(server)
  expect(await connection.call(call('echo', { text: 'a' }), {})).toEqual({ kind: 'http', status: posted })
  expect(sentCalls(server)).toBe(1)
})

it('ends a call that is never answered with its time limit', async () => {
  const server = oldServer({ isDeaf: true })
  const connection = await connect(server)
  expect(await connection.call({ ...call('echo', { text: 'a' }), timeoutMs: 50 }, {})).toEqual({ kind: 'timed-out' })
  expect(sentCalls(server)).toBe(1)
})

it('keeps a result with an unknown kind of content', async () => {
  const state: OldState = { isDeaf: true }
  const server = oldServer(state)
  const connection = await connect(server)
  const result = { content: [{ type: 'hologram' }], structuredContent: 'no object' }
  const answer = connection.call(call('echo', { text: 'a' }), {})
  await vi.waitFor(() => expect(sentCalls(server)).toBe(1))
  for (const id of [0, 1, 2, 3]) state.push?.(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
  expect(await answer).toEqual({ kind: 'answered', result })
})

it('reports the refusal of the newer transport if no such stream begins', async () => {
  const text = () => Promise.resolve(new Response('no', { status: 404 }))
  expect(await failureOf({ fetch: text })).toEqual({ kind: 'http', status: 404 })
  const silent: typeof globalThis.fetch = (_input, init) =>
    Promise.resolve(
      init?.method === 'POST'
        ? new Response('no', { status: 405 })
        : new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }),
    )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const failed = failureOf({ fetch: silent })
  for (let second = 0; second < 10; second += 1) await vi.advanceTimersByTimeAsync(1_000)
  expect(await failed).toEqual({ kind: 'timeout' })
})

it('gives its connection to another tab that waits for it, but not in a call', async () => {
  const server = oldServer()
  let wanted = false
  let isFree = true
  // One place, as the browser's locks would give it.
  const waiting: (() => void)[] = []
  const tab = () =>
    openWorker(testAddress, server.fetch, new Map(), async (_name, work) => {
      if (!isFree) {
        wanted = true
        await new Promise<void>((resolve) => waiting.push(resolve))
        wanted = waiting.length > 0
      }
      isFree = false
      await work(() => Promise.resolve(wanted))
      isFree = true
      waiting.shift()?.()
    })
  const { signal } = new AbortController()
  const [first, second] = [tab(), tab()]
  expect(await first.connect(testAddress, 'auto')).toMatchObject({ ok: true })
  const stop = new AbortController()
  let isBegun = false
  const running = first.call(steps, { signal: stop.signal, onProgress: () => void (isBegun = true) })
  await vi.waitFor(() => expect(isBegun).toBe(true))
  const met = second.connect(testAddress, 'auto')
  // Longer than the holder takes to look.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(server.streams()).toBe(1)
  stop.abort()
  expect(await running).toEqual({ kind: 'stopped' })
  expect(await met).toMatchObject({ ok: true })
  expect(server.streams()).toBe(1)
  expect(server.seen).toEqual(['steps was cancelled'])
  // And back again.
  expect(await first.call(call('echo', { text: 'a' }), { signal, onProgress() {} })).toMatchObject({ kind: 'answered' })
  for (const one of [first, second]) one.close()
}, 20_000)
