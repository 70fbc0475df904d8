import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { createChatHarness, testLimits, type ChatHarness } from './testing/chat-harness'

/* Fair use of a shared server: slots, the queue for them, daily tokens. */

let store: Store
const open: ChatHarness[] = []
beforeAll(async () => {
  store = await openTestStore({ decodeSettings: (text) => decodeSettings(text, 'test/scripted') })
})
afterAll(() => store.close())

let owner = ''
let made = 0
beforeEach(() => {
  owner = `fair-owner-${(made += 1)}`
})
afterEach(async () => {
  for (const chat of open.splice(0)) await drain(chat)
})

const { fair } = testLimits
function node(limits: Partial<typeof testLimits> = {}): ChatHarness {
  const chat = createChatHarness(store, { limits: { ...testLimits, ...limits } })
  open.push(chat)
  return chat
}

const drain = (chat: ChatHarness) => chat.clock.passUntil(chat.service.drain(0))

async function say(chat: ChatHarness, who = owner) {
  const conversationId = `fair-${(made += 1)}`
  await chat.service.create(who, { id: conversationId })
  const append = { kind: 'user', id: `u-${made}`, parentId: null, text: 'hi' } as const
  const { runId, replyId } = await chat.service.append(who, { conversationId, append })
  return { who, conversationId, runId, replyId }
}

const outcomeOf = async (chat: ChatHarness, { who, conversationId, replyId }: Awaited<ReturnType<typeof say>>) =>
  (await chat.service.view(who, conversationId)).messages.find(({ id }) => id === replyId)

describe('a reply without a free slot', () => {
  it('waits, on any node, and runs when a slot is free there', async () => {
    const [here, there] = [node({ maxRunsPerOwner: 1 }), node({ maxRunsPerOwner: 1 })]
    here.script([{ text: 'one' }, { hang: 'listening' }])
    const first = await say(here)
    there.script([{ text: 'two' }, { finish: 'stop' }])
    const second = await say(there)
    await there.clock.pass(3_000)
    expect(there.model.doStreamCalls).toHaveLength(0)
    expect((await there.service.view(owner, second.conversationId)).activeRunId).toBe(second.runId)

    await here.service.stop(owner, first.runId)
    await here.service.settled(first.runId)
    await there.clock.pass(3_000)
    await there.service.settled(second.runId)
    expect(await outcomeOf(here, second)).toMatchObject({ text: 'two', outcome: 'finished' })
  })

  it('can be stopped while it waits, from any node: the model is never called', async () => {
    const [here, there] = [node({ maxRuns: 1 }), node()]
    here.script([{ hang: 'listening' }])
    await say(here)
    const waiting = await say(here, `${owner}-other`)
    await there.service.stop(waiting.who, waiting.runId)
    await here.clock.pass(5_000)
    await here.service.settled(waiting.runId)
    expect(await outcomeOf(here, waiting)).toMatchObject({ text: '', outcome: 'stopped' })
    expect(here.model.doStreamCalls).toHaveLength(1)
    expect(await store.usageOfOwner(waiting.who, 0)).toEqual([])
  })

  it('uses the current state of the chat when its turn comes', async () => {
    const chat = node({ maxRuns: 1 })
    chat.script([{ hang: 'listening' }], [{ text: 'ok' }, { finish: 'stop' }])
    const first = await say(chat)
    const waiting = await say(chat)
    await chat.service.stop(owner, first.runId)
    await chat.service.settled(first.runId)
    await chat.service.settled(waiting.runId)
    expect(chat.model.doStreamCalls).toHaveLength(2)
    const prompt = JSON.stringify(chat.model.doStreamCalls[1]?.prompt)
    expect(prompt.match(/"hi"/g)).toHaveLength(1)
    expect(await outcomeOf(chat, waiting)).toMatchObject({ text: 'ok' })
  })

  it('shows its place in the queue to every reader, on any node, until its turn comes', async () => {
    const [here, there] = [node({ maxRuns: 1 }), node()]
    here.script([{ hang: 'listening' }], [{ hang: 'listening' }], [{ text: 'ok' }, { finish: 'stop' }])
    const [first, second] = [await say(here), await say(here, `${owner}-second`)]
    const third = await say(here, `${owner}-third`)
    await here.clock.pass(5_000)
    const watched = async (chat: ChatHarness, { who, runId }: typeof first) => {
      const places: (number | null)[] = []
      const read = async () => {
        const lines = await chat.service.watch(who, runId, 0, new AbortController().signal)
        for await (const some of lines) for (const line of some) if (line.type === 'queued') places.push(line.place)
      }
      const done = read()
      await chat.clock.pass(0)
      return { places, done }
    }
    const views = [await watched(here, third), await watched(there, third)]
    const said = () => views.map(({ places }) => places.filter((place) => place !== null))
    const end = async ({ who, runId }: typeof first) => {
      await here.service.stop(who, runId)
      await here.service.settled(runId)
      for (const { clock } of [here, there]) await clock.pass(5_000)
    }
    expect(said()).toEqual([[2], [2]])
    await end(first)
    expect(said()).toEqual([
      [2, 1],
      [2, 1],
    ])
    await end(second)
    // The other node sees the end only when it next polls the store, and the end may be stored after the last step of
    // the clocks.
    const isOver = Promise.all(views.map(({ done }) => done))
    await Promise.all([here.clock.passUntil(isOver), there.clock.passUntil(isOver)])
    expect(said()).toEqual([
      [2, 1],
      [2, 1],
    ])
    expect(await outcomeOf(there, third)).toMatchObject({ text: 'ok' })
  })

  it('ends as interrupted, and says so, when the server shuts down before its turn', async () => {
    const chat = node({ maxRuns: 1 })
    chat.script([{ hang: 'listening' }])
    await say(chat)
    const waiting = await say(chat)
    await drain(chat)
    expect(await outcomeOf(chat, waiting)).toMatchObject({ outcome: 'interrupted', text: '' })
    expect(chat.problems).toEqual([])
  })

  it('is refused, and not stored, when the queue is full', async () => {
    const chat = node({ maxRunsPerOwner: 1, fair: { ...fair, maxQueuedPerOwner: 1 } })
    chat.script([{ hang: 'listening' }])
    await say(chat)
    await say(chat)
    await expect(say(chat)).rejects.toMatchObject({ code: 'rate-limited', retryAfterSeconds: 5 })
  })
})

describe('daily tokens', () => {
  const budgets = [{ models: 'test/*', for: 'each', tokensPerDay: 3_000 }] as const

  it('are the provider’s counts; an owner without any left is refused before the model is called', async () => {
    const chat = node({ fair: { ...fair, budgets } })
    const first = await say(chat)
    await chat.service.settled(first.runId)
    expect(await store.usageOfOwner(owner, 0)).toMatchObject([{ replies: 1, tokensIn: 7, tokensOut: 3, estimated: 0 }])
    chat.script([{ hang: 'listening' }])
    await say(chat)
    await expect(say(chat)).rejects.toMatchObject({ code: 'over-budget', reason: 'store.budget' })
    expect(chat.model.doStreamCalls).toHaveLength(2)
  })

  it('are counted for each owner separately', async () => {
    const chat = node({ fair: { ...fair, budgets } })
    chat.script([{ hang: 'listening' }])
    await say(chat)
    await expect(say(chat)).rejects.toMatchObject({ code: 'over-budget' })
    await expect(say(chat, `${owner}-other`)).resolves.toBeDefined()
  })
})
