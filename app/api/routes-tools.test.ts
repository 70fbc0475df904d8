import { beforeEach, describe, expect, it } from 'vitest'
import type { ConversationExport, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import {
  type RegisteredTool,
  type ToolToRegister,
  defaultToolConfig,
} from '@/lib/shared/conversation/settings/registered-tool'
import type { ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import { callHash } from '@/lib/shared/calls/call-hash'
import * as callsRoute from './conversations/[id]/calls/route'
import * as exportRoute from './conversations/[id]/export/route'
import * as conversationRoute from './conversations/[id]/route'
import * as toolsRoute from './conversations/[id]/tools/route'
import * as importRoute from './conversations/import/route'
import { problem, type Handler, type Sent } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

const askWiki: ToolToRegister = {
  name: 'ask_wiki',
  description: 'Asks the wiki.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  permission: 'public',
  files: 'none',
}
const registered: RegisteredTool = { ...askWiki, origin: 'registered' }
const served = serveRoutes()
let chat: ChatHarness
beforeEach(() => {
  chat = served.chat
})

const send = (who: 'ada' | 'eve', handler: Handler, sent: Sent = {}) => served.sendAs(who, handler, sent)
const put = (id: string, body: unknown, who: 'ada' | 'eve' = 'ada') =>
  send(who, toolsRoute.PUT, { method: 'PUT', params: { id }, body })
const view = async (id: string) =>
  (await (await send('ada', conversationRoute.GET, { params: { id } })).json()) as ConversationView
const exportOf = async (id: string) =>
  (await (await send('ada', exportRoute.GET, { params: { id } })).json()) as ConversationExport
const fresh = async () => {
  const id = crypto.randomUUID()
  await chat.service.create('ada', { id })
  return id
}

describe('PUT /api/conversations/:id/tools', () => {
  it('adds a tool to a conversation, whose view includes it from then on', async () => {
    const id = await fresh()
    const answer = await put(id, { ...askWiki, origin: 'imported', secret: 'x' })
    expect([answer.status, await answer.json()]).toEqual([200, { tools: [registered] }])
    expect((await view(id)).tools).toEqual([registered])
    expect(await (await put(id, askWiki)).json()).toEqual({ tools: [registered] })
    const sensitive = { ...askWiki, permission: 'sensitive' }
    expect(await (await put(id, sensitive)).json()).toEqual({ tools: [{ ...sensitive, origin: 'registered' }] })
    expect((await view(await fresh())).tools).toEqual([])
  })

  it('refuses strangers, taken names and invalid tools, each with a sentence, and stores nothing', async () => {
    const id = await fresh()
    expect(await problem(put(id, askWiki, 'eve'))).toMatchObject({ status: 404 })
    expect(await problem(put(id, { ...askWiki, name: 'read_file' }))).toMatchObject({
      status: 409,
      message: expect.stringContaining('Choose another name'),
    })
    const deep = JSON.parse('{"items":'.repeat(100) + '{}' + '}'.repeat(100)) as object
    for (const wrong of [
      { name: 'two words' },
      { name: '__proto__' },
      { description: '' },
      { description: 'x'.repeat(5_000) },
      { permission: 'none' },
      { files: 'all' },
      { parameters: { type: 'array' } },
      { parameters: { type: 'object', properties: { a: deep } } },
      { parameters: { type: 'object', properties: { a: { $ref: '#' } } } },
    ]) {
      expect(await problem(put(id, { ...askWiki, ...wrong }))).toMatchObject({ status: 400, code: 'bad-request' })
    }
    expect(await problem(put(id, { ...askWiki, description: 'x'.repeat(100_000) }))).toMatchObject({ status: 413 })
    expect((await view(id)).tools).toEqual([])
  })
})

describe('DELETE /api/conversations/:id/tools', () => {
  const remove = (id: string, name: string, who: 'ada' | 'eve' = 'ada') =>
    send(who, toolsRoute.DELETE, { method: 'DELETE', params: { id }, path: `/api?name=${name}` })

  it('removes a tool from its chat, for its owner only, and accepts that it is gone already', async () => {
    const id = await fresh()
    await put(id, askWiki)
    expect(await problem(remove(id, 'ask_wiki', 'eve'))).toMatchObject({ status: 404 })
    expect(await (await remove(id, 'other')).json()).toEqual({ tools: [registered] })
    expect(await (await remove(id, 'ask_wiki')).json()).toEqual({ tools: [] })
    expect((await remove(id, 'ask_wiki')).status).toBe(200)
    expect((await view(id)).tools).toEqual([])
  })
})

describe('calls of a registered tool', () => {
  it('are parsed and decided by its spec, and never by another chat’s', async () => {
    const { conversationId: id, replyId } = await chat.withReply('CALL ask_wiki {"path":"/a"}')
    const decide = async () =>
      send('ada', callsRoute.POST, {
        method: 'POST',
        params: { id },
        body: {
          messageId: replyId,
          slot: 0,
          callHash: await callHash(replyId, 0, 'ask_wiki', { path: '/a' }),
          decision: 'run',
          runnerId: 'tab',
          attempt: 1,
        },
      })
    expect(await problem(decide())).toMatchObject({ code: 'call-not-open' })
    await put(id, askWiki)
    expect(await (await decide()).json()).toMatchObject({ granted: true, call: { name: 'ask_wiki' } })
  })
})

describe('an export with registered tools', () => {
  const importIt = async (exported: unknown, take: readonly string[] = []) => {
    const id = crypto.randomUUID()
    const body = { id, export: exported, take }
    return { id, response: await send('ada', importRoute.POST, { method: 'POST', body }) }
  }
  /** A chat whose tool ran once and waits once. */
  const chatWithTool = async () => {
    const tools = {
      ...defaultToolConfig,
      toolToggles: { ask_wiki: true },
      toolRules: { ask_wiki: { execution: 'never' as const } },
    }
    const text = 'CALL ask_wiki {"path":"/a"}\nCALL ask_wiki {"path":"/b"}'
    const { conversationId, replyId } = await chat.withReply(text, { tools })
    await put(conversationId, askWiki)
    await chat.decide(conversationId, await chat.decision(replyId, 0, 'ask_wiki'))
    await chat.finish(conversationId, replyId, 0, 'found')
    return exportOf(conversationId)
  }

  it('is restored without permissions: it is readable, always asks, and is neither offered nor run', async () => {
    const exported = await chatWithTool()
    expect(exported.tools).toEqual([registered])
    const { id, response } = await importIt(exported, ['tools', 'limits', 'systemPrompt', 'model'])
    expect(response.status).toBe(200)
    const now = await view(id)
    expect(now.tools).toEqual([{ ...askWiki, permission: 'sensitive', origin: 'imported' }])
    expect(now.conversation.settings.tools).toMatchObject({ toolToggles: {}, toolRules: {}, mode: 'manual' })
    const reply = now.messages.at(-1)
    expect(now.calls).toMatchObject([{ messageId: reply?.id, slot: 0, name: 'ask_wiki', decision: 'run' }])
    const hash = await callHash(reply?.id ?? '', 1, 'ask_wiki', { path: '/b' })
    const second = await chat.decision(reply?.id ?? '', 1, 'ask_wiki', { callHash: hash })
    await expect(chat.decide(id, second)).rejects.toMatchObject({ code: 'call-not-open' })
    // Its owner registers it here: then the waiting call can run.
    await put(id, askWiki)
    expect(await chat.decide(id, second)).toMatchObject({ granted: true })
  })

  it('leaves out tools whose names exist here, and is refused whole if one is invalid', async () => {
    const exported = await chatWithTool()
    const taken = [registered, { ...registered, name: 'read_file' }]
    const { id } = await importIt({ ...exported, tools: taken })
    expect((await view(id)).tools?.map(({ name }) => name)).toEqual(['ask_wiki'])
    for (const wrong of [{ ...registered, name: 'a b' }, { ...registered, parameters: [] }, 'ask_wiki']) {
      expect((await importIt({ ...exported, tools: [wrong] })).response.status).toBe(400)
    }
    const { tools: _, ...before } = exported
    expect((await importIt(before)).response.status).toBe(200)
  })
})
