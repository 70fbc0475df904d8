import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type { McpTool, ToolServer, ToolServerToSave } from '@/lib/shared/conversation/settings/tool-server'
import type {
  ConversationExport,
  ConversationView,
  ModelsResponse,
  ToolsOfChat,
} from '@/lib/shared/conversation/wire/api-types'
import { setHash } from '@/lib/shared/mcp/compare-tools'
import * as exportRoute from './conversations/[id]/export/route'
import * as conversationRoute from './conversations/[id]/route'
import * as useRoute from './conversations/[id]/servers/route'
import * as modelsRoute from './models/route'
import * as serverRoute from './servers/[id]/route'
import * as serversRoute from './servers/route'
import { problem, type Handler, type Sent } from './testing/send'
import { serveRoutes } from './testing/serve-routes'
import * as setRoute from './tool-sets/[hash]/route'

const tools: readonly McpTool[] = [
  { name: 'read.file', description: 'Reads', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
]
const server: ToolServerToSave = {
  url: 'https://mcp.example.com/mcp',
  name: 'Files',
  prefix: 'fs',
  isOn: true,
  era: { kind: 'modern', version: '2026-07-28', at: 5 },
  declined: [],
}
const served = serveRoutes()
let chat: ChatHarness
beforeEach(() => {
  chat = served.chat
})

const send = (who: 'ada' | 'eve', handler: Handler, sent: Sent = {}) => served.sendAs(who, handler, sent)
const put = (body: unknown, { id = 's', who = 'ada' }: { id?: string; who?: 'ada' | 'eve' } = {}) =>
  send(who, serverRoute.PUT, { method: 'PUT', params: { id }, body })
const listed = async (who: 'ada' | 'eve' = 'ada') =>
  ((await (await send(who, serversRoute.GET)).json()) as { servers: readonly ToolServer[] }).servers
const use = (id: string, who: 'ada' | 'eve' = 'ada') =>
  send(who, useRoute.PUT, { method: 'PUT', params: { id }, body: { servers: ['s'] } })
const fresh = async () => {
  const id = crypto.randomUUID()
  await chat.service.create('ada', { id })
  return id
}

describe('/api/servers', () => {
  it('stores servers for their owner only, until they are removed', async () => {
    const answer = await put({ ...server, secret: 'x', tools })
    const saved = { id: 's', ...server, approvedHash: await setHash(tools) }
    expect([answer.status, await answer.json()]).toEqual([200, { server: saved }])
    expect(await listed()).toEqual([saved])
    expect(await listed('eve')).toEqual([])
    await send('eve', serverRoute.DELETE, { method: 'DELETE', params: { id: 's' } })
    expect(await listed()).toHaveLength(1)
    expect((await send('ada', serverRoute.DELETE, { method: 'DELETE', params: { id: 's' } })).status).toBe(204)
    expect(await listed()).toEqual([])
  })

  it('lists active servers in every browser of their owner that starts a chat', async () => {
    const has = async (who: 'ada' | 'eve') =>
      ((await (await send(who, modelsRoute.GET)).json()) as ModelsResponse).hasToolServers
    expect(await has('ada')).toBe(false)
    await put({ ...server, tools })
    expect([await has('ada'), await has('eve')]).toEqual([true, false])
    await put({ ...server, isOn: false })
    expect(await has('ada')).toBe(false)
    await send('ada', serverRoute.DELETE, { method: 'DELETE', params: { id: 's' } })
  })

  it.each([
    ['another scheme', { url: 'ftp://mcp.example.com/' }],
    ['credentials in the address', { url: 'https://me:secret@mcp.example.com/mcp' }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['a prefix that is no name', { prefix: 'F S' }],
    ['two tools of one name', { tools: [...tools, ...tools] }],
    ['a tool without a schema', { tools: [{ name: 'a' }] }],
    ['a declined hash that is none', { declined: ['x'] }],
    ['a set that is too large', { tools: [{ ...tools[0], description: 'x'.repeat(17_000) }] }],
  ])('refuses %s, with a sentence, and stores nothing', async (_what, change) => {
    expect(await problem(put({ ...server, ...change }))).toMatchObject({ status: 400 })
    expect(await listed()).toEqual([])
  })

  it('refuses a prefix that another server has', async () => {
    await put(server)
    expect(await problem(put(server, { id: 't' }))).toMatchObject({
      status: 409,
      message: expect.stringContaining('Choose another name'),
    })
  })
})

describe('server tools in a chat', () => {
  it('are in its view as a hash, in its export as tools, and in the set with that hash', async () => {
    await put({ ...server, tools })
    const id = await fresh()
    const hash = await setHash(tools)
    const toolSets = [{ server: 's', host: 'mcp.example.com', prefix: 'fs', hash }]
    expect((await (await use(id)).json()) as ToolsOfChat).toEqual({ tools: [], toolSets })
    const view = (await (
      await send('ada', conversationRoute.GET, { params: { id }, path: '/api?last=5' })
    ).json()) as ConversationView
    expect([view.tools, view.toolSets]).toEqual([[], toolSets])
    const answer = await send('ada', setRoute.GET, { params: { hash } })
    expect(await answer.json()).toEqual({ tools })
    expect(await problem(send('eve', setRoute.GET, { params: { hash } }))).toMatchObject({ status: 404 })
    const exported = (await (await send('ada', exportRoute.GET, { params: { id } })).json()) as ConversationExport
    expect(exported.tools).toMatchObject([{ name: 'fs_read_file', permission: 'moderate' }])
  })

  it('belong to their owner only', async () => {
    await put({ ...server, tools })
    expect(await problem(use(await fresh(), 'eve'))).toMatchObject({ status: 404 })
  })
})
