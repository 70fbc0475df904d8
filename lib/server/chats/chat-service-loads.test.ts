import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness, testLimits, type ChatHarness } from './testing/chat-harness'
import { lineBuilder } from './testing/line-strategy'

let store: Store
let chat: ChatHarness
/** The store calls since the last check, by name. */
let asked: string[] = []
/** Excludes the calls that store the running reply. */
const sinceThen = () => asked.splice(0).filter((name) => !['appendRunEvents', 'endRun', 'readRunEvents'].includes(name))

beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
beforeEach(() => {
  type Ask = (...args: readonly unknown[]) => unknown
  const counted = Object.entries(store).map(([name, ask]) => [
    name,
    typeof ask === 'function'
      ? (...args: readonly unknown[]) => {
          asked.push(name)
          return (ask as Ask)(...args)
        }
      : (ask as unknown),
  ])
  chat = createChatHarness(Object.fromEntries(counted) as Store)
  asked = []
})

const read = 'CALL read_file {"path":"/a"}'
const once = ['loadBranch', 'append']

describe('the store calls of a message', () => {
  it('load the branch once, whatever the message is', async () => {
    const id = await chat.newChat()
    chat.script([{ text: read }, { finish: 'stop' }])
    sinceThen()
    const first = await chat.send(id, 'go')
    expect(sinceThen()).toEqual(once)

    await chat.decide(id, await chat.decision(first.replyId, 0, 'read_file'))
    await chat.finish(id, first.replyId, 0, 'content')
    sinceThen()
    const results = await chat.append(id, { kind: 'tool-results', id: 'r1', parentId: first.replyId })
    await chat.service.settled(results.runId)
    expect(sinceThen()).toEqual(once)

    await chat.send(id, 'go, edited', null, 'edit')
    expect(sinceThen()).toEqual(once)

    const again = await chat.append(id, { kind: 'reply', id: 'again', parentId: first.userId })
    await chat.service.settled(again.runId)
    expect(sinceThen()).toEqual(once)
    expect(chat.model.doStreamCalls).toHaveLength(4)
    expect(chat.problems).toEqual([])
  })

  it('load the branch and then the first answer when the message is repeated', async () => {
    const id = await chat.newChat()
    const append = { kind: 'user', id: 'u1', parentId: null, text: 'hi' } as const
    const { runId } = await chat.append(id, append)
    await chat.service.settled(runId)
    sinceThen()
    expect((await chat.append(id, append)).runId).toBe(runId)
    expect(sinceThen()).toEqual(['loadBranch', 'findAppend', 'summariseConversation'])
  })

  it('load and create the chat once when the message starts it', async () => {
    const append = { kind: 'user', id: 'u1', parentId: null, text: 'hi' } as const
    const request = { conversationId: crypto.randomUUID(), append, create: {} }
    const { runId } = await chat.service.append('ada', request)
    await chat.service.settled(runId)
    expect(sinceThen()).toEqual(['loadBranch', 'createConversation', 'append'])
  })

  it('prompt the model with the settings and the branch that the append was planned on', async () => {
    const id = await chat.newChat({ systemPrompt: 'be brief' })
    const { replyId } = await chat.send(id, 'one')
    const { settings } = (await chat.service.view('ada', id)).conversation
    const sent = await chat.append(id, { kind: 'user', id: 'u2', parentId: replyId, text: 'two' })
    await chat.service.patch('ada', id, { settings: { ...settings, systemPrompt: 'be long' } })
    await chat.service.settled(sent.runId)
    const prompt = JSON.stringify(chat.model.doStreamCalls[1]?.prompt)
    for (const words of ['be brief', 'one', 'ok', 'two']) expect(prompt).toContain(words)
  })

  it('build the prompt once, however often it is measured and sent', async () => {
    const spliceSystemPrompt = vi.fn<typeof lineBuilder.spliceSystemPrompt>((system) => `${system} with tools`)
    const counted = createChatHarness(store, {
      builder: { ...lineBuilder, spliceSystemPrompt },
      limits: { ...testLimits, promptTokens: 100_000 },
    })
    const id = await counted.newChat({ systemPrompt: 'Be brief.' })
    await counted.send(id, 'go')
    expect(spliceSystemPrompt).toHaveBeenCalledTimes(1)
    expect(counted.model.doStreamCalls[0]?.prompt[0]).toMatchObject({ content: 'Be brief. with tools' })
  })
})
