import { describe, expect, it } from 'vitest'
import type { ToolResult } from '@/lib/shared/conversation/call-record'
import type { StoreUnderTest } from './store.contract'
import {
  asRequested,
  AWKWARD,
  finishedEnding,
  neverGated,
  runOf,
  testCall,
  testConversation,
  testOutcome,
  testPlan,
  testReply,
  testUserMessage,
} from '../testing/rows'
import { expectPartsOfWhole } from '../testing/branches'
import { underTest } from '../testing/under-test'

/** The contract of every store for deleting messages, and undoing that. */
export function deletionContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of deleted messages: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)

    const result = (status: ToolResult['status']): ToolResult => ({
      messageId: 'a1',
      slot: 0,
      callId: 'call_1',
      name: 'read_file',
      status,
      result: AWKWARD,
      durationMs: 3,
    })
    const end = async (id: string, n: number, text: string, runnableCalls = 0) => {
      const reply = testReply(id, `a${n}`, `u${n}`)
      const said = { text, reasoning: 'thought', lastSeq: 1 }
      await store.endRun(runOf('ada', reply), finishedEnding({ runnableCalls, said }), 3000)
    }
    /** `u1` with a picture, `a1` with a call that ran, its result in `u2`, then `a2`; `u3` and `a3`. */
    const chat = async (status: ToolResult['status'] = 'completed') => {
      const id = `deletion-${next()}`
      await store.createConversation('ada', testConversation(id))
      const attachment = { path: '/a.png', mediaType: 'image/png', size: 9, head: null, isImage: true }
      const first = testPlan(id, 1)
      const userMessage = testUserMessage(id, 'u1', { text: `pelican ${AWKWARD}`, attachments: [attachment] })
      const images = [{ messageId: 'u1', number: 0, mediaType: 'image/png' as const, data: 'abcd' }]
      await store.append('ada', id, 'u1', { ...first, userMessage, images }, 2000)
      await end(id, 1, 'flamingo', 1)
      await store.decideCall('ada', id, testCall('a1', 0), asRequested)
      const ran = { messageId: 'a1', slot: 0, attempt: 1, runnerId: 'tab-1' }
      await store.finishCall('ada', id, ran, testOutcome(AWKWARD), neverGated, 20)
      const second = testPlan(id, 2, 'a1')
      const results = testUserMessage(id, 'u2', { parentId: 'a1', text: '', results: [result(status)] })
      await store.append('ada', id, 'u2', { ...second, userMessage: results }, 4000)
      await end(id, 2, 'heron')
      await store.append('ada', id, 'u3', testPlan(id, 3, 'a2'), 5000)
      await end(id, 3, 'stork')
      return id
    }
    const load = async (id: string, by = store) => {
      const stored = await by.loadConversation('ada', id)
      if (!stored) throw new Error('no such chat')
      return stored
    }
    const message = async (id: string, messageId: string) =>
      (await load(id, elsewhere)).messages.find((row) => row.id === messageId)
    const found = async (query: string) => {
      while ((await store.indexWords(20)) > 0);
      return (await store.searchMessages('ada', query, 500)).found.length
    }

    it('deletes a reply with its calls and results, and restores all of it', async () => {
      const id = await chat()
      const before = await load(id)
      expect(await store.deleteMessages('ada', id, ['a1'], 6000)).toEqual({ ids: ['a1', 'u2'], headId: 'a3' })
      const after = await load(id, elsewhere)
      expect(after.messages.map((row) => row.id)).toEqual(before.messages.map((row) => row.id))
      expect(await message(id, 'a1')).toMatchObject({ deleted: true, text: '', reasoning: '', parentId: 'u1' })
      expect(await message(id, 'u2')).toMatchObject({ results: [], text: '' })
      expect(JSON.stringify(after)).not.toContain('flamingo')
      expect(after.calls).toEqual([])
      expect(after.messages.filter((row) => row.deleted)).toHaveLength(1)
      // A repeat changes nothing.
      await store.deleteMessages('ada', id, ['a1'], 6001)
      const restored = await elsewhere.restoreMessages('ada', id, ['a1'], 7000)
      expect(restored.ids.toSorted()).toEqual(['a1', 'u2'])
      const back = await load(id)
      expect([back.messages, back.calls]).toEqual([before.messages, before.calls])
      const log = await store.loadLog('ada', id)
      expect(log?.slice(-2).map(({ event, messageId }) => [event, messageId])).toEqual([
        ['message-deleted', 'a1'],
        ['message-restored', 'a1'],
      ])
    })

    it('deletes the text and pictures of a user message, and keeps the results that it contains', async () => {
      const id = await chat()
      const before = await load(id)
      await store.deleteMessages('ada', id, ['u1', 'u2'], 6000)
      expect(await message(id, 'u1')).toMatchObject({ deleted: true, text: '' })
      expect(await message(id, 'u1')).not.toHaveProperty('attachments')
      expect(await message(id, 'u2')).toMatchObject({ deleted: true, results: [{ messageId: 'a1' }] })
      expect(await store.loadImages('ada', id, 'all')).toEqual([])
      await store.restoreMessages('ada', id, ['u1', 'u2'], 7000)
      expect((await load(id)).messages).toEqual(before.messages)
      expect(await store.loadImages('ada', id, 'all')).toHaveLength(1)
    })

    it('restores results into a message that was deleted in between', async () => {
      const id = await chat()
      const before = await load(id)
      await store.deleteMessages('ada', id, ['a1'], 6000)
      await store.deleteMessages('ada', id, ['u2'], 6001)
      await store.restoreMessages('ada', id, ['u2'], 6002)
      await store.restoreMessages('ada', id, ['a1'], 6003)
      expect((await load(id)).messages).toEqual(before.messages)
    })

    it('leaves every part of every branch as in the whole chat, also with unfinished results', async () => {
      const id = await chat('unfinished')
      await store.deleteMessages('ada', id, ['a1'], 6000)
      await expectPartsOfWhole(elsewhere, 'ada', id)
      expect((await store.loadBranch('ada', id, {}))?.openEnds).toBe(0)
      await store.restoreMessages('ada', id, ['a1'], 7000)
      await expectPartsOfWhole(elsewhere, 'ada', id)
      expect((await store.loadBranch('ada', id, {}))?.openEnds).toBe(1)
    })

    it('marks deleted messages in the outline', async () => {
      const id = await chat()
      await store.deleteMessages('ada', id, ['a3', 'u3'], 6000)
      expect((await store.loadView('ada', id, { count: 1, bytes: 1 }))?.outline?.kinds).toBe('uaraUA')
    })

    it('hides its words from search until it is restored', async () => {
      const id = await chat()
      const count = await found('heron')
      await store.deleteMessages('ada', id, ['a2'], 6000)
      expect(await found('heron')).toBe(count - 1)
      await store.restoreMessages('ada', id, ['a2'], 7000)
      expect(await found('heron')).toBe(count)
    })

    it('shows another version if nothing follows, and the deleted one again after an undo', async () => {
      const id = await chat()
      const version = testReply(id, 'a3b', 'u3')
      await store.append('ada', id, 'again', { ...testPlan(id, 9), userMessage: null, reply: version }, 6000)
      await store.endRun(runOf('ada', version), finishedEnding(), 6100)
      expect((await store.deleteMessages('ada', id, ['a3b'], 6200)).headId).toBe('a3')
      expect((await store.deleteMessages('ada', id, ['a3'], 6300)).headId).toBe('a3')
      await store.restoreMessages('ada', id, ['a3'], 6400)
      expect((await store.restoreMessages('ada', id, ['a3b'], 6500)).headId).toBe('a3b')
      // A version with a message after it stays the head.
      expect((await store.deleteMessages('ada', id, ['u3'], 6600)).headId).toBe('a3b')
    })

    it('refuses a running reply and missing messages, and then deletes nothing', async () => {
      const id = await chat()
      await store.append('ada', id, 'u4', testPlan(id, 4, 'a3'), 6000)
      const deletes = (ids: readonly string[], owner = 'ada') => store.deleteMessages(owner, id, ids, 6100)
      await expect(deletes(['a3', 'a4'])).rejects.toMatchObject({ code: 'run-in-progress' })
      await expect(deletes(['a3', 'a9'])).rejects.toMatchObject({ code: 'not-found' })
      await expect(deletes(['a3'], 'eve')).rejects.toMatchObject({ code: 'not-found' })
      expect((await load(id)).messages.some((row) => row.deleted)).toBe(false)
      // Messages before it can be deleted meanwhile.
      await deletes(['a3'])
      expect(await message(id, 'a3')).toMatchObject({ deleted: true })
    })

    it('purges deleted messages after a while', async () => {
      const id = await chat()
      await store.deleteMessages('ada', id, ['a1'], 6000)
      await store.deleteMessages('ada', id, ['a2'], 9000)
      while ((await store.purgeDeletedMessages(8000, 50)) > 0);
      await expect(store.restoreMessages('ada', id, ['a1'], 9500)).rejects.toMatchObject({ code: 'not-found' })
      await store.restoreMessages('ada', id, ['a2'], 9500)
      expect(await message(id, 'a2')).toMatchObject({ text: 'heron' })
      await store.deleteMessages('ada', id, ['a2'], 9600)
    })
  })
}
