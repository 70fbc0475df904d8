import { beforeEach, describe, expect, it } from 'vitest'
import { createChatHarness, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { lineToolFacts, lineToolsOf } from '@/lib/server/chats/testing/line-strategy'
import type { JsonObject } from '@/lib/base/json'
import { makeError } from '@/lib/i18n/t'
import { callHash } from '@/lib/shared/calls/call-hash'
import type { ChatServicePorts } from '@/lib/server/stored-chats/chat-service-ports'
import type { WebHost, WebTask } from '@/lib/server/web/web-host'
import { readPage } from '@/lib/shared/tools/read-page'
import { searchWeb } from '@/lib/shared/tools/search-web'
import type { WebAnswer } from '@/lib/shared/web/web-answer'
import * as webRoute from './conversations/[id]/calls/web/route'
import { problem, type Handler, type Sent } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

const answer: WebAnswer = { kind: 'page', url: 'https://example.com/a', type: 'html', charset: null, base64: 'PHA+' }
const sent: (readonly [string, WebTask])[] = []
let released = 0
let busy = false
const web: WebHost = {
  access: new Set(['pages']),
  prepare(owner, task) {
    if (busy) return Promise.reject(makeError('rate-limited', 'chat.web-busy', { seconds: 5 }))
    return Promise.resolve({
      release: () => void (released += 1),
      run() {
        sent.push([owner, task])
        return Promise.resolve(answer)
      },
    })
  },
}
const tools = [readPage, searchWeb]
/** A tool that runs code. */
const runCode = {
  spec: { ...readPage.spec, name: 'run_code' },
  policy: { permission: 'moderate', callsTools: 'javascript' },
} as const
const ports: Partial<ChatServicePorts> = {
  web,
  discoverTools: (config, registered) => [
    ...lineToolsOf(config, registered),
    ...[...tools, runCode].map(({ spec }) => spec),
  ],
  toolFacts: (name, registered) =>
    [...tools, runCode].find(({ spec }) => spec.name === name) ?? lineToolFacts(name, registered),
}

const served = serveRoutes(ports)
let chat: ChatHarness
beforeEach(() => {
  chat = served.chat
  sent.length = 0
  released = 0
  busy = false
})

const send = (who: 'ada' | 'eve', handler: Handler, what: Sent = {}) => served.sendAs(who, handler, what)
const open = (id: string, body: object, who: 'ada' | 'eve' = 'ada') =>
  send(who, webRoute.POST, { method: 'POST', params: { id }, body })

async function withCall(name = 'read_page', given: JsonObject = { url: 'https://example.com/a?b=1' }, isRun = true) {
  const args = { path: '/', ...given }
  const id = await chat.newChat()
  chat.script([{ text: `CALL ${name} ${JSON.stringify(args)}` }, { finish: 'stop' }])
  const { replyId } = await chat.send(id, 'go')
  const decide = async (attempt: number) => {
    const hash = await callHash(replyId, 0, name, args)
    return chat.decide(id, { messageId: replyId, slot: 0, callHash: hash, decision: 'run', runnerId: 'tab-1', attempt })
  }
  if (isRun) await decide(1)
  return { id, decide, key: { messageId: replyId, slot: 0, attempt: 1 } }
}

describe('a call that reads a page', () => {
  it('uses the stored arguments, whatever the page sends', async () => {
    const { id, key } = await withCall()
    const response = await open(id, { ...key, url: 'http://127.0.0.1/', arguments: { url: 'http://127.0.0.1/' } })
    expect(await response.json()).toEqual({ answer })
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    expect(sent).toEqual([['ada', { kind: 'pages', url: 'https://example.com/a?b=1' }]])
  })

  it('is carried out for code that asks for it, as that is stored, once', async () => {
    const { id, key } = await withCall('run_code', {})
    const inner = { ...key, runnerId: 'tab-1', n: 1, name: 'read_page', arguments: { url: 'https://example.com/in' } }
    expect(await problem(open(id, { ...key, inner: 1 }))).toMatchObject({ status: 409 })
    await chat.service.decideInner('ada', id, { ...inner, decision: 'run' })
    await chat.service.decideInner('ada', id, { ...inner, n: 2, decision: 'deny' })
    expect(await problem(open(id, { ...key, inner: 1 }, 'eve'))).toMatchObject({ status: 404 })
    expect(await problem(open(id, { ...key, inner: 2 }))).toMatchObject({ reason: 'chat.relay-taken' })
    // The code itself is no call that this server carries out.
    expect(await problem(open(id, key))).toMatchObject({ reason: 'chat.web-off' })
    expect((await open(id, { ...key, inner: 1 })).status).toBe(200)
    expect(await problem(open(id, { ...key, inner: 1 }))).toMatchObject({ reason: 'chat.relay-taken' })
    expect(sent).toEqual([['ada', { kind: 'pages', url: 'https://example.com/in' }]])
    const secret = { url: 'https://example.com/?key=⟦secret-1⟧' }
    await chat.service.decideInner('ada', id, { ...inner, n: 3, arguments: secret, decision: 'run' })
    expect(await problem(open(id, { ...key, inner: 3 }))).toMatchObject({ reason: 'chat.relay-secret' })
  })

  it('is carried out once, by one of two nodes, and again by another click', async () => {
    const { id, key, decide } = await withCall()
    const other = createChatHarness(served.store, ports)
    const { signal } = new AbortController()
    const asked = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? chat : other).service.openWeb('ada', id, key, signal)),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(released).toBe(9)
    expect(await problem(open(id, key))).toMatchObject({ status: 409, reason: 'chat.relay-taken' })
    expect(sent).toHaveLength(1)
    await decide(2)
    expect((await open(id, { ...key, attempt: 2 })).status).toBe(200)
    expect(sent).toHaveLength(2)
  })

  it('is refused without a click, for another owner, after a stop, or once it has an outcome', async () => {
    const undecided = await withCall('read_page', { url: 'https://example.com/' }, false)
    expect(await problem(open(undecided.id, undecided.key))).toMatchObject({ status: 409 })
    const { id, key } = await withCall()
    expect(await problem(open(id, key, 'eve'))).toMatchObject({ status: 404 })
    expect(await problem(open(id, { ...key, attempt: 2 }))).toMatchObject({ status: 409 })
    await chat.service.stopCall('ada', id, { ...key, runnerId: 'tab-1' })
    expect(await problem(open(id, key))).toMatchObject({ status: 409, reason: 'chat.relay-taken' })
    expect(sent).toEqual([])
  })

  it('is refused with a placeholder whose value only a browser knows', async () => {
    const { id, key } = await withCall('read_page', { url: 'https://example.com/?key=⟦secret-1⟧' })
    expect(await problem(open(id, key))).toMatchObject({ status: 409, reason: 'chat.relay-secret' })
    expect([sent.length, released]).toEqual([0, 0])
  })

  it('is not claimed if it has to wait: the same attempt can try again', async () => {
    const { id, key } = await withCall()
    busy = true
    expect(await problem(open(id, key))).toMatchObject({ status: 429, reason: 'chat.web-busy' })
    busy = false
    expect((await open(id, key)).status).toBe(200)
  })

  it('is refused if its tool is not a web tool or is not enabled', async () => {
    const other = await withCall('read_file', { url: 'https://example.com/' })
    expect(await problem(open(other.id, other.key))).toMatchObject({ status: 409, reason: 'chat.web-off' })
    const search = await withCall('search_web', { query: 'x' })
    expect(await problem(open(search.id, search.key))).toMatchObject({ status: 409, reason: 'chat.web-off' })
    expect(sent).toEqual([])
  })
})
