import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness, type ChatHarness } from './testing/chat-harness'

let store: Store
let chat: ChatHarness

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  chat = createChatHarness(store)
})

const say = (id: string, text: string, parentId: string | null = null) =>
  ({ kind: 'user', id, parentId, text }) as const

async function lastEvent(runId: string): Promise<RunEvent | undefined> {
  let last: RunEvent | undefined
  for await (const some of await chat.service.events('ada', runId, 0, new AbortController().signal)) last = some.at(-1)
  return last
}
const lineOf = async (id: string): Promise<ConversationSummary | undefined> =>
  (await chat.service.list('ada', '')).find((line) => line.id === id)

describe('a first message', () => {
  it('creates its chat; the response and the end of the log contain everything that the page needs', async () => {
    const id = crypto.randomUUID()
    chat.script([{ text: 'CALL read_file {"path":"/a"}\nCALL list_directory {"path":"/"}' }, { finish: 'stop' }])
    const create = { systemPrompt: 'be brief' }
    const answer = await chat.service.append('ada', { conversationId: id, append: say('u1', 'Make a table'), create })
    expect(answer.summary).toMatchObject({ id, title: 'Make a table', running: true, waitingCalls: 0 })

    const end = await lastEvent(answer.runId)
    expect(end).toMatchObject({ type: 'end', summary: { id, title: 'Make a table', running: false, waitingCalls: 2 } })
    expect(end?.type === 'end' && end.summary).toEqual(await lineOf(id))

    const { conversation } = await chat.service.view('ada', id)
    expect(answer.conversation).toEqual({ ...conversation, updatedAt: answer.summary.updatedAt })
    expect(conversation).toMatchObject({ headId: answer.replyId, settings: create })
    expect(conversation.settings.model).toBe('test/scripted')
  })

  it('that is repeated starts nothing new', async () => {
    const id = crypto.randomUUID()
    const request = { conversationId: id, append: say('u1', 'hi'), create: {} }
    const first = await chat.service.append('ada', request)
    await chat.service.settled(first.runId)
    const again = await chat.service.append('ada', request)
    expect(again).toMatchObject({ runId: first.runId, replyId: first.replyId, summary: await lineOf(id) })
    expect(again.summary.running).toBe(false)
    expect((await chat.service.view('ada', id)).messages).toHaveLength(2)
  })

  it('is added to a chat that exists by then, without changing its settings', async () => {
    const { conversationId, replyId } = await chat.withReply('hello', { systemPrompt: 'mine' })
    const create = { systemPrompt: 'other' }
    const answer = await chat.service.append('ada', { conversationId, append: say('u2', 'more', replyId), create })
    await chat.service.settled(answer.runId)
    expect((await chat.service.view('ada', conversationId)).conversation.settings.systemPrompt).toBe('mine')
    const anew = chat.service.append('ada', { conversationId, append: say('u3', 'as if new'), create })
    await expect(anew).rejects.toMatchObject({ code: 'conflict', headId: answer.replyId })
  })

  it('with an id of another owner creates an own chat and does not affect the other one', async () => {
    const { conversationId } = await chat.withReply('hello')
    const before = await chat.service.view('ada', conversationId)
    const request = { conversationId, append: say('u1', 'mine?'), create: {} }
    const { runId } = await chat.service.append('eve', request)
    await chat.service.settled(runId)
    expect((await chat.service.view('eve', conversationId)).messages).toMatchObject([{ text: 'mine?' }, {}])
    expect(await chat.service.view('ada', conversationId)).toEqual(before)
  })

  it('creates no chat unless the request says so', async () => {
    const unknown = { conversationId: crypto.randomUUID(), append: say('u1', 'hi') }
    await expect(chat.service.append('ada', unknown)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('ends its log without the list entry if that can’t be read', async () => {
    const away = createChatHarness({ ...store, summariseConversation: () => Promise.reject(new Error('away')) })
    const { runId } = await away.service.append('ada', {
      conversationId: crypto.randomUUID(),
      append: say('u1', 'hi'),
      create: {},
    })
    await away.service.settled(runId)
    const end = await lastEvent(runId)
    expect(end).toMatchObject({ type: 'end', outcome: 'finished' })
    chat = away
    expect(await lastEvent(runId)).not.toHaveProperty('summary')
  })
})
