import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatResponse } from '@/lib/shared/conversation/wire/api-types'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { tabRunLimits, writerHeader, type TabPrompt, type TabRunState } from '@/lib/shared/conversation/wire/tab-run'
import { browserModelId } from '@/lib/base/model-id'
import type { ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import * as chatRoute from './chat/route'
import * as endRoute from './runs/[id]/end/route'
import * as piecesRoute from './runs/[id]/pieces/route'
import * as promptRoute from './runs/[id]/prompt/route'
import { problem, type Handler } from './testing/send'
import { serveRoutes } from './testing/serve-routes'

const served = serveRoutes()
let chat: ChatHarness
beforeEach(() => {
  chat = served.chat
})

const model = browserModelId('ollama', 'qwen3:8b')
const key = 'a-key-of-this-tab-0123456789'
const writer = { key, model: { label: 'qwen3:8b', providerLabel: 'Ollama', contextTokens: null, seesImages: false } }
const post = (handler: Handler, body: unknown, id = '', headers: Record<string, string> = { [writerHeader]: key }) =>
  served.sendAs('ada', handler, { method: 'POST', params: { id }, body, headers })
const say = async (over: object = { writer }) => {
  const conversationId = await chat.newChat({ model })
  const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text: 'hi' }
  return { conversationId, answer: post(chatRoute.POST, { conversationId, append, ...over }) }
}
const begin = async () => {
  const { conversationId, answer } = await say()
  return { conversationId, ...((await (await answer).json()) as ChatResponse) }
}
const pieces = (runId: string, ...of: readonly unknown[]) => post(piecesRoute.POST, { pieces: of }, runId)

describe('the routes of a reply that a tab writes', () => {
  it('return the prompt, and accept the pieces and the end', async () => {
    const { conversationId, runId, replyId } = await begin()
    const asked = await served.sendAs('ada', promptRoute.GET, {
      params: { id: runId },
      headers: { [writerHeader]: key },
    })
    const { prompt, failure } = (await asked.json()) as TabPrompt
    expect(failure).toBeNull()
    expect(prompt.at(-1)).toMatchObject({ role: 'user', content: [{ type: 'text', text: 'hi' }] })
    const taken = (await (await pieces(runId, { seq: 2, channel: 'text', text: 'Grüße 👩‍🚀\0' })).json()) as TabRunState
    expect(taken).toEqual({ live: true, stopRequested: false, next: 3, full: false })
    const end = { lastSeq: 2, outcome: 'finished', failure: null, usage: { inputTokens: 1, outputTokens: null } }
    expect(((await (await post(endRoute.POST, end, runId)).json()) as TabRunState).live).toBe(false)
    const reply: AssistantMessage = await chat.reply(conversationId, replyId)
    expect(reply).toMatchObject({ text: 'Grüße 👩‍🚀\0', outcome: 'finished' })
  })

  it('refuse a model that is not a tab’s, and a chat with such a model without a tab, with a sentence', async () => {
    const without = await say({})
    expect(await problem(without.answer)).toMatchObject({
      status: 400,
      code: 'unknown-model',
      reason: 'chat.tab-model',
    })
    for (const over of [
      { key: 'short' },
      { model: { ...writer.model, label: '' } },
      { model: { ...writer.model, label: 'x'.repeat(tabRunLimits.maxLabelChars + 1) } },
      { model: { ...writer.model, label: 'turned \u202e round' } },
      { model: { ...writer.model, contextTokens: -1 } },
      { model: { ...writer.model, contextTokens: 1e12 } },
    ]) {
      const { answer } = await say({ writer: { ...writer, ...over } })
      expect(await problem(answer)).toMatchObject({ status: 400, code: 'bad-request' })
    }
  })

  it('accept only the known words for how a reply was constrained', async () => {
    const { conversationId, runId, replyId } = await begin()
    const end = { lastSeq: 1, outcome: 'finished', failure: null, usage: null }
    const exact = { form: 'grammar', asked: 'refused', finding: null }
    for (const over of [{ form: 'toString' }, { asked: 'yes' }, { finding: 'perhaps' }, { form: undefined }]) {
      expect(await problem(post(endRoute.POST, { ...end, exact: { ...exact, ...over } }, runId))).toMatchObject({
        status: 400,
        code: 'bad-request',
      })
    }
    const ended = (await (await post(endRoute.POST, { ...end, exact }, runId)).json()) as TabRunState
    expect(ended).toMatchObject({ live: false, exact: { is: 'refused', form: 'grammar' } })
    expect(await chat.reply(conversationId, replyId)).toMatchObject({ exact: { is: 'refused', form: 'grammar' } })
  })

  it('accept text only: no lone surrogates, no pieces out of order, limited sizes', async () => {
    const { runId } = await begin()
    for (const bad of [
      { seq: 2, channel: 'text', text: 'half \ud83d' },
      { seq: 1, channel: 'text', text: 'x' },
      { seq: 2.5, channel: 'text', text: 'x' },
      { seq: 2, channel: 'end', text: 'x' },
      { seq: 2, channel: 'text', text: '' },
      { seq: 2, channel: 'text', text: 'x'.repeat(tabRunLimits.maxPieceChars + 1) },
    ])
      expect(await problem(pieces(runId, bad))).toMatchObject({ status: 400, code: 'bad-request' })
    const many = Array.from({ length: tabRunLimits.maxPieces + 1 }, (_, at) => ({
      seq: at + 2,
      channel: 'text',
      text: 'x',
    }))
    expect((await pieces(runId, ...many)).status).toBe(400)
    expect(await (await pieces(runId)).json()).toMatchObject({ live: true, next: 2 })
    const failure = { code: 'unknown', message: 'half \ud83d', detail: '' }
    const end = { lastSeq: 1, outcome: 'failed', failure, usage: null }
    expect((await post(endRoute.POST, end, runId)).status).toBe(400)
    const said = (reason: string, value: unknown) => [{ reason, values: { value } }]
    for (const wrong of [
      said('half \ud83d', 1),
      said('a', 'half \ud83d'),
      said('a', { deep: 1 }),
      said('x'.repeat(101), 1),
    ])
      expect(
        (await post(endRoute.POST, { ...end, failure: { ...failure, message: '', said: wrong } }, runId)).status,
      ).toBe(400)
    const dead = { ...end, failure: null, outcome: 'interrupted' }
    expect((await post(endRoute.POST, dead, runId)).status).toBe(400)
    await post(endRoute.POST, { ...end, failure: null }, runId)
  })

  it('require the tab’s key', async () => {
    const { runId } = await begin()
    for (const headers of [
      {},
      { [writerHeader]: 'another-key-0123456789-abc' },
      { [writerHeader]: 'no key' },
    ] as Record<string, string>[]) {
      expect(await problem(post(piecesRoute.POST, { pieces: [] }, runId, headers))).toMatchObject({
        status: 403,
        reason: 'chat.other-tab',
      })
      expect((await served.sendAs('ada', promptRoute.GET, { params: { id: runId }, headers })).status).toBe(403)
    }
    await post(endRoute.POST, { lastSeq: 1, outcome: 'stopped', failure: null, usage: null }, runId)
  })
})
