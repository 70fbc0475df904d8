import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { NextRequest } from 'next/server'
import type { ChatResponse } from '@/lib/shared/conversation/wire/api-types'
import { createOwners } from '@/lib/server/quota/owner'
import { createOwnRate } from '@/lib/server/quota/rate'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { createChatHarness, testLimits, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { Store } from '@/lib/server/store/ports/store'
import { silentObserver } from '@/lib/server/runs/chat-observer'
import { pathHeader } from '@/lib/server/http/access'
import { setDraining } from '@/lib/server/wiring/process/draining.server'
import { setObserver } from '@/lib/server/wiring/observe/observers.server'
import { getServer, setServer } from '@/lib/server/wiring/server'
import { forgetSettings } from '@/lib/server/wiring/settings.server'
import { proxy } from '@/proxy'
import * as accessRoute from './access/route'
import * as chatRoute from './chat/route'
import * as amendmentsRoute from './conversations/[id]/amendments/route'
import * as imageRoute from './conversations/[id]/attachments/[messageId]/[number]/route'
import * as callsRoute from './conversations/[id]/calls/route'
import * as exportRoute from './conversations/[id]/export/route'
import * as grantRoute from './conversations/[id]/grants/[grantId]/route'
import * as grantsRoute from './conversations/[id]/grants/route'
import * as logRoute from './conversations/[id]/log/route'
import * as conversationRoute from './conversations/[id]/route'
import * as importRoute from './conversations/import/route'
import * as conversationsRoute from './conversations/route'
import * as healthRoute from './health/route'
import * as metricsRoute from './metrics/route'
import * as modelsRoute from './models/route'
import * as eventsRoute from './runs/[id]/events/route'
import * as readyRoute from './ready/route'
import * as stopRoute from './runs/[id]/stop/route'
import { problem, sendTo, type Handler, type Sent } from './testing/send'

/* Who may use the server, how much of it one owner gets, and what it answers during shutdown. */

const owners = createOwners({ secret: new Uint8Array(32).fill(7), newId: () => crypto.randomUUID(), now: Date.now })
const routes: readonly Record<string, unknown>[] = [
  chatRoute,
  amendmentsRoute,
  imageRoute,
  callsRoute,
  exportRoute,
  grantRoute,
  grantsRoute,
  logRoute,
  conversationRoute,
  importRoute,
  conversationsRoute,
  modelsRoute,
  eventsRoute,
  stopRoute,
]
const every = routes.flatMap((route) =>
  Object.entries(route).flatMap(([method, handler]) =>
    typeof handler === 'function' ? [[method, handler as Handler] as const] : [],
  ),
)
const params = { id: 'x', messageId: 'x', number: '0', grantId: 'x' }

function stubSetting(name: string, value: string): void {
  vi.stubEnv(name, value)
  forgetSettings()
}

let store: Store
let chat: ChatHarness
let cookie = ''

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
  cookie = owners.cookie('ada', { secure: false }).split(';')[0] ?? ''
})
afterAll(() => store.close())
beforeEach(() => use(createChatHarness(store)))
afterEach(() => {
  vi.unstubAllEnvs()
  forgetSettings()
  vi.restoreAllMocks()
  setDraining(false)
  setServer(null)
})

function use(harness: ChatHarness): void {
  chat = harness
  const rateLimit = createOwnRate({ burst: 1000, perSecond: 1, monotonic: () => 0 })
  setServer({ service: chat.service, store, owners, rateLimit })
}
/** Ends everything that a process still writes. */
async function goDown({ service, clock }: ChatHarness): Promise<void> {
  const drained = service.drain(0)
  await clock.pass(1)
  await drained
}
const send = (handler: Handler, sent: Sent = {}) => sendTo(handler, { cookie, ...sent })
const say = (conversationId: string, text = 'hi') => {
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text }
  return send(chatRoute.POST, { method: 'POST', body: { conversationId, append } })
}
const page = (path: string, headers: Record<string, string> = {}) =>
  proxy(new NextRequest(`http://localhost:3000${path}`, { headers: { host: 'localhost:3000', ...headers } }))

