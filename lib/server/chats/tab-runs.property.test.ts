import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TabPiece } from '@/lib/shared/conversation/wire/tab-run'
import { browserModelId } from '@/lib/base/model-id'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { decodeTestSettings } from '@/lib/server/store/testing/rows'
import { rounds } from '@/scripts/test/nightly'
import { defaultRunLogTimes } from '../runs/run-log-reader'
import { createChatHarness } from './testing/chat-harness'
import { createManualClock } from './testing/manual-clock'

/*
 * One reply whose tab writes it over a network that repeats, delays, reorders and drops requests, with another tab that
 * tries to write it, two nodes, a stop at any time, and a tab that may die.
 */

let store: Store
let clock = createManualClock()
beforeAll(async () => {
  store = await openTestStore({ decodeSettings: decodeTestSettings, now: () => clock.now() })
})
afterAll(() => store.close())

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      text: anyText({ minLength: 1, maxLength: 6 }),
    }),
  },
  /** Any range of the text so far, repeated or new, in any order. */
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      from: fc.oneof(fc.constant(0), fc.nat(8)),
      count: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant(30)),
      turned: fc.boolean(),
      node: fc.nat(1),
      mine: fc.integer({ min: 0, max: 3 }).map((at) => at > 0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(10, 400, 400, 3_000, 6_500) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const), node: fc.nat(1) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      node: fc.nat(1),
      short: fc.oneof(fc.constant(0), fc.nat(2)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const), node: fc.nat(1) }) },
)

const said = (text: string) => ({ do: 'write', text }) as const
const all = { do: 'send', from: 0, count: 30, turned: false, node: 1, mine: true } as const

it('keeps a prefix of the model’s text, once, whatever the network, another tab and a crash do', async () => {
  const seen = { whole: 0, cut: 0, dead: 0 }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (steps, atOnce) => {
      clock = createManualClock()
      const nodes = [createChatHarness(store, {}, clock), createChatHarness(store, {}, clock)] as const
      const nodeOf = (at: number) => (at === 0 ? nodes[0] : nodes[1])
      const { owner } = nodes[0]
      const key = `key-of-the-tab-${crypto.randomUUID()}`
      const id = await nodes[0].newChat({ model: browserModelId('test', 'any') })
      const info = { label: 'any', providerLabel: 'Test', contextTokens: null, seesImages: false }
      const append = { kind: 'user', id: crypto.randomUUID(), parentId: null, text: 'hi' } as const
      const { runId, replyId } = await nodes[0].service.append(owner, {
        conversationId: id,
        append,
        writer: { key, model: info },
      })
      const pieces: TabPiece[] = []
      let ended: string | null = null
      const sent: Promise<unknown>[] = []
      for (const one of steps) {
        const work = (async () => {
          if (one.do === 'write')
            pieces.push({ seq: pieces.length + 2, channel: 'text', text: one.text.toWellFormed() })
          else if (one.do === 'pass') await clock.pass(one.ms)
          else if (one.do === 'stop') await nodeOf(one.node).service.stop(owner, runId)
          else if (one.do === 'sweep') await nodeOf(one.node).runLog.sweep()
          else if (one.do === 'end') {
            const lastSeq = Math.max(1, pieces.length + 1 - one.short)
            const upTo = pieces
              .slice(0, lastSeq - 1)
              .map(({ text }) => text)
              .join('')
            const end = { lastSeq, outcome: 'finished', failure: null, usage: null } as const
            const running = (await store.loadRun({ owner, runId }))?.status === 'running'
            const { live } = await nodeOf(one.node).service.tabEnd(owner, runId, key, end)
            if (running && !live) ended ??= upTo
          } else {
            const some = pieces.slice(one.from, one.from + one.count)
            const request = { pieces: one.turned ? some.toReversed() : some }
            if (one.mine) await nodeOf(one.node).service.tabPieces(owner, runId, key, request)
            else {
              const other = { pieces: request.pieces.map((piece) => ({ ...piece, text: 'not the model' })) }
              await expect(nodeOf(one.node).service.tabPieces(owner, runId, `${key}x`, other)).rejects.toMatchObject({
                code: 'forbidden',
              })
            }
          }
        })()
        if (atOnce && one.do === 'send') sent.push(work)
        else await work
      }
      await Promise.all(sent)
      await clock.pass(defaultRunLogTimes.tabDeadMs + 1)
      await nodes[1].runLog.sweep()

      const reply = await nodes[0].reply(id, replyId)
      const whole = pieces.map(({ text }) => text).join('')
      expect(whole.startsWith(reply.text)).toBe(true)
      expect(reply.outcome).toBe(reply.outcome === 'finished' ? 'finished' : 'interrupted')
      // A reply that ends as finished is complete.
      if (reply.outcome === 'finished' && !atOnce) expect(reply.text).toBe(ended)
      const cuts = [...pieces.keys(), pieces.length].map((at) =>
        pieces
          .slice(0, at)
          .map(({ text }) => text)
          .join(''),
      )
      expect(cuts).toContain(reply.text)
      if (reply.outcome === 'interrupted') seen.dead += 1
      else if (reply.text === whole && whole !== '') seen.whole += 1
      if (reply.text !== '' && reply.text !== whole) seen.cut += 1
    }),
    {
      numRuns: rounds(150),
      // Covers each way in which a reply can end, whatever the random seed.
      examples: [
        [[said('a'), all, { do: 'end', node: 0, short: 0 }], false],
        [[said('a'), all, said('b'), { do: 'pass', ms: 6_500 }], false],
        [[said('a'), said('b'), { ...all, count: 1 }, { do: 'end', node: 1, short: 1 }], false],
      ],
    },
  )
  expect(Object.entries(seen).filter(([, count]) => count === 0)).toEqual([])
})
