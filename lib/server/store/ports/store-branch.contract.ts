import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { treeOf, treePathTo } from '@/lib/shared/conversation/message-tree'
import type { StoreUnderTest } from './store.contract'
import { anyForest, expectPartsOfWhole, importedOf, messagesOfForest } from '../testing/branches'
import { finishedEnding, testConversation, testPlan, testReply, testUserMessage } from '../testing/rows'
import { underTest } from '../testing/under-test'

/** The contract of every store for branches of a conversation. */
export function branchContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of branches: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)
    const newId = () => `branch-${next()}`

    it('returns every part of every branch as the whole conversation has it, wherever it forks', async () => {
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

    it('follows appended messages, also at forks, and a reply while it is written', async () => {
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
        await expectPartsOfWhole(elsewhere, 'ada', id)
        await store.endRun({ owner: 'ada', runId: plan.reply.runId }, finishedEnding(), 3000)
      }
      expect(await expectPartsOfWhole(elsewhere, 'ada', id)).toBeGreaterThan(50)
      const fourth = await store.loadBranch('ada', id, { head: 'a4', limit: 3 })
      expect(fourth?.messages.map((message) => message.id)).toEqual(['a3', 'u4', 'a4'])
      expect(fourth?.older).toBe(3)
    })

    it('returns the current state, whatever was read before and whoever wrote since, also in a recreated chat', async () => {
      type Act = 'import' | 'append' | 'edit' | 'end' | 'amend' | 'delete'
      const acts = fc.array(
        fc.record({
          act: fc.constantFrom<Act>('import', 'append', 'append', 'edit', 'end', 'amend', 'delete'),
          here: fc.boolean(),
        }),
        { minLength: 6, maxLength: 16 },
      )
      const done = new Map<Act, number>()
      await fc.assert(
        fc.asyncProperty(acts, async (steps) => {
          const id = newId()
          let running: string | null = null
          for (const [at, { act, here }] of steps.entries()) {
            const by = here ? store : elsewhere
            const stored = await by.loadConversation('ada', id)
            const head = stored?.conversation.headId ?? null
            const reply = stored?.messages.findLast(({ role }) => role === 'assistant')
            // Ids recur in recreated chats with the same id, with other text.
            const count = stored?.messages.length ?? 0
            if (act === 'import' && !stored) {
              const messages = messagesOfForest(id, [0, 1, 1]).map((message) => ({ ...message, createdAt: at }))
              await by.importConversation('ada', importedOf(id, messages), 5)
            } else if ((act === 'append' || act === 'edit') && running === null) {
              if (!stored) await by.createConversation('ada', testConversation(id))
              const parent = act === 'append' && reply && reply.id === head ? head : null
              const userMessage = testUserMessage(id, `u${count}`, { parentId: parent, text: `said at ${at}` })
              const written = testReply(id, `a${count}`, `u${count}`, { runId: `run-${id}-${at}`, createdAt: at })
              const plan = { ...testPlan(id, count, parent), userMessage, reply: written }
              await by.append('ada', id, `u${count}`, plan, 2000)
              running = written.runId
            } else if (act === 'end' && running !== null) {
              await by.endRun({ owner: 'ada', runId: running }, finishedEnding({ failure: null, usage: null }), 3000)
              running = null
            } else if (act === 'amend' && reply && stored?.calls.length === 0) {
              const plan = { amendment: { call: null }, seen: [], runnableCalls: 1 }
              await by.amendCall('ada', id, { messageId: reply.id, slot: at }, plan, at).catch(() => null)
            } else if (act === 'delete' && stored) {
              await by.deleteConversation('ada', id)
              running = null
            } else continue
            done.set(act, (done.get(act) ?? 0) + 1)
            // The whole conversation is not cached: each reader loads it again.
            for (const reader of [store, elsewhere]) {
              const whole = await reader.loadConversation('ada', id)
              const branch = await reader.loadBranch('ada', id, {})
              const line = treePathTo(treeOf(whole?.messages ?? []), whole?.conversation.headId ?? null)
              expect(branch?.messages ?? []).toEqual(line)
            }
          }
        }),
        { numRuns: 15 },
      )
      expect([...done.keys()].toSorted()).toEqual(['amend', 'append', 'delete', 'edit', 'end', 'import'])
    })

    it('belongs to its owner only', async () => {
      const id = newId()
      await store.importConversation('ada', importedOf(id, messagesOfForest(id, [0, 1])), 5)
      expect(await store.loadBranch('eve', id, {})).toBeNull()
      expect(await store.loadBranch('ada', 'none', {})).toBeNull()
      // Another chat with the same message ids keeps its own messages.
      const twin = newId()
      await store.importConversation('eve', importedOf(twin, [testUserMessage(twin, 'm0', { text: 'mine' })]), 5)
      expect((await store.loadBranch('eve', twin, {}))?.messages).toMatchObject([{ id: 'm0', text: 'mine' }])
      expect((await store.loadBranch('ada', id, {}))?.messages).toHaveLength(2)
    })

    it('loads a branch of more messages than a statement names, with or without forks', async () => {
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
