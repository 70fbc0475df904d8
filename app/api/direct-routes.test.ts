import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createOwnRate } from '@/lib/server/quota/rate'
import { createChatHarness, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { appHeaders, dataHeaders } from '@/lib/server/http/response-headers'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { setDraining } from '@/lib/server/wiring/process/draining.server'
import { setServer } from '@/lib/server/wiring/server'
import * as chatRoute from './chat/route'
import * as conversationsRoute from './conversations/route'
import { directRoutes } from './direct-routes'
import * as healthRoute from './health/route'
import * as readyRoute from './ready/route'
import * as eventsRoute from './runs/[id]/events/route'
import { sendTo } from './testing/send'
import { cookieOf, testOwners } from './testing/serve-routes'

/* A real server with the direct Node routes; requests left to Next get status 599 here. */

let store: Store
let chat: ChatHarness
let cookie = ''
let port = 0
const web = createServer((request, response) => {
  void directRoutes(request, response, () => Promise.resolve()).then((done) => done || response.writeHead(599).end())
})

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
  cookie = await cookieOf('ada')
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  port = (web.address() as AddressInfo).port
})
afterAll(async () => {
  web.close()
  web.closeAllConnections()
  await store.close()
})
beforeEach(() => {
  chat = createChatHarness(store)
  const rateLimit = createOwnRate({ burst: 10_000, perSecond: 1, monotonic: () => 0 })
  setServer({ service: chat.service, store, owners: testOwners, rateLimit })
})
afterEach(() => {
  setDraining(false)
  setServer(null)
})

