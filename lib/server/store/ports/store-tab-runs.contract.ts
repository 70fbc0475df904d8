import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TabPiece } from '@/lib/shared/conversation/wire/tab-run'
import type { RunClaim } from './quotas'
import type { Store } from './store'
import type { StoreUnderTest } from './store.contract'
import type { RunWriterRow } from './run-store'
import { finishedEnding, runOf, testConversation, testPlan } from '../testing/rows'

const writer: RunWriterRow = {
  keyHash: 'a'.repeat(64),
  model: { label: 'Of a browser', providerLabel: 'A server', contextTokens: 4_096, seesImages: false },
}
const piece = (seq: number, text: string): TabPiece => ({ seq, channel: 'text', text })
const LARGE = 1_000_000

/** The contract of every store for runs that a tab writes. */
export function tabRunsContract(database: string, openBoth: (now?: () => number) => Promise<StoreUnderTest>): void {
  describe(`store contract of runs that a tab writes: ${database}`, () => {
    let under: StoreUnderTest
    let store: Store
    let made = 0
    beforeAll(async () => {
      under = await openBoth()
      store = under.store
    })
    afterAll(() => under.close())

    async function begin(owner = 'ada', claim?: RunClaim) {
      const id = `tab-${(made += 1)}`
      await store.createConversation(owner, testConversation(id))
      const plan = { ...testPlan(id, 1), writer, ...(claim && { claim }) }
      const { reply } = await store.append(owner, id, 'u1', plan, 1_000)
      return { id, run: runOf(owner, reply) }
    }
    const textOf = async (run: { owner: string; runId: string }) => (await store.loadReply(run))?.text

    it('knows which tab writes a run, and that other runs have none', async () => {
      const { run } = await begin()
      expect(await under.other.loadTabRun(run)).toMatchObject({ id: run.runId, status: 'running', writer })
      expect(await store.loadTabRun({ ...run, owner: 'eve' })).toBeNull()
      const id = `tab-${(made += 1)}`
      await store.createConversation('ada', testConversation(id))
      const { reply } = await store.append('ada', id, 'u1', testPlan(id, 1), 1_000)
      expect(await store.loadTabRun(runOf('ada', reply))).toBeNull()
    })

    it('shows in the list that a person must paste the reply, while it runs', async () => {
      for (const [model, pasted] of [
        ['browser/paste:any chat', true],
        ['browser/ollama:paste', undefined],
      ] as const) {
        const id = `tab-${(made += 1)}`
        await store.createConversation('ada', testConversation(id))
        const plan = testPlan(id, 1)
        const said = `of "model":"${model}"`
        const userMessage = plan.userMessage && { ...plan.userMessage, text: 'a "model":"browser/paste:x" in words' }
        const asked = { ...plan, userMessage, title: said, writer, reply: { ...plan.reply, model } }
        const { reply } = await store.append('ada', id, 'u1', asked, 1_000)
        expect((await under.other.summariseConversation('ada', id))?.pasted).toBe(pasted)
        const listed = await store.listConversations('ada', said, 5)
        expect(listed.map((row) => row.pasted)).toEqual([pasted])
        await store.endRun(runOf('ada', reply), finishedEnding({ lastSeq: 1 }), 2_000)
        expect(await store.summariseConversation('ada', id)).not.toHaveProperty('pasted')
      }
    })

    it('keeps the constrained-decoding record with its end, visible on any node', async () => {
      for (const exact of [
        { is: 'honoured', form: 'grammar' },
        { is: 'refused', form: 'structured-outputs' },
      ] as const) {
        const { id, run } = await begin()
        await store.appendTabPieces(run, [piece(2, 'a')], LARGE)
        expect(await store.endRun(run, finishedEnding({ lastSeq: 2, exact }), 2_000)).toBe(true)
        expect(await under.other.loadReply(run)).toMatchObject({ text: 'a', exact })
        expect((await under.other.loadConversation('ada', id))?.messages[1]).toMatchObject({ exact })
      }
    })

    it('stores each piece once and in its place, from any node, and nothing after a gap', async () => {
      const { run } = await begin()
      expect(await store.appendTabPieces(run, [], LARGE)).toEqual({
        live: true,
        stopRequested: false,
        next: 2,
        full: false,
      })
      expect(await store.appendTabPieces(run, [piece(3, 'b')], LARGE)).toMatchObject({ next: 2 })
      expect(await under.other.appendTabPieces(run, [piece(3, 'b'), piece(2, 'a')], LARGE)).toMatchObject({ next: 4 })
      expect(await store.appendTabPieces(run, [piece(2, 'x'), piece(3, 'y'), piece(4, 'c')], LARGE)).toMatchObject({
        next: 5,
      })
      expect(await store.endRun(run, finishedEnding({ lastSeq: 4 }), 2_000)).toBe(true)
      expect(await textOf(run)).toBe('abc')
    })

    it('stores pieces that two nodes receive at the same time exactly once', async () => {
      const { run } = await begin()
      const pieces = Array.from({ length: 20 }, (_, at) => piece(at + 2, String(at % 10)))
      await Promise.all(
        Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? store : under.other).appendTabPieces(run, pieces, LARGE)),
      )
      expect(await store.endRun(run, finishedEnding({ lastSeq: 21 }), 2_000)).toBe(true)
      expect(await textOf(run)).toBe('01234567890123456789')
    })

    it('stores no more than the maximum of a reply, and nothing after its end', async () => {
      const { run } = await begin()
      expect(await store.appendTabPieces(run, [piece(2, 'abc')], 5)).toMatchObject({ next: 3, full: false })
      expect(await store.appendTabPieces(run, [piece(3, 'def')], 5)).toMatchObject({ next: 3, full: true })
      expect(await store.requestStop(run)).toBe(true)
      expect(await store.appendTabPieces(run, [piece(3, 'de')], 5)).toMatchObject({ next: 4, stopRequested: true })
      expect(await store.endRun(run, finishedEnding(), 2_000)).toBe(true)
      expect(await store.appendTabPieces(run, [piece(4, 'f')], LARGE)).toMatchObject({ live: false })
      expect(await textOf(run)).toBe('abcde')
    })

    it('is not ended by a process that has not read all of it', async () => {
      const { id, run } = await begin()
      await store.appendTabPieces(run, [piece(2, 'a'), piece(3, 'b')], LARGE)
      expect(await store.endRun(run, finishedEnding({ lastSeq: 2 }), 2_000)).toBe(false)
      expect((await store.loadConversation('ada', id))?.activeRunId).toBe(run.runId)
      expect(await store.endRun(run, finishedEnding({ lastSeq: 3 }), 2_000)).toBe(true)
    })

    it('uses one of the owner’s slots, is never queued, and uses no tokens', async () => {
      const claim: RunClaim = {
        maxRunning: 1,
        maxQueued: 5,
        waits: true,
        byTab: true,
        address: null,
        maxBytes: null,
        tokens: { in: 0, out: 0 },
        budgets: [],
      }
      const { run } = await begin('tab-owner', claim)
      expect(await store.placeOf(run.owner, run.runId)).toBeNull()
      await expect(begin('tab-owner', claim)).rejects.toMatchObject({
        code: 'rate-limited',
        reason: 'store.replies-full',
      })
      await store.endRun(run, finishedEnding(), 2_000)
      await begin('tab-owner', claim)
    })
  })
}
