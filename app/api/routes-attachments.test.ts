import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatResponse, ConversationView } from '@/lib/shared/conversation/wire/api-types'
import type { ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import * as chatRoute from './chat/route'
import * as imageRoute from './conversations/[id]/attachments/[messageId]/[number]/route'
import * as conversationRoute from './conversations/[id]/route'
import { problem, type Handler, type Sent } from './testing/send'
import { cookieOf, serveRoutes } from './testing/serve-routes'

const png = Buffer.from('\u0089PNG\r\n\u001a\nand the rest', 'latin1')
const served = serveRoutes()
let chat: ChatHarness
beforeEach(() => {
  chat = served.chat
})

const send = (handler: Handler, sent: Sent = {}) => served.sendAs('ada', handler, sent)
const image = (over: object = {}) => ({ mediaType: 'image/png', data: png.toString('base64'), ...over })
const file = (over: object = {}) => ({
  path: '/attachments/cat.png',
  mediaType: 'image/png',
  size: 20,
  head: null,
  isImage: true,
  image: image(),
  ...over,
})

async function say(attachments: unknown, over: object = {}, conversationId?: string) {
  const id = conversationId ?? (await chat.newChat())
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text: '', attachments, ...over }
  const response = await send(chatRoute.POST, { method: 'POST', body: { conversationId: id, append } })
  return { id, response, messageId: append.id }
}

const picture = (id: string, messageId: string, number = '0', sent: Sent = {}) =>
  send(imageRoute.GET, { params: { id, messageId, number }, ...sent })

describe('a message with files', () => {
  it('needs no text, names the chat, and stores its picture separately', async () => {
    const { id, response, messageId } = await say([file({ path: '/attachments/notes.txt', image: undefined }), file()])
    const { message, runId } = (await response.json()) as ChatResponse
    await chat.service.settled(runId)
    expect(message?.attachments).toEqual([
      expect.objectContaining({ path: '/attachments/notes.txt', isImage: false }),
      { path: '/attachments/cat.png', mediaType: 'image/png', size: 20, head: null, isImage: true },
    ])
    const view = (await (await send(conversationRoute.GET, { params: { id } })).json()) as ConversationView
    expect(view.conversation.title).toBe('notes.txt, cat.png')
    expect(JSON.stringify(view)).not.toContain(png.toString('base64'))
    expect(Buffer.from(await (await picture(id, messageId, '1')).arrayBuffer())).toEqual(png)
    expect((await problem(picture(id, messageId, '0'))).status).toBe(404)
  })

  it('sends its picture only to a model that the user says can see', async () => {
    const askedWith = async (images?: Readonly<Record<string, boolean>>) => {
      const id = await chat.newChat(images && { images })
      const { response } = await say([file()], {}, id)
      await chat.service.settled(((await response.json()) as ChatResponse).runId)
      return JSON.stringify(chat.model.doStreamCalls.at(-1)?.prompt)
    }
    // The test's model is listed as one that can't see.
    const data = png.toString('base64')
    expect(await askedWith()).not.toContain(data)
    expect(await askedWith({ 'test/scripted': false })).not.toContain(data)
    expect(await askedWith({ 'test/other': true })).toContain('you cannot see it')
    const seen = await askedWith({ 'test/scripted': true })
    expect(seen).toContain(data)
    expect(seen).toContain('shown below')
  })

  it('keeps them when it is edited', async () => {
    const first = await say([file()])
    await chat.service.settled(((await first.response.json()) as ChatResponse).runId)
    const edit = { text: 'edited', branch: 'edit', keepAttachmentsOf: first.messageId } as const
    const edited = await say(undefined, edit, first.id)
    const { message, runId } = (await edited.response.json()) as ChatResponse
    await chat.service.settled(runId)
    expect(message).toMatchObject({ text: 'edited', attachments: [{ path: '/attachments/cat.png', isImage: true }] })
    expect((await picture(first.id, edited.messageId)).status).toBe(200)
  })

  const pages = { unit: 'page', total: 40, tokens: 15_000, whole: false, hidden: 0 } as const

  it('accepts a longer start of a document', async () => {
    const { response } = await say([file({ image: undefined, head: 'x'.repeat(6_000), document: pages })])
    expect(response.status).toBe(200)
  })

  it.each([
    ['a picture that is none', [file({ image: image({ data: btoa('<svg onload=alert(1)>') }) })]],
    ['a picture of another kind than it says', [file({ image: image({ mediaType: 'image/gif' }) })]],
    ['a kind that no browser may be trusted with', [file({ image: image({ mediaType: 'image/svg+xml' }) })]],
    ['base64 that is none', [file({ image: image({ data: `${png.toString('base64')}\n!` }) })]],
    ['a picture beyond the limit', [file({ image: image({ data: png.toString('base64').padEnd(5_000_004, 'A') }) })]],
    ['too many files', Array.from({ length: 21 }, () => file({ image: undefined }))],
    ['too long a beginning', [file({ head: 'x'.repeat(2_001) })]],
    ['too long a beginning of a document', [file({ head: 'x'.repeat(6_001), document: pages })]],
    ['a path that leads elsewhere', [file({ path: '/attachments/../../etc' })]],
    ['a type that could end a line', [file({ mediaType: 'text/plain\nx: y' })]],
    ['neither words nor files', []],
  ])('is refused with %s', async (_, attachments) => {
    const { response } = await say(attachments)
    expect(response.status).toBe(400)
  })
})

describe('the address of a picture', () => {
  it('answers its owner only, and only with a picture', async () => {
    const { id, response, messageId } = await say([file()])
    await chat.service.settled(((await response.json()) as ChatResponse).runId)
    const shown = await picture(id, messageId)
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, max-age=31536000, immutable',
      vary: 'Cookie',
    })
    const eve = await cookieOf('eve')
    expect((await problem(picture(id, messageId, '0', { cookie: eve }))).status).toBe(404)
    expect((await problem(picture(id, messageId, '0', { cookie: null }))).status).toBe(404)
    for (const number of ['1', '-1', '0.5', 'x', '99999']) {
      expect((await problem(picture(id, messageId, number))).code).toBe('not-found')
    }
    await chat.service.remove('ada', id)
    expect((await problem(picture(id, messageId))).status).toBe(404)
  })
})
