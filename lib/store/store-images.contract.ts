import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MessageImage } from '@/lib/chat/conversation'
import type { StoreUnderTest } from './store.contract'
import type { Store } from './store'
import { finishedEnding, testConversation, testPlan, testReply, testUserMessage } from './testing/rows'

/** What every store must do with the pictures of attachments. */
export function imagesContract(database: string, openBoth: () => Promise<StoreUnderTest>): void {
  describe(`store contract of pictures: ${database}`, () => {
    let under: StoreUnderTest
    let store: Store
    let made = 0
    beforeAll(async () => {
      under = await openBoth()
      store = under.store
    })
    afterAll(() => under.close())

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
      const id = `images-${(made += 1)}`
      await store.createConversation('ada', testConversation(id))
      const plan = testPlan(id, 1)
      const userMessage = testUserMessage(id, 'u1', { text: '', attachments: [attachment('a.png')] })
      const images = [picture('u1', 0), picture('u1', 2)]
      const answer = await store.append('ada', id, 'u1', { ...plan, userMessage, images }, 2000)
      await store.endRun(answer.reply.runId, finishedEnding(), 3000)
      return id
    }

    it('gives the pictures that were asked for, to their owner only', async () => {
      const id = await withPictures()
      const wanted = [
        { messageId: 'u1', number: 2 },
        { messageId: 'u1', number: 1 },
        { messageId: 'u9', number: 0 },
      ]
      expect(await under.other.loadImages('ada', id, wanted)).toEqual([picture('u1', 2)])
      expect(await store.loadImages('ada', id, 'all')).toEqual([picture('u1', 0), picture('u1', 2)])
      expect(await store.loadImages('ada', id, [])).toEqual([])
      expect(await store.loadImages('eve', id, 'all')).toEqual([])
      expect(await store.loadImages('eve', id, wanted)).toEqual([])
      const stored = await store.loadConversation('ada', id)
      expect(stored?.messages[0]).toMatchObject({ attachments: [{ path: '/attachments/a.png' }] })
      expect(JSON.stringify(stored)).not.toContain('u10==')
    })

    it('copies the pictures of another message, and keeps a repeated request one', async () => {
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

    it('deletes them with the conversation', async () => {
      const id = await withPictures()
      await store.deleteConversation('ada', id)
      await store.createConversation('ada', testConversation(id))
      expect(await store.loadImages('ada', id, 'all')).toEqual([])
    })
  })
}
