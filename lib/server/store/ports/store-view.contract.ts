import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ConversationView } from '@/lib/shared/conversation/wire/api-types'
import { branchesOf, newestLeafOfTree, treeOf, treePathTo, isHere } from '@/lib/shared/conversation/message-tree'
import { rowsIn, hasText } from '@/lib/shared/conversation/outline'
import type { StoreUnderTest } from './store.contract'
import { anyForest, importedOf, messagesOfForest } from '../testing/branches'
import { finishedEnding, testConversation, testPlan, testUserMessage } from '../testing/rows'
import { underTest } from '../testing/under-test'

const everything = { count: 1_000, bytes: 1e9 }

/** The facts that a page relies on: equal for a view in pages and for the whole one. */
function facts(view: ConversationView, headId: string | null) {
  const rows = rowsIn(view)
  const tree = treeOf(rows)
  return {
    order: rows.map(({ id, parentId, role }) => [id, parentId, role]),
    said: rows.map((row) => row.role === 'user' && hasText(row)),
    path: treePathTo(tree, headId).map(({ id }) => id),
    branches: [...branchesOf(tree)],
    leaves: rows.map(({ id }) => newestLeafOfTree(tree, id)),
  }
}

/** The contract of every store for conversations that are shown in pages. */
export function viewContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of views: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)
    const newId = () => `view-${next()}`

    /** Compares every page with the whole. Returns the number of pages. */
    async function expectSameInPages(id: string, count: number, by = store): Promise<number> {
      const whole = await store.loadConversation('ada', id)
      const view = await by.loadView('ada', id, { ...everything, count })
      if (!whole || !view) throw new Error('no such chat')
      const { headId } = whole.conversation
      expect(view.conversation).toEqual(whole.conversation)
      expect(facts(view, headId)).toEqual(facts(whole, headId))
      const shown = treePathTo(treeOf(whole.messages), headId)
      expect(view.messages).toEqual(shown.slice(-count))
      expect({ ...view, messages: [], outline: 0, others: 0, calls: 0, amendments: 0 }).toEqual({
        ...whole,
        messages: [],
        outline: 0,
        others: 0,
        calls: 0,
        amendments: 0,
      })
      const ids = whole.messages.map((row) => row.id)
      let pages = 0
      const found = { messages: [...view.messages], calls: [...view.calls], amendments: [...view.amendments] }
      const lacking = () => ids.filter((one) => !found.messages.some((row) => row.id === one))
      for (let rest = lacking(); rest.length > 0; rest = lacking()) {
        const page = await by.loadMessages('ada', id, rest.toReversed(), { ...everything, count })
        if (!page) throw new Error('no page')
        expect(page.messages.map((row) => row.id)).toEqual(rest.toReversed().slice(0, Math.max(count, 1)))
        expect(page.grants).toEqual(whole.grants)
        found.messages.push(...page.messages)
        found.calls.push(...page.calls)
        found.amendments.push(...page.amendments)
        pages += 1
      }
      expect(new Map(found.messages.map((row) => [row.id, row]))).toEqual(treeOf(whole.messages))
      const byPlace = <T extends { messageId: string; slot: number }>(rows: readonly T[]) =>
        new Map(rows.map((row) => [`${row.messageId} ${row.slot}`, row]))
      expect(byPlace(found.calls)).toEqual(byPlace(whole.calls))
      expect(byPlace(found.amendments)).toEqual(byPlace(whole.amendments))
      expect(view.others?.ran).toBe(whole.calls.some(({ decision }) => decision === 'run'))
      const given = new Set(view.messages.map((row) => row.id))
      const failed = whole.calls.filter((row) => row.outcome?.status === 'error' && !given.has(row.messageId))
      expect(view.others?.failed).toHaveLength(failed.length)
      return pages
    }

    it('gives the same chat in pages of any size as at once, wherever it forks', async () => {
      const tried = { pages: 0 }
      const same = fc.asyncProperty(anyForest, fc.integer({ min: 1, max: 9 }), async (forest, count) => {
        const id = newId()
        await store.importConversation('ada', importedOf(id, messagesOfForest(id, forest)), 5)
        tried.pages += await expectSameInPages(id, count)
      })
      // Small chats have one page: repeats until enough random ones have more.
      for (let round = 0; round < 5 && tried.pages <= 5; round += 1) await fc.assert(same, { numRuns: 8 })
      expect(tried.pages).toBeGreaterThan(5)
    })

    it('follows appended messages, and a reply while it is written', async () => {
      const id = newId()
      await store.createConversation('ada', testConversation(id))
      await expectSameInPages(id, 3)
      for (const [n, parentId] of [
        [1, null],
        [2, 'a1'],
        [3, 'a1'],
        [4, null],
      ] as const) {
        const plan = testPlan(id, n, parentId)
        await store.append('ada', id, `u${n}`, plan, 2000)
        const view = await elsewhere.loadView('ada', id, { ...everything, count: 1 })
        expect(view).toMatchObject({ messages: [{ id: `a${n}`, outcome: null }], activeRunId: plan.reply.runId })
        await expectSameInPages(id, 2, elsewhere)
        await store.endRun({ owner: 'ada', runId: plan.reply.runId }, finishedEnding(), 3000)
      }
      await expectSameInPages(id, 2, elsewhere)
    })

    it('limits a page by its bytes, but not below a minimum number of messages', async () => {
      const id = newId()
      const messages = messagesOfForest(id, [0, ...Array.from({ length: 40 }, () => 1)])
      const long = messages.map((row) => (row.role === 'user' ? { ...row, text: 'x'.repeat(1_000) } : row))
      await store.importConversation('ada', importedOf(id, long), 5)
      const bytes = async (most: number) =>
        (await store.loadView('ada', id, { count: 30, bytes: most }))?.messages ?? []
      expect(await bytes(1e6)).toHaveLength(30)
      expect(await bytes(10)).toHaveLength(8)
      const some = await bytes(15_000)
      expect(some.length).toBeGreaterThan(8)
      expect(some.length).toBeLessThan(30)
      expect(JSON.stringify(some).length).toBeLessThan(18_000)
      const rest = long.slice(0, 20).map((row) => row.id)
      expect((await store.loadMessages('ada', id, rest, { count: 100, bytes: 10 }))?.messages).toHaveLength(8)
    })

    it('belongs to its owner only, and finds no message of another chat', async () => {
      const [id, twin] = [newId(), newId()]
      await store.importConversation('ada', importedOf(id, messagesOfForest(id, [0, 1])), 5)
      await store.importConversation('eve', importedOf(twin, [testUserMessage(twin, 'only')]), 5)
      expect(await store.loadView('eve', id, everything)).toBeNull()
      expect(await store.loadMessages('eve', id, ['m0'], everything)).toBeNull()
      expect((await store.loadMessages('ada', id, ['only', 'm1', 'none'], everything))?.messages).toMatchObject([
        { id: 'm1' },
      ])
      expect((await store.loadView('ada', id, everything))?.messages.every(isHere)).toBe(true)
    })
  })
}
