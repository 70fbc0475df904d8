import { beforeEach, describe, expect, it } from 'vitest'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { LogEntry } from '@/lib/shared/conversation/conversation'
import type { Grant } from '@/lib/shared/conversation/call-record'
import type { ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import * as amendmentsRoute from './conversations/[id]/amendments/route'
import * as callsRoute from './conversations/[id]/calls/route'
import * as exportRoute from './conversations/[id]/export/route'
import * as grantRoute from './conversations/[id]/grants/[grantId]/route'
import * as grantsRoute from './conversations/[id]/grants/route'
import * as logRoute from './conversations/[id]/log/route'
import { problem, type Handler, type Sent } from './testing/send'
import { cookieOf, serveRoutes } from './testing/serve-routes'

const served = serveRoutes()
let chat: ChatHarness
/** A chat of Ada's whose one reply asks for three tools. */
let id = ''
let messageId = ''

beforeEach(async () => {
  chat = served.chat
  const calls = ['read_file', 'write_file', 'list_directory'].map((name) => `CALL ${name} {"path":"/a"}`)
  const tools = { ...defaultToolConfig, mode: 'auto', resultGate: 'always' } as const
  const made = await chat.withReply(calls.join('\n'), { tools })
  id = made.conversationId
  messageId = made.replyId
})

const send = (handler: Handler, sent: Sent = {}) => served.sendAs('ada', handler, { params: { id }, ...sent })
const decide = async (slot: number, name: string, over: object = {}) =>
  send(callsRoute.POST, { method: 'POST', body: { ...(await chat.decision(messageId, slot, name)), ...over } })
const remember = async (slot: number, name: string, over: object = {}) => {
  const { callHash } = await chat.decision(messageId, slot, name)
  const body = { id: crypto.randomUUID(), messageId, slot, callHash, kind: 'tool', ...over }
  return send(grantsRoute.POST, { method: 'POST', body })
}
const grantOf = async (response: Promise<Response>) => ((await (await response).json()) as { grant: Grant }).grant
const amendment = { call: { name: 'read_file', arguments: { path: '/b' } } }
const finish = (slot: number) => chat.finish(id, messageId, slot, 'content')
const released = { messageId, slot: 0, attempt: 1, release: { kind: 'sent', note: '' } }

describe('the approval routes', () => {
  it('amend a call, and undo it', async () => {
    const put = (body: object) => send(amendmentsRoute.PUT, { method: 'PUT', body: { messageId, slot: 0, ...body } })
    expect(await (await put({ amendment })).json()).toMatchObject({ amendments: [{ slot: 0, ...amendment }] })
    expect(await (await put({ amendment: null })).json()).toEqual({ amendments: [] })
    await decide(0, 'read_file')
    expect(await problem(put({ amendment }))).toMatchObject({ status: 409, code: 'call-not-open' })
  })

  it('release a waiting result', async () => {
    const patch = () => send(callsRoute.PATCH, { method: 'PATCH', body: { ...released, messageId } })
    await decide(0, 'read_file')
    expect(await problem(patch())).toMatchObject({ status: 409, code: 'call-not-open' })
    await finish(0)
    expect(await (await patch()).json()).toMatchObject({ call: { gated: true, release: { kind: 'sent' } } })
  })

  it('remember an approval, use it, and revoke it', async () => {
    const grant = await grantOf(remember(0, 'read_file'))
    expect(grant).toMatchObject({ scope: { kind: 'tool', tool: 'read_file' }, uses: 0 })
    const by = { kind: 'grant', grantId: grant.id }
    expect(await (await decide(0, 'read_file', { by })).json()).toMatchObject({ granted: true, call: { by } })
    const params = { id, grantId: grant.id }
    const revoked = await grantOf(send(grantRoute.DELETE, { method: 'DELETE', params }))
    expect(revoked).toMatchObject({ uses: 1, revokedAt: chat.clock.now() })
  })

  it('stores limits for later tasks after a copy was kept, and keeps a later copy by them', async () => {
    const put = (grantId: string, body: object) =>
      send(grantRoute.PUT, { method: 'PUT', params: { id, grantId }, body })
    const copy = await grantOf(remember(0, 'read_file', { kind: 'copy' }))
    const end = { kind: 'kept', changed: 1, kept: 1, leftOut: [] }
    await put(copy.id, end)
    const limits = { folders: ['/src'], changes: ['created'], maxFiles: 3, maxBytes: 100, runs: 2, until: null }
    const body = { id: 'e1', kind: 'effects', copyId: copy.id, ...limits }
    const post = (over: object = {}) => send(grantsRoute.POST, { method: 'POST', body: { ...body, ...over } })
    expect(await grantOf(post())).toMatchObject({ scope: { kind: 'effects', maxFiles: 3 }, uses: 0 })
    expect(await problem(post({ id: 'e2', folders: ['src'] }))).toMatchObject({ status: 409 })
    const effects = [{ path: '/src/a', change: 'created', size: 5 }]
    expect(await problem(put(copy.id, { kind: 'allow', effects }))).toMatchObject({ status: 409, code: 'conflict' })
    for (const wrong of [
      { ...limits, maxFiles: 201 },
      { ...limits, changes: ['read'] },
      { ...limits, runs: 0 },
    ]) {
      expect(await problem(post({ id: 'e3', ...wrong }))).toMatchObject({ status: 400 })
    }
    const many = Array.from({ length: 201 }, () => effects[0])
    expect(await problem(put(copy.id, { kind: 'allow', effects: many }))).toMatchObject({ status: 400 })
  })

  it('skip a call, with the user’s reason', async () => {
    const answer = await decide(0, 'read_file', { decision: 'skip', reason: 'not needed' })
    expect(await answer.json()).toMatchObject({ granted: true, call: { decision: 'skip', reason: 'not needed' } })
  })

  it('show the log, and return the whole chat as a file that no browser shows', async () => {
    await decide(0, 'read_file')
    const log = await send(logRoute.GET)
    expect(log.headers.get('cache-control')).toBe('no-store')
    const { entries } = (await log.json()) as { entries: readonly LogEntry[] }
    expect(entries).toMatchObject([{ seq: 1, event: 'call-decided' }])
    await chat.service.patch('ada', id, { title: '../Größe "1"\r\nx: y' })
    const response = await send(exportRoute.GET)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename=".._Gr__e _1___x_ y.json"; filename*=UTF-8''.._Gr%C3%B6%C3%9Fe%20_1___x_%20y.json`,
    )
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const exported = (await response.json()) as ConversationExport
    expect(exported).toMatchObject({ format: 'nod-conversation', version: 2, log: entries, conversation: { id } })
  })

  it('return 404 for everything of another owner', async () => {
    const { callHash } = await chat.decision(messageId, 0, 'read_file')
    const grant = await grantOf(remember(0, 'read_file'))
    await decide(2, 'list_directory')
    await finish(2)
    const cookie = await cookieOf('eve')
    const mine = { id: 'eves', messageId, slot: 0, callHash, kind: 'tool' }
    const skip = { messageId, slot: 0, callHash, decision: 'skip', runnerId: 't', attempt: 1 }
    const answers = [
      send(callsRoute.POST, { method: 'POST', body: skip, cookie }),
      send(callsRoute.PATCH, { method: 'PATCH', body: { ...released, messageId, slot: 2 }, cookie }),
      send(amendmentsRoute.PUT, { method: 'PUT', body: { messageId, slot: 0, amendment }, cookie }),
      send(grantsRoute.POST, { method: 'POST', body: mine, cookie }),
      send(grantsRoute.POST, { method: 'POST', body: { ...mine, id: grant.id }, cookie }),
      send(grantRoute.DELETE, { method: 'DELETE', params: { id, grantId: grant.id }, cookie }),
      send(logRoute.GET, { cookie }),
      send(exportRoute.GET, { cookie }),
      send(logRoute.GET, { cookie: null }),
      send(exportRoute.GET, { cookie: null }),
    ]
    for (const answer of answers) expect(await problem(answer)).toMatchObject({ status: 404, code: 'not-found' })
    const view = await chat.service.view('ada', id)
    expect(view).toMatchObject({ amendments: [], grants: [{ revokedAt: null }], calls: [{ slot: 2, release: null }] })
  })

  it('refuse requests from another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    const { callHash } = await chat.decision(messageId, 0, 'read_file')
    const grant = { id: 'g', messageId, slot: 0, callHash, kind: 'tool' }
    for (const answer of [
      send(callsRoute.PATCH, { method: 'PATCH', body: { ...released, messageId }, headers }),
      send(amendmentsRoute.PUT, { method: 'PUT', body: { messageId, slot: 0, amendment }, headers }),
      send(grantsRoute.POST, { method: 'POST', body: grant, headers }),
      send(grantRoute.DELETE, { method: 'DELETE', params: { id, grantId: 'g' }, headers }),
    ]) {
      expect(await problem(answer)).toMatchObject({ status: 403 })
    }
  })
})

describe('a forged decision', () => {
  const nothingRan = async () => expect((await chat.service.view('ada', id)).calls).toEqual([])

  it.each<[string, number, string, object]>([
    ['by a rule that the tool does not have', 0, 'read_file', { by: { kind: 'auto' } }],
    ['by a rule, of a sensitive tool', 1, 'write_file', { by: { kind: 'auto' } }],
    ['by a grant that nobody gave', 0, 'read_file', { by: { kind: 'grant', grantId: 'made-up' } }],
    ['with the hash of other arguments', 0, 'read_file', { callHash: 'a'.repeat(64) }],
    ['with the hash of another call', 0, 'write_file', {}],
    ['that denies by a rule', 2, 'list_directory', { by: { kind: 'auto' }, decision: 'deny' }],
  ])('%s is refused', async (_name, slot, name, over) => {
    expect(await problem(decide(slot, name, over))).toMatchObject({ status: 409, code: 'conflict' })
    await nothingRan()
  })

  it.each([3, 2 ** 30, 2 ** 31 - 1])('of the unknown slot %s is refused', async (slot) => {
    expect(await problem(decide(slot, 'read_file'))).toMatchObject({ status: 409, code: 'call-not-open' })
    await nothingRan()
  })

  it('on a sensitive tool by a remembered approval is refused, and so is such an approval', async () => {
    expect(await problem(remember(1, 'write_file'))).toMatchObject({ status: 409, code: 'conflict' })
    // Even one in the store, however it got there.
    const scope = { kind: 'tool', tool: 'write_file' } as const
    const grant = { id: crypto.randomUUID(), scope, createdAt: 1, uses: 0, lastUsedAt: null, revokedAt: null }
    await served.store.giveGrant('ada', id, grant)
    const by = { kind: 'grant', grantId: grant.id }
    expect(await problem(decide(1, 'write_file', { by }))).toMatchObject({ status: 409, code: 'conflict' })
    await nothingRan()
  })

  it('by a revoked approval, in any tab, is refused', async () => {
    const grant = await grantOf(remember(0, 'read_file'))
    await send(grantRoute.DELETE, { method: 'DELETE', params: { id, grantId: grant.id } })
    const by = { kind: 'grant', grantId: grant.id }
    expect(await problem(decide(0, 'read_file', { by }))).toMatchObject({ status: 409, code: 'conflict' })
    await nothingRan()
  })

  it('by an approval of another chat is refused', async () => {
    const grant = await grantOf(remember(0, 'read_file'))
    const other = await chat.withReply('CALL read_file {"path":"/a"}')
    const body = await chat.decision(other.replyId, 0, 'read_file', { by: { kind: 'grant', grantId: grant.id } })
    const answer = send(callsRoute.POST, { method: 'POST', params: { id: other.conversationId }, body })
    expect(await problem(answer)).toMatchObject({ status: 409, code: 'conflict' })
  })

  it('on arguments that were changed after the click is refused', async () => {
    await send(amendmentsRoute.PUT, { method: 'PUT', body: { messageId, slot: 0, amendment } })
    expect(await problem(decide(0, 'read_file'))).toMatchObject({ status: 409, code: 'conflict' })
    await nothingRan()
  })
})

describe('a bad body', () => {
  const name = { messageId: 'm', slot: 0 }
  const hash = 'a'.repeat(64)
  it.each<[string, Handler, string, unknown]>([
    ['a slot beyond all', amendmentsRoute.PUT, 'PUT', { messageId: 'm', slot: 2 ** 31, amendment: null }],
    ['no amendment', amendmentsRoute.PUT, 'PUT', name],
    [
      'a call without a name',
      amendmentsRoute.PUT,
      'PUT',
      { ...name, amendment: { call: { name: '', arguments: {} } } },
    ],
    [
      'a list for arguments',
      amendmentsRoute.PUT,
      'PUT',
      { ...name, amendment: { call: { name: 'a', arguments: [] } } },
    ],
    ['a release without a note', callsRoute.PATCH, 'PATCH', { ...name, attempt: 1, release: { kind: 'sent' } }],
    ['a release of no kind', callsRoute.PATCH, 'PATCH', { ...name, attempt: 1, release: { kind: 'x', note: '' } }],
    [
      'a change without a result',
      callsRoute.PATCH,
      'PATCH',
      {
        ...name,
        attempt: 1,
        release: { kind: 'changed', changes: [], note: '' },
      },
    ],
    [
      'a note without end',
      callsRoute.PATCH,
      'PATCH',
      {
        ...name,
        attempt: 1,
        release: { kind: 'sent', note: 'x'.repeat(2_001) },
      },
    ],
    ['a scope of the client’s own', grantsRoute.POST, 'POST', { ...name, id: 'g', callHash: hash, kind: 'everything' }],
    ['a grant without a hash', grantsRoute.POST, 'POST', { ...name, id: 'g', kind: 'tool' }],
    [
      'a decider of its own',
      callsRoute.POST,
      'POST',
      {
        ...name,
        callHash: hash,
        decision: 'run',
        runnerId: 't',
        attempt: 1,
        by: { kind: 'admin' },
      },
    ],
  ])('with %s is refused', async (_name, handler, method, body) => {
    const answer = await problem(send(handler, { method, body }))
    expect(answer).toMatchObject({ status: 400, code: 'bad-request' })
    expect(answer.message).toMatch(/expected form/)
  })

  it('that is too large or too deep is refused', async () => {
    const large = { ...name, amendment: { call: { name: 'a', arguments: { text: 'x'.repeat(5_000_000) } } } }
    const deep = `{"messageId":"m","slot":0,"amendment":{"call":{"name":"a","arguments":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}}}`
    const grant = { ...name, id: 'g', callHash: hash, kind: 'tool', padding: 'x'.repeat(70_000) }
    const result = {
      ...name,
      attempt: 1,
      release: { kind: 'changed', result: 'x'.repeat(9_000_000), changes: [], note: '' },
    }
    const put = { method: 'PUT' }
    expect(await problem(send(amendmentsRoute.PUT, { ...put, body: large }))).toMatchObject({ status: 413 })
    expect(await problem(send(amendmentsRoute.PUT, { ...put, raw: deep }))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/too deep/) as string,
    })
    expect(await problem(send(grantsRoute.POST, { method: 'POST', body: grant }))).toMatchObject({ status: 413 })
    expect(await problem(send(callsRoute.PATCH, { method: 'PATCH', body: result }))).toMatchObject({ status: 413 })
  })

  it('with prototype keys in its arguments changes nothing but the call', async () => {
    const raw = `{"messageId":"${messageId}","slot":0,"amendment":{"call":{"name":"read_file","arguments":{"path":"/a","__proto__":{"polluted":1}}}}}`
    const answer = await send(amendmentsRoute.PUT, { method: 'PUT', raw })
    expect(answer.status).toBe(200)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(await answer.text()).toContain('"__proto__":{"polluted":1}')
  })
})
