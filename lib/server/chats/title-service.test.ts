import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { titleAsked } from '@/lib/shared/conversation/wire/trial'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness, testLimits, type ChatHarness } from './testing/chat-harness'
import { settle } from './testing/manual-clock'

let store: Store
let chat: ChatHarness
const budgets = [{ models: '*', for: 'each', tokensPerDay: 1_000_000 }] as const
beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  chat = createChatHarness(store, { limits: { ...testLimits, fair: { ...testLimits.fair, budgets } } })
})

const none = () => new AbortController().signal
const suggest = (id: string, gone = none()) => chat.service.suggestTitle(chat.owner, id, gone)
async function written(text: string): Promise<string> {
  const id = await chat.newChat()
  chat.script([{ text: 'ok' }, { finish: 'stop' }])
  await chat.send(id, text)
  return id
}

describe('a title suggested by the chat’s model', () => {
  it('is requested without tools, from the user’s messages, and changes nothing', async () => {
    const id = await written('Plan a trip to Lisbon')
    const before = (await chat.service.view(chat.owner, id)).messages.length
    chat.script([{ reasoning: 'Hm.' }, { text: '**A trip' }, { text: ' to Lisbon**' }, { finish: 'stop' }])
    expect(await suggest(id)).toEqual({ title: 'A trip to Lisbon' })
    const sent = chat.model.doStreamCalls.at(-1)
    expect(sent?.tools).toBeUndefined()
    expect(JSON.stringify(sent?.prompt)).toContain(titleAsked)
    expect(JSON.stringify(sent?.prompt)).toContain('Plan a trip to Lisbon')
    const after = await chat.service.view(chat.owner, id)
    expect(after.messages).toHaveLength(before)
    expect(after.conversation.title).toBe('Plan a trip to Lisbon')
  })

  it('is metered like any reply, also against the budgets', async () => {
    const id = await written('Plan a trip')
    const left = async () => (await chat.service.use(chat.owner)).budgets[0]?.left ?? 0
    const before = await left()
    chat.script([{ text: 'A trip' }, { finish: 'stop' }])
    await suggest(id)
    expect(before - (await left())).toBe(10)
  })

  it('stops when the client disconnects, and frees the slot', async () => {
    const id = await written('Plan a trip')
    chat.script([{ hang: 'listening' }])
    const gone = new AbortController()
    const asked = suggest(id, gone.signal)
    asked.catch(() => {})
    await settle()
    gone.abort()
    await expect(asked).rejects.toMatchObject({ reason: 'chat.title.none' })
    chat.script([{ text: 'A trip' }, { finish: 'stop' }])
    expect(await suggest(id)).toEqual({ title: 'A trip' })
  })

  it('is cut if the model does not stop, and is its first line', async () => {
    const id = await written('Plan a trip')
    chat.script([{ text: 'A trip\n' }, { text: 'because '.repeat(600) }, { hang: 'listening' }])
    expect(await suggest(id)).toEqual({ title: 'A trip' })
  })

  it('is refused for an empty chat, an empty title, a failing or browser model, and another owner’s chat', async () => {
    const empty = await chat.newChat()
    await expect(suggest(empty)).rejects.toMatchObject({ reason: 'chat.title.nothing-said' })
    const id = await written('Plan a trip')
    chat.script([{ text: '…' }, { finish: 'stop' }])
    await expect(suggest(id)).rejects.toMatchObject({ reason: 'chat.title.none' })
    chat.script([{ fail: new Error('no route') }])
    await expect(suggest(id)).rejects.toMatchObject({ reason: 'chat.title.failed', code: 'unavailable' })
    const own = await chat.newChat({ model: 'browser/openai:mine' })
    await expect(suggest(own)).rejects.toMatchObject({ reason: 'chat.title.in-browser' })
    await expect(chat.service.suggestTitle('eve', id, none())).rejects.toMatchObject({ code: 'not-found' })
    expect(chat.model.doStreamCalls.length).toBeLessThan(6)
  })
})
