import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TabPiece, TabWriter } from '@/lib/shared/conversation/wire/tab-run'
import { browserModelId } from '@/lib/base/model-id'
import type { BudgetRule } from '@/lib/shared/models/budget'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { decodeTestSettings } from '@/lib/server/store/testing/rows'
import type { Store } from '@/lib/server/store/ports/store'
import { promptForTab } from '@/lib/shared/prompt/prompt-for-tab'
import { defaultRunLogTimes } from '../runs/run-log-reader'
import { createChatHarness, testLimits, type ChatHarness } from './testing/chat-harness'
import { createManualClock, type ManualClock } from './testing/manual-clock'

let store: Store
let clock: ManualClock = createManualClock()
let chat: ChatHarness
beforeAll(async () => {
  store = await openTestStore({ decodeSettings: decodeTestSettings, now: () => clock.now() })
})
afterAll(() => store.close())
beforeEach(() => {
  clock = createManualClock()
  chat = createChatHarness(store, {}, clock)
})

const model = browserModelId('openai-compatible', 'qwen3:8b')
const key = 'a-key-of-this-tab-0123456789'
const writerOf = (over: Partial<TabWriter['model']> = {}): TabWriter => ({
  key,
  model: { label: 'qwen3:8b', providerLabel: 'My server', contextTokens: null, seesImages: false, ...over },
})
const piece = (seq: number, text: string, channel: TabPiece['channel'] = 'text'): TabPiece => ({ seq, channel, text })
let asked = 0

async function begin(conversationId: string, text = 'hello', parentId: string | null = null, writer = writerOf()) {
  const append = { kind: 'user', id: `tab-u-${(asked += 1)}`, parentId, text } as const
  return chat.service.append(chat.owner, { conversationId, append, writer })
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string; reason: string }) => error,
  )

