import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListPosition } from '@/lib/shared/conversation/search/list-filter'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { RunKey } from './run-store'
import type { Store } from './store'
import {
  AWKWARD,
  asRequested,
  finishedEnding,
  neverGated,
  runOf,
  testCall,
  testConversation,
  testOutcome,
  testPlan,
  testReply,
  testSettings,
  testUserMessage,
} from '../testing/rows'

export interface StoreUnderTest {
  readonly store: Store
  /** Another handle of the same database, like another process's. */
  readonly other: Store
  close(): Promise<void>
}

/** The contract of every store. Each case uses its own conversations, so that one database is enough. */
export function storeContract(name: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract: ${name}`, () => {
    let under: StoreUnderTest
    let store: Store
    let made = 0
    beforeAll(async () => {
      under = await openBoth()
      store = under.store
    })
    afterAll(() => under.close())

    /** The run of the first reply of a conversation. */
    const firstRun = (owner: string, id: string): RunKey => ({ owner, runId: `run-of-${id}-a1` })
    const newConversation = async (owner = 'ada') => {
      const id = `c${(made += 1)}`
      await store.createConversation(owner, testConversation(id))
      return id
    }
    const finishReply = (run: RunKey, over = {}) => store.endRun(run, finishedEnding(over), 3000)
    /** A conversation whose first reply has finished. */
    const withReply = async (owner = 'ada', runnable = 0) => {
      const id = await newConversation(owner)
      const plan = testPlan(id, 1)
      await store.append(owner, id, 'u1', plan, 2000)
      await finishReply(runOf(owner, plan.reply), { runnableCalls: runnable })
      return id
    }
    const events = async (run: RunKey, after = 0): Promise<readonly RunEvent[]> =>
      (await store.readRunEvents(run, after, 10_000))?.events ?? []

    describe('conversations', () => {
      it('creates once by id and returns the stored row', async () => {
        const first = await store.createConversation('ada', testConversation('same', { title: 'first' }))
        const second = await store.createConversation('ada', testConversation('same', { title: 'second' }))
        expect(first.title).toBe('first')
        expect(second).toEqual(first)
      })

      it('lists the owner’s own, newest first', async () => {
        for (const [id, updatedAt] of [
          ['l1', 10],
          ['l2', 9_007_199_254_740_000],
          ['l3', 30],
        ] as const) {
          await store.createConversation('lister', testConversation(id, { updatedAt }))
        }
        await newConversation('somebody')
        const list = await store.listConversations('lister', '', 50)
        expect(list.map(({ id }) => id)).toEqual(['l2', 'l3', 'l1'])
        expect(list[0]?.updatedAt).toBe(9_007_199_254_740_000)
        expect(await store.listConversations('lister', '', 2)).toHaveLength(2)
        expect(await store.summariseConversation('lister', 'l3')).toEqual(list[1])
        await store.createConversation('lister', testConversation('l4', { updatedAt: 30 }))
        const pages: string[] = []
        for (let after: ListPosition | undefined; ;) {
          const [row] = await store.listConversations('lister', '', 1, after)
          if (!row) break
          pages.push(row.id)
          after = row
        }
        expect(pages).toEqual(['l2', 'l3', 'l4', 'l1'])
        await store.updateConversation('lister', 'l1', { title: 'find me' }, 1)
        expect(await store.listConversations('lister', 'FIND', 9, { updatedAt: 30, id: 'l4' })).toHaveLength(1)
        expect(await store.listConversations('lister', 'FIND', 9, { updatedAt: 10, id: 'l1' })).toEqual([])
        expect(await store.summariseConversation('somebody', 'l3')).toBeNull()
      })

      it('searches titles ignoring case, and treats wildcards literally', async () => {
        for (const title of ['Größe 100%', 'ÄPFEL_1', 'apples', 'a\\b']) {
          const id = await newConversation('seeker')
          await store.updateConversation('seeker', id, { title }, 1)
        }
        const titles = async (query: string) =>
          (await store.listConversations('seeker', query, 50)).map(({ title }) => title)
        expect(await titles('äpfel')).toEqual(['ÄPFEL_1'])
        expect(await titles('GRÖSSE'.replace('SS', 'ß'))).toEqual(['Größe 100%'])
        expect(await titles('100%')).toEqual(['Größe 100%'])
        expect(await titles('_')).toEqual(['ÄPFEL_1'])
        expect(await titles('\\')).toEqual(['a\\b'])
        expect(await titles("'; drop table conversations; --")).toEqual([])
      })

      it('keeps titles without NUL and lone surrogates, and settings exactly', async () => {
        const id = await newConversation()
        const settings = { ...testSettings, systemPrompt: AWKWARD }
        await store.updateConversation('ada', id, { title: AWKWARD, settings, headId: 'm', updatedAt: 5 }, 5)
        const stored = await store.loadConversation('ada', id)
        expect(stored?.conversation).toMatchObject({ settings, settingsProblem: null, headId: 'm', updatedAt: 5 })
        expect(stored?.conversation.title).toBe(AWKWARD.replace('\0', '').replace('\ud800', '\ufffd'))
      })

      it('keeps the user’s compactions and pins with everything else, until they are removed', async () => {
        const id = await newConversation()
        const marks = { compactions: [{ through: 'm', summary: AWKWARD, madeAt: 9 }], pinned: ['a', 'b'] }
        await store.updateConversation('ada', id, { marks }, 1)
        await store.updateConversation('ada', id, { title: 'else' }, 2)
        expect((await store.loadConversation('ada', id))?.conversation).toMatchObject({ marks, title: 'else' })
        expect((await store.loadBranch('ada', id, { limit: 1 }))?.conversation.marks).toEqual(marks)
        await store.updateConversation('ada', id, { marks: null }, 3)
        expect((await store.loadConversation('ada', id))?.conversation).not.toHaveProperty('marks')
      })

      it('treats conversations of other owners as nonexistent', async () => {
        const id = await withReply('ada')
        expect(await store.loadConversation('eve', id)).toBeNull()
        expect(await store.updateConversation('eve', id, { title: 'mine' }, 1)).toBeNull()
        expect(await store.deleteConversation('eve', id)).toBe(false)
        expect(await store.loadRun(firstRun('eve', id))).toBeNull()
        expect(await store.requestStop(firstRun('eve', id))).toBe(false)
        await expect(store.append('eve', id, 'x', testPlan(id, 2, 'a1'), 1)).rejects.toMatchObject({
          code: 'not-found',
        })
        await expect(store.decideCall('eve', id, testCall('a1', 0), asRequested)).rejects.toMatchObject({
          code: 'not-found',
        })
        await store.decideCall('ada', id, testCall('a1', 0), asRequested)
        const key = { messageId: 'a1', slot: 0, attempt: 1, runnerId: 'tab-1' }
        expect(await store.finishCall('eve', id, key, testOutcome(), neverGated, 1)).toBeNull()
        expect((await store.loadConversation('ada', id))?.conversation.title).toBe('title 1')
      })

      it('separates two owners whose conversations, messages and replies have the same ids', async () => {
        const id = await newConversation('ada')
        expect((await store.createConversation('eve', testConversation(id, { title: 'hers' }))).title).toBe('hers')
        const runs = { ada: firstRun('ada', id), eve: firstRun('eve', id) }
        for (const owner of ['ada', 'eve'] as const) {
          await store.append(owner, id, 'u1', testPlan(id, 1), 2000)
          const text = `for ${owner}`
          await store.appendRunEvents(runs[owner], [{ seq: 2, type: 'delta', channel: 'text', text }])
        }
        const seen = await store.loadConversation('ada', id)
        await finishReply(runs.eve)
        await store.decideCall('eve', id, testCall('a1', 0), asRequested)
        expect(await store.loadReply(runs.eve)).toMatchObject({ text: 'for eve', outcome: 'finished' })
        expect(await store.loadConversation('ada', id)).toEqual(seen)
        expect(await store.deleteConversation('eve', id)).toBe(true)
        expect(await store.loadConversation('ada', id)).toEqual(seen)
        await finishReply(runs.ada)
        expect(await store.loadReply(runs.ada)).toMatchObject({ text: 'for ada', outcome: 'finished' })
        expect(await store.readRunEvents(runs.eve, 0, 10)).toBeNull()
      })

      it('deletes all rows of a conversation, even while a reply is written', async () => {
        const id = await newConversation()
        const plan = testPlan(id, 1)
        await store.append('ada', id, 'u1', plan, 2000)
        expect(await store.deleteConversation('ada', id)).toBe(true)
        expect(await store.loadConversation('ada', id)).toBeNull()
        expect(await store.appendRunEvents(runOf('ada', plan.reply), [])).toEqual({
          live: false,
          stopRequested: false,
          lastSeq: 0,
        })
        expect(await store.readRunEvents(runOf('ada', plan.reply), 0, 10)).toBeNull()
        expect(await finishReply(runOf('ada', plan.reply))).toBe(false)
      })
    })

    describe('append', () => {
      it('stores message, reply, run and head in one step', async () => {
        const id = await newConversation()
        const answer = await store.append('ada', id, 'u1', testPlan(id, 1), 2000)
        expect(answer).toMatchObject({ replayed: false, userMessage: { id: 'u1' }, reply: { id: 'a1' } })
        const stored = await store.loadConversation('ada', id)
        expect(stored?.messages.map((message) => message.id)).toEqual(['u1', 'a1'])
        expect(stored?.conversation).toMatchObject({ headId: 'a1', title: 'title 1', updatedAt: 2000 })
        expect(answer.conversation).toEqual(stored?.conversation)
        expect(stored?.activeRunId).toBe(`run-of-${id}-a1`)
        expect(await events(firstRun('ada', id))).toEqual([
          { seq: 1, type: 'start', message: testReply(id, 'a1', 'u1') },
        ])
        expect((await store.listConversations('ada', '', 500)).find((row) => row.id === id)?.running).toBe(true)
      })

      it('keeps the user’s text exactly', async () => {
        const id = await newConversation()
        const plan = testPlan(id, 1)
        const result = { [AWKWARD]: [AWKWARD, null, 1e300, { __proto__: null, b: 1, a: 2 }] }
        const userMessage = testUserMessage(id, 'u1', {
          text: AWKWARD,
          results: [
            { messageId: 'x', slot: 0, callId: AWKWARD, name: AWKWARD, status: 'completed', result, durationMs: 1 },
          ],
        })
        await store.append('ada', id, 'u1', { ...plan, userMessage, title: AWKWARD }, 2000)
        const [stored] = (await store.loadConversation('ada', id))?.messages ?? []
        expect(JSON.stringify(stored)).toBe(JSON.stringify(userMessage))
      })

      it('answers a repeated request without writing', async () => {
        const id = await newConversation()
        const plan = testPlan(id, 1)
        await store.append('ada', id, 'u1', plan, 2000)
        await finishReply(runOf('ada', plan.reply))
        const retried = { ...plan, reply: testReply(id, 'another', 'u1') }
        const again = await store.append('ada', id, 'u1', retried, 9000)
        expect(again).toMatchObject({ replayed: true, userMessage: plan.userMessage, reply: { id: 'a1' } })
        const stored = await store.loadConversation('ada', id)
        expect(stored?.messages).toHaveLength(2)
        expect((await store.findAppend('ada', id, 'u1'))?.conversation).toEqual(stored?.conversation)
      })

      it('answers a repeated `reply` request with the reply alone', async () => {
        const id = await withReply()
        const plan = { userMessage: null, calls: [], seen: null, title: '', reply: testReply(id, 'a1b', 'u1') }
        await store.append('ada', id, 'regenerate-1', plan, 2000)
        const again = await store.append('ada', id, 'regenerate-1', plan, 2000)
        expect(again).toMatchObject({ replayed: true, userMessage: null, reply: { id: 'a1b' }, calls: [] })
      })

      it('refuses a plan for an outdated head, and returns the current one', async () => {
        const id = await withReply()
        const stale = { ...testPlan(id, 2), head: null }
        await expect(store.append('ada', id, 'u2', stale, 1)).rejects.toMatchObject({ code: 'conflict', headId: 'a1' })
        expect((await store.loadConversation('ada', id))?.messages).toHaveLength(2)
        expect(await store.append('ada', id, 'u2', { ...testPlan(id, 2, 'a1'), head: 'a1' }, 1)).toMatchObject({
          replayed: false,
        })
        // Answered before the head is compared: a request may be repeated after the chat has continued.
        expect(await store.append('ada', id, 'u2', { ...testPlan(id, 2), head: null }, 1)).toMatchObject({
          replayed: true,
        })
      })

      it('refuses a second running reply, used message ids and unknown parents', async () => {
        const id = await newConversation()
        await store.append('ada', id, 'u1', testPlan(id, 1), 2000)
        await expect(store.append('ada', id, 'u2', testPlan(id, 2, 'a1'), 1)).rejects.toMatchObject({
          code: 'run-in-progress',
        })
        await finishReply(firstRun('ada', id))
        await expect(store.append('ada', id, 'new', testPlan(id, 1), 1)).rejects.toMatchObject({ code: 'conflict' })
        await expect(store.append('ada', id, 'u3', testPlan(id, 3, 'nowhere'), 1)).rejects.toMatchObject({
          code: 'not-found',
        })
        const stored = await store.loadConversation('ada', id)
        expect(stored?.messages).toHaveLength(2)
        expect(stored?.activeRunId).toBeNull()
      })

      it('keeps a title that the user set', async () => {
        const id = await newConversation()
        await store.updateConversation('ada', id, { title: 'mine' }, 1)
        await store.append('ada', id, 'u1', testPlan(id, 1), 2000)
        expect((await store.loadConversation('ada', id))?.conversation.title).toBe('mine')
      })

      it('skips undecided calls and marks finished ones as posted, or refuses completely if one changed', async () => {
        const id = await withReply()
        const { call } = await store.decideCall('ada', id, testCall('a1', 0), asRequested)
        const skip = testCall('a1', 1, { decision: 'skip', runnerId: null, postedIn: 'u2' })
        const posted = { ...call, outcome: testOutcome(), finishedAt: 5, postedIn: 'u2' }
        const plan = testPlan(id, 2, 'a1')
        const stale = { ...plan, calls: [{ before: posted, after: posted }] }
        await expect(store.append('ada', id, 'u2', stale, 1)).rejects.toMatchObject({ code: 'call-not-open' })
        const taken = { ...plan, calls: [{ before: null, after: testCall('a1', 0) }] }
        await expect(store.append('ada', id, 'u2', taken, 1)).rejects.toMatchObject({ code: 'call-not-open' })
        expect((await store.loadConversation('ada', id))?.messages).toHaveLength(2)

        const good = {
          ...plan,
          calls: [
            { before: call, after: posted },
            { before: null, after: skip },
          ],
        }
        await store.append('ada', id, 'u2', good, 1)
        expect((await store.loadConversation('ada', id))?.calls).toEqual([posted, skip])
        expect((await store.append('ada', id, 'u2', good, 1)).calls).toEqual([posted, skip])
      })

      it('accepts exactly one of many concurrent appends', async () => {
        const id = await newConversation()
        const attempts = Array.from({ length: 20 }, (_, n) =>
          (n % 2 === 0 ? store : under.other).append('ada', id, `u${n}`, testPlan(id, n), 2000),
        )
        const settled = await Promise.allSettled(attempts)
        const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code: string }] : []))
        expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 19 }, () => 'run-in-progress'))
        expect((await store.loadConversation('ada', id))?.messages).toHaveLength(2)
      })

      it('answers a request that is sent many times at once with one reply', async () => {
        const id = await newConversation()
        const attempts = Array.from({ length: 10 }, (_, n) => {
          const plan = { ...testPlan(id, 1), reply: testReply(id, `reply-${n}`, 'u1') }
          return (n % 2 === 0 ? store : under.other).append('ada', id, 'u1', plan, 2000)
        })
        const answers = await Promise.all(attempts)
        expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1)
        expect(new Set(answers.map(({ reply }) => reply.id)).size).toBe(1)
      })
    })

    describe('calls', () => {
      it('grants one of fifty concurrent decisions, and returns the winner', async () => {
        const id = await withReply()
        const decisions = await Promise.all(
          Array.from({ length: 50 }, (_, n) => {
            const decision = n % 3 === 0 ? 'deny' : 'run'
            const record = testCall('a1', 0, { runnerId: `tab-${n}`, decision })
            return (n % 2 === 0 ? store : under.other).decideCall('ada', id, record, asRequested)
          }),
        )
        const granted = decisions.filter((answer) => answer.granted)
        expect(granted).toHaveLength(1)
        expect(new Set(decisions.map(({ call }) => call.runnerId))).toEqual(new Set([granted[0]?.call.runnerId]))
      })

      it('grants one of many claims of a run for a tool server, once per attempt', async () => {
        const id = await withReply()
        const key = { messageId: 'a1', slot: 0, attempt: 1 }
        expect(await store.claimRelay('ada', id, key)).toBe(false)
        await store.decideCall('ada', id, testCall('a1', 0), asRequested)
        expect(await store.claimRelay('eve', id, key)).toBe(false)
        expect(await store.claimRelay('ada', id, { ...key, attempt: 2 })).toBe(false)
        const claims = await Promise.all(
          Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? store : under.other).claimRelay('ada', id, key)),
        )
        expect(claims.filter(Boolean)).toHaveLength(1)
        await store.decideCall('ada', id, testCall('a1', 0, { attempt: 2 }), asRequested)
        expect(await under.other.claimRelay('ada', id, key)).toBe(false)
        expect(await under.other.claimRelay('ada', id, { ...key, attempt: 2 })).toBe(true)
        expect(await store.claimRelay('ada', id, { ...key, attempt: 2 })).toBe(false)
      })

      it('hands the answer to a question of a relayed call from one process to another, once', async () => {
        const id = await withReply()
        const key = { messageId: 'a1', slot: 0, attempt: 1 }
        const first = { action: 'accept', content: { seats: 4, note: '\0 \ud800' } } as const
        const decline = { action: 'decline' } as const
        const { other } = under
        await store.decideCall('ada', id, testCall('a1', 0, { runnerId: 'tab-1' }), asRequested)
        expect(await other.answerRelayQuestion('ada', id, key, 1, first)).toBe(false)
        await store.openRelayQuestion('ada', id, key, 1)
        expect(await store.takeRelayAnswer('ada', id, key, 1)).toBeNull()
        expect(await other.answerRelayQuestion('eve', id, key, 1, first)).toBe(false)
        expect(await other.answerRelayQuestion('ada', id, { ...key, attempt: 2 }, 1, first)).toBe(false)
        expect(await other.answerRelayQuestion('ada', id, key, 2, first)).toBe(false)
        const said = await Promise.all(
          [first, decline].map((answer) => other.answerRelayQuestion('ada', id, key, 1, answer)),
        )
        expect(said.filter(Boolean)).toHaveLength(1)
        expect(await store.takeRelayAnswer('ada', id, key, 1)).toEqual(said[0] ? first : decline)
        expect(await store.takeRelayAnswer('eve', id, key, 1)).toBeNull()
        // The next question has its own answer, and nothing is left after the call.
        await store.openRelayQuestion('ada', id, key, 2)
        expect(await store.takeRelayAnswer('ada', id, key, 2)).toBeNull()
        expect(await other.answerRelayQuestion('ada', id, key, 2, first)).toBe(true)
        const ended = { ...key, runnerId: 'tab-1' }
        await store.finishCall('ada', id, ended, testOutcome('done'), neverGated, 4000)
        expect(await store.takeRelayAnswer('ada', id, key, 2)).toBeNull()
        await store.openRelayQuestion('ada', id, key, 3)
        expect(await other.answerRelayQuestion('ada', id, key, 3, first)).toBe(false)
      })

      it('grants no run of a call that was denied, stopped or has ended', async () => {
        const id = await withReply()
        const claim = (slot: number) => store.claimRelay('ada', id, { messageId: 'a1', slot, attempt: 1 })
        const key = (slot: number) => ({ messageId: 'a1', slot, attempt: 1, runnerId: 'tab-1' })
        await store.decideCall('ada', id, testCall('a1', 0, { decision: 'deny' }), asRequested)
        await store.decideCall('ada', id, testCall('a1', 1), asRequested)
        await store.stopCall('ada', id, key(1), null, 2100)
        await store.decideCall('ada', id, testCall('a1', 2), asRequested)
        await store.finishCall('ada', id, key(2), testOutcome(), neverGated, 2100)
        await store.decideCall('ada', id, testCall('a1', 3), asRequested)
        expect(await Promise.all([0, 1, 2, 3].map(claim))).toEqual([false, false, false, true])
      })

      it('keeps the content of a call exactly', async () => {
        const id = await withReply()
        const record = testCall('a1', 0, { callId: AWKWARD, name: AWKWARD, reason: AWKWARD, decision: 'deny' })
        expect((await store.decideCall('ada', id, record, asRequested)).call).toEqual(record)
        expect((await store.loadConversation('ada', id))?.calls).toEqual([record])
      })

      it('grants attempt n+1 once, and only over an attempt without an outcome', async () => {
        const id = await withReply()
        const attempt = (n: number, runnerId: string) =>
          store.decideCall('ada', id, testCall('a1', 0, { attempt: n, runnerId }), asRequested)
        await expect(attempt(2, 'early')).rejects.toMatchObject({ code: 'call-not-open' })
        await attempt(1, 'tab-1')
        expect((await attempt(3, 'too far')).granted).toBe(false)
        const second = await Promise.all(Array.from({ length: 10 }, (_, n) => attempt(2, `again-${n}`)))
        const granted = second.filter((answer) => answer.granted)
        expect(granted).toHaveLength(1)

        const runnerId = granted[0]?.call.runnerId ?? ''
        const late = { messageId: 'a1', slot: 0, attempt: 1, runnerId: 'tab-1' }
        expect(await store.finishCall('ada', id, late, testOutcome('late'), neverGated, 1)).toBeNull()
        await store.finishCall('ada', id, { ...late, attempt: 2, runnerId }, testOutcome('good'), neverGated, 1)
        expect((await attempt(3, 'after the end')).granted).toBe(false)
      })

      it('stores an outcome once and returns the stored one on a repeat', async () => {
        const id = await withReply()
        await store.decideCall('ada', id, testCall('a1', 0), asRequested)
        const key = { messageId: 'a1', slot: 0, attempt: 1, runnerId: 'tab-1' }
        const finished = await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            (n % 2 === 0 ? store : under.other).finishCall(
              'ada',
              id,
              key,
              testOutcome(`${AWKWARD} ${n}`),
              neverGated,
              n,
            ),
          ),
        )
        expect(new Set(finished.map((call) => JSON.stringify(call?.outcome))).size).toBe(1)
        expect(
          await store.finishCall('ada', id, { ...key, runnerId: 'other' }, testOutcome(), neverGated, 1),
        ).toBeNull()
        expect((await store.loadConversation('ada', id))?.calls).toEqual([finished[0]])
      })

      it('stores no outcome for a call that was denied or never decided', async () => {
        const id = await withReply()
        await store.decideCall('ada', id, testCall('a1', 0, { decision: 'deny' }), asRequested)
        const key = { messageId: 'a1', slot: 0, attempt: 1, runnerId: 'tab-1' }
        expect(await store.finishCall('ada', id, key, testOutcome(), neverGated, 1)).toBeNull()
        expect(await store.finishCall('ada', id, { ...key, slot: 7 }, testOutcome(), neverGated, 1)).toBeNull()
      })

      it('counts the head’s undecided calls for the list', async () => {
        const id = await withReply('counter', 3)
        const waiting = async () =>
          (await store.listConversations('counter', '', 50)).find((row) => row.id === id)?.waitingCalls
        expect(await waiting()).toBe(3)
        await store.decideCall('counter', id, testCall('a1', 0), asRequested)
        expect(await waiting()).toBe(2)
        await store.append('counter', id, 'u2', testPlan(id, 2, 'a1'), 1)
        expect(await waiting()).toBe(0)
      })
    })

    describe('numbers from requests', () => {
      const sizes = [-1, 0, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1]

      it.each(sizes)('accepts %d for every numeric argument', async (n) => {
        const id = await withReply()
        const run = firstRun('ada', id)
        expect((await store.readRunEvents(run, n, 10))?.run.id).toBe(run.runId)
        expect(await store.loadImages('ada', id, [{ messageId: 'u1', number: n }])).toEqual([])
        const key = { messageId: 'a1', slot: n, attempt: n }
        const byTab = { ...key, runnerId: 'tab-1' }
        expect(await store.finishCall('ada', id, byTab, testOutcome(), neverGated, n)).toBeNull()
        const released = store.releaseCall('ada', id, key, {
          kind: 'sent',
          by: { kind: 'click' },
          note: '',
          releasedAt: n,
        })
        await expect(released).rejects.toMatchObject({
          code: expect.stringMatching(/call-not-open|not-found/) as string,
        })
        expect(await store.amendCall('ada', id, key, { amendment: null, seen: [], runnableCalls: n }, n)).toEqual([])
        expect((await store.decideCall('ada', id, testCall('a1', n), asRequested)).call.slot).toBe(n)
        expect((await store.loadConversation('ada', id))?.calls).toMatchObject([{ slot: n }])
        if (n < 0) return
        expect((await store.readRunEvents(run, 0, n))?.events.length).toBe(Math.min(n, 2))
        expect((await store.listConversations('ada', '', n)).length).toBeLessThanOrEqual(n)
        await store.staleRuns(n)
        await store.pruneRunEvents(n)
      })
    })

    it('returns the same time on all nodes', async () => {
      const times = [await store.time(), await under.other.time(), await store.time()]
      expect(times.every(Number.isFinite)).toBe(true)
      expect(times.toSorted((a, b) => a - b)).toEqual(times)
    })

    it('answers a ping', async () => {
      await expect(store.ping()).resolves.toBeUndefined()
    })
  })
}
