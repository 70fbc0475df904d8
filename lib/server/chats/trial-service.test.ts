import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { TrialLine, TrialRequest } from '@/lib/shared/conversation/wire/trial'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { dataLeft } from '@/lib/server/store/testing/rows'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { createChatHarness, testLimits, type ChatHarness } from './testing/chat-harness'
import { settle } from './testing/manual-clock'
import { trialInput } from '@/lib/shared/prompt/trial-input'

const tools = ['read_file', 'set_timer'].map((name) => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}))
const request = (over: Partial<TrialRequest> = {}): TrialRequest => ({
  model: 'test/scripted',
  strategy: 'XML_Tag',
  systemPrompt: 'Be brief.',
  tools,
  turns: [{ role: 'user', text: 'Read /a' }],
  ...over,
})

let store: Store
let chat: ChatHarness
let owners = 0
let owner = ''
beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())
const budgets = [{ models: '*', for: 'each', tokensPerDay: 1_000_000 }] as const
const portsOf = (over: Partial<typeof testLimits> = {}) => ({
  builder: toolContextBuilder,
  limits: { ...testLimits, ...over, fair: { ...testLimits.fair, budgets } },
})
beforeEach(() => {
  owner = `lab-${(owners += 1)}-${Math.random()}`
  chat = createChatHarness(store, portsOf())
})

const none = () => new AbortController().signal
async function linesOf(asked = request(), gone = none()): Promise<readonly TrialLine[]> {
  const all: TrialLine[] = []
  for await (const lines of await chat.service.trial(owner, asked, gone)) all.push(...lines)
  return all
}
const used = async () => (await chat.service.use(owner)).budgets[0]?.left