describe('a reply that a tab writes', () => {
  it('is stored, read and ended like any other, and no process writes it', async () => {
    const id = await chat.newChat({ model })
    const { runId, replyId } = await begin(id)
    expect(chat.runLog.active.size).toBe(0)
    expect(
      await chat.service.tabPieces(chat.owner, runId, key, {
        pieces: [piece(2, 'think', 'reasoning'), piece(3, 'CALL read_file {"path":"/a"}')],
      }),
    ).toMatchObject({ live: true, next: 4 })
    const ended = {
      lastSeq: 3,
      outcome: 'finished',
      failure: null,
      usage: { inputTokens: 3, outputTokens: 4 },
    } as const
    expect(await chat.service.tabEnd(chat.owner, runId, key, ended)).toMatchObject({ live: false })
    expect(await chat.reply(id, replyId)).toMatchObject({
      reasoning: 'think',
      text: 'CALL read_file {"path":"/a"}',
      outcome: 'finished',
      model,
      usage: { inputTokens: 3, outputTokens: 4 },
    })
    expect(chat.model.doStreamCalls).toHaveLength(0)
  })

  it('has the prompt that a model of the server would get', async () => {
    const id = await chat.newChat({ model, systemPrompt: 'Be brief.' })
    const first = await begin(id, 'one')
    await chat.service.tabPieces(chat.owner, first.runId, key, { pieces: [piece(2, 'first answer')] })
    await chat.service.tabEnd(chat.owner, first.runId, key, {
      lastSeq: 2,
      outcome: 'finished',
      failure: null,
      usage: null,
    })
    const { runId } = await begin(id, 'two', first.replyId)
    const { prompt, failure } = await chat.service.tabPrompt(chat.owner, runId, key)
    expect(failure).toBeNull()

    const beside = await chat.newChat({ model: 'test/scripted', systemPrompt: 'Be brief.' })
    chat.script([{ text: 'first answer' }, { finish: 'stop' }])
    const said = await chat.send(beside, 'one')
    await chat.send(beside, 'two', said.replyId)
    expect(prompt).toEqual(chat.model.doStreamCalls.at(-1)?.prompt)
    expect(JSON.parse(JSON.stringify(prompt))).toEqual(
      JSON.parse(JSON.stringify(chat.model.doStreamCalls.at(-1)?.prompt)),
    )
  })

  it('receives the skills that its tab offers, and so does a reply of the server', async () => {
    const skills = [{ name: 'csv-report', description: 'Sums up a table.' }]
    const line = '- csv-report: \\"Sums up a table.\\" (read /skills/csv-report/SKILL.md)'
    const id = await chat.newChat({ model })
    const append = { kind: 'user', id: 'tab-u-skills', parentId: null, text: 'hello' } as const
    const { runId } = await chat.service.append(chat.owner, { conversationId: id, append, writer: writerOf(), skills })
    const { prompt } = await chat.service.tabPrompt(chat.owner, runId, key)
    expect(JSON.stringify(prompt)).toContain(line)
    const beside = await chat.newChat({ model: 'test/scripted' })
    chat.script([{ text: 'hi' }, { finish: 'stop' }])
    const said = await chat.service.append(chat.owner, {
      conversationId: beside,
      append: { ...append, id: 'u-skills' },
      skills,
    })
    await chat.service.settled(said.runId)
    expect(JSON.stringify(chat.model.doStreamCalls.at(-1)?.prompt)).toContain(line)
  })

  it('has a prompt within the window that the tab reported', async () => {
    const id = await chat.newChat({ model })
    let parentId: string | null = null
    const small = writerOf({ contextTokens: 600 })
    for (const text of ['a '.repeat(900), 'b '.repeat(900), 'last']) {
      const { runId, replyId } = await begin(id, text, parentId, small)
      const { prompt } = await chat.service.tabPrompt(chat.owner, runId, key)
      if (text === 'last') {
        expect(JSON.stringify(prompt)).toContain('left out')
        expect(JSON.stringify(prompt)).not.toContain('a a a')
        expect((await chat.reply(id, replyId)).trimmed).toMatchObject({ windowTokens: 600 })
      }
      await chat.service.tabEnd(chat.owner, runId, key, { lastSeq: 1, outcome: 'finished', failure: null, usage: null })
      parentId = replyId
    }
  })

  it('can be written only by the tab that started it', async () => {
    const id = await chat.newChat({ model })
    const { runId } = await begin(id)
    const other = 'the-key-of-another-tab-0123'
    const end = { lastSeq: 1, outcome: 'finished', failure: null, usage: null } as const
    for (const ask of [
      () => chat.service.tabPrompt(chat.owner, runId, other),
      () => chat.service.tabPieces(chat.owner, runId, other, { pieces: [piece(2, 'x')] }),
      () => chat.service.tabEnd(chat.owner, runId, other, end),
    ])
      expect(await refusal(ask())).toMatchObject({ code: 'forbidden', reason: 'chat.other-tab' })
    expect(await refusal(chat.service.tabPrompt('eve', runId, key))).toMatchObject({ code: 'not-found' })
    const plain = await chat.newChat()
    chat.script([{ hang: 'listening' }])
    const server = await chat.append(plain, { kind: 'user', id: 'tab-plain', parentId: null, text: 'hi' })
    expect(await refusal(chat.service.tabPieces(chat.owner, server.runId, key, { pieces: [] }))).toMatchObject({
      code: 'not-found',
    })
    await chat.service.stop(chat.owner, server.runId)
    await chat.service.settled(server.runId)
  })

  it('is refused without adding anything if the browser lacks the model', async () => {
    const id = await chat.newChat({ model })
    const append = { kind: 'user', id: `tab-u-${(asked += 1)}`, parentId: null, text: 'hi' } as const
    const error = await refusal(chat.service.append(chat.owner, { conversationId: id, append }))
    expect(error).toMatchObject({ code: 'unknown-model', reason: 'chat.tab-model', values: { model } })
    expect((await chat.service.view(chat.owner, id)).messages).toEqual([])
  })

  it('can be stopped from anywhere, and keeps its text so far', async () => {
    const id = await chat.newChat({ model })
    const { runId, replyId } = await begin(id)
    await chat.service.tabPieces(chat.owner, runId, key, { pieces: [piece(2, 'so far')] })
    const elsewhere = createChatHarness(store, {}, clock)
    await elsewhere.service.stop(chat.owner, runId)
    expect(await chat.service.tabPieces(chat.owner, runId, key, { pieces: [] })).toMatchObject({ stopRequested: true })
    await chat.service.tabEnd(chat.owner, runId, key, { lastSeq: 2, outcome: 'stopped', failure: null, usage: null })
    expect(await chat.reply(id, replyId)).toMatchObject({ outcome: 'stopped', text: 'so far' })
  })

  it('is interrupted if its tab is silent too long, keeps what was stored, and accepts nothing more', async () => {
    const id = await chat.newChat({ model })
    const { runId, replyId } = await begin(id)
    await chat.service.tabPieces(chat.owner, runId, key, { pieces: [piece(2, 'so far')] })
    await clock.pass(defaultRunLogTimes.tabDeadMs)
    // Longer than a process of the server may be silent.
    await chat.runLog.endDead()
    expect(await chat.service.tabPieces(chat.owner, runId, key, { pieces: [piece(3, ' and on')] })).toMatchObject({
      live: true,
    })
    await clock.pass(defaultRunLogTimes.tabDeadMs + 1)
    const answer = await chat.service.tabPieces(chat.owner, runId, key, { pieces: [piece(4, ' late')] })
    expect(answer.live).toBe(false)
    expect(await chat.reply(id, replyId)).toMatchObject({ outcome: 'interrupted', text: 'so far and on' })
    expect(await refusal(chat.service.tabPrompt(chat.owner, runId, key))).toMatchObject({ code: 'conflict' })
  })

  it('does not end before all pieces have arrived', async () => {
    const id = await chat.newChat({ model })
    const { runId, replyId } = await begin(id)
    const end = { lastSeq: 3, outcome: 'finished', failure: null, usage: null } as const
    await chat.service.tabPieces(chat.owner, runId, key, { pieces: [piece(2, 'a')] })
    expect(await chat.service.tabEnd(chat.owner, runId, key, end)).toMatchObject({ live: true, next: 3 })
    await chat.service.tabPieces(chat.owner, runId, key, { pieces: [piece(3, 'b')] })
    expect(await chat.service.tabEnd(chat.owner, runId, key, end)).toMatchObject({ live: false })
    expect((await chat.reply(id, replyId)).text).toBe('ab')
  })

  it('counts as a reply of the owner, but not in any budget', async () => {
    const rule: BudgetRule = { for: 'each', models: '*', tokensPerDay: 1 }
    const limits = {
      ...testLimits,
      maxRunsPerOwner: 1,
      fair: { ...testLimits.fair, maxQueuedPerOwner: 0, budgets: [rule] },
    }
    chat = createChatHarness(store, { limits }, clock)
    const owner = 'bea'
    const say = async (id: string) => {
      await chat.service.create(owner, { id, settings: { model } })
      const append = { kind: 'user', id: `of-${id}`, parentId: null, text: 'hi' } as const
      return chat.service.append(owner, { conversationId: id, append, writer: writerOf() })
    }
    const usage = { inputTokens: 1_000_000, outputTokens: 1_000_000 }
    const end = { lastSeq: 1, outcome: 'finished', failure: null, usage } as const
    const { runId } = await say('bea-1')
    expect(await refusal(say('bea-2'))).toMatchObject({ code: 'rate-limited' })
    await chat.service.tabEnd(owner, runId, key, end)
    await chat.service.tabEnd(owner, (await say('bea-2')).runId, key, end)
    const used = await chat.service.use(owner)
    expect(used.budgets).toHaveLength(1)
    for (const { limit, left } of used.budgets) expect(left).toBe(limit)
  })

  it('a repeated append starts no second reply', async () => {
    const id = await chat.newChat({ model })
    const append = { kind: 'user', id: `tab-u-${(asked += 1)}`, parentId: null, text: 'hi' } as const
    const [one, two] = await Promise.all([
      chat.service.append(chat.owner, { conversationId: id, append, writer: writerOf() }),
      chat.service.append(chat.owner, {
        conversationId: id,
        append,
        writer: { ...writerOf(), key: 'another-tab-of-the-browser' },
      }),
    ])
    expect(one.runId).toBe(two.runId)
  })
})

describe('the prompt for a tab', () => {
  it('contains pictures as base64, so that it can be sent as JSON', async () => {
    const data = 'iVBORw0KGgo='
    const prompt = await promptForTab({
      instructions: '',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data } },
          ],
        },
      ],
    })
    expect(JSON.parse(JSON.stringify(prompt))).toEqual(prompt)
    expect(JSON.stringify(prompt)).toContain(data)
  })
})
