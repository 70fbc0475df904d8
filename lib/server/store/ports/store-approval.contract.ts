import { describe, expect, it } from 'vitest'
import type { CallAmendment, CallRecord, Grant, ResultRelease } from '@/lib/shared/conversation/call-record'
import { stoppedWithOthers } from '@/lib/shared/conversation/stopped-outcome'
import type { StoreUnderTest } from './store.contract'
import type { AmendPlan } from './call-store'
import {
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
import { underTest } from '../testing/under-test'

const AWKWARD = '\0 \ud800 😀 {"a":"\\u0000"} \'"\\ \u2028'
const promoted = 2 ** 31 - 1

/** The contract of every store for approval: amendments, releases, grants, and a complete log. */
export function approvalContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of approval: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)

    /** A conversation whose first reply `a1` has finished with that many calls. */
    const withReply = async (runnable = 0, owner = 'ada') => {
      const id = `approval-${next()}`
      await store.createConversation(owner, testConversation(id))
      const plan = testPlan(id, 1)
      await store.append(owner, id, 'u1', plan, 2000)
      await store.endRun(runOf(owner, plan.reply), finishedEnding({ runnableCalls: runnable }), 3000)
      return id
    }
    const either = (n: number) => (n % 2 === 0 ? store : elsewhere)
    const key = (slot = 0) => ({ messageId: 'a1', slot, attempt: 1 })
    const call = (text: string): Pick<CallAmendment, 'call'> => ({ call: { name: 'read_file', arguments: { text } } })
    const change = (amendment: AmendPlan['amendment'], seen: AmendPlan['seen'] = [], runnableCalls = 0) => ({
      amendment,
      seen,
      runnableCalls,
    })
    const amend = async (id: string, slot: number, amendment: AmendPlan['amendment'], now = 10, by = store) => {
      for (;;) {
        const seen = (await by.loadConversation('ada', id))?.amendments
        const stored = await by.amendCall('ada', id, { messageId: 'a1', slot }, change(amendment, seen), now)
        if (stored) return stored
      }
    }
    const finish = (id: string, slot = 0, gated = true) =>
      store.finishCall('ada', id, { ...key(slot), runnerId: 'tab-1' }, testOutcome(), () => gated, 20)
    const sent = (note = '', releasedAt = 30): ResultRelease => ({
      kind: 'sent',
      by: { kind: 'click' },
      note,
      releasedAt,
    })
    const withheld = (note = ''): ResultRelease => ({ kind: 'withheld', by: { kind: 'click' }, note, releasedAt: 31 })
    const grant = (id: string, over: Partial<Grant> = {}): Grant => ({
      id,
      scope: { kind: 'tool', tool: 'read_file' },
      createdAt: 5,
      uses: 0,
      lastUsedAt: null,
      revokedAt: null,
      ...over,
    })
    const events = async (id: string) => (await store.loadLog('ada', id))?.map(({ event }) => event)
    const gaps = async (id: string) =>
      (await store.loadLog('ada', id))?.filter(({ seq }, at) => seq !== at + 1).length ?? -1
    const waiting = async (id: string, owner = 'ada') =>
      (await store.listConversations(owner, '', 500)).find((row) => row.id === id)?.waitingCalls
    const codes = (settled: readonly PromiseSettledResult<unknown>[]) =>
      settled.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'ok'))

    it('records a stop once, adds the partial output, and clears both with the next attempt', async () => {
      const id = await withReply(1)
      await store.decideCall('ada', id, testCall('a1', 0), asRequested)
      const runner = { ...key(), runnerId: 'tab-1' }
      const said = { ...testOutcome(AWKWARD), status: 'cancelled' } as const
      expect(await store.stopCall('eve', id, runner, null, 19)).toBeNull()
      expect(await store.stopCall('ada', id, { ...runner, runnerId: 'other' }, null, 19)).toBeNull()
      expect(await store.stopCall('ada', id, { ...runner, attempt: 2 }, null, 19)).toBeNull()
      expect((await store.stopCall('ada', id, runner, null, 20))?.stopped).toEqual({ at: 20, outcome: null })
      expect((await elsewhere.stopCall('ada', id, runner, null, 21))?.stopped).toEqual({ at: 20, outcome: null })
      expect((await elsewhere.stopCall('ada', id, runner, said, 22))?.stopped).toEqual({ at: 20, outcome: said })
      // The request of the click arrives last.
      expect((await store.stopCall('ada', id, runner, null, 23))?.stopped).toEqual({ at: 20, outcome: said })
      expect((await store.loadConversation('ada', id))?.calls).toMatchObject([{ outcome: null, stopped: { at: 20 } }])
      const again = await store.decideCall('ada', id, { ...testCall('a1', 0), attempt: 2 }, asRequested)
      expect(again).toMatchObject({ granted: true })
      expect(again.call).not.toHaveProperty('stopped')
      expect(await events(id)).toEqual(['call-decided', 'call-stopped', 'call-decided'])
    })

    it('keeps a call cancelled before it began: it uses no run of its reply, and may still run', async () => {
      const id = await withReply(3)
      const two = { ...asRequested, maxRuns: 2 }
      await store.decideCall('ada', id, testCall('a1', 0), two)
      const cancelled = { ...testCall('a1', 1), stopped: stoppedWithOthers(20) }
      expect(await store.decideCall('ada', id, cancelled, two)).toMatchObject({ granted: true })
      expect(await elsewhere.decideCall('ada', id, cancelled, two)).toMatchObject({ granted: false })
      const stored = await elsewhere.loadConversation('ada', id)
      expect(stored?.calls[1]).toMatchObject({ decision: 'run', outcome: null, stopped: { at: 20, begun: false } })
      await store.decideCall('ada', id, testCall('a1', 2), two)
      const again = { ...testCall('a1', 1), attempt: 2 }
      await expect(store.decideCall('ada', id, again, two)).rejects.toMatchObject({ code: 'call-not-open' })
      const granted = await store.decideCall('ada', id, again, { ...asRequested, maxRuns: 3 })
      expect(granted).toMatchObject({ granted: true, call: { attempt: 2 } })
      expect(granted.call).not.toHaveProperty('stopped')
      expect(await events(id)).toEqual(['call-decided', 'call-stopped', 'call-decided', 'call-decided'])
      const log = await store.loadLog('ada', id)
      expect(log?.[1]?.detail).toMatchObject({ begun: false, attempt: 1 })
      expect(await gaps(id)).toBe(0)
    })

    it('keeps an outcome that came before the stop, and never treats a stop as an interruption', async () => {
      const id = await withReply(2)
      for (const slot of [0, 1]) await store.decideCall('ada', id, testCall('a1', slot), asRequested)
      await finish(id, 0, false)
      expect(await store.stopCall('ada', id, { ...key(0), runnerId: 'tab-1' }, null, 30)).toMatchObject({
        outcome: { status: 'completed' },
      })
      const runner = { ...key(1), runnerId: 'tab-1' }
      await store.stopCall('ada', id, runner, null, 31)
      const gone = { ...testOutcome('gone'), status: 'interrupted' } as const
      expect(await store.finishCall('ada', id, runner, gone, neverGated, 32)).toMatchObject({
        outcome: { status: 'cancelled' },
        stopped: { at: 31 },
      })
    })

    it('stores the outcome of a call that the chat continued without, and withholds a gated one', async () => {
      const id = await withReply(2)
      for (const slot of [0, 1]) await store.decideCall('ada', id, testCall('a1', slot), asRequested)
      const before = (await store.loadConversation('ada', id))?.calls ?? []
      const plan = testPlan(id, 2, 'a1')
      const calls = before.map((row) => ({ before: row, after: { ...row, postedIn: plan.userMessage?.id ?? '' } }))
      await store.append('ada', id, 'u2', { ...plan, calls }, 40)
      expect(await finish(id, 0, false)).toMatchObject({ outcome: { status: 'completed' }, release: null })
      expect(await finish(id, 1, true)).toMatchObject({ gated: true, release: { kind: 'withheld' } })
      await expect(store.releaseCall('ada', id, key(1), sent())).rejects.toMatchObject({ code: 'call-not-open' })
    })

    it('stores the card on which an approval was given, and when a chat was imported', async () => {
      const id = await withReply(1)
      const givenOn = { messageId: 'a1', slot: 0 }
      expect(await store.giveGrant('ada', id, grant('g', { givenOn }))).toMatchObject({ givenOn })
      expect(await store.giveGrant('ada', id, grant('h'))).not.toHaveProperty('givenOn')
      const stored = await elsewhere.loadConversation('ada', id)
      expect(stored?.grants.map((one) => one.givenOn)).toEqual([givenOn, undefined])
      expect(stored?.conversation).not.toHaveProperty('importedAt')
      await store.createConversation('ada', { ...testConversation(`${id}-in`), importedAt: 77 })
      expect((await elsewhere.loadConversation('ada', `${id}-in`))?.conversation.importedAt).toBe(77)
    })

    it('treats conversations of other owners as nonexistent', async () => {
      const id = await withReply()
      await store.decideCall('ada', id, testCall('a1', 0), asRequested)
      const nothing = { code: 'not-found' }
      await expect(
        store.amendCall('eve', id, { messageId: 'a1', slot: 1 }, change(call('x')), 1),
      ).rejects.toMatchObject(nothing)
      await expect(store.releaseCall('eve', id, key(), sent())).rejects.toMatchObject(nothing)
      await expect(store.giveGrant('eve', id, grant('g'))).rejects.toMatchObject(nothing)
      await expect(store.revokeGrant('eve', id, 'g', 1)).rejects.toMatchObject(nothing)
      expect(await store.loadLog('eve', id)).toBeNull()
    })

    describe('amendments', () => {
      it('are stored exactly, one per call, until they are undone', async () => {
        const id = await withReply()
        await amend(id, promoted, { call: null })
        await amend(id, 0, call('first'), 11)
        const stored = await amend(id, 0, call(AWKWARD), 12)
        const expected = [
          { messageId: 'a1', slot: 0, ...call(AWKWARD), amendedAt: 12 },
          { messageId: 'a1', slot: promoted, call: null, amendedAt: 10 },
        ]
        expect(stored).toEqual(expected)
        expect((await elsewhere.loadConversation('ada', id))?.amendments).toEqual(expected)
        expect(await amend(id, 0, null)).toEqual([expected[1]])
        expect(await amend(id, 5, null)).toEqual([expected[1]])
        expect(await events(id)).toEqual(['call-amended', 'call-amended', 'call-amended', 'amendment-undone'])
      })

      it('are refused for a decided call, a missing reply, and once the chat has continued', async () => {
        const id = await withReply()
        await store.decideCall('ada', id, testCall('a1', 0, { decision: 'deny' }), asRequested)
        await expect(amend(id, 0, call('x'))).rejects.toMatchObject({ code: 'call-not-open' })
        await expect(amend(id, 0, null)).rejects.toMatchObject({ code: 'call-not-open' })
        const gone = store.amendCall('ada', id, { messageId: 'u1', slot: 0 }, change(call('x')), 1)
        await expect(gone).rejects.toMatchObject({ code: 'not-found' })
        const result = { messageId: 'a1', slot: 3, callId: 'c', name: 'n', status: 'error', result: 1 } as const
        const userMessage = testUserMessage(id, 'u2', { parentId: 'a1', results: [{ ...result, durationMs: null }] })
        const left = testCall('a1', 0, { decision: 'deny' })
        const calls = [{ before: left, after: { ...left, postedIn: 'u2' } }]
        await store.append('ada', id, 'u2', { ...testPlan(id, 2, 'a1'), userMessage, calls }, 1)
        await expect(amend(id, 3, call('x'))).rejects.toMatchObject({ code: 'call-not-open' })
        await expect(store.decideCall('ada', id, testCall('a1', 3), asRequested)).rejects.toMatchObject({
          code: 'call-not-open',
        })
        expect((await store.loadConversation('ada', id))?.calls).toHaveLength(1)
      })

      it('are not changed by a plan that was based on others', async () => {
        const id = await withReply(1)
        const seen = await amend(id, 1, call('first'), 11)
        await amend(id, 1, call('second'), 12)
        const late = (amendment: AmendPlan['amendment']) =>
          store.amendCall('ada', id, { messageId: 'a1', slot: 0 }, change(amendment, seen, 7), 13)
        const [log, count] = [await events(id), await waiting(id)]
        for (const amendment of [call('x'), null]) expect(await late(amendment)).toBeNull()
        expect((await store.loadConversation('ada', id))?.amendments).toMatchObject([{ slot: 1, amendedAt: 12 }])
        expect([await events(id), await waiting(id)]).toEqual([log, count])
      })

      it('make a decision on any other version fail', async () => {
        const id = await withReply()
        const [seen] = await amend(id, 0, call('seen'), 1)
        await amend(id, 0, call('changed meanwhile'), 2)
        for (const amendment of [seen ?? null, null]) {
          const decided = store.decideCall('ada', id, testCall('a1', 0), { ...asRequested, amendment })
          await expect(decided).rejects.toMatchObject({ code: 'conflict' })
        }
        const amendment = { messageId: 'a1', slot: 0, ...call('changed meanwhile'), amendedAt: 2 }
        expect(await store.decideCall('ada', id, testCall('a1', 0), { ...asRequested, amendment })).toMatchObject({
          granted: true,
        })
      })

      it('race with decisions: only the reviewed version runs', async () => {
        const id = await withReply()
        await Promise.all(
          Array.from({ length: 12 }, async (_, slot) => {
            const race = await Promise.allSettled([
              amend(id, slot, call('other'), 1, either(slot)),
              either(slot + 1).decideCall('ada', id, testCall('a1', slot), asRequested),
            ])
            const stored = await store.loadConversation('ada', id)
            const amended = stored?.amendments.some((one) => one.slot === slot)
            const decided = stored?.calls.some((one) => one.slot === slot)
            expect([amended, decided]).toEqual(race.map(({ status }) => status === 'fulfilled'))
            expect(amended).not.toBe(decided)
          }),
        )
      })

      it('are checked by an append that was planned on them', async () => {
        const id = await withReply()
        const [one] = await amend(id, promoted, call('lifted'))
        const plan = { ...testPlan(id, 2, 'a1'), seen: { messageId: 'a1', amendments: [] } }
        await expect(store.append('ada', id, 'u2', plan, 1)).rejects.toMatchObject({ code: 'call-not-open' })
        const amendments = one ? [one] : []
        await store.decideCall('ada', id, testCall('a1', 9), asRequested)
        const blind = { ...plan, seen: { messageId: 'a1', amendments } }
        await expect(store.append('ada', id, 'u2', blind, 1)).rejects.toMatchObject({ code: 'call-not-open' })
        const left = testCall('a1', 9)
        const calls = [{ before: left, after: { ...left, outcome: testOutcome(), finishedAt: 1, postedIn: 'u2' } }]
        expect(await store.append('ada', id, 'u2', { ...blind, calls }, 1)).toMatchObject({ replayed: false })
      })

      it('change how many calls wait, and so does a result that waits for review', async () => {
        const id = await withReply(1)
        expect(await waiting(id)).toBe(1)
        await store.amendCall('ada', id, { messageId: 'a1', slot: promoted }, change(call('x'), [], 2), 1)
        expect(await waiting(id)).toBe(2)
        await store.decideCall('ada', id, testCall('a1', 0), asRequested)
        expect(await waiting(id)).toBe(1)
        await finish(id)
        expect(await waiting(id)).toBe(2)
        await store.releaseCall('ada', id, key(), withheld())
        expect(await waiting(id)).toBe(1)
      })
    })

    it('runs no more calls of a reply than allowed, even for concurrent clicks', async () => {
      const id = await withReply()
      const basis = { ...asRequested, maxRuns: 3 }
      await store.decideCall('ada', id, testCall('a1', 50, { decision: 'deny' }), basis)
      const settled = await Promise.allSettled(
        Array.from({ length: 10 }, (_, slot) => either(slot).decideCall('ada', id, testCall('a1', slot), basis)),
      )
      expect(codes(settled).toSorted()).toEqual([...Array<string>(7).fill('call-not-open'), 'ok', 'ok', 'ok'])
      expect((await store.loadConversation('ada', id))?.calls).toHaveLength(4)
      const denied = await store.decideCall('ada', id, testCall('a1', 60, { decision: 'deny' }), basis)
      expect(denied.granted).toBe(true)
    })

    it('checks the deciding rule again with the settings at that moment', async () => {
      const id = await withReply()
      const basis = { ...asRequested, holds: ({ tools }: typeof testSettings) => tools.mode === 'auto' }
      const decided = () => store.decideCall('ada', id, testCall('a1', 0, { by: { kind: 'auto' } }), basis)
      await expect(decided()).rejects.toMatchObject({ code: 'conflict' })
      expect((await store.loadConversation('ada', id))?.calls).toEqual([])
      const settings = { ...testSettings, tools: { ...testSettings.tools, mode: 'auto' as const } }
      await elsewhere.updateConversation('ada', id, { settings }, 1)
      expect((await decided()).granted).toBe(true)
    })

    describe('releases', () => {
      const gatedCall = async () => {
        const id = await withReply()
        await store.decideCall('ada', id, testCall('a1', 0), asRequested)
        expect(await finish(id)).toMatchObject({ gated: true, release: null })
        return id
      }
      const changed: ResultRelease = {
        kind: 'changed',
        by: { kind: 'click' },
        result: { [AWKWARD]: [AWKWARD] },
        changes: ['trimmed', 'edited'],
        note: AWKWARD,
        releasedAt: 40,
      }

      it('store what the user released, in addition to the outcome', async () => {
        const id = await gatedCall()
        expect(await store.releaseCall('ada', id, key(), changed)).toMatchObject({ release: changed })
        const [row] = (await elsewhere.loadConversation('ada', id))?.calls ?? []
        expect(row).toMatchObject({ gated: true, release: changed, outcome: testOutcome() })
      })

      it('are final: the first counts, a repeat is the same, and only “withheld” may still change', async () => {
        const id = await gatedCall()
        const settled = await Promise.all(
          Array.from({ length: 10 }, (_, n) => either(n).releaseCall('ada', id, key(), sent(`note ${n}`))),
        )
        expect(new Set(settled.map(({ release }) => release?.note)).size).toBe(1)
        const other = await gatedCall()
        await store.releaseCall('ada', other, key(), withheld('mine'))
        expect((await store.releaseCall('ada', other, key(), withheld('again'))).release?.note).toBe('mine')
        expect((await store.releaseCall('ada', other, key(), changed)).release).toEqual(changed)
        expect((await store.releaseCall('ada', other, key(), withheld('late'))).release).toEqual(changed)
        expect((await events(other))?.filter((event) => event === 'result-released')).toHaveLength(2)
      })

      it('are refused if no result waits, and once the result was posted', async () => {
        const id = await gatedCall()
        const closed = { code: 'call-not-open' }
        await expect(store.releaseCall('ada', id, key(1), sent())).rejects.toMatchObject(closed)
        await expect(store.releaseCall('ada', id, { ...key(), attempt: 2 }, sent())).rejects.toMatchObject(closed)
        await store.decideCall('ada', id, testCall('a1', 2), asRequested)
        await expect(store.releaseCall('ada', id, key(2), sent())).rejects.toMatchObject(closed)
        await finish(id, 2, false)
        await expect(store.releaseCall('ada', id, key(2), sent())).rejects.toMatchObject(closed)

        const before = await store.releaseCall('ada', id, key(), withheld())
        const plan = { ...testPlan(id, 2, 'a1'), calls: [{ before, after: { ...before, postedIn: 'u2' } }] }
        await store.append('ada', id, 'u2', plan, 1)
        await expect(store.releaseCall('ada', id, key(), sent())).rejects.toMatchObject(closed)
        // The response to the first request was lost and it is repeated: it still returns the stored state.
        expect((await store.releaseCall('ada', id, key(), withheld())).postedIn).toBe('u2')
      })

      it('that arrive after an append was planned refuse it', async () => {
        const id = await gatedCall()
        const [before] = (await store.loadConversation('ada', id))?.calls ?? []
        const keep = (row: CallRecord) => ({ ...row, release: withheld('overtaken'), postedIn: 'u2' })
        const plan = { ...testPlan(id, 2, 'a1'), calls: before ? [{ before, after: keep(before) }] : [] }
        const released = await store.releaseCall('ada', id, key(), sent())
        await expect(store.append('ada', id, 'u2', plan, 1)).rejects.toMatchObject({ code: 'call-not-open' })
        const again = { ...plan, calls: [{ before: released, after: { ...released, postedIn: 'u2' } }] }
        await store.append('ada', id, 'u2', again, 1)
        expect((await store.loadConversation('ada', id))?.calls[0]).toMatchObject({ release: sent(), postedIn: 'u2' })
      })

      it('are required by the settings of that moment', async () => {
        const id = await withReply()
        await store.decideCall('ada', id, testCall('a1', 0), asRequested)
        const settings = { ...testSettings, tools: { ...testSettings.tools, resultGate: 'always' as const } }
        await store.updateConversation('ada', id, { settings }, 1)
        const runner = { ...key(), runnerId: 'tab-1' }
        const isGated = (row: CallRecord, { tools }: typeof settings) =>
          tools.resultGate === 'always' && row.outcome?.status === 'completed'
        const finished = await store.finishCall('ada', id, runner, testOutcome(), isGated as typeof neverGated, 1)
        expect(finished?.gated).toBe(true)
        expect((await store.finishCall('ada', id, runner, testOutcome('x'), neverGated, 1))?.gated).toBe(true)
      })
    })

    describe('the reason of a denial', () => {
      const no = () => testCall('a1', 0, { decision: 'deny', runnerId: null })

      it('is added once, until the denial is sent, and is in the log', async () => {
        const id = await withReply()
        await store.decideCall('ada', id, no(), asRequested)
        const settled = await Promise.all(
          Array.from({ length: 6 }, (_, n) => either(n).explainDenial('ada', id, key(), `reason ${n}`, 20 + n)),
        )
        expect(new Set(settled.map(({ reason }) => reason)).size).toBe(1)
        const [first] = settled
        expect((await elsewhere.loadConversation('ada', id))?.calls[0]).toEqual(first)
        expect(await store.explainDenial('ada', id, key(), first?.reason ?? '', 40)).toEqual(first)
        expect(await events(id)).toEqual(['call-decided', 'denial-explained'])
        expect((await store.loadLog('ada', id))?.[1]).toMatchObject({ slot: 0, detail: { reason: first?.reason } })
      })

      it('is refused for other calls and owners, and once the results were posted', async () => {
        const id = await withReply()
        const closed = { code: 'call-not-open' }
        await expect(store.explainDenial('ada', id, key(), 'x', 1)).rejects.toMatchObject(closed)
        await store.decideCall('ada', id, testCall('a1', 1), asRequested)
        await expect(store.explainDenial('ada', id, key(1), 'x', 1)).rejects.toMatchObject(closed)
        const { call: before } = await store.decideCall('ada', id, no(), asRequested)
        await expect(store.explainDenial('eve', id, key(), 'x', 1)).rejects.toMatchObject({ code: 'not-found' })
        const plan = { ...testPlan(id, 2, 'a1'), calls: [{ before, after: { ...before, postedIn: 'u2' } }] }
        await store.append('ada', id, 'u2', plan, 1)
        await expect(store.explainDenial('ada', id, key(), 'x', 1)).rejects.toMatchObject(closed)
        expect((await store.loadConversation('ada', id))?.calls.find(({ slot }) => slot === 0)?.reason).toBe('')
      })

      it('refuses an append that was planned before it, so that the model gets the reason or can still get it', async () => {
        const id = await withReply()
        const { call: before } = await store.decideCall('ada', id, no(), asRequested)
        const plan = { ...testPlan(id, 2, 'a1'), calls: [{ before, after: { ...before, postedIn: 'u2' } }] }
        const explained = await store.explainDenial('ada', id, key(), 'not now', 2)
        await expect(store.append('ada', id, 'u2', plan, 3)).rejects.toMatchObject({ code: 'call-not-open' })
        const again = { ...plan, calls: [{ before: explained, after: { ...explained, postedIn: 'u2' } }] }
        await store.append('ada', id, 'u2', again, 4)
        expect((await store.loadConversation('ada', id))?.calls[0]).toMatchObject({ reason: 'not now', postedIn: 'u2' })
      })
    })

    describe('grants', () => {
      const byGrant = (slot: number, grantId = 'g') =>
        testCall('a1', slot, { by: { kind: 'grant', grantId }, decidedAt: 70 + slot })

      it('are stored by id, count their uses, and end when revoked', async () => {
        const id = await withReply()
        const scope = { kind: 'folder', tool: 'read_file', folder: AWKWARD } as const
        expect(await store.giveGrant('ada', id, grant('g', { scope }))).toEqual(grant('g', { scope }))
        expect((await store.giveGrant('ada', id, grant('g', { createdAt: 99 }))).scope).toEqual(scope)
        expect((await store.decideCall('ada', id, byGrant(0), asRequested)).call.by).toEqual({
          kind: 'grant',
          grantId: 'g',
        })
        expect((await store.decideCall('ada', id, byGrant(0), asRequested)).granted).toBe(false)
        const used = grant('g', { scope, uses: 1, lastUsedAt: 70 })
        expect((await elsewhere.loadConversation('ada', id))?.grants).toEqual([used])
        expect(await store.revokeGrant('ada', id, 'g', 80)).toEqual({ ...used, revokedAt: 80 })
        expect(await store.revokeGrant('ada', id, 'g', 90)).toEqual({ ...used, revokedAt: 80 })
        expect(await store.revokeGrant('ada', id, 'none', 90)).toBeNull()
        await expect(store.decideCall('ada', id, byGrant(1), asRequested)).rejects.toMatchObject({ code: 'conflict' })
        await expect(store.decideCall('ada', id, byGrant(1, 'none'), asRequested)).rejects.toMatchObject({
          code: 'conflict',
        })
        expect((await store.loadConversation('ada', id))?.calls).toHaveLength(1)
        expect(await events(id)).toEqual(['grant-given', 'call-decided', 'grant-revoked'])
      })

      it('of a copy end with its outcome, and the first end counts', async () => {
        const id = await withReply()
        const open = grant('g', { scope: { kind: 'copy' } })
        expect(await store.giveGrant('ada', id, open)).toEqual(open)
        expect((await store.decideCall('ada', id, byGrant(0), asRequested)).granted).toBe(true)
        const end = { kind: 'kept', changed: 3, kept: 2, leftOut: [AWKWARD] } as const
        const ended = { ...open, scope: { kind: 'copy', end }, uses: 1, lastUsedAt: 70, revokedAt: 80 }
        expect(await store.revokeGrant('ada', id, 'g', 80, end)).toEqual(ended)
        const other = { ...end, kind: 'discarded' } as const
        expect(await elsewhere.revokeGrant('ada', id, 'g', 90, other)).toEqual(ended)
        expect((await elsewhere.loadConversation('ada', id))?.grants).toEqual([ended])
        expect(await events(id)).toEqual(['grant-given', 'call-decided', 'grant-revoked'])
      })

      it('are not used after their end, by the time of the decision', async () => {
        const id = await withReply()
        const ends = grant('g', { expiresAt: 71 })
        expect(await store.giveGrant('ada', id, ends)).toEqual(ends)
        expect((await elsewhere.loadConversation('ada', id))?.grants).toEqual([ends])
        expect((await store.decideCall('ada', id, byGrant(0), asRequested)).granted).toBe(true)
        const late = store.decideCall('ada', id, byGrant(1), asRequested)
        await expect(late).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining('has expired') as string,
        })
        expect((await store.loadConversation('ada', id))?.grants).toMatchObject([{ uses: 1 }])
      })

      it('race with their revocation: nothing runs on an ended grant', async () => {
        const id = await withReply()
        await store.giveGrant('ada', id, grant('g'))
        const [revoked, ...decided] = await Promise.allSettled([
          elsewhere.revokeGrant('ada', id, 'g', 1),
          ...Array.from({ length: 10 }, (_, slot) => either(slot).decideCall('ada', id, byGrant(slot), asRequested)),
        ])
        expect(revoked.status).toBe('fulfilled')
        const ran = decided.filter(({ status }) => status === 'fulfilled').length
        const stored = await store.loadConversation('ada', id)
        expect(stored?.calls).toHaveLength(ran)
        expect(stored?.grants[0]?.uses).toBe(ran)
        const order = await events(id)
        expect(order?.slice(order.indexOf('grant-revoked') + 1)).toEqual([])
      })
    })

    describe('the log', () => {
      it('tells who, when and what, in order, without revealing the owner’s id', async () => {
        const owner = 'owner-4711'
        const id = await withReply(0, owner)
        const name = AWKWARD
        const by = { kind: 'auto' } as const
        const changed = { name, arguments: { path: AWKWARD } }
        const record = testCall('a1', 0, { name, changed, by, decidedAt: 5 })
        await store.decideCall(owner, id, record, asRequested)
        await store.finishCall(owner, id, { ...key(), runnerId: 'tab-1' }, testOutcome('four'), () => true, 6)
        const before = await store.releaseCall(owner, id, key(), sent('look', 7))
        const result = { messageId: 'a1', slot: 0, callId: 'c', name, status: 'completed', result: 'four' } as const
        const userMessage = testUserMessage(id, 'u2', { parentId: 'a1', results: [{ ...result, durationMs: 1 }] })
        const skip = testCall('a1', 1, { decision: 'skip', runnerId: null, postedIn: 'u2' })
        const calls = [
          { before, after: { ...before, postedIn: 'u2' } },
          { before: null, after: skip },
        ]
        await store.append(owner, id, 'u2', { ...testPlan(id, 2, 'a1'), userMessage, calls }, 8)
        await store.append(owner, id, 'u2', { ...testPlan(id, 2, 'a1'), userMessage, calls }, 9)
        const settings = { ...testSettings, strategy: 'VCP', systemPrompt: 'abc', exact: true } as const
        await store.updateConversation(owner, id, { settings }, 10)
        await store.updateConversation(owner, id, { settings, title: 'only the title is new' }, 11)

        const log = await store.loadLog(owner, id)
        expect(log).toMatchObject([
          { seq: 1, at: 5, event: 'call-decided', messageId: 'a1', slot: 0, tool: name },
          { seq: 2, at: 6, event: 'call-finished', detail: { status: 'completed', resultBytes: 6, gated: true } },
          { seq: 3, at: 7, event: 'result-released', detail: { release: 'sent', note: 'look' } },
          { seq: 4, at: 8, event: 'call-decided', slot: 1, detail: { decision: 'skip' } },
          { seq: 5, at: 8, event: 'results-sent', messageId: 'a1', detail: { sentIn: 'u2' } },
          {
            seq: 6,
            at: 10,
            event: 'settings-changed',
            detail: {
              strategy: { from: 'JSON_Strict', to: 'VCP' },
              exact: { from: null, to: true },
              systemPrompt: { fromChars: 0, toChars: 3 },
            },
          },
        ])
        expect(log).toHaveLength(6)
        expect(log?.[0]?.detail).toMatchObject({ by, changed, asked: asRequested.asked, decision: 'run', attempt: 1 })
        expect(new Set(log?.map(({ actor }) => actor)).size).toBe(1)
        expect(log?.[0]?.actor).toMatch(/^[0-9a-f]{10}$/)
        expect(JSON.stringify(log)).not.toContain(owner)
      })

      it('has no gap or duplicate, however many write at once', async () => {
        const id = await withReply()
        await Promise.all(
          Array.from({ length: 40 }, async (_, n) => {
            const one = either(n)
            if (n % 4 === 0) return one.giveGrant('ada', id, grant(`g${n}`))
            if (n % 4 === 1) return amend(id, n, call(`${n}`), n, one)
            await one.decideCall('ada', id, testCall('a1', n), asRequested)
            const runner = { ...key(n), runnerId: 'tab-1' }
            return either(n + 1).finishCall('ada', id, runner, testOutcome(), neverGated, n)
          }),
        )
        expect(await gaps(id)).toBe(0)
        expect(await events(id)).toHaveLength(60)
      })

      it('contains nothing about refused requests', async () => {
        const id = await withReply()
        const refused = { ...asRequested, maxRuns: 0 }
        await expect(store.decideCall('ada', id, testCall('a1', 0), refused)).rejects.toMatchObject({
          code: 'call-not-open',
        })
        const plan = {
          ...testPlan(id, 2, 'a1'),
          calls: [{ before: null, after: testCall('a1', 0, { postedIn: 'u2' }) }],
        }
        const taken = { ...plan, reply: testReply(id, 'a1', 'u2') }
        await expect(store.append('ada', id, 'u2', taken, 1)).rejects.toMatchObject({ code: 'conflict' })
        expect(await events(id)).toEqual([])
      })
    })

    it('is deleted with the conversation', async () => {
      const id = await withReply()
      await amend(id, 1, call('x'))
      await store.giveGrant('ada', id, grant('g'))
      expect(await store.deleteConversation('ada', id)).toBe(true)
      expect(await store.loadLog('ada', id)).toBeNull()
      await store.createConversation('ada', testConversation(id))
      expect(await store.loadConversation('ada', id)).toMatchObject({ amendments: [], grants: [], calls: [] })
      expect(await store.loadLog('ada', id)).toEqual([])
    })
  })
}
