import { describe, expect, it } from 'vitest'
import { temporaryHeader } from '@/lib/shared/conversation/wire/addresses'
import { temporaryChatMs } from '@/lib/shared/conversation/wire/api-types'
import type {
  ChatResponse,
  ChatsSorted,
  ConversationExport,
  ConversationsResponse,
  TagsResponse,
} from '@/lib/shared/conversation/wire/api-types'
import type { FoundPage } from '@/lib/shared/conversation/search/list-filter'
import * as chatRoute from './chat/route'
import * as oneRoute from './conversations/[id]/route'
import * as exportRoute from './conversations/[id]/export/route'
import * as importRoute from './conversations/import/route'
import * as listRoute from './conversations/route'
import * as searchRoute from './search/route'
import * as tagsRoute from './tags/route'
import { problem, type Handler, type Sent } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

const served = serveRoutes()

const send = (who: 'ada' | 'eve', handler: Handler, sent: Sent = {}) => served.sendAs(who, handler, sent)
const get = async <T>(who: 'ada' | 'eve', handler: Handler, query: string): Promise<T> =>
  (await (await send(who, handler, { path: `/api${query}` })).json()) as T
const sort = async (who: 'ada' | 'eve', ids: readonly string[], change: object): Promise<readonly string[]> => {
  const response = await send(who, listRoute.PATCH, { method: 'PATCH', body: { ids, change } })
  expect(response.status).toBe(200)
  return ((await response.json()) as ChatsSorted).changed
}

describe('finding and sorting', () => {
  it('finds messages, for their owner only', async () => {
    const { conversationId } = await served.chat.withReply('The wallaby is 袋鼠.')
    for (let read = 1; read > 0;) read = await served.store.indexWords(50)
    for (const query of ['wallab', '袋鼠']) {
      const page = await get<FoundPage>('ada', searchRoute.GET, `?q=${encodeURIComponent(query)}`)
      expect(page.found.map((one) => one.conversationId)).toEqual([conversationId])
    }
    expect((await get<FoundPage>('eve', searchRoute.GET, '?q=wallab')).found).toEqual([])
    expect((await get<FoundPage>('ada', searchRoute.GET, '')).found).toEqual([])
    expect(
      (await get<FoundPage>('ada', searchRoute.GET, `?q=${'wallaby '.repeat(900)}&after=nonsense`)).found,
    ).toHaveLength(1)
  })

  it('changes many chats at once, but only existing ones of the owner', async () => {
    const one = (await served.chat.withReply('one')).conversationId
    const two = (await served.chat.withReply('two')).conversationId
    expect((await sort('ada', [one, two, 'nobody'], { addTag: 'trip' })).toSorted()).toEqual([one, two].toSorted())
    expect(await sort('eve', [one], { deleted: true })).toEqual([])
    expect((await get<TagsResponse>('ada', tagsRoute.GET, '')).tags).toEqual([{ tag: 'trip', chats: 2 }])
    expect((await get<TagsResponse>('eve', tagsRoute.GET, '')).tags).toEqual([])
    await sort('ada', [one], { archived: true })
    const ids = async (query: string) =>
      (await get<ConversationsResponse>('ada', listRoute.GET, query)).conversations.map(({ id }) => id)
    expect(await ids('?archived=1&tag=trip')).toEqual([one])
    expect(await ids('?tag=trip')).toEqual([two])
    await sort('ada', [one, two], { deleted: true })
    expect(await ids('?tag=trip')).toEqual([])
    expect((await sort('ada', [one, two], { deleted: false })).toSorted()).toEqual([one, two].toSorted())
    expect(await ids('?tag=trip')).toEqual([two])
  })

  it('stops the reply in a chat that is deleted', async () => {
    const { conversationId } = await served.chat.withReply('hello')
    await sort('ada', [conversationId], { deleted: true })
    expect(await served.store.runningOf('ada')).toEqual([])
  })

  it('refuses a request without a change, with too many chats, or without a tag, with a sentence', async () => {
    for (const body of [
      { ids: ['a'], change: {} },
      { ids: [], change: { pinned: true } },
      { ids: Array.from({ length: 501 }, (_, n) => `c${n}`), change: { pinned: true } },
      { ids: ['a'], change: { addTag: ' \n ' } },
      { ids: ['a'], change: { addTag: 'x'.repeat(41) } },
      { ids: ['../a'], change: { pinned: true } },
    ]) {
      const refused = await problem(send('ada', listRoute.PATCH, { method: 'PATCH', body }))
      expect(refused.status).toBe(400)
    }
  })

  it('exports and imports a chat’s tags', async () => {
    const { conversationId: id } = await served.chat.withReply('tagged')
    await sort('ada', [id], { addTag: '旅行' })
    const exported = (await (await send('ada', exportRoute.GET, { params: { id } })).json()) as ConversationExport
    expect(exported.tags).toEqual(['旅行'])
    const copy = crypto.randomUUID()
    const body = { id: copy, export: exported }
    expect((await send('eve', importRoute.POST, { method: 'POST', body })).status).toBe(200)
    expect((await get<TagsResponse>('eve', tagsRoute.GET, '')).tags).toEqual([{ tag: '旅行', chats: 1 }])
  })
})

