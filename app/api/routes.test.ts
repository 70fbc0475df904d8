import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeError } from '@/lib/i18n/t'
import type { ChatResponse, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import type { Conversation } from '@/lib/shared/conversation/conversation'
import { createOwnRate } from '@/lib/server/quota/rate'
import { createOwners } from '@/lib/server/quota/owner'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { createChatHarness, testLimits, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type { Store } from '@/lib/server/store/ports/store'
import { setServer } from '@/lib/server/wiring/server'
import type { Server } from '@/lib/server/wiring/server-parts'
import * as chatRoute from './chat/route'
import * as callsRoute from './conversations/[id]/calls/route'
import * as conversationRoute from './conversations/[id]/route'
import * as conversationsRoute from './conversations/route'
import * as healthRoute from './health/route'
import * as readyRoute from './ready/route'
import * as modelsRoute from './models/route'
import * as eventsRoute from './runs/[id]/events/route'
import * as stopRoute from './runs/[id]/stop/route'
import { problem, type Handler, type Sent } from './testing/send'
import { cookieOf, serveRoutes } from './testing/serve-routes'

const served = serveRoutes()
let store: Store
let chat: ChatHarness
let server: Server
beforeEach(() => {
  ;({ store, chat, server } = served)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const send = (handler: Handler, sent: Sent = {}) => served.sendAs('ada', handler, sent)

const create = async (id: string = crypto.randomUUID()): Promise<string> => {
  const response = await send(conversationsRoute.POST, { method: 'POST', body: { id } })
  expect(response.status).toBe(200)
  return ((await response.json()) as { conversation: Conversation }).conversation.id
}
const say = (conversationId: string, text: string, over: Sent = {}) => {
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text }
  return send(chatRoute.POST, { method: 'POST', body: { conversationId, append }, ...over })
}

describe('the routes', () => {
  it('carry a turn from the message to the end of the log', async () => {
    const id = await create()
    chat.script([{ text: 'Hello' }, { finish: 'stop' }])
    const answer = (await (await say(id, 'hi')).json()) as ChatResponse
    const response = await send(eventsRoute.GET, { path: '/x?after=0', params: { id: answer.runId } })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    const lines = (await response.text()).split('\n').filter(Boolean)
    expect(lines.map((line) => (JSON.parse(line) as RunEvent).type)).toEqual(['start', 'delta', 'end'])

    const view = (await (await send(conversationRoute.GET, { params: { id } })).json()) as ConversationView
    expect(view.messages).toMatchObject([{ text: 'hi' }, { text: 'Hello', outcome: 'finished' }])
    const list = await send(conversationsRoute.GET, { path: '/api/conversations?q=HI' })
    expect(await list.json()).toMatchObject({ conversations: [{ id, title: 'hi', running: false, waitingCalls: 0 }] })
    const patched = await send(conversationRoute.PATCH, { method: 'PATCH', params: { id }, body: { title: ' new ' } })
    expect(await patched.json()).toMatchObject({ conversation: { title: 'new' } })
    expect((await send(conversationRoute.DELETE, { method: 'DELETE', params: { id } })).status).toBe(204)
    expect((await send(conversationRoute.GET, { params: { id } })).status).toBe(404)
  })

  it('carry a first message, its chat and its title in two requests', async () => {
    const conversationId = crypto.randomUUID()
    chat.script([{ text: 'CALL read_file {"path":"/a"}' }, { finish: 'stop' }])
    const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text: 'Read it' }
    const body = { conversationId, append, create: { systemPrompt: 'be brief' } }
    const begun = await send(chatRoute.POST, { method: 'POST', body })
    const answer = (await begun.json()) as ChatResponse
    expect(answer.conversation).toMatchObject({ id: conversationId, title: 'Read it', settings: body.create })
    const log = await send(eventsRoute.GET, { path: '/x?after=0', params: { id: answer.runId } })
    const end = JSON.parse((await log.text()).split('\n').findLast(Boolean) ?? '') as RunEvent
    expect(end).toMatchObject({ type: 'end', summary: { title: 'Read it', running: false, waitingCalls: 1 } })
    const wrong = { ...body, conversationId: crypto.randomUUID(), create: { systemPrompt: 5 } }
    expect((await send(chatRoute.POST, { method: 'POST', body: wrong })).status).toBe(400)
  })

  it('carry a call from the click to the result', async () => {
    const id = await create()
    chat.script([{ text: 'CALL read_file {"path":"/a"}' }, { finish: 'stop' }])
    const { replyId, runId } = (await (await say(id, 'hi')).json()) as ChatResponse
    await chat.service.settled(runId)
    const decision = await chat.decision(replyId, 0, 'read_file')
    const granted = await send(callsRoute.POST, { method: 'POST', params: { id }, body: decision })
    expect(await granted.json()).toMatchObject({ granted: true })
    const outcome = {
      status: 'completed',
      result: { ok: [1, null] },
      durationMs: 1,
      console: [],
      displays: [{ kind: 'table', data: '{}', name: 'orders.csv' }],
      files: { kept: true, changes: [{ path: '/a', change: 'created', kind: 'file', size: 3 }], total: 1 },
    }
    const finish = { messageId: replyId, slot: 0, attempt: 1, runnerId: 'tab-1', outcome }
    const [change] = outcome.files.changes
    for (const files of [
      { ...outcome.files, changes: Array.from({ length: 201 }, () => change) },
      { ...outcome.files, changes: [{ ...change, change: 'stolen' }] },
      { ...outcome.files, changes: [{ ...change, path: '' }] },
      { ...outcome.files, changes: [{ ...change, path: 'a'.repeat(2_001) }] },
      { ...outcome.files, changes: [{ ...change, size: 50_000_001 }] },
      { ...outcome.files, changes: [{ ...change, kind: 'link' }] },
      { ...outcome.files, total: -1 },
      { ...outcome.files, total: 0 },
      { changes: [], total: 0 },
    ]) {
      const body = { ...finish, outcome: { ...outcome, files } }
      expect((await send(callsRoute.PUT, { method: 'PUT', params: { id }, body })).status).toBe(400)
    }
    const [display] = outcome.displays
    for (const displays of [
      [{ ...display, kind: 'script' }],
      [{ ...display, name: 'n'.repeat(301) }],
      [{ ...display, name: 5 }],
      [{ kind: 'table' }],
      Array.from({ length: 1_001 }, () => display),
    ]) {
      const body = { ...finish, outcome: { ...outcome, displays } }
      expect((await send(callsRoute.PUT, { method: 'PUT', params: { id }, body })).status).toBe(400)
    }
    const finished = await send(callsRoute.PUT, { method: 'PUT', params: { id }, body: finish })
    expect(await finished.json()).toMatchObject({ call: { outcome } })
    const append = { kind: 'tool-results', id: crypto.randomUUID(), parentId: replyId }
    const posted = await send(chatRoute.POST, { method: 'POST', body: { conversationId: id, append } })
    expect(await posted.json()).toMatchObject({ message: { results: [{ result: { ok: [1, null] } }] } })
  })

  it('answer for models and health', async () => {
    expect(await (await send(modelsRoute.GET)).json()).toMatchObject({ defaultModel: 'test/scripted' })
    expect(await healthRoute.GET().json()).toEqual({ status: 'ok' })
    const most = { workers: 1, maxReplies: testLimits.maxRuns, full: false }
    expect(await (await readyRoute.GET()).json()).toEqual({ status: 'ok', store: store.kind, replies: 0, ...most })
  })

  it('stop a reply', async () => {
    const id = await create()
    chat.script([{ text: 'so far' }, { hang: 'listening' }])
    const { runId } = (await (await say(id, 'hi')).json()) as ChatResponse
    await chat.settle()
    expect((await send(stopRoute.POST, { method: 'POST', params: { id: runId }, body: {} })).status).toBe(204)
    const events = await (await send(eventsRoute.GET, { path: '/x?after=2', params: { id: runId } })).text()
    expect(events).toContain('"outcome":"stopped"')
  })

  it('end the log of a reply when its reader disconnects', async () => {
    const id = await create()
    chat.script([{ text: 'so far' }, { hang: 'listening' }])
    const { runId } = (await (await say(id, 'hi')).json()) as ChatResponse
    const response = await send(eventsRoute.GET, { path: '/x', params: { id: runId } })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('\n')
    await reader?.cancel()
    await send(stopRoute.POST, { method: 'POST', params: { id: runId } })
    await chat.service.settled(runId)
  })
})

describe('bad input', () => {
  it.each<[string, unknown]>([
    ['no object', 'text'],
    ['an empty object', {}],
    ['an empty text', { conversationId: 'c', append: { kind: 'user', id: 'u', parentId: null, text: ' \n' } }],
    ['an unknown kind', { conversationId: 'c', append: { kind: 'system', id: 'u', parentId: null, text: 'x' } }],
    ['an id with a path in it', { conversationId: '../x', append: { kind: 'reply', id: 'u', parentId: 'p' } }],
    ['a number for a text', { conversationId: 'c', append: { kind: 'user', id: 'u', parentId: null, text: 5 } }],
    [
      'an assistant’s words',
      { conversationId: 'c', append: { kind: 'user', id: 'u', parentId: null, role: 'assistant' } },
    ],
  ])('of the form “%s” is refused with a sentence', async (_name, body) => {
    const answer = await problem(send(chatRoute.POST, { method: 'POST', body }))
    expect(answer).toMatchObject({ status: 400, code: 'bad-request' })
    expect(answer.message).toMatch(/expected form/)
  })

  it.each<[string, Sent]>([
    ['text that is no JSON', { raw: '{"a":' }],
    ['bytes that are no UTF-8', { raw: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) }],
    ['nothing', { headers: { 'content-type': 'application/json' } }],
    ['a form', { raw: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['plain text, as another site could send', { raw: '{}', headers: { 'content-type': 'text/plain' } }],
  ])('such as %s is refused', async (_name, sent) => {
    expect(await problem(send(chatRoute.POST, { method: 'POST', ...sent }))).toMatchObject({ status: 400 })
  })

  it.each<[string, object]>([
    ['strategy', { strategy: 'YAML' }],
    ['version', { version: 5 }],
    ['limit', { tools: { enabled: true, toolToggles: {}, defaultToolEnabled: true, maxIterations: 0, timeoutMs: 1 } }],
  ])('with an unknown %s in the settings is refused', async (_name, settings) => {
    const answer = await problem(
      send(conversationsRoute.POST, { method: 'POST', body: { id: crypto.randomUUID(), settings } }),
    )
    expect(answer).toMatchObject({ status: 400, message: expect.stringMatching(/settings/) as string })
  })

  it('keeps tool names that look like prototype keys harmless', async () => {
    const id = crypto.randomUUID()
    const raw = `{"id":"${id}","settings":{"version":1,"tools":{"enabled":true,"toolToggles":{"__proto__":true,"constructor":false},"defaultToolEnabled":true,"maxIterations":5,"timeoutMs":30000}}}`
    expect((await send(conversationsRoute.POST, { method: 'POST', raw })).status).toBe(200)
    expect(({} as Record<string, unknown>)['enabled']).toBeUndefined()
  })

  it('that is too large is refused while it arrives, whatever length it claims', async () => {
    const big = { conversationId: 'c', append: { kind: 'user', id: 'u', parentId: null, text: 'x'.repeat(25_000_000) } }
    const first = await problem(send(chatRoute.POST, { method: 'POST', body: big }))
    expect(first).toMatchObject({ status: 413, code: 'too-large', message: expect.stringMatching(/24/) as string })

    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20))
      },
    })
    const headers = { 'content-length': '10' }
    expect(await problem(send(chatRoute.POST, { method: 'POST', raw: endless, headers }))).toMatchObject({
      status: 413,
    })
    expect(pulled).toBeLessThan(400)
  })

  it('that is nested too deep is refused, not followed', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const body = (levels: number) =>
      `{"messageId":"m","slot":0,"attempt":1,"runnerId":"t","outcome":{"status":"completed","result":${deep(levels)},"durationMs":1,"console":[],"displays":[]}}`
    const id = await create()
    const sent = (levels: number) => problem(send(callsRoute.PUT, { method: 'PUT', params: { id }, raw: body(levels) }))
    expect(await sent(100_000)).toMatchObject({ status: 400, message: expect.stringMatching(/too deep/) as string })
    expect(await sent(100)).toMatchObject({ status: 409, code: 'call-not-open' })
  })

  it.each(['-1', '1.5', 'x', '99999999999999999999'])('after=%s is refused', async (after) => {
    const answer = problem(send(eventsRoute.GET, { path: `/x?after=${after}`, params: { id: 'r' } }))
    expect(await answer).toMatchObject({ status: 400 })
  })
})

