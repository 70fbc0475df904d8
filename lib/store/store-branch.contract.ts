import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreUnderTest } from './store.contract'
import type { Store } from './store'
import { anyForest, expectPartsOfWhole, importedOf, messagesOfForest } from './testing/branches'
import { finishedEnding, testConversation, testPlan, testReply, testUserMessage } from './testing/rows'

/** What every store must do with a line of a conversation. */
export function branchContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of branches: ${database}`, () => {
    let under: StoreUnderTest
    let store: Store
    let made = 0
    beforeAll(async () => {
      under = await openBoth()
      store = under.store
    })
    afterAll(() => under.close())
    const newId = () => `branch-${(made += 1)}`

    it('gives every part of every line as the whole conversation has it, wherever it forks', async () => {
      let compared = 0
      await fc.assert(
        fc.asyncProperty(anyForest, async (forest) => {
          const id = newId()
          await store.importConversation('ada', importedOf(id, messagesOfForest(id, forest)), 5)
          compared += await expectPartsOfWhole(store, 'ada', id)
        }),
        { numRuns: 6 },
      )
      expect(compared).toBeGreaterThan(60)
    })

    it('follows what is appended, where it forks too, and a reply while it is written', async () => {
      const id = newId()
      await store.createConversation('ada', testConversation(id))
      expect(await store.loadBranch('ada', id, {})).toMatchObject({ messages: [], older: 0, activeRunId: null })
      for (const [n, parentId] of [
        [1, null],
        [2, 'a1'],
        [3, 'a1'],
        [4, 'a3'],
        [5, null],
      ] as const) {
        const plan = testPlan(id, n, parentId)
        await store.append('ada', id, `u${n}`, plan, 2000)
        expect((await store.loadBranch('ada', id, {}))?.messages.at(-1)).toEqual(plan.reply)
        await expectPartsOfWhole(under.other, 'ada', id)
        await store.endRun({ owner: 'ada', runId: plan.reply.runId }, finishedEnding(), 3000)
      }
      expect(await expectPartsOfWhole(under.other, 'ada', id)).toBeGreaterThan(50)
      const fourth = await store.loadBranch('ada', id, { head: 'a4', limit: 3 })
      expect(fourth?.messages.map((message) => message.id)).toEqual(['a3', 'u4', 'a4'])
      expect(fourth?.older).toBe(3)
    })

    it('is the owner’s alone', async () => {
      const id = newId()
      await store.importConversation('ada', importedOf(id, messagesOfForest(id, [0, 1])), 5)
      expect(await store.loadBranch('eve', id, {})).toBeNull()
      expect(await store.loadBranch('ada', 'none', {})).toBeNull()
      // Another chat with messages of the same names keeps its own.
      const twin = newId()
      await store.importConversation('eve', importedOf(twin, [testUserMessage(twin, 'm0', { text: 'mine' })]), 5)
      expect((await store.loadBranch('eve', twin, {}))?.messages).toMatchObject([{ id: 'm0', text: 'mine' }])
      expect((await store.loadBranch('ada', id, {}))?.messages).toHaveLength(2)
    })

    it('reads a line of more messages than are named one by one, forks beside it or not', async () => {
      const id = newId()
      const messages = messagesOfForest(id, [0, ...Array.from({ length: 700 }, () => 1)])
      const beside = messages.flatMap((message) => [
        message,
        testUserMessage(id, `side-${message.id}`),
        testReply(id, `answer-${message.id}`, `side-${message.id}`, { outcome: 'finished' }),
      ])
      await store.importConversation('ada', importedOf(id, beside), 5)
      const line = await store.loadBranch('ada', id, { head: 'm700' })
      expect(line?.messages).toEqual(messages)
      expect(line?.calls).toHaveLength(350)
      expect(await store.loadBranch('ada', id, { head: 'm700', limit: 2 })).toMatchObject({ older: 699 })
    })
  })
}
