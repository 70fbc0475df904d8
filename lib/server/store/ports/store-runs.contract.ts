import { describe, expect, it } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { foldRunEvent, type RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { RunKey } from './run-store'
import type { StoreUnderTest } from './store.contract'
import { AWKWARD, finishedEnding, runOf, testConversation, testPlan, testReply } from '../testing/rows'
import { underTest } from '../testing/under-test'

/** The contract of every store for running replies and their logs. */
export function runsContract(database: string, openBoth: (now: () => number) => Promise<StoreUnderTest>): void {
  describe(`store contract of runs: ${database}`, () => {
    /** The database's clock. */
    let databaseNow = 1_000
    const { store, elsewhere, next } = underTest(() => openBoth(() => databaseNow))

    const finishReply = (run: RunKey, over = {}) => store.endRun(run, finishedEnding(over), 3000)
    const events = async (run: RunKey, after = 0): Promise<readonly RunEvent[]> =>
      (await store.readRunEvents(run, after, 10_000))?.events ?? []
    const delta = (seq: number, text: string): RunEvent => ({ seq, type: 'delta', channel: 'text', text })
    const newConversation = async () => {
      const id = `run-${next()}`
      await store.createConversation('ada', testConversation(id))
      return id
    }
    const running = async () => {
      const id = await newConversation()
      const plan = testPlan(id, 1)
      await store.append('ada', id, 'u1', plan, 2000)
      return { id, run: runOf('ada', plan.reply) }
    }

    describe('replies side by side', () => {
      const beside = (id: string, name: string, parentId = 'u1') =>
        ({
          userMessage: null,
          calls: [],
          seen: null,
          title: '',
          reply: testReply(id, name, parentId),
          beside: true,
        }) as const
      const add = (id: string, name: string, at = store) => at.append('ada', id, `ask-${name}`, beside(id, name), 2000)
      const busy = { code: 'run-in-progress' }
      const answered = async () => {
        const { id, run } = await running()
        await finishReply(run)
        return id
      }

      it('are three at most, keep the head of the chat, and end one by one', async () => {
        const id = await answered()
        const sides = [await add(id, 'b1'), await add(id, 'b2', elsewhere), await add(id, 'b3')]
        await expect(add(id, 'b4')).rejects.toMatchObject(busy)
        expect(await add(id, 'b2')).toMatchObject({ replayed: true, reply: { id: 'b2' } })
        const stored = await elsewhere.loadConversation('ada', id)
        expect(stored?.conversation.headId).toBe('a1')
        expect(stored?.sideRunIds?.toSorted()).toEqual(sides.map(({ reply }) => reply.runId).toSorted())
        expect(stored?.sideRunIds).toContain(stored?.activeRunId)
        expect(stored?.messages.map((row) => row.role === 'assistant' && row.outcome)).toEqual([
          false,
          'finished',
          null,
          null,
          null,
        ])
        const [, second] = sides
        if (second) await finishReply(runOf('ada', second.reply))
        expect((await store.loadConversation('ada', id))?.sideRunIds).toHaveLength(2)
        await add(id, 'b4')
        await expect(add(id, 'b5')).rejects.toMatchObject(busy)
      })

      it('refuse a turn while one of them is written, and are refused during the reply to another message', async () => {
        const id = await answered()
        const { reply } = await add(id, 'b1')
        await expect(store.append('ada', id, 'u2', testPlan(id, 2, 'a1'), 1)).rejects.toMatchObject(busy)
        await finishReply(runOf('ada', reply))
        await store.append('ada', id, 'u2', testPlan(id, 2, 'a1'), 1)
        await expect(add(id, 'b2')).rejects.toMatchObject(busy)
        expect(await store.append('ada', id, 'ask-c1', beside(id, 'c1', 'u2'), 1)).toMatchObject({ replayed: false })
        const both = await store.loadConversation('ada', id)
        expect(both?.sideRunIds).toHaveLength(1)
        expect(both?.sideRunIds).not.toContain(both?.activeRunId)
      })

      it('and turns that are requested at once never run together', async () => {
        const id = await answered()
        const tries = Array.from({ length: 12 }, (_, n) => {
          const at = n % 2 === 0 ? store : elsewhere
          return n % 3 === 0 ? at.append('ada', id, `t${n}`, testPlan(id, n + 5, 'a1'), 2000) : add(id, `s${n}`, at)
        })
        const settled = await Promise.allSettled(tries)
        const names = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.reply.id] : []))
        const turns = names.filter((name) => name.startsWith('a'))
        expect([turns.length, names.length]).toEqual(turns.length > 0 ? [1, 1] : [0, 3])
      })
    })

    it('appends events, updates the heartbeat, ignores repeats', async () => {
      const { run } = await running()
      databaseNow = 2_500
      await store.appendRunEvents(run, [delta(2, AWKWARD), delta(3, 'b')])
      databaseNow = 2_600
      await store.appendRunEvents(run, [delta(3, 'b'), delta(4, 'c')])
      databaseNow = 2_700
      const log = await events(run)
      expect(log.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
      expect(log[1]).toEqual(delta(2, AWKWARD))
      expect((await events(run, 3)).map(({ seq }) => seq)).toEqual([4])
      expect(await store.loadRun(run)).toMatchObject({ status: 'running', silentMs: 100 })
      expect(await elsewhere.loadRun(run)).toEqual(await store.loadRun(run))
      expect(await store.loadRun({ owner: 'ada', runId: 'no such run' })).toBeNull()
      expect((await store.readRunEvents(run, 0, 2))?.events).toHaveLength(2)
    })

    it('appends to many runs at once: one result each, in order, independent of the others', async () => {
      const [one, two, ended] = [await running(), await running(), await running()]
      await finishReply(ended.run)
      await elsewhere.requestStop(two.run)
      const unknown = { owner: 'eve', runId: one.run.runId }
      databaseNow = 2_900
      const appended = [
        { run: two.run, events: [delta(2, 'b')] },
        { run: ended.run, events: [delta(9, 'late')] },
        { run: one.run, events: [delta(2, AWKWARD), delta(3, 'c')] },
        { run: unknown, events: [delta(2, 'not hers')] },
      ]
      const answers = [
        { live: true, stopRequested: true, lastSeq: 2 },
        { live: false, stopRequested: false, lastSeq: 0 },
        { live: true, stopRequested: false, lastSeq: 3 },
        { live: false, stopRequested: false, lastSeq: 0 },
      ]
      expect(await store.appendEventsOfRuns(appended)).toEqual(answers)
      expect(await elsewhere.appendEventsOfRuns(appended)).toEqual(answers)
      expect((await events(one.run)).slice(1)).toEqual([delta(2, AWKWARD), delta(3, 'c')])
      expect((await events(two.run)).slice(1)).toEqual([delta(2, 'b')])
      expect((await events(ended.run)).map(({ type }) => type)).toEqual(['start', 'end'])
      expect(await store.loadRun(one.run)).toMatchObject({ silentMs: 0 })
      expect(await store.appendEventsOfRuns([])).toEqual([])
    })

    it('stores the last events with the end, and ignores those that it has', async () => {
      const { run } = await running()
      await store.appendRunEvents(run, [delta(2, 'Hel')])
      const last = [delta(2, 'Hel'), delta(3, 'lo')]
      expect(await store.endRun(run, { ...finishedEnding(), events: last }, 3000)).toBe(true)
      expect(await store.loadReply(run)).toMatchObject({ text: 'Hello', outcome: 'finished' })
      expect((await events(run)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
      expect(await store.endRun(run, { ...finishedEnding(), events: [delta(4, 'late')] }, 3000)).toBe(false)
      expect((await store.loadReply(run))?.text).toBe('Hello')
    })

    it('ends once; folding the log gives the stored message', async () => {
      const { id, run } = await running()
      await store.appendRunEvents(run, [delta(2, 'Hel'), delta(3, 'lo')])
      const ends = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          (n % 2 === 0 ? store : elsewhere).endRun(run, finishedEnding({ runnableCalls: 5 }), 3000),
        ),
      )
      expect(ends.filter(Boolean)).toHaveLength(1)
      const log = await events(run)
      expect(log.map(({ type }) => type)).toEqual(['start', 'delta', 'delta', 'end'])
      const message = (await store.loadConversation('ada', id))?.messages[1] as AssistantMessage
      expect(message).toMatchObject({ text: 'Hello', outcome: 'finished' })
      expect(log.reduce<AssistantMessage>(foldRunEvent, testReply(id, 'a1', 'u1'))).toEqual(message)
      expect(await store.loadReply(run)).toEqual(message)
      expect(await store.appendRunEvents(run, [delta(9, 'late')])).toEqual({
        live: false,
        stopRequested: false,
        lastSeq: 0,
      })
      expect(await events(run)).toHaveLength(4)
    })

    it('keeps the constrained-decoding record of a reply, and how much of its prompt was cached', async () => {
      const { id, run } = await running()
      const exact = { is: 'broken', form: 'grammar' } as const
      const usage = { inputTokens: 100, outputTokens: 2, cachedInputTokens: 90 }
      await store.endRun(run, finishedEnding({ exact, usage }), 3000)
      expect((await events(run)).at(-1)).toMatchObject({ type: 'end', exact, usage })
      expect(await elsewhere.loadReply(run)).toMatchObject({ exact, usage })
      expect((await store.loadConversation('ada', id))?.messages[1]).toMatchObject({ exact, usage })
    })

    it('keeps why it failed, as sentences in the reader’s language; older ones are only text', async () => {
      const values = { label: 'm', provider: 'P', name: 'm at P', by: '', seconds: null }
      const told = { code: 'rate-limited', message: 'Too many.', detail: 'status 429' } as const
      for (const failure of [{ ...told, said: [{ reason: 'failure.rate-limited', values }] }, told]) {
        const { id, run } = await running()
        await store.endRun(run, finishedEnding({ outcome: 'failed', failure }), 3000)
        expect((await events(run)).at(-1)).toMatchObject({ type: 'end', failure })
        expect(await elsewhere.loadReply(run)).toMatchObject({ failure })
        expect((await store.loadConversation('ada', id))?.messages[1]).toHaveProperty('failure', failure)
      }
    })

    it('keeps its thinking times', async () => {
      const { id, run } = await running()
      const thoughtMs = [4_000, 120]
      await store.endRun(run, finishedEnding({ thoughtMs }), 3000)
      expect((await events(run)).at(-1)).toMatchObject({ type: 'end', thoughtMs })
      expect(await elsewhere.loadReply(run)).toMatchObject({ thoughtMs })
      expect((await store.loadConversation('ada', id))?.messages[1]).toMatchObject({ thoughtMs })
    })

    it('stores the hash of what its model was sent', async () => {
      const { id, run } = await running()
      const sent = { prompt: 'a'.repeat(64), tools: 'b'.repeat(64) }
      await store.endRun(run, finishedEnding({ sent }), 3000)
      expect(await elsewhere.loadReply(run)).toMatchObject({ sent })
      expect((await store.loadConversation('ada', id))?.messages[1]).toMatchObject({ sent })
    })

    it('keeps the requested form of a reply, from its first event on', async () => {
      const id = await newConversation()
      const plan = testPlan(id, 1)
      await store.append('ada', id, 'request-1', { ...plan, reply: { ...plan.reply, reading: 'whole' } }, 2_000)
      const run = { owner: 'ada', runId: plan.reply.runId }
      expect((await events(run))[0]).toMatchObject({ type: 'start', message: { reading: 'whole' } })
      await store.endRun(run, finishedEnding(), 3_000)
      expect(await elsewhere.loadReply(run)).toMatchObject({ reading: 'whole' })
      expect((await elsewhere.loadConversation('ada', id))?.messages[1]).toMatchObject({ reading: 'whole' })
    })

    it('reports its last event, stores and returns nothing after a gap', async () => {
      const { run } = await running()
      expect((await store.appendRunEvents(run, [delta(2, 'a'), delta(3, 'b')])).lastSeq).toBe(3)
      expect((await store.appendRunEvents(run, [])).lastSeq).toBe(3)
      expect((await store.appendRunEvents(run, [delta(5, 'd')])).lastSeq).toBe(3)
      expect((await events(run)).map(({ seq }) => seq)).toEqual([1, 2, 3])
      expect((await store.appendRunEvents(run, [delta(3, 'b'), delta(4, 'c'), delta(5, 'd')])).lastSeq).toBe(5)
    })

    it('stores a reply as given, whatever its log contains, and ends the log after its last event', async () => {
      const { run } = await running()
      await store.appendRunEvents(run, [delta(2, 'a'), delta(3, 'b')])
      const said = { text: 'ab, and more', reasoning: 'hm', lastSeq: 9 }
      expect(await finishReply(run, { runnableCalls: 1, said })).toBe(true)
      expect(await store.loadReply(run)).toMatchObject({ text: said.text, reasoning: 'hm', outcome: 'finished' })
      expect((await events(run)).map(({ seq }) => seq)).toEqual([1, 2, 3])
      expect(await events(run, 9)).toMatchObject([{ seq: 10, type: 'end', outcome: 'finished' }])
    })

    it('tells the writer of a stop request', async () => {
      const { run } = await running()
      expect((await store.appendRunEvents(run, [])).stopRequested).toBe(false)
      expect(await elsewhere.requestStop(run)).toBe(true)
      expect(await store.appendRunEvents(run, [])).toEqual({ live: true, stopRequested: true, lastSeq: 1 })
      await finishReply(run)
      expect(await store.requestStop(run)).toBe(false)
    })

    it('lets other processes end only a run without a heartbeat', async () => {
      const { run } = await running()
      databaseNow = 5_000
      await store.appendRunEvents(run, [])
      databaseNow = 5_010
      const isStale = async (silentForMs: number) =>
        (await store.staleRuns(silentForMs)).some(({ id }) => id === run.runId)
      expect(await finishReply(run, { outcome: 'interrupted', silentForMs: 10 })).toBe(false)
      expect(await isStale(10)).toBe(false)
      expect(await isStale(9)).toBe(true)
      expect(await finishReply(run, { outcome: 'interrupted', silentForMs: 9 })).toBe(true)
      expect(await isStale(9)).toBe(false)
    })

    it('records which process writes a run, if it can tell whether that is alive', async () => {
      const { run } = await running()
      const process = store.processes?.own ?? null
      expect(await elsewhere.loadRun(run)).toMatchObject({ process })
      expect((await store.readRunEvents(run, 0, 10))?.run).toMatchObject({ process })
    })

    it('deletes events of runs that ended long ago, and no others', async () => {
      const done = await running()
      databaseNow = 6_000
      await finishReply(done.run)
      const young = await running()
      databaseNow = 9_000
      await finishReply(young.run)
      const open = await running()
      await store.pruneRunEvents(1_000)
      expect(await events(done.run)).toEqual([])
      expect(await events(young.run)).toHaveLength(2)
      expect(await events(open.run)).toHaveLength(1)
      expect((await store.readRunEvents(done.run, 0, 10))?.run.status).toBe('ended')
    })
  })
}