describe('the visitor', () => {
  it('gets an owner cookie with the first change, which scripts can’t read', async () => {
    const id = crypto.randomUUID()
    const response = await send(conversationsRoute.POST, { method: 'POST', body: { id }, cookie: null })
    const cookie = response.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^nod_owner=[\w.-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/)
    const mine = cookie.split(';')[0] ?? ''
    expect((await send(conversationRoute.GET, { params: { id }, cookie: mine })).status).toBe(200)
    expect((await send(conversationRoute.GET, { params: { id } })).status).toBe(404)
  })

  it('gets a cookie for HTTPS only behind HTTPS', async () => {
    const headers = { 'x-forwarded-proto': 'https' }
    const body = { id: crypto.randomUUID() }
    const response = await send(conversationsRoute.POST, { method: 'POST', body, cookie: null, headers })
    expect(response.headers.get('set-cookie')).toMatch(/; Secure$/)
  })

  it('finds nothing without a cookie, and gets none by reading', async () => {
    const response = await send(conversationsRoute.GET, { cookie: null })
    expect(await response.json()).toEqual({ conversations: [], next: null })
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('is nobody with a forged or foreign cookie', async () => {
    const id = await create()
    const other = createOwners({ secret: new Uint8Array(32).fill(8), newId: () => 'ada', now: Date.now })
    const forged = other.cookie('ada', { secure: false }).split(';')[0] ?? ''
    const unsigned = `nod_owner=${btoa('{"alg":"none"}')}.${btoa('{"sub":"ada","aud":"nod:owner"}')}.`
    for (const cookie of [forged, unsigned, (await cookieOf('ada')).slice(0, -2), 'nod_owner=', 'nod_owner']) {
      expect((await send(conversationRoute.GET, { params: { id }, cookie })).status).toBe(404)
    }
  })

  it('gets 404 for everything of another owner', async () => {
    const id = await create()
    chat.script([{ text: 'CALL read_file {"path":"/a"}' }, { finish: 'stop' }])
    const { runId, replyId } = (await (await say(id, 'hi')).json()) as ChatResponse
    await chat.service.settled(runId)
    const cookie = await cookieOf('eve')
    const decision = await chat.decision(replyId, 0, 'read_file')
    const outcome = { status: 'completed', result: 1, durationMs: 1, console: [], displays: [] }
    const finish = { messageId: replyId, slot: 0, attempt: 1, runnerId: 'tab-1', outcome }
    const answers = [
      send(conversationRoute.GET, { params: { id }, cookie }),
      send(conversationRoute.PATCH, { method: 'PATCH', params: { id }, body: { title: 'x' }, cookie }),
      send(conversationRoute.PATCH, { method: 'PATCH', params: { id }, body: { headId: replyId }, cookie }),
      send(conversationRoute.DELETE, { method: 'DELETE', params: { id }, cookie }),
      say(id, 'mine', { cookie }),
      send(eventsRoute.GET, { params: { id: runId }, cookie }),
      send(stopRoute.POST, { method: 'POST', params: { id: runId }, cookie }),
      send(callsRoute.POST, { method: 'POST', params: { id }, body: decision, cookie }),
      send(callsRoute.PUT, { method: 'PUT', params: { id }, body: finish, cookie }),
    ]
    for (const answer of answers) expect((await problem(answer)).status).toBe(404)
    // The id does not reveal that someone has it: it can be created again, as another chat.
    expect((await send(conversationsRoute.POST, { method: 'POST', body: { id }, cookie })).status).toBe(200)
    expect((await send(conversationRoute.DELETE, { method: 'DELETE', params: { id }, cookie })).ok).toBe(true)
    expect((await send(conversationRoute.GET, { params: { id } })).status).toBe(200)
  })

  it('is refused when another site sends the request', async () => {
    const body = { id: crypto.randomUUID() }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'http://evil.example', host: 'localhost:3000' },
      { origin: 'null', host: 'localhost:3000' },
    ] as Record<string, string>[]) {
      const answer = problem(send(conversationsRoute.POST, { method: 'POST', body, headers }))
      expect(await answer).toMatchObject({ status: 403 })
    }
    const own = { origin: 'http://localhost:3000', host: 'localhost:3000', 'sec-fetch-site': 'same-origin' }
    expect((await send(conversationsRoute.POST, { method: 'POST', body, headers: own })).status).toBe(200)
    const withoutFetchSite = { origin: 'http://localhost:3000', host: 'localhost:3000' }
    expect((await send(conversationsRoute.POST, { method: 'POST', body, headers: withoutFetchSite })).status).toBe(200)
  })

  it('is rate limited', async () => {
    setServer({ ...server, rateLimit: createOwnRate({ burst: 2, perSecond: 0.5, monotonic: () => 0 }) })
    await send(modelsRoute.GET)
    await send(modelsRoute.GET)
    const response = await send(modelsRoute.GET)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('2')
    expect((await send(modelsRoute.GET, { cookie: await cookieOf('eve') })).status).toBe(200)
  })
})

