import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { ContextMarks } from '@/lib/shared/conversation/settings/context-marks'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness, type ChatHarness } from './testing/chat-harness'

let store: Store
let chat: ChatHarness
let windowTokens: number | null

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  windowTokens = null
  const plain = createChatHarness(store)
  chat = createChatHarness(store, {
    models: {
      list: () => Promise.resolve({ models: [], defaultModel: 'test/scripted', problems: [] }),
      languageModel: () => plain.model,
      info: (id) => ({ id, label: 'Scripted', providerLabel: 'Test', contextTokens: windowTokens, simulated: false }),
      seesImages: () => Promise.resolve(false),
      windowTokens: () => Promise.resolve(windowTokens),
    },
  })
  Object.assign(chat, { model: plain.model, script: plain.script })
})

const asked = () =>
  (chat.model.doStreamCalls.at(-1)?.prompt ?? []).flatMap((message) =>
    message.role === 'system'
      ? []
      : [`${message.role}: ${message.content.map((part) => ('text' in part ? part.text : '')).join('')}`],
  )

/** Adds turns "question n" and "answer n"; returns the ids of all messages. */
async function chatOf(turns: number) {
  const id = await chat.newChat()
  const ids: string[] = []
  for (let n = 0; n < turns; n += 1) {
    chat.script([{ text: `answer ${n}` }, { finish: 'stop' }])
    const { userId, replyId } = await chat.send(id, `question ${n}`, ids.at(-1) ?? null)
    ids.push(userId, replyId)
  }
  const mark = (marks: ContextMarks | null) => chat.service.patch('ada', id, { marks })
  return { id, ids, mark, head: () => ids.at(-1) ?? null }
}

describe('a chat whose beginning the user compacted', () => {
  it('is sent with a summary instead; the messages stay stored and are sent again after an undo', async () => {
    const { id, ids, mark, head } = await chatOf(4)
    await mark({ compactions: [{ through: ids[3] ?? '', summary: 'They counted to two.', madeAt: 5 }], pinned: [] })
    const next = await chat.send(id, 'and now?', head())
    expect(asked()).toEqual([
      'user: (4 earlier messages of this chat are left out here, as the user chose. A summary stands in their place:)\n\nThey counted to two.\n\nquestion 2',
      'assistant: answer 2',
      'user: question 3',
      'assistant: answer 3',
      'user: and now?',
    ])
    const view = await chat.service.view('ada', id)
    expect(view.messages).toHaveLength(10)
    expect(view.conversation.marks?.compactions).toHaveLength(1)
    // Nothing was left out for lack of space.
    expect(await chat.reply(id, next.replyId)).not.toHaveProperty('trimmed')

    await mark(null)
    expect((await chat.service.view('ada', id)).conversation).not.toHaveProperty('marks')
    await chat.send(id, 'all?', next.replyId)
    expect(asked()[0]).toBe('user: question 0')
    expect(asked()).toHaveLength(11)
  })

  it('keeps the same beginning from turn to turn', async () => {
    const { id, ids, mark, head } = await chatOf(4)
    await mark({ compactions: [{ through: ids[3] ?? '', summary: 'In short.', madeAt: 5 }], pinned: [ids[1] ?? ''] })
    const first = await chat.send(id, 'one', head())
    const before = asked()
    await chat.send(id, 'two', first.replyId)
    expect(asked().slice(0, before.length)).toEqual(before)
    expect(before[0]).toContain('(One earlier message of this chat is left out here, as the user chose.')
    expect(before[1]).toBe('assistant: answer 0')
  })

  it('keeps old pinned messages even when the window is full', async () => {
    const { id, ids, mark, head } = await chatOf(60)
    windowTokens = 500
    await mark({ compactions: [], pinned: [ids[2] ?? ''] })
    const { replyId } = await chat.send(id, 'and now?', head())
    expect(asked().join('\n')).toContain('question 1\n')
    expect(asked().join('\n')).not.toContain('question 2\n')
    const { trimmed, promptTokens } = await chat.reply(id, replyId)
    expect(trimmed?.messages).toBeGreaterThan(20)
    expect(promptTokens).toBeLessThan(500)
  })

  it('is not compacted in a branch without that message; an undo restores the earlier compaction', async () => {
    const { id, ids, mark, head } = await chatOf(4)
    const early = { through: ids[1] ?? '', summary: 'first', madeAt: 1 }
    await mark({ compactions: [early, { through: ids[5] ?? '', summary: 'second', madeAt: 2 }], pinned: [] })
    await chat.send(id, 'and now?', head())
    expect(asked()[0]).toContain('second')
    await chat.send(id, 'another way', ids[3] ?? null, 'back')
    expect(asked()[0]).toContain('first')
    await chat.send(id, 'from the start', null, 'edit')
    expect(asked()).toEqual(['user: from the start'])
  })

  it('is exported with its marks, and imported with them under the new ids', async () => {
    const { id, ids, mark } = await chatOf(2)
    await mark({ compactions: [{ through: ids[1] ?? '', summary: 'In short.', madeAt: 5 }], pinned: [ids[0] ?? ''] })
    const { pieces } = await chat.service.export('ada', id)
    const exported = JSON.parse((await Array.fromAsync(pieces)).join('')) as ConversationExport
    const copy = await chat.service.import('ada', { id: crypto.randomUUID(), export: exported })
    const { conversation, messages } = await chat.service.view('ada', copy.id)
    expect(conversation.marks).toEqual({
      compactions: [{ through: messages[1]?.id, summary: 'In short.', madeAt: 5 }],
      pinned: [messages[0]?.id],
    })
  })

  it('learns from the provider’s token counts how much fits', async () => {
    const id = await chat.newChat()
    let head: string | null = null
    windowTokens = 4_000
    for (let n = 0; n < 12; n += 1) {
      chat.script([{ text: `answer ${n} ${'of the model, '.repeat(20)}` }, { finish: 'stop' }])
      head = (await chat.send(id, `question ${n} ${'of the person, '.repeat(20)}`, head)).replyId
    }
    const reply = await chat.reply(id, head ?? '')
    expect(reply.promptTokens).toBeGreaterThan(500)
    expect(reply.pace).toEqual({ firstMs: 0, ms: 0 })
  })

  it('stores the hash of what the model was sent, the same for equal chats', async () => {
    const sentFor = async (text: string) => {
      const id = await chat.newChat()
      chat.script([{ text: 'fine' }, { finish: 'stop' }])
      return (await chat.reply(id, (await chat.send(id, text, null)).replyId)).sent
    }
    const hello = await sentFor('hello')
    expect(hello?.prompt).toMatch(/^[0-9a-f]{64}$/)
    expect(await sentFor('hello')).toEqual(hello)
    const other = await sentFor('hello!')
    expect(other?.prompt).not.toBe(hello?.prompt)
    expect(other?.tools).toBe(hello?.tools)
  })
})