describe('a temporary chat', () => {
  const handlers = { GET: oneRoute.GET, PATCH: oneRoute.PATCH, DELETE: oneRoute.DELETE }
  const one = (who: 'ada' | 'eve', method: keyof typeof handlers, conversationId: string, body?: unknown) =>
    send(who, handlers[method], {
      method,
      params: { id: conversationId },
      ...(body !== undefined && { body }),
    })
  const ids = async () =>
    (await get<ConversationsResponse>('ada', listRoute.GET, '')).conversations.map((row) => row.id)
  const begin = async (id: string) => {
    const append = { kind: 'user', id: `u-${id}`, parentId: null, text: 'hello' }
    const body = { conversationId: id, append, create: {}, temporary: true }
    const response = await send('ada', chatRoute.POST, { method: 'POST', body })
    const { runId, conversation } = (await response.json()) as ChatResponse
    await served.chat.service.settled(runId)
    return conversation
  }

  it('is in no list, and its view says that it is temporary', async () => {
    expect(await begin('t1')).toMatchObject({ temporary: true })
    expect(await ids()).not.toContain('t1')
    const seen = await one('ada', 'GET', 't1')
    expect([seen.status, seen.headers.get(temporaryHeader)]).toEqual([200, '1'])
    expect((await one('eve', 'GET', 't1')).status).toBe(404)
    const { conversationId } = await served.chat.withReply('usual')
    expect((await one('ada', 'GET', conversationId)).headers.has(temporaryHeader)).toBe(false)
  })

  it('lives as long as its page reports, and is deleted after that', async () => {
    await begin('t2')
    expect(await served.store.purgeTemporary(served.chat.clock.now() + temporaryChatMs, 50)).toBe(0)
    expect((await one('ada', 'PATCH', 't2', { temporary: 'open' })).status).toBe(200)
    expect((await one('eve', 'PATCH', 't2', { temporary: 'open' })).status).toBe(404)
    expect(await served.store.purgeTemporary(served.chat.clock.now() + temporaryChatMs + 1, 50)).toBeGreaterThan(0)
    expect((await one('ada', 'GET', 't2')).status).toBe(404)
    expect((await one('ada', 'PATCH', 't2', { temporary: 'open' })).status).toBe(404)
  })

  it('becomes an ordinary chat permanently, or is deleted at once', async () => {
    await begin('t3')
    await begin('t4')
    expect((await one('ada', 'PATCH', 't3', { temporary: 'keep' })).status).toBe(200)
    expect(await ids()).toContain('t3')
    await one('ada', 'PATCH', 't3', { temporary: 'open' })
    expect(await served.store.purgeTemporary(1e15, 50)).toBeGreaterThan(0)
    expect((await one('ada', 'GET', 't3')).status).toBe(200)
    await begin('t5')
    expect((await one('ada', 'DELETE', 't5')).status).toBe(204)
    expect((await one('ada', 'GET', 't5')).status).toBe(404)
  })
})