describe('refusals', () => {
  it('a second reply at once is a conflict', async () => {
    const id = await create()
    chat.script([{ hang: 'listening' }])
    const { runId } = (await (await say(id, 'hi')).json()) as ChatResponse
    expect(await problem(say(id, 'again'))).toMatchObject({ status: 409, code: 'run-in-progress' })
    await chat.service.stop('ada', runId)
    await chat.service.settled(runId)
  })

  it('an unknown reply is not found', async () => {
    expect(await problem(send(eventsRoute.GET, { params: { id: 'nothing' } }))).toMatchObject({ status: 404 })
  })

  it('every route reports that the storage is unavailable', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const busy = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })
    const away = { ...store, ping: () => Promise.reject(busy), listConversations: () => Promise.reject(busy) }
    setServer({ ...server, store: away, service: createChatHarness(away).service })
    for (const answer of [readyRoute.GET(), send(conversationsRoute.GET)]) {
      expect(await problem(answer)).toMatchObject({ status: 503, message: expect.stringMatching(/storage/) as string })
    }
  })

  it('an unexpected error reveals no internals', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const service = { ...server.service, list: () => Promise.reject(new Error('secret detail')) }
    setServer({ ...server, service })
    const answer = await problem(send(conversationsRoute.GET))
    expect(answer).toMatchObject({ status: 500, code: 'internal' })
    expect(answer.message).not.toContain('secret')
    expect(warn).toHaveBeenCalledOnce()
  })

  it('a server that could not start answers 503 with the reason', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const failed = Promise.reject(makeError('unavailable', 'server.named-database-not-opened'))
    failed.catch(() => {})
    setServer(failed as unknown as Server)
    expect((await readyRoute.GET()).headers.get('retry-after')).toBe('2')
    expect(healthRoute.GET().status).toBe(200)
    expect(await problem(readyRoute.GET())).toMatchObject({
      status: 503,
      reason: 'server.named-database-not-opened',
      message: expect.stringMatching(/DATABASE_URL could not be opened/),
    })
    expect(await problem(send(conversationsRoute.GET))).toMatchObject({ status: 503 })
  })
})
