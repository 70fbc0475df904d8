import { describe, expect, it } from 'vitest'
import { dayOf, type BudgetLine, type RunClaim } from './quotas'
import { type Store, addressSubject, everybody } from './store'
import type { StoreUnderTest } from './store.contract'
import {
  asRequested,
  dataLeft,
  finishedEnding,
  neverGated,
  testCall,
  testConversation,
  testOutcome,
  testPlan,
  testTool,
} from '../testing/rows'
import { underTest } from '../testing/under-test'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000

const claimOf = (over: Partial<RunClaim> = {}): RunClaim => ({
  maxRunning: 3,
  maxQueued: 2,
  waits: false,
  address: null,
  maxBytes: null,
  tokens: { in: 10, out: 90 },
  budgets: [],
  ...over,
})

/** The contract of every store for shared limits. Each case has its own owners. */
export function fairUseContract(name: string, openBoth: (now?: () => number) => Promise<StoreUnderTest>): void {
  describe(`fair use: ${name}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)

    const newOwner = () => `fair-${next()}`
    /** Appends a first message to a new chat; returns its run. */
    async function ask(owner: string, claim: RunClaim, now = NOW, from: Store = store) {
      const id = `fair-chat-${next()}`
      await from.createConversation(owner, testConversation(id))
      const plan = { ...testPlan(id, 1), claim }
      const { queued } = await from.append(owner, id, 'u1', plan, now)
      return { owner, id, runId: plan.reply.runId, queued }
    }
    const refusal = (work: Promise<unknown>) =>
      work.then(
        () => null,
        (error: { code?: string; reason?: string; retryAfterSeconds?: number }) => error,
      )
    const taken = async (line: BudgetLine, now = NOW) => (await store.budgetsTaken([line], now))[0]

    describe('running replies', () => {
      it('allows exactly the maximum, from any process, and then queues as many as allowed', async () => {
        const owner = newOwner()
        const answers = await Promise.allSettled(
          Array.from({ length: 20 }, (_, at) => ask(owner, claimOf(), NOW, at % 2 === 0 ? store : elsewhere)),
        )
        const stored = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
        expect(stored.filter(({ queued }) => queued === false)).toHaveLength(3)
        expect(stored.filter(({ queued }) => queued === true)).toHaveLength(2)
      })

      it('refuses more with a sentence and the time to retry, and stores nothing of it', async () => {
        const owner = newOwner()
        const id = 'fair-refused'
        await store.createConversation(owner, testConversation(id))
        const limits = claimOf({ maxRunning: 1, maxQueued: 0 })
        await ask(owner, limits)
        const error = await refusal(store.append(owner, id, 'u1', { ...testPlan(id, 1), claim: limits }, NOW))
        expect(error).toMatchObject({ code: 'rate-limited', reason: 'store.replies-full', retryAfterSeconds: 5 })
        expect((await store.loadConversation(owner, id))?.messages).toEqual([])
      })

      it('frees the slot at the end of the reply, no matter who ends it', async () => {
        const owner = newOwner()
        const limits = claimOf({ maxRunning: 1, maxQueued: 0 })
        const { runId } = await ask(owner, limits)
        await elsewhere.endRun({ owner, runId }, { ...finishedEnding(), outcome: 'interrupted', usage: null }, NOW)
        await expect(ask(owner, limits)).resolves.toMatchObject({ queued: false })
      })

      it('frees the slot with the chat', async () => {
        const owner = newOwner()
        const limits = claimOf({ maxRunning: 1, maxQueued: 0 })
        const { id } = await ask(owner, limits)
        await store.deleteConversation(owner, id)
        await expect(ask(owner, limits)).resolves.toMatchObject({ queued: false })
      })

      it('counts all requests from one address together, and no others', async () => {
        const address = { subject: addressSubject(`hash-${next()}`), maxRunning: 2 }
        const limits = claimOf({ address })
        const first = await ask(newOwner(), limits)
        const answers = [first, await ask(newOwner(), limits), await ask(newOwner(), limits)]
        expect(answers.map(({ queued }) => queued)).toEqual([false, false, true])
        expect(await ask(newOwner(), claimOf())).toMatchObject({ queued: false })
        await store.endRun({ owner: first.owner, runId: first.runId }, finishedEnding(), NOW)
        expect(await ask(newOwner(), limits)).toMatchObject({ queued: false })
      })
    })

    describe('the queue', () => {
      it('starts a reply once when a slot is free', async () => {
        const owner = newOwner()
        const first = await ask(owner, claimOf({ maxRunning: 1 }))
        const second = await ask(owner, claimOf({ maxRunning: 1 }))
        const limits = { maxRunning: 1, maxRunningOfAddress: 1 }
        expect(second.queued).toBe(true)
        expect(await store.placeOf(owner, second.runId)).toBe(0)
        await store.storePlaces([{ owner, runId: second.runId, place: 3 }])
        expect(await elsewhere.placeOf(owner, second.runId)).toBe(3)
        expect(await store.placeOf('somebody else', second.runId)).toBeNull()
        expect(await store.startClaim(owner, second.runId, limits, NOW)).toBe('full')
        await store.endRun({ owner: first.owner, runId: first.runId }, finishedEnding(), NOW)
        expect(await store.startClaim(owner, second.runId, limits, NOW)).toBe('started')
        expect(await store.placeOf(owner, second.runId)).toBeNull()
        expect(await store.startClaim(owner, second.runId, limits, NOW)).toBe('gone')
      })

      it('is shown in the chat list while a reply waits in it', async () => {
        const owner = newOwner()
        const first = await ask(owner, claimOf({ maxRunning: 1 }))
        const second = await ask(owner, claimOf({ maxRunning: 1 }))
        const rowOf = async (id: string) => (await store.listConversations(owner, '', 10)).find((row) => row.id === id)
        expect(await rowOf(first.id)).toMatchObject({ running: true })
        expect(await rowOf(first.id)).not.toHaveProperty('queued')
        expect(await rowOf(second.id)).toMatchObject({ running: true, queued: true })
        await store.endRun({ owner, runId: first.runId }, finishedEnding(), NOW)
        await store.startClaim(owner, second.runId, { maxRunning: 1, maxRunningOfAddress: 1 }, NOW)
        expect(await rowOf(second.id)).toMatchObject({ running: true })
        expect(await store.summariseConversation(owner, second.id)).not.toHaveProperty('queued')
      })

      it('costs nothing if a reply is stopped while it waits', async () => {
        const owner = newOwner()
        const line = { owner, name: 'mine *', tokensPerDay: 1_000, models: '*' }
        const { runId } = await ask(owner, claimOf({ waits: true, budgets: [line] }))
        expect(await taken(line)).toBe(100)
        await store.endRun({ owner, runId }, { ...finishedEnding(), outcome: 'stopped', usage: null }, NOW)
        expect(await taken(line)).toBe(0)
        expect(await store.usageOfOwner(owner, 0)).toEqual([])
      })
    })

    describe('daily tokens', () => {
      it('allow exactly as many of 50 concurrent replies as there are tokens for', async () => {
        const owner = newOwner()
        const line = { owner, name: 'mine *', tokensPerDay: 1_250, models: '*' }
        const limits = claimOf({ maxRunning: 100, budgets: [line] })
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, at) => refusal(ask(owner, limits, NOW, at % 2 === 0 ? store : elsewhere))),
        )
        expect(answers.filter((error) => error === null)).toHaveLength(12)
        expect(answers.filter((error) => error?.code === 'over-budget')).toHaveLength(38)
        expect(await taken(line)).toBe(1_200)
      })

      it('are taken from no budget if one of several has too few', async () => {
        const owner = newOwner()
        const mine = { owner, name: 'a', tokensPerDay: 500, models: '*' }
        const all = { owner: everybody, name: `b-${owner}`, tokensPerDay: 50, models: 'openai/*' }
        const error = await refusal(ask(owner, claimOf({ budgets: [all, mine] })))
        expect(error).toMatchObject({ code: 'over-budget', reason: 'store.budget-too-small' })
        expect(await taken(mine)).toBe(0)
        expect(await taken(all)).toBe(0)
      })

      it('give the end of the day in a refusal', async () => {
        const owner = newOwner()
        const line = { owner, name: 'a', tokensPerDay: 150, models: '*' }
        await ask(owner, claimOf({ budgets: [line] }))
        const { endsAt } = dayOf(NOW)
        const error = await refusal(ask(owner, claimOf({ budgets: [line] }), endsAt - HOUR))
        expect(error).toMatchObject({
          reason: 'store.budget',
          retryAfterSeconds: 3600,
          values: { left: 50, limit: 150, needs: 100, mine: true, models: '*' },
        })
        await expect(ask(owner, claimOf({ budgets: [line] }), endsAt)).resolves.toBeDefined()
      })

      it('are settled with the actual use, on the day of the message, also beyond the limit', async () => {
        const owner = newOwner()
        const line = { owner, name: 'a', tokensPerDay: 150, models: '*' }
        const { runId } = await ask(owner, claimOf({ budgets: [line] }))
        const usage = { inputTokens: 120, outputTokens: 400 }
        await store.endRun({ owner, runId }, { ...finishedEnding(), usage }, NOW + 30 * HOUR)
        expect(await taken(line)).toBe(520)
        expect(await store.usageOfOwner(owner, 0)).toEqual([
          { day: dayOf(NOW).startsAt, model: 'demo/demo', replies: 1, tokensIn: 120, tokensOut: 400, estimated: 0 },
        ])
      })

      it('are estimated, and marked so, for a reply whose provider reports none', async () => {
        const owner = newOwner()
        const line = { owner, name: 'a', tokensPerDay: 1_500, models: '*' }
        const { runId } = await ask(owner, claimOf({ budgets: [line] }))
        await store.appendRunEvents({ owner, runId }, [
          { seq: 2, type: 'delta', channel: 'text', text: 'x'.repeat(400) },
        ])
        await store.endRun({ owner, runId }, { ...finishedEnding(), outcome: 'interrupted', usage: null }, NOW)
        expect(await taken(line)).toBe(210)
        expect(await store.usageOfOwner(owner, 0)).toMatchObject([{ tokensIn: 10, tokensOut: 200, estimated: 1 }])
      })

      it('cost nothing for a reply that was refused before its first token', async () => {
        const owner = newOwner()
        const line = { owner, name: 'a', tokensPerDay: 1_500, models: '*' }
        const { runId } = await ask(owner, claimOf({ budgets: [line] }))
        const failure = { code: 'unauthorised', message: 'no key', detail: '' } as const
        await store.endRun({ owner, runId }, { ...finishedEnding(), outcome: 'failed', usage: null, failure }, NOW)
        expect(await taken(line)).toBe(0)
      })

      it('count reserved tokens as used if the chat is deleted with its reply', async () => {
        const owner = newOwner()
        const line = { owner, name: 'a', tokensPerDay: 1_500, models: '*' }
        const { id } = await ask(owner, claimOf({ budgets: [line] }))
        await store.deleteConversation(owner, id)
        expect(await taken(line)).toBe(100)
        expect(await store.usageOfOwner(owner, 0)).toMatchObject([{ replies: 1, estimated: 1 }])
      })
    })

    describe('a reply outside of any chat', () => {
      const trialClaim = (over: Partial<RunClaim> = {}) => claimOf({ maxRunning: 1, ...over })
      const trial = { id: 't1', model: 'demo/demo' }

      it('takes a slot and tokens like any other, and returns them with its actual use', async () => {
        const owner = newOwner()
        const line = { owner, name: 'a', tokensPerDay: 1_500, models: '*' }
        const claim = trialClaim({ budgets: [line] })
        await store.claimTrial(owner, trial, claim, NOW)
        expect(await taken(line)).toBe(100)
        const error = await refusal(elsewhere.claimTrial(owner, { ...trial, id: 't2' }, claim, NOW))
        expect(error).toMatchObject({ reason: 'store.replies-full' })
        expect(await ask(owner, claimOf({ maxRunning: 1 }))).toMatchObject({ queued: true })
        const usage = { inputTokens: 20, outputTokens: 30 }
        await elsewhere.settleTrial(owner, trial.id, { outcome: 'finished', usage }, 'words')
        expect(await taken(line)).toBe(50)
        expect(await store.usageOfOwner(owner, 0)).toMatchObject([{ replies: 1, tokensIn: 20, tokensOut: 30 }])
        await store.settleTrial(owner, trial.id, { outcome: 'finished', usage }, 'words')
        expect(await taken(line)).toBe(50)
      })

      it('is settled automatically when its node sends no more heartbeats', async () => {
        const owner = newOwner()
        const late = NOW + 40 * 24 * HOUR
        await store.claimTrial(owner, trial, trialClaim(), late)
        await store.beatTrial(owner, trial.id, late + HOUR)
        await store.sweepFairUse(late + HOUR + 30_000)
        expect(await refusal(store.claimTrial(owner, { ...trial, id: 't2' }, trialClaim(), late))).not.toBeNull()
        await store.sweepFairUse(late + 2 * HOUR)
        expect(await refusal(store.claimTrial(owner, { ...trial, id: 't2' }, trialClaim(), late))).toBeNull()
        expect(await store.usageOfOwner(owner, 0)).toMatchObject([{ replies: 1, estimated: 1 }])
      })
    })

    describe('windows', () => {
      it('allow exactly as many of 50 concurrent requests as fit', async () => {
        const window = { owner: newOwner(), name: 'requests', startsAt: NOW, endsAt: NOW + 60_000 }
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? store : elsewhere).takeQuota(window, 20, 500)),
        )
        expect(answers.filter((answer) => answer !== null)).toHaveLength(25)
        expect(await store.takeQuota(window, 1, 500)).toBeNull()
        expect(await store.takeQuota({ ...window, startsAt: NOW + 60_000 }, 501, 500)).toBeNull()
        expect(await store.takeQuota({ ...window, startsAt: NOW + 60_000 }, 500, 500)).toBe(500)
      })

      it('are deleted a day after they ended', async () => {
        const long = 4 * 24 * HOUR
        const window = { owner: newOwner(), name: 'requests', startsAt: NOW - long, endsAt: NOW - long + 1 }
        const now = { ...window, startsAt: NOW, endsAt: NOW + 1 }
        await store.takeQuota(window, 5, 5)
        await store.takeQuota(now, 5, 5)
        await store.sweepFairUse(NOW)
        expect(await store.takeQuota(window, 5, 5)).toBe(5)
        expect(await store.takeQuota(now, 5, 5)).toBeNull()
      })
    })

    describe('the storage of an owner', () => {
      it('is the sum of the rows, whatever wrote them, and is freed with the chat', async () => {
        const owner = newOwner()
        const id = `kept-${owner}`
        await store.createConversation(owner, testConversation(id))
        const empty = (await store.ownerData(owner)).bytes
        expect(empty).toBe(Buffer.byteLength(JSON.stringify(testConversation(id).settings)))
        const text = 'ä€😀'.repeat(10)
        const plan = testPlan(id, 1)
        const picture = { messageId: 'u1', number: 1, mediaType: 'image/png', data: 'A'.repeat(5_000) } as const
        const userMessage = plan.userMessage && { ...plan.userMessage, text }
        await store.append(owner, id, 'u1', { ...plan, userMessage, images: [picture] }, NOW)
        const before = (await store.ownerData(owner)).bytes
        expect(before - empty).toBeGreaterThan(5_000 + Buffer.byteLength(text))
        expect(before - empty).toBeLessThan(5_600 + Buffer.byteLength(text))
        const { runId } = plan.reply
        await store.appendRunEvents({ owner, runId }, [
          { seq: 2, type: 'delta', channel: 'text', text: 'x'.repeat(700) },
        ])
        await store.endRun({ owner, runId }, { ...finishedEnding(), runnableCalls: 1 }, NOW)
        const replied = (await store.ownerData(owner)).bytes
        expect(replied - before).toBeGreaterThan(700)
        await store.decideCall(owner, id, testCall('a1', 0), asRequested)
        const key = { messageId: 'a1', slot: 0, attempt: 1, runnerId: 'tab-1' }
        await store.finishCall(owner, id, key, testOutcome('r'.repeat(900)), neverGated, NOW)
        const ran = await store.ownerData(owner)
        // The outcome, and again in the log, which contains it if it is short.
        expect(ran.bytes - replied).toBeGreaterThan(900)
        expect(ran).toMatchObject({ chats: 1, messages: 2 })
        await store.deleteConversation(owner, id)
        expect(await dataLeft(store, owner)).toEqual([])
      })

      it('refuses more with a sentence about what to do, and stores nothing of it', async () => {
        const owner = newOwner()
        await ask(owner, claimOf())
        const limit = (await store.ownerData(owner)).bytes
        const error = await refusal(ask(owner, claimOf({ maxBytes: limit })))
        expect(error).toMatchObject({ code: 'storage-full', reason: 'store.full', values: { limit } })
        expect((await store.ownerData(owner)).messages).toBe(2)
      })

      it('refuses growing chats, settings, marks and tools, and accepts shrinking ones', async () => {
        const owner = newOwner()
        const chat = testConversation(`full-${owner}`)
        await store.createConversation(owner, chat, 1)
        const full = { code: 'storage-full' }
        const change = (systemPrompt: string, maxBytes: number) =>
          store.updateConversation(owner, chat.id, { settings: { ...chat.settings, systemPrompt } }, NOW, maxBytes)
        expect(await refusal(store.createConversation(owner, testConversation('another'), 1))).toMatchObject(full)
        expect(await store.createConversation(owner, chat, 1)).toMatchObject({ id: chat.id })
        await change('long '.repeat(100), 1e9)
        expect(await refusal(change('longer '.repeat(100), 1))).toMatchObject(full)
        expect(await change('short', 1)).toMatchObject({ settings: { systemPrompt: 'short' } })
        const marks = { pinned: ['u1'], compactions: [] }
        expect(await refusal(store.updateConversation(owner, chat.id, { marks }, NOW, 1))).toMatchObject(full)
        expect(await refusal(store.registerTool(owner, chat.id, testTool('draw'), NOW, 1))).toMatchObject(full)
        const kept = (await store.ownerData(owner)).bytes
        await store.updateConversation(owner, chat.id, { marks }, NOW, 1e9)
        expect((await store.ownerData(owner)).bytes).toBeGreaterThan(kept)
        await store.updateConversation(owner, chat.id, { marks: null }, NOW, 1)
        expect((await store.ownerData(owner)).bytes).toBe(kept)
      })
    })

    describe('storage with concurrent writes', () => {
      const many = 12
      const passed = async (work: (at: number, from: Store) => Promise<unknown>) => {
        const all = await Promise.allSettled(
          Array.from({ length: many }, (_, at) => work(at, at % 2 === 0 ? store : elsewhere)),
        )
        const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code?: string }] : []))
        expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['storage-full']))
        return many - refused.length
      }
      const chats = async (owner: string) => {
        const ids = Array.from({ length: many }, () => `room-${next()}`)
        for (const id of ids) await store.createConversation(owner, testConversation(id))
        return { ids, kept: (await store.ownerData(owner)).bytes }
      }
      const long = { settings: { ...testConversation('x').settings, systemPrompt: 'x'.repeat(10_000) } }

      it('accepts one write when almost full, whichever kind: chats, settings, tools', async () => {
        const begun = newOwner()
        expect(
          await passed((at, from) => from.createConversation(begun, testConversation(`${begun}-${at}`, long), 25_000)),
        ).toBe(3)
        const set = newOwner()
        const { ids, kept } = await chats(set)
        expect(await passed((at, from) => from.updateConversation(set, ids[at] ?? '', long, NOW, kept + 15_000))).toBe(
          2,
        )
        const tooled = newOwner()
        const with10k = testTool('draw', { description: 'x'.repeat(10_000) })
        const own = await chats(tooled)
        expect(
          await passed((at, from) => from.registerTool(tooled, own.ids[at] ?? '', with10k, NOW, own.kept + 25_000)),
        ).toBe(2)
      })
    })

    describe('calls of an owner whose storage is full', () => {
      async function withCalls(owner: string) {
        const { id, runId } = await ask(owner, claimOf())
        await store.endRun({ owner, runId }, { ...finishedEnding(), runnableCalls: 4 }, NOW)
        return id
      }
      const key = { messageId: 'a1', slot: 0, attempt: 1, runnerId: 'tab-1' }
      const full = { code: 'storage-full' }

      it('can end with small results only, also after a stop, and start no more', async () => {
        const owner = newOwner()
        const id = await withCalls(owner)
        await store.decideCall(owner, id, testCall('a1', 0), asRequested, 1e9)
        await store.decideCall(owner, id, testCall('a1', 1), asRequested, 1e9)
        expect(await refusal(store.decideCall(owner, id, testCall('a1', 2), asRequested, 1))).toMatchObject(full)
        expect(
          await store.decideCall(owner, id, testCall('a1', 3, { decision: 'deny' }), asRequested, 1),
        ).toMatchObject({
          granted: true,
        })
        const long = testOutcome('x'.repeat(50_000))
        expect(await refusal(store.finishCall(owner, id, key, long, neverGated, NOW, 1))).toMatchObject(full)
        expect(await refusal(store.stopCall(owner, id, { ...key, slot: 1 }, long, NOW, 1))).toMatchObject(full)
        const before = (await store.ownerData(owner)).bytes
        await store.stopCall(owner, id, { ...key, slot: 1 }, long, NOW, 1e9)
        expect((await store.ownerData(owner)).bytes).toBeGreaterThan(before + 50_000)
        expect(await store.finishCall(owner, id, key, testOutcome(), () => true, NOW, 1)).toMatchObject({ gated: true })
        const changed = {
          kind: 'changed',
          by: { kind: 'click' },
          result: 'x'.repeat(50_000),
          changes: ['edited'],
          note: '',
          releasedAt: NOW,
        } as const
        expect(await refusal(store.releaseCall(owner, id, key, changed, 1))).toMatchObject(full)
        const sent = { kind: 'sent', by: { kind: 'click' }, note: '', releasedAt: NOW } as const
        expect(await store.releaseCall(owner, id, key, sent, 1)).toMatchObject({ release: sent })
      })

      it('are not changed or remembered, and changes of settings do not fill their log', async () => {
        const owner = newOwner()
        const id = await withCalls(owner)
        const change = { amendment: { call: { name: 'x', arguments: {} } }, seen: [], runnableCalls: 4 }
        const amended = store.amendCall(owner, id, { messageId: 'a1', slot: 2 }, change, NOW, 1)
        expect(await refusal(amended)).toMatchObject(full)
        const grant = {
          id: 'g1',
          scope: { kind: 'tool', tool: 'read_file' },
          createdAt: NOW,
          uses: 0,
          lastUsedAt: null,
          revokedAt: null,
        } as const
        expect(await refusal(store.giveGrant(owner, id, grant, 1))).toMatchObject(full)
        const { settings } = testConversation(id)
        const other = { settings: { ...settings, model: settings.model.toUpperCase() } }
        expect(await refusal(store.updateConversation(owner, id, other, NOW, 1))).toMatchObject(full)
        expect(await store.loadLog(owner, id)).toEqual([])
      })
    })

    describe('deleting data', () => {
      it('never treats an owner with an account as a visitor, even if the last visit says so', async () => {
        const old = NOW - 20_000 * 24 * HOUR
        const [member, visitor] = [newOwner(), newOwner()]
        for (const owner of [member, visitor]) {
          await store.createConversation(owner, testConversation('begun', { createdAt: old, updatedAt: old }))
        }
        const account = {
          id: `account of ${member}`,
          name: 'm',
          email: `${member}@x.example`,
          emailProven: false,
          owner: member,
          role: 'user',
          createdAt: old,
          disabledAt: null,
        } as const
        await store.accounts.addAccount(account, { id: `in ${member}`, providerId: 'header', accountId: member })
        // Known from the first chat on, even without a message.
        while ((await store.deleteOrphans(old + 1, 100)) > 0);
        expect((await store.ownerData(member)).chats).toBe(1)
        expect((await store.ownerData(visitor)).chats).toBe(0)
      })

      it('is final: what was running is counted for no owner', async () => {
        const owner = newOwner()
        const model = `demo/${owner}`
        await store.claimTrial(owner, { id: `t-${owner}`, model }, claimOf(), NOW)
        await store.eraseOwner(owner)
        await store.settleTrial(
          owner,
          `t-${owner}`,
          { outcome: 'finished', usage: { inputTokens: 1, outputTokens: 2 } },
          'w',
        )
        expect(await store.usageOfOwner(owner, 0)).toEqual([])
        const all = await store.usageByModelAndDay(dayOf(NOW).startsAt)
        expect(all.filter((row) => row.model === model)).toMatchObject([{ replies: 1, tokensIn: 1, tokensOut: 2 }])
      })

      it('and a concurrent end of a reply wait for each other, and both succeed', async () => {
        for (let round = 0; round < 15; round++) {
          const owner = newOwner()
          const { runId } = await ask(owner, claimOf())
          const [ended, erased] = await Promise.allSettled([
            store.endRun({ owner, runId }, finishedEnding(), NOW),
            elsewhere.eraseOwner(owner),
          ])
          expect([ended.status, erased]).toEqual(['fulfilled', { status: 'fulfilled', value: 1 }])
        }
      })

      it('hides all of an owner at once, deletes in small steps, and keeps anonymous usage numbers', async () => {
        const [owner, other] = [newOwner(), newOwner()]
        const day = NOW + 2_000 * 24 * HOUR
        const line = { owner, name: 'a', tokensPerDay: 10_000, models: '*' }
        for (const who of [owner, owner, owner, other]) {
          const { runId } = await ask(who, claimOf({ budgets: who === owner ? [line] : [] }), day)
          await store.endRun(
            { owner: who, runId },
            { ...finishedEnding(), usage: { inputTokens: 1, outputTokens: 2 } },
            day,
          )
        }
        await ask(owner, claimOf(), day)
        expect(await store.runningOf(owner)).toHaveLength(1)
        const chats = await store.listConversations(owner, '', 10)
        expect(await store.eraseOwner(owner)).toBe(4)
        // Hidden at once and for good, although rows are still to be deleted.
        expect(await dataLeft(store, owner)).toEqual([])
        const ids = chats.map(({ id }) => id)
        expect(await store.sortConversations(owner, ids, { deleted: false }, day)).toEqual([])
        for (const id of ids) expect(await store.loadConversation(owner, id)).toBeNull()
        while ((await store.purgeErased(3)) > 0);
        await store.forgetRuns(0, 10)
        expect(await dataLeft(store, owner)).toEqual([])
        expect(await store.usageOfOwner(owner, 0)).toEqual([])
        expect(await store.runningOf(owner)).toEqual([])
        expect(await taken(line, day)).toBe(9)
        expect(await store.ownerData(other)).toMatchObject({ chats: 1 })
        const all = await store.usageByModelAndDay(dayOf(day).startsAt)
        expect(all).toMatchObject([{ replies: 5 }])
      })

      it('relies on a trusted clock, whose last time is stored', async () => {
        // None stored yet: the time of the newest row.
        expect(await store.trustedTime()).toBeGreaterThan(0)
        await store.recordTrustedTime(NOW)
        await store.recordTrustedTime(NOW - HOUR)
        expect(await store.trustedTime()).toBe(NOW - HOUR)
      })

      it('covers chats untouched for long, and those of visitors who never returned, but not of accounts', async () => {
        const [visitor, member, guest] = [newOwner(), newOwner(), newOwner()]
        const old = NOW - 10_000 * 24 * HOUR
        for (const who of [visitor, member]) {
          const { runId } = await ask(who, claimOf(), old)
          await store.endRun({ owner: who, runId }, finishedEnding(), old)
        }
        await ask(guest, claimOf(), NOW)
        await store.recordVisits([{ owner: member, hasAccount: true }], old)
        await store.deleteOrphans(old + 1, 100)
        const chats = async (owner: string) => (await store.ownerData(owner)).chats
        expect([await chats(visitor), await chats(member), await chats(guest)]).toEqual([0, 1, 1])
        await store.recordVisits([{ owner: member, hasAccount: false }], old)
        await store.deleteOrphans(old + 1, 100)
        expect(await chats(member)).toBe(1)
        // Chats of other tests come first.
        while ((await store.deleteUntouched(old + 1, 100)) > 0);
        expect([await chats(member), await chats(guest)]).toEqual([0, 1])
      })
    })

    it('sums up everyone’s usage by model and day', async () => {
      const [one, two] = [newOwner(), newOwner()]
      const day = dayOf(NOW + 1_000 * 24 * HOUR)
      for (const owner of [one, two, two]) {
        const { runId } = await ask(owner, claimOf(), day.startsAt)
        await store.endRun(
          { owner, runId },
          { ...finishedEnding(), usage: { inputTokens: 5, outputTokens: 7 } },
          day.startsAt,
        )
      }
      const used = await store.usageByModelAndDay(day.startsAt)
      expect(used.filter((row) => row.day === day.startsAt)).toEqual([
        { day: day.startsAt, model: 'demo/demo', owners: 2, replies: 3, tokensIn: 15, tokensOut: 21, estimated: 0 },
      ])
    })
  })
}