interface Asked {
  readonly method?: string
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function open({ method = 'GET', path, body, headers = {} }: Asked): Promise<IncomingMessage> {
  const sent = ask({ port, host: '127.0.0.1', path, method, headers: { cookie, ...headers } })
  sent.end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

async function send(asked: Asked) {
  const response = await open(asked)
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece as string
  return { status: response.statusCode, headers: response.headers, text }
}

const json = { 'content-type': 'application/json' }
const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  send({ method: 'POST', path, body: JSON.stringify(body), headers: { ...json, ...headers } })

async function startReply(): Promise<string> {
  const id = crypto.randomUUID()
  expect((await post('/api/conversations', { id })).status).toBe(200)
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text: 'hi' }
  const answer = await post('/api/chat', { conversationId: id, append })
  expect(answer.status).toBe(200)
  return (JSON.parse(answer.text) as { runId: string }).runId
}

describe('answers without Next', () => {
  it('carry a turn from the message to the end of the log, with the app’s headers', async () => {
    chat.script([{ text: 'Hello 日本語' }, { finish: 'stop' }])
    const { text, headers, status } = await send({ path: `/api/runs/${await startReply()}/events?after=0` })
    expect(status).toBe(200)
    for (const { key, value } of [...appHeaders, ...dataHeaders]) expect(headers[key.toLowerCase()]).toBe(value)
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    const lines = text.split('\n').filter(Boolean)
    const events = lines.map((line) => JSON.parse(line) as RunEvent)
    expect(events.map(({ type }) => type)).toEqual(['start', 'delta', 'end'])
    expect(events[1]).toMatchObject({ text: 'Hello 日本語' })
  })

  it('answer as the Next routes do, for any request', async () => {
    chat.script([{ text: 'Hello' }, { finish: 'stop' }])
    const known = await startReply()
    await chat.service.settled(known)
    const header = fc.constantFrom<Readonly<Record<string, string>>>(
      {},
      { host: 'evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://evil.example' },
      { cookie: '' },
      { cookie: 'nod_owner=forged' },
      { 'content-type': 'text/plain' },
    )
    const body = fc.constantFrom('', '{', '{}', '[]', '{"id":"x"}', '{"conversationId":"x","append":{"kind":"user"}}')
    const asked = fc.oneof(
      fc.record({ path: fc.constantFrom('/api/chat', '/api/conversations'), body, headers: header }),
      fc.record({
        path: fc
          .tuple(fc.constantFrom(known, 'nobody'), fc.constantFrom('', '?after=0', '?after=2', '?after=x', '?places'))
          .map(([id, query]) => `/api/runs/${id}/events${query}`),
        headers: header,
      }),
    )
    const seen = new Set<number | undefined>()
    await fc.assert(
      fc.asyncProperty(asked, async (one) => {
        const method = 'body' in one ? 'POST' : 'GET'
        const sent = { ...('body' in one ? json : {}), ...one.headers }
        const direct = await send({ ...one, method, headers: sent })
        const id = /runs\/([^/]+)/.exec(one.path)?.[1]
        const route = id ? eventsRoute.GET : one.path.endsWith('chat') ? chatRoute.POST : conversationsRoute.POST
        const byRoute = await sendTo(route, {
          method,
          path: one.path,
          params: id ? { id } : {},
          cookie: 'cookie' in one.headers ? one.headers.cookie : cookie,
          headers: { host: `127.0.0.1:${port}`, ...sent },
          ...('body' in one && { raw: one.body }),
        })
        seen.add(direct.status)
        expect([direct.status, direct.text]).toEqual([byRoute.status, await byRoute.text()])
        for (const [name, value] of byRoute.headers) {
          if (name !== 'set-cookie') expect([name, direct.headers[name]]).toEqual([name, value])
        }
        expect((direct.headers['set-cookie'] ?? []).length).toBe(byRoute.headers.getSetCookie().length)
      }),
      { numRuns: 120 },
    )
    expect(seen).toEqual(new Set([200, 400, 403, 404, 421]))
  })

  it('report the process’s health to anyone, as the Next routes do', async () => {
    for (const isDown of [false, true]) {
      setDraining(isDown)
      for (const [path, route] of [
        ['/api/health', healthRoute.GET],
        ['/api/ready', readyRoute.GET],
        ['/api/ready?full=503', readyRoute.GET],
      ] as const) {
        const direct = await send({ path, headers: { cookie: '' } })
        const byRoute = await route(new Request(`http://127.0.0.1:${port}${path}`))
        expect([path, direct.status, direct.text]).toEqual([path, byRoute.status, await byRoute.text()])
        expect(direct.status).toBe(isDown && path !== '/api/health' ? 503 : 200)
        for (const [name, value] of byRoute.headers) expect([name, direct.headers[name]]).toEqual([name, value])
        for (const { key, value } of [...appHeaders, ...dataHeaders]) {
          expect(direct.headers[key.toLowerCase()]).toBe(value)
        }
      }
    }
  })

  it.each([
    ['HEAD', '/api/health'],
    ['HEAD', '/api/chat'],
    ['PUT', '/api/chat'],
    ['POST', '/api/chat/'],
    ['POST', '//api/chat'],
    ['POST', '/api/../api/chat'],
    ['POST', '/api/runs/x/events'],
    ['GET', '/api/runs/%78/events'],
    ['GET', '/api/runs/a/b/events'],
    ['GET', '/api/conversations'],
    ['GET', '/'],
  ])('leave %s %s to Next', async (method, path) => {
    expect((await send({ method, path })).status).toBe(599)
  })

  it('stop reading when the reader disconnects, and close the connection during shutdown', async () => {
    chat.script([{ text: 'Hel' }, { hang: 'listening' }])
    const runId = await startReply()
    const left = Promise.withResolvers<void>()
    const { events } = chat.service
    chat.service.events = (...asked) => {
      asked[3].addEventListener('abort', () => left.resolve(), { once: true })
      return events(...asked)
    }
    setDraining(true)
    const response = await open({ path: `/api/runs/${runId}/events` })
    expect(response.headers.connection).toBe('close')
    await once(response, 'data')
    response.destroy()
    await expect(left.promise).resolves.toBeUndefined()
    const drained = chat.service.drain(0)
    await chat.clock.pass(1_000)
    await drained
  })
})