describe('a name that is not this server’s', () => {
  it('is refused by every route and page, on a bind to this machine', async () => {
    for (const [method, handler] of every) {
      const answer = await problem(send(handler, { method, params, headers: { host: 'evil.example:3000' } }))
      expect(answer).toMatchObject({ status: 421, message: expect.stringMatching(/NOD_ALLOWED_HOSTS/) as string })
    }
    const shown = await page('/', { host: 'evil.example:3000' })
    expect(shown.status).toBe(421)
    expect(shown.headers.get('set-cookie')).toBeNull()
    expect((await page('/')).status).toBe(200)
  })
})

describe('NOD_ACCESS_TOKEN', () => {
  const token = 'a token for friends'
  beforeEach(() => {
    stubSetting('NOD_ACCESS_TOKEN', token)
    stubSetting('NOD_SECRET', 'x'.repeat(32))
  })
  const enter = (said: string, next = '/c/1') =>
    send(accessRoute.POST, {
      method: 'POST',
      raw: new URLSearchParams({ token: said, next }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

  it('closes every route, even with an owner cookie; health and readiness stay open', async () => {
    for (const [method, handler] of every) {
      expect(await problem(send(handler, { method, params }))).toMatchObject({ status: 401, code: 'access-needed' })
    }
    expect([healthRoute.GET().status, (await readyRoute.GET()).status]).toEqual([200, 200])
  })

  it('shows one page for any address, creates no owner, and keeps the security policy', async () => {
    for (const path of ['/', '/c/abc?x=1', '/playground']) {
      const shown = await page(path)
      const rewritten = new URL(shown.headers.get('x-middleware-rewrite') ?? 'http://none')
      expect(rewritten.pathname).toBe('/access')
      expect(rewritten.searchParams.get('next')).toBe(path)
      expect(shown.headers.get('set-cookie')).toBeNull()
      expect(shown.headers.get('content-security-policy')).toMatch(/form-action 'self'/)
    }
  })

  it('lets a visitor in with the token, once, and on to the requested page', async () => {
    const wrong = await enter('another token')
    expect([wrong.status, wrong.headers.get('location'), wrong.headers.get('set-cookie')]).toEqual([
      303,
      '/access?refused=wrong&next=%2Fc%2F1',
      null,
    ])
    const right = await enter(token)
    expect([right.status, right.headers.get('location')]).toEqual([303, '/c/1'])
    expect((await enter(token, 'https://evil.example')).headers.get('location')).toBe('/')
    const pass = (right.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    expect((await send(modelsRoute.GET, { cookie: `${cookie}; ${pass}` })).status).toBe(200)
    const shown = await page('/c/1', { cookie: pass })
    expect(shown.headers.get('x-middleware-rewrite')).toBeNull()
    expect(shown.headers.get('set-cookie')).toMatch(/^nod_owner=/)
    stubSetting('NOD_ACCESS_TOKEN', 'the token was changed')
    expect((await send(modelsRoute.GET, { cookie: `${cookie}; ${pass}` })).status).toBe(401)
  })

  it('is not accepted from another site', async () => {
    const raw = new URLSearchParams({ token }).toString()
    const answer = send(accessRoute.POST, { method: 'POST', raw, headers: { 'sec-fetch-site': 'cross-site' } })
    expect((await answer).status).toBe(403)
  })

  it('keeps no valid visitor out while a stranger guesses from another address', async () => {
    stubSetting('NOD_TRUST_PROXY', '1')
    const from = (address: string, said: string) =>
      send(accessRoute.POST, {
        method: 'POST',
        raw: new URLSearchParams({ token: said, next: '/c/1' }).toString(),
        headers: { 'x-forwarded-for': address, 'content-type': 'application/x-www-form-urlencoded' },
        cookie: null,
      })
    const guesses: (string | null)[] = []
    for (let n = 0; n < 60; n += 1) guesses.push((await from('198.51.100.7', `guess ${n}`)).headers.get('location'))
    expect(guesses.filter((where) => where?.includes('refused=wrong'))).toHaveLength(20)
    expect((await from('198.51.100.7', token)).headers.get('location')).toContain('refused=wait')
    expect((await from('203.0.113.9', token)).headers.get('location')).toBe('/c/1')
  })

  it('limits guesses from all addresses together', async () => {
    const asked: (string | null)[] = []
    for (let n = 0; n < 220; n += 1) asked.push((await enter(`guess ${n}`)).headers.get('location'))
    expect(asked.at(-1)).toContain('refused=wait')
  })

  it('closes everything if it is guessable, and says how to fix it', async () => {
    stubSetting('NOD_ACCESS_TOKEN', 'friends')
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const answer = await problem(send(modelsRoute.GET))
    expect(answer).toMatchObject({
      status: 503,
      message: expect.stringMatching(/errors\. See the server log/) as string,
    })
    expect((await page('/')).status).toBe(503)
  })
})

describe('the requested page', () => {
  it('is set by the server alone, whatever the request says', async () => {
    const shown = await page('/c/abc?x=1', { [pathHeader]: '//evil.example' })
    expect(shown.headers.get(`x-middleware-request-${pathHeader}`)).toBe('/c/abc')
  })
})

describe('one owner', () => {
  const fair = { ...testLimits.fair, maxQueuedPerOwner: 0 }
  const few = { limits: { ...testLimits, maxRunsPerOwner: 2, maxStreamsPerOwner: 2, fair } }

  it('has a limit of replies at a time, even for concurrent requests, and gets more when one ends', async () => {
    use(createChatHarness(store, few))
    const ids = await Promise.all(Array.from({ length: 6 }, () => chat.newChat()))
    chat.script(...ids.map(() => [{ hang: 'listening' }] as const))
    const answers = await Promise.all(ids.map((id) => say(id)))
    const counted = (wanted: number) => answers.filter(({ status }) => status === wanted).length
    expect([counted(200), counted(429)]).toEqual([2, 4])
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toBe('5')
    expect(await refused?.json()).toMatchObject({
      error: { message: expect.stringMatching(/Wait for one to end/) as string },
    })

    const running = answers.find(({ status }) => status === 200) ?? Response.error()
    const { runId } = (await running.json()) as ChatResponse
    await chat.service.stop('ada', runId)
    await chat.service.settled(runId)
    const next = ids[answers.findIndex(({ status }) => status === 429)] ?? ''
    expect((await say(next)).status).toBe(200)
    await goDown(chat)
  })

  it('frees the slot if an append fails', async () => {
    use(createChatHarness(store, few))
    const id = await chat.newChat()
    for (let n = 0; n < 5; n += 1) {
      const append = { kind: 'reply', id: crypto.randomUUID(), parentId: 'nowhere' }
      const answer = send(chatRoute.POST, { method: 'POST', body: { conversationId: id, append } })
      expect((await answer).status).toBe(404)
    }
    expect((await say(id)).status).toBe(200)
    await goDown(chat)
  })

  it('has a limit of open views of replies, and each closed view frees one', async () => {
    use(createChatHarness(store, few))
    const id = await chat.newChat()
    chat.script([{ text: 'a' }, { hang: 'listening' }])
    const { runId } = (await (await say(id)).json()) as ChatResponse
    const open = () => send(eventsRoute.GET, { path: '/x?after=0', params: { id: runId } })
    const [first, second] = [await open(), await open()]
    expect(await problem(open())).toMatchObject({ status: 429, code: 'rate-limited' })
    await first.body?.cancel()
    const third = await open()
    expect(third.status).toBe(200)
    await chat.service.stop('ada', runId)
    await Promise.all([second.text(), third.text()])
    const [fourth, fifth] = [await open(), await open()]
    expect([fourth.status, fifth.status]).toEqual([200, 200])
    await Promise.all([fourth.text(), fifth.text()])
  })
})

describe('a server that shuts down', () => {
  it('tells load balancers, and closes every connection with its answer', async () => {
    setDraining(true)
    expect(await problem(readyRoute.GET())).toMatchObject({ status: 503, code: 'draining' })
    expect((await readyRoute.GET()).headers.get('retry-after')).toBe('2')
    // It is alive: a supervisor must let it finish.
    expect(healthRoute.GET().status).toBe(200)
    const answers = [
      healthRoute.GET(),
      await readyRoute.GET(),
      await send(modelsRoute.GET),
      await send(conversationRoute.GET, { params }),
      await page('/'),
    ]
    for (const { headers } of answers) expect(headers.get('connection')).toBe('close')
    setDraining(false)
    expect((await send(modelsRoute.GET)).headers.get('connection')).toBeNull()
  })

  it('is ready while replies are only read, and reports when it is full', async () => {
    use(createChatHarness(store, { limits: { ...testLimits, maxRuns: 1 } }))
    const id = await chat.newChat()
    chat.script([{ hang: 'listening' }])
    await say(id)
    expect(await (await readyRoute.GET()).json()).toMatchObject({ replies: 1, maxReplies: 1, full: true })
    const strict = readyRoute.GET(new Request('http://localhost:3000/api/ready?full=503'))
    expect(await problem(strict)).toMatchObject({ status: 503, reason: 'chat.server-full' })
    await goDown(chat)
  })

  it('finishes its own replies for their readers, and redirects readers of others', async () => {
    const elsewhere = createChatHarness(store)
    const [mine, theirs] = [await chat.newChat(), await elsewhere.newChat()]
    chat.script([{ text: 'mine' }, { hang: 'listening' }])
    elsewhere.script([{ text: 'theirs' }, { hang: 'listening' }])
    const own = (await (await say(mine)).json()) as ChatResponse
    const foreign = await elsewhere.append(theirs, { kind: 'user', id: 'u', parentId: null, text: 'hi' })
    const open = (id: string) => send(eventsRoute.GET, { path: '/x?after=0', params: { id } })
    const [ownView, foreignView] = [await open(own.runId), await open(foreign.runId)]
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const drained = chat.service.drain(30_000)
    expect(await foreignView.text()).not.toContain('"end"')
    expect(await problem(open(foreign.runId))).toMatchObject({ status: 503 })
    const refused = await say(theirs)
    expect(refused.headers.get('retry-after')).toBe('2')
    await chat.clock.pass(30_000)
    await drained
    expect(await ownView.text()).toMatch(/"end".*interrupted/)
    await goDown(elsewhere)
  })
})

describe('/api/metrics', () => {
  const token = 'a token for scrapers'
  const ask = (said?: string) =>
    metricsRoute.GET(
      new Request('http://10.1.2.3:3000/api/metrics', { headers: said === undefined ? {} : { authorization: said } }),
    )
  const serve = async () => {
    const metrics = () =>
      Promise.resolve({ type: 'text/plain; version=0.0.4; charset=utf-8', text: 'nod_runs_active 0\n' })
    setServer({ ...(await getServer()), metrics })
  }

  it('does not exist without NOD_METRICS_TOKEN, for anyone', async () => {
    await serve()
    for (const said of [undefined, 'Bearer ', 'Bearer null', `Bearer ${token}`])
      expect((await ask(said)).status).toBe(404)
  })

  it('answers to its token only, with any host name and without the access token', async () => {
    stubSetting('NOD_METRICS_TOKEN', token)
    stubSetting('NOD_SECRET', 'x'.repeat(32))
    stubSetting('NOD_ACCESS_TOKEN', 'a token for friends')
    await serve()
    for (const said of [undefined, token, `Bearer ${token}x`, `Bearer x${token}`, 'Bearer a token for friends']) {
      expect(await problem(ask(said))).toMatchObject({ status: 401, code: 'access-needed' })
    }
    const answer = await ask(`Bearer ${token}`)
    expect([answer.status, await answer.text()]).toEqual([200, 'nod_runs_active 0\n'])
    expect(answer.headers.get('content-type')).toContain('version=0.0.4')
  })
})

it('counts every refusal once, by its reason', async () => {
  const reasons: string[] = []
  setObserver({ ...silentObserver, refused: (reason) => reasons.push(reason) })
  await problem(send(modelsRoute.GET, { headers: { host: 'evil.example' } }))
  await problem(send(conversationRoute.GET, { params }))
  await problem(send(chatRoute.POST, { method: 'POST', body: {} }))
  expect(reasons).toEqual(['server.wrong-host', 'chat.not-here', 'server.wrong-form'])
  setObserver(silentObserver)
})
