import { describe, expect, it } from 'vitest'
import { memoryTool, type Memory, type Project } from '@/lib/shared/conversation/settings/project'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { ConversationsResponse, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import type { FoundPage } from '@/lib/shared/conversation/search/list-filter'
import * as oneRoute from './conversations/[id]/route'
import * as listRoute from './conversations/route'
import * as memoryRoute from './memory/route'
import * as projectRoute from './projects/[id]/route'
import * as projectsRoute from './projects/route'
import * as searchRoute from './search/route'
import { problem, type Handler, type Sent } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

type Who = 'ada' | 'eve'

const served = serveRoutes()
const send = (who: Who, handler: Handler, sent: Sent = {}) => served.sendAs(who, handler, sent)
const add = (who: Who, body: object) =>
  send(who, projectsRoute.POST, { method: 'POST', body: { instructions: '', setup: null, ...body } })
const list = async (who: Who) =>
  ((await (await send(who, projectsRoute.GET)).json()) as { projects: readonly Project[] }).projects
const begin = (who: Who, body: object) =>
  send(who, listRoute.POST, { method: 'POST', body: { settings: defaultSettings('demo/demo'), ...body } })
const memoryAt = (who: Who, query: string) => send(who, memoryRoute.GET, { path: `/api/memory${query}` })
const remember = (who: Who, query: string, text: string, version: number) =>
  send(who, memoryRoute.PUT, { method: 'PUT', path: `/api/memory${query}`, body: { text, version } })
const textOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { memory: Memory }).memory.text

describe('projects', () => {
  it('belong to their owner only', async () => {
    expect((await add('ada', { id: 'p1', name: ' Boat \n trip ' })).status).toBe(200)
    expect(await list('eve')).toEqual([])
    const params = { id: 'p1' }
    const change = { method: 'PATCH', params, body: { name: 'mine' } }
    expect(await problem(send('eve', projectRoute.PATCH, change))).toMatchObject({ status: 404 })
    expect((await send('eve', projectRoute.DELETE, { method: 'DELETE', params })).status).toBe(204)
    expect(await problem(memoryAt('eve', '?project=p1'))).toMatchObject({ status: 404 })
    expect(await problem(remember('eve', '?project=p1', 'x', 0))).toMatchObject({ status: 404 })
    expect(await list('ada')).toMatchObject([{ id: 'p1', name: 'Boat trip', chats: 0 }])
    expect((await send('ada', projectRoute.PATCH, change)).status).toBe(200)
    expect(await list('ada')).toMatchObject([{ name: 'mine' }])
  })

  it('are refused whole if anything in them is invalid', async () => {
    for (const body of [
      { id: '../x', name: 'a' },
      { id: 'x', name: ' \n ' },
      { id: 'x', name: 'a', instructions: 'x'.repeat(20_001) },
      { id: 'x', name: 'a', setup: { strategy: 'Nothing' } },
      { id: 'x', name: 'a', memory: 'x'.repeat(20_001) },
    ]) {
      expect((await problem(add('ada', body))).status).toBe(400)
    }
    expect((await list('ada')).some(({ id }) => id === 'x')).toBe(false)
  })

  it('contain chats, which are listed and searched by project', async () => {
    await add('ada', { id: 'p2', name: 'Zoo' })
    const { conversationId } = await served.chat.withReply('The wombat digs.')
    const other = await served.chat.withReply('Another wombat.')
    for (let read = 1; read > 0;) read = await served.store.indexWords(50)
    const move = { method: 'PATCH', body: { ids: [conversationId], change: { project: 'p2' } } }
    expect((await send('ada', listRoute.PATCH, move)).status).toBe(200)
    const listed = async (query: string) =>
      (await (await send('ada', listRoute.GET, { path: `/api/conversations${query}` })).json()) as ConversationsResponse
    expect((await listed('?project=p2')).conversations).toMatchObject([{ id: conversationId, project: 'p2' }])
    const found = async (query: string) =>
      ((await (await send('ada', searchRoute.GET, { path: `/api/search${query}` })).json()) as FoundPage).found.map(
        (one) => one.conversationId,
      )
    expect((await found('?q=wombat')).toSorted()).toEqual([conversationId, other.conversationId].toSorted())
    expect(await found('?q=wombat&project=p2')).toEqual([conversationId])
    const away = { method: 'PATCH', body: { ids: [conversationId], change: { project: 'nobody' } } }
    expect(await problem(send('ada', listRoute.PATCH, away))).toMatchObject({
      status: 404,
      reason: 'store.no-project',
    })
  })
})

describe('memory', () => {
  it('is changed only from the version that was read', async () => {
    expect((await remember('ada', '', 'One.', 0)).status).toBe(200)
    expect(await problem(remember('ada', '', 'Two.', 0))).toMatchObject({ status: 409, reason: 'store.memory-changed' })
    expect(await textOf(memoryAt('ada', ''))).toBe('One.')
    expect(await textOf(memoryAt('eve', ''))).toBe('')
  })

  it('of a chat is that of its project, and a temporary chat has none', async () => {
    await add('ada', { id: 'p3', name: 'Farm', memory: 'Hens.' })
    await begin('ada', { id: 'inside', project: 'p3' })
    await begin('ada', { id: 'alone' })
    await begin('ada', { id: 'brief', temporary: true, project: 'p3' })
    expect(await textOf(memoryAt('ada', '?chat=inside&of=project'))).toBe('Hens.')
    expect(await textOf(memoryAt('ada', '?chat=inside&of=user'))).toBe('One.')
    expect(await problem(memoryAt('ada', '?chat=alone&of=project'))).toMatchObject({ status: 404 })
    expect(await problem(memoryAt('eve', '?chat=inside&of=project'))).toMatchObject({ status: 404 })
    for (const kind of ['user', 'project']) {
      expect(await problem(memoryAt('ada', `?chat=brief&of=${kind}`))).toMatchObject({ status: 400 })
      expect(await problem(remember('ada', `?chat=brief&of=${kind}`, 'x', 1))).toMatchObject({ status: 400 })
    }
  })

  it('is never used by a temporary chat, whatever its settings, and not sent with a chat’s view', async () => {
    const settings = { ...defaultSettings('demo/demo') }
    const tools = { ...settings.tools, toolToggles: { [memoryTool]: true } }
    await begin('ada', { id: 'brief2', temporary: true, settings: { ...settings, tools } })
    await begin('ada', { id: 'usual', project: 'p3', settings: { ...settings, tools } })
    const view = async (id: string) =>
      (await (await send('ada', oneRoute.GET, { params: { id } })).json()) as ConversationView
    expect((await view('brief2')).conversation.settings.tools.toolToggles[memoryTool]).toBe(false)
    const usual = await view('usual')
    expect(usual.conversation).toMatchObject({ project: 'p3' })
    expect(JSON.stringify(usual)).not.toContain('Hens.')
  })
})
