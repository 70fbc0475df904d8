import { describe, expect, it } from 'vitest'
import type { Grant, InnerCall } from '@/lib/shared/conversation/call-record'
import {
  asRequested,
  finishedEnding,
  neverGated,
  runOf,
  testCall,
  testConversation,
  testOutcome,
  testPlan,
} from '../testing/rows'
import { underTest } from '../testing/under-test'
import type { StoreUnderTest } from './store.contract'

const AWKWARD = '\0 \ud800 😀 \u2028'

/** Requirements for every store: tools that the code of a call calls. */
export function innerContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of tools that code calls: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)
    const key = { messageId: 'a1', slot: 0, attempt: 1, runnerId: 'tab-1' }
    const basis = { maxInner: 3 }
    const inner = (n: number, over: Partial<InnerCall> = {}): InnerCall => ({
      n,
      attempt: 1,
      name: 'get_time',
      arguments: { zone: AWKWARD },
      decision: 'run',
      reason: '',
      by: { kind: 'click' },
      decidedAt: 10,
      outcome: null,
      ...over,
    })

    /** A conversation whose reply `a1` has a call that runs in `tab-1`. */
    const running = async () => {
      const id = `inner-${next()}`
      await store.createConversation('ada', testConversation(id))
      const plan = testPlan(id, 1)
      await store.append('ada', id, 'u1', plan, 2000)
      await store.endRun(runOf('ada', plan.reply), finishedEnding({ runnableCalls: 1 }), 3000)
      await store.decideCall('ada', id, testCall('a1', 0, { runnerId: 'tab-1' }), asRequested)
      return id
    }
    const stored = async (id: string) => (await elsewhere.loadConversation('ada', id))?.calls[0]?.inner
    const events = async (id: string) =>
      (await store.loadLog('ada', id))?.map(({ event, tool, detail }) => [event, tool, detail['inner'] ?? null])

    it('stores what the page of an ended call asks for, from any browser, and lets it be sent once', async () => {
      const id = await running()
      const asked = inner(1, { page: true, name: 'next_leg' })
      const tab = { ...key, runnerId: 'another-tab' }
      expect(await store.decideInner('ada', id, tab, asked, basis)).toBeNull()
      await store.finishCall('ada', id, key, testOutcome(), neverGated, 20)
      // Code of an ended call asks for nothing.
      expect(await store.decideInner('ada', id, key, inner(1), basis)).toBeNull()
      expect(await store.decideInner('eve', id, tab, asked, basis)).toBeNull()
      expect(await store.decideInner('ada', id, tab, asked, basis)).toMatchObject({ granted: true })
      expect(await elsewhere.decideInner('ada', id, tab, asked, basis)).toMatchObject({ granted: false })
      await store.decideInner('ada', id, tab, inner(2, { page: true, decision: 'deny' }), basis)
      const claim = (n: number, who = 'ada') =>
        elsewhere.claimRelay(who, id, { messageId: 'a1', slot: 0, attempt: 1, inner: n })
      expect([await claim(1, 'eve'), await claim(2), await claim(3)]).toEqual([false, false, false])
      const claims = await Promise.all(Array.from({ length: 10 }, () => claim(1)))
      expect(claims.filter(Boolean)).toHaveLength(1)
      const ended = await store.finishInner('ada', id, { ...tab, n: 1 }, testOutcome('done'), 30)
      expect(ended?.inner?.[0]).toMatchObject({ page: true, relayed: true, outcome: testOutcome('done') })
      expect(await claim(1)).toBe(false)
      const log = (await store.loadLog('ada', id))?.slice(-3)
      const [run, deny, end] =
        log?.map(({ event, tool, detail }) => [event, tool, detail['pageOf'], detail['decision']]) ?? []
      const outer = (await elsewhere.loadConversation('ada', id))?.calls[0]?.name
      expect(run).toEqual(['call-decided', 'next_leg', outer, 'run'])
      expect(deny).toEqual(['call-decided', 'get_time', outer, 'deny'])
      expect(end).toEqual(['call-finished', 'next_leg', outer, undefined])
    })

    it('stores the decision, then the outcome, and logs both', async () => {
      const id = await running()
      const granted = await store.decideInner('ada', id, key, inner(1), basis)
      expect(granted).toMatchObject({ granted: true, call: { inner: [inner(1)], outcome: null } })
      expect(await store.finishInner('ada', id, { ...key, n: 1 }, testOutcome(AWKWARD), 11)).toMatchObject({
        inner: [{ n: 1, outcome: testOutcome(AWKWARD) }],
      })
      expect(await stored(id)).toEqual([inner(1, { outcome: testOutcome(AWKWARD) })])
      expect((await events(id))?.slice(-2)).toEqual([
        ['call-decided', 'get_time', 1],
        ['call-finished', 'get_time', 1],
      ])
    })

    it('grants one number once under concurrent requests, and stores the first outcome', async () => {
      const id = await running()
      const asked = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 === 0 ? store : elsewhere).decideInner('ada', id, key, inner(1), basis),
        ),
      )
      expect(asked.filter((answer) => answer?.granted)).toHaveLength(1)
      await Promise.all(
        ['one', 'two', 'three'].map((text) => store.finishInner('ada', id, { ...key, n: 1 }, testOutcome(text), 11)),
      )
      const [row] = (await stored(id)) ?? []
      const again = await elsewhere.finishInner('ada', id, { ...key, n: 1 }, testOutcome('late'), 12)
      expect(again?.inner?.[0]?.outcome).toEqual(row?.outcome)
    })

    it('refuses another call under a used number, and more calls than the limit', async () => {
      const id = await running()
      await store.decideInner('ada', id, key, inner(1), basis)
      const other = store.decideInner('ada', id, key, inner(1, { arguments: { zone: 'UTC' } }), basis)
      await expect(other).rejects.toMatchObject({ code: 'conflict' })
      for (const n of [2, 3]) await store.decideInner('ada', id, key, inner(n), basis)
      await expect(store.decideInner('ada', id, key, inner(4), basis)).rejects.toMatchObject({ code: 'call-not-open' })
      expect((await stored(id))?.map(({ n }) => n)).toEqual([1, 2, 3])
    })

    it('refuses a call that another tab runs, that was stopped, or that is over', async () => {
      const id = await running()
      for (const other of [{ runnerId: 'tab-2' }, { attempt: 2 }, { slot: 1 }, { messageId: 'none' }]) {
        expect(await store.decideInner('ada', id, { ...key, ...other }, inner(1), basis)).toBeNull()
      }
      expect(await store.decideInner('eve', id, key, inner(1), basis)).toBeNull()
      await store.decideInner('ada', id, key, inner(1), basis)
      await store.stopCall('ada', id, key, null, 20)
      expect(await store.decideInner('ada', id, key, inner(2), basis)).toBeNull()
      // The outcome of a tool that ran before is still stored.
      expect(await store.finishInner('ada', id, { ...key, n: 1 }, testOutcome(), 21)).not.toBeNull()
      await store.finishCall('ada', id, key, testOutcome(), neverGated, 22)
      expect(await store.finishInner('ada', id, { ...key, n: 1 }, testOutcome(), 23)).toBeNull()
    })

    it('is claimed by one of many requests to the server, once per attempt, and only while it runs', async () => {
      const id = await running()
      const claim = (n: number, over: object = {}) =>
        store.claimRelay('ada', id, { messageId: 'a1', slot: 0, attempt: 1, inner: n, ...over })
      expect(await claim(1)).toBe(false)
      await store.decideInner('ada', id, key, inner(1), basis)
      await store.decideInner('ada', id, key, inner(2, { decision: 'deny' }), basis)
      expect(await store.claimRelay('eve', id, { ...key, inner: 1 })).toBe(false)
      expect([await claim(2), await claim(3), await claim(1, { attempt: 2 })]).toEqual([false, false, false])
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, at) =>
          (at % 2 === 0 ? store : elsewhere).claimRelay('ada', id, { ...key, inner: 1 }),
        ),
      )
      expect(claims.filter(Boolean)).toHaveLength(1)
      expect(await stored(id)).toMatchObject([{ n: 1, relayed: true }, { n: 2 }])
      await store.finishInner('ada', id, { ...key, n: 1 }, testOutcome(), 11)
      expect(await claim(1)).toBe(false)
      // The call itself is claimed apart from what its code calls.
      expect(await store.claimRelay('ada', id, key)).toBe(true)
      await store.decideInner('ada', id, key, inner(3), basis)
      await store.stopCall('ada', id, key, null, 20)
      expect(await claim(3)).toBe(false)
    })

    it('has no outcome of what was denied or never asked', async () => {
      const id = await running()
      await store.decideInner('ada', id, key, inner(1, { decision: 'deny', reason: AWKWARD }), basis)
      for (const n of [1, 2]) expect(await store.finishInner('ada', id, { ...key, n }, testOutcome(), 11)).toBeNull()
      expect(await stored(id)).toMatchObject([{ decision: 'deny', reason: AWKWARD, outcome: null }])
    })

    it('counts one use of a grant, and refuses a grant that no longer applies', async () => {
      const id = await running()
      const grant: Grant = {
        id: 'g',
        scope: { kind: 'tool', tool: 'get_time' },
        createdAt: 5,
        uses: 0,
        lastUsedAt: null,
        revokedAt: null,
      }
      await store.giveGrant('ada', id, grant)
      const by = { kind: 'grant', grantId: 'g' } as const
      for (let tries = 0; tries < 2; tries += 1) await store.decideInner('ada', id, key, inner(1, { by }), basis)
      expect((await store.loadConversation('ada', id))?.grants).toMatchObject([{ uses: 1, lastUsedAt: 10 }])
      const held = { ...basis, holds: () => false }
      await expect(store.decideInner('ada', id, key, inner(2), held)).rejects.toMatchObject({ code: 'conflict' })
      await store.revokeGrant('ada', id, 'g', 12)
      await expect(store.decideInner('ada', id, key, inner(2, { by }), basis)).rejects.toMatchObject({
        code: 'conflict',
      })
      expect(await stored(id)).toHaveLength(1)
    })

    it('keeps the inner calls of an attempt when the next one begins', async () => {
      const id = await running()
      await store.decideInner('ada', id, key, inner(1), basis)
      await store.finishInner('ada', id, { ...key, n: 1 }, testOutcome('first'), 11)
      await store.decideCall('ada', id, testCall('a1', 0, { runnerId: 'tab-2', attempt: 2 }), asRequested)
      const second = { ...key, runnerId: 'tab-2', attempt: 2 }
      await store.decideInner('ada', id, second, inner(1, { attempt: 2 }), basis)
      expect((await stored(id))?.map(({ n, attempt, outcome }) => [n, attempt, outcome === null])).toEqual([
        [1, 1, false],
        [1, 2, true],
      ])
    })
  })
}
