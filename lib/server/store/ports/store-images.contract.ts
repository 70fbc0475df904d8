import { describe, expect, it } from 'vitest'
import type { MessageImage } from '@/lib/shared/conversation/conversation'
import type { StoreUnderTest } from './store.contract'
import {
  finishedEnding,
  runOf,
  testCall,
  testConversation,
  testOutcome,
  testPlan,
  testReply,
  testTool,
  testUserMessage,
} from '../testing/rows'
import { underTest } from '../testing/under-test'

/** The contract of every store for pictures of attachments. */
export function imagesContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of pictures: ${database}`, () => {
    const { store, elsewhere, next } = underTest(openBoth)

    const picture = (messageId: string, number: number, data = `${messageId}${number}==`): MessageImage => ({
      messageId,
      number,
      mediaType: 'image/png',
      data,
    })
    const attachment = (name: string) => ({
      path: `/attachments/${name}`,
      mediaType: 'image/png',
      size: 9,
      head: null,
      isImage: true,
    })
    /** A conversation whose first message `u1` has two pictures, at 0 and 2. */
    const withPictures = async () => {
      const id = `images-${next()}`
      await store.createConversation('ada', testConversation(id))
      const plan = testPlan(id, 1)
      const userMessage = testUserMessage(id, 'u1', { text: '', attachments: [attachment('a.png')] })
      const images = [picture('u1', 0), picture('u1', 2)]
      const answer = await store.append('ada', id, 'u1', { ...plan, userMessage, images }, 2000)
      await store.endRun(runOf('ada', answer.reply), finishedEnding(), 3000)
      return id
    }

    it('returns the requested pictures, only to their owner', async () => {
      const id = await withPictures()
      const wanted = [
        { messageId: 'u1', number: 2 },
        { messageId: 'u1', number: 1 },
        { messageId: 'u9', number: 0 },
      ]
      expect(await elsewhere.loadImages('ada', id, wanted)).toEqual([picture('u1', 2)])
      expect(await store.loadImages('ada', id, 'all')).toEqual([picture('u1', 0), picture('u1', 2)])
      expect(await store.loadImages('ada', id, [])).toEqual([])
      expect(await store.loadImages('eve', id, 'all')).toEqual([])
      expect(await store.loadImages('eve', id, wanted)).toEqual([])
      const stored = await store.loadConversation('ada', id)
      expect(stored?.messages[0]).toMatchObject({ attachments: [{ path: '/attachments/a.png' }] })
      expect(JSON.stringify(stored)).not.toContain('u10==')
    })

    it('returns exactly how the beginning of a text was written', async () => {
      const written = [
        { encoding: 'gb18030', bytes: 12 },
        { encoding: 'windows-1252', bytes: 4 },
        { encoding: 'utf-16le', bytes: 0 },
        { encoding: 'utf-8', bytes: 3_000_000 },
      ] as const
      const attachments = [
        { path: '/old.txt', mediaType: 'text/plain', size: 3, head: 'old', isImage: false },
        ...written.map((one, at) => ({
          path: `/${at}.csv`,
          mediaType: 'text/csv',
          size: 3_000_000,
          head: '姓名,é',
          written: one,
          isImage: false,
        })),
      ]
      const id = `written-${next()}`
      await store.createConversation('ada', testConversation(id))
      const userMessage = testUserMessage(id, 'u1', { text: 'read these', attachments })
      await store.append('ada', id, 'u1', { ...testPlan(id, 1), userMessage }, 2000)
      for (const one of [store, elsewhere]) {
        const message = (await one.loadConversation('ada', id))?.messages[0]
        expect(message?.role === 'user' && message.attachments).toEqual(attachments)
      }
    })

    it('copies the pictures of another message, and treats a repeat as the same request', async () => {
      const id = await withPictures()
      const plan = {
        ...testPlan(id, 2),
        userMessage: testUserMessage(id, 'u2', { text: 'edited' }),
        reply: testReply(id, 'a2', 'u2'),
        images: { copyOf: 'u1' },
      }
      await store.append('ada', id, 'u2', plan, 4000)
      expect(await store.append('ada', id, 'u2', plan, 5000)).toMatchObject({ replayed: true })
      expect(await store.loadImages('ada', id, [{ messageId: 'u2', number: 2 }])).toEqual([picture('u2', 2, 'u12==')])
      expect(await store.loadImages('ada', id, 'all')).toHaveLength(4)
    })

    it('are imported with a conversation, which is stored once and completely', async () => {
      const id = `imported-${next()}`
      const reply = testReply(id, 'a1', 'u1', { outcome: 'finished' })
      const imported = {
        conversation: testConversation(id, { headId: 'a1', title: 'from\0 elsewhere' }),
        messages: [testUserMessage(id, 'u1', { attachments: [attachment('a.png')] }), reply],
        runnableCalls: new Map([['a1', 702]]),
        calls: Array.from({ length: 700 }, (_, slot) => testCall('a1', slot, { outcome: testOutcome(), gated: true })),
        amendments: [{ messageId: 'a1', slot: 701, call: null, amendedAt: 5 }],
        tools: [testTool('ask_wiki', { origin: 'imported' })],
        images: [picture('u1', 0)],
        log: [{ seq: 7, at: 4, actor: 'x', event: 'call-amended', messageId: 'a1', slot: 1, tool: null, detail: {} }],
        exportedAt: 3,
      } as const
      const both = [store, elsewhere].map((one) => one.importConversation('ada', imported, 9))
      expect(await Promise.all(both)).toMatchObject([{ id, headId: 'a1' }, { title: 'from elsewhere' }])
      const stored = await store.loadConversation('ada', id)
      expect(stored).toMatchObject({ messages: imported.messages, amendments: imported.amendments, grants: [] })
      expect(stored?.calls).toEqual(imported.calls)
      expect(stored?.tools).toEqual(imported.tools)
      expect(await store.loadImages('ada', id, 'all')).toEqual(imported.images)
      expect(await store.loadLog('ada', id)).toMatchObject([
        { seq: 1, at: 9, event: 'imported', detail: { exportedAt: 3, entries: 1 } },
        { seq: 2, at: 4, actor: 'x (imported)', event: 'call-amended', messageId: 'a1', slot: 1 },
      ])
      const row = (await store.listConversations('ada', 'elsewhere', 9)).find((one) => one.id === id)
      expect(row).toMatchObject({ waitingCalls: 702 })
      // Another owner's conversation with the same id is separate.
      expect(await store.importConversation('eve', imported, 9)).toMatchObject({ id, headId: 'a1' })
      expect(await store.deleteConversation('eve', id)).toBe(true)
      expect(await store.loadImages('eve', id, 'all')).toEqual([])
      expect(await store.loadConversation('ada', id)).toEqual(stored)
      // It can be continued like any other.
      const plan = { ...testPlan(id, 2, 'a1'), userMessage: testUserMessage(id, 'u2', { parentId: 'a1' }) }
      expect(await store.append('ada', id, 'u2', plan, 10)).toMatchObject({ replayed: false })
    })

    it('are deleted with the conversation', async () => {
      const id = await withPictures()
      await store.deleteConversation('ada', id)
      await store.createConversation('ada', testConversation(id))
      expect(await store.loadImages('ada', id, 'all')).toEqual([])
    })
  })
}