describe('a lab trial', () => {
  it('returns the model’s text, its timing and its token counts', async () => {
    chat.script([{ reasoning: 'hm' }, { text: 'Hel' }, { pause: 500 }, { text: 'lo' }, { finish: 'stop' }])
    const reading = linesOf()
    await settle()
    await chat.clock.pass(500)
    const lines = await reading
    expect(lines).toEqual([
      { type: 'reasoning', text: 'hm', ms: 0 },
      { type: 'text', text: 'Hel', ms: 0 },
      { type: 'text', text: 'lo', ms: 500 },
      {
        type: 'end',
        outcome: 'finished',
        failure: null,
        usage: { inputTokens: 7, outputTokens: 3 },
        firstTextMs: 0,
        ms: 500,
      },
    ])
  })

  it('sends the same prompt as a chat, with tools and results in the form of its strategy', async () => {
    for (const { id, callsBy } of toolContextBuilder.strategies) {
      const text =
        callsBy === 'model'
          ? toolContextBuilder.get(id).formatCalls([{ name: 'read_file', arguments: { path: '/a' } }])
          : '\u001etool_call {"id":"c1","name":"read_file"}\n{"path":"/a"}\u001e\n'
      const asked = request({
        strategy: id,
        turns: [
          { role: 'user', text: 'Read /a' },
          { role: 'assistant', text },
          { role: 'results', results: [{ slot: 0, name: 'read_file', result: 'the words' }] },
        ],
        temperature: 0.3,
      })
      chat.script([{ text: 'ok' }, { finish: 'stop' }])
      await linesOf(asked)
      const sent = chat.model.doStreamCalls.at(-1)
      const input = trialInput(asked)
      expect(sent?.temperature).toBe(0.3)
      const system = toolContextBuilder.spliceSystemPrompt('Be brief.', { strategy: id, tools, enabled: true })
      expect(input.instructions).toBe(system)
      expect(sent?.prompt[0]).toMatchObject({ role: 'system', content: system })
      expect(sent?.tools?.map(({ name }) => name)).toEqual(callsBy === 'model' ? undefined : ['read_file', 'set_timer'])
      const told = JSON.stringify(sent?.prompt.slice(2))
      expect(told).toContain('the words')
      expect(told).toContain('/a')
      if (callsBy === 'model') expect(told).toContain(JSON.stringify(text).slice(1, -1))
    }
  })

  it('is not stored, and is metered like any reply', async () => {
    const before = await used()
    chat.script([{ text: 'ok' }, { finish: 'stop' }])
    await linesOf()
    expect(await store.listConversations(owner, '', 10)).toEqual([])
    expect(await dataLeft(store, owner)).toEqual([])
    expect(await store.usageOfOwner(owner, 0)).toMatchObject([{ replies: 1, tokensIn: 7, tokensOut: 3 }])
    expect((before ?? 0) - ((await used()) ?? 0)).toBe(10)
  })

  it('shares the slots of chats: a refusal gives the time to retry', async () => {
    chat = createChatHarness(store, portsOf({ maxRunsPerOwner: 1 }))
    chat.script([{ hang: 'listening' }])
    const gone = new AbortController()
    const first = linesOf(request(), gone.signal)
    await settle()
    await expect(linesOf()).rejects.toMatchObject({
      code: 'rate-limited',
      reason: 'store.replies-full',
      retryAfterSeconds: 5,
    })
    gone.abort()
    expect((await first).at(-1)).toMatchObject({ type: 'end', outcome: 'stopped' })
    chat.script([{ text: 'ok' }, { finish: 'stop' }])
    expect((await linesOf()).at(-1)).toMatchObject({ outcome: 'finished' })
  })

  it('never queues: on a full process it is refused and has used nothing', async () => {
    chat = createChatHarness(store, portsOf({ maxRuns: 1 }))
    const before = await used()
    chat.script([{ hang: 'listening' }])
    const gone = new AbortController()
    const first = linesOf(request(), gone.signal)
    await settle()
    const held = await used()
    await expect(linesOf()).rejects.toMatchObject({
      code: 'unavailable',
      reason: 'chat.lab.busy',
      retryAfterSeconds: 3,
    })
    expect(await used()).toBe(held)
    gone.abort()
    await first
    expect(held).toBeLessThan(before ?? 0)
  })

  it('is refused before the model is called when the daily tokens are used up', async () => {
    const { limits } = portsOf()
    const fair = { ...limits.fair, budgets: [{ models: '*', for: 'each', tokensPerDay: 500 } as const] }
    chat = createChatHarness(store, { builder: toolContextBuilder, limits: { ...limits, fair } })
    await expect(linesOf()).rejects.toMatchObject({ code: 'over-budget' })
    expect(chat.model.doStreamCalls).toHaveLength(0)
    await expect(linesOf(request({ model: 'test/none' }))).rejects.toMatchObject({ code: 'unknown-model' })
  })

  it('stops the model when its reader disconnects, also before the first token, and frees the slot', async () => {
    chat.script([{ hang: 'deaf' }])
    const gone = new AbortController()
    const reading = linesOf(request(), gone.signal)
    await settle()
    expect(chat.service.load().replies).toBe(1)
    gone.abort()
    expect(await reading).toMatchObject([{ type: 'end', outcome: 'stopped' }])
    expect(chat.service.load().replies).toBe(0)
  })

  it('reports in its last line why a model failed', async () => {
    chat.script([{ fail: Object.assign(new Error('down'), { code: 'ECONNREFUSED' }) }])
    expect(await linesOf()).toMatchObject([
      { type: 'end', outcome: 'failed', failure: { message: expect.any(String) } },
    ])
  })

  it('ends with the replies at shutdown', async () => {
    chat.script([{ hang: 'listening' }])
    const reading = linesOf()
    await settle()
    const drained = chat.service.drain(1_000)
    await settle()
    await chat.clock.pass(1_000)
    await drained
    expect((await reading).at(-1)).toMatchObject({ outcome: 'interrupted' })
    await expect(linesOf()).rejects.toMatchObject({ reason: 'chat.restarting' })
  })

  it('holds its slot as long as its heartbeat continues, and no longer', async () => {
    chat = createChatHarness(store, portsOf({ maxRunsPerOwner: 1, stallMs: 10_000_000 }))
    chat.script([{ hang: 'listening' }])
    const gone = new AbortController()
    const reading = linesOf(request(), gone.signal)
    await settle()
    for (let minute = 0; minute < 5; minute++) {
      for (let beat = 0; beat < 3; beat++) {
        await chat.clock.pass(20_000)
      }
      await store.sweepFairUse(chat.clock.now())
      await expect(linesOf()).rejects.toMatchObject({ code: 'rate-limited' })
    }
    gone.abort()
    await reading
    // Simulates a claim of a node that died.
    const claim = { maxRunning: 1, address: null, tokens: { in: 5, out: 5 }, budgets: [], maxBytes: null }
    await store.claimTrial(owner, { id: 'dead', model: 'm' }, claim, chat.clock.now())
    await expect(linesOf()).rejects.toMatchObject({ code: 'rate-limited' })
    await store.sweepFairUse(chat.clock.now() + 120_000)
    chat.script([{ text: 'ok' }, { finish: 'stop' }])
    expect((await linesOf()).at(-1)).toMatchObject({ outcome: 'finished' })
  })
})
