import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { Message, MessageImage } from '@/lib/shared/conversation/conversation'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { AppendPlan } from '@/lib/server/store/ports/conversation-store'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { testCall, testConversation, testOutcome, testReply, testUserMessage } from '@/lib/server/store/testing/rows'
import { exportText } from './export-text'

let store: Store
beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())

/** A chat with this many questions and answers of `size` characters, a call in each, and a picture in every tenth. */
async function importChat(id: string, turns: number, size: number, pictureSize: number): Promise<void> {
  const messages: Message[] = []
  const images: MessageImage[] = []
  for (let n = 0; n < turns; n += 1) {
    const parentId = messages.at(n % 7 === 6 ? -3 : -1)?.id ?? null
    const file = { path: `/p${n}.png`, mediaType: 'image/png', size: 9, head: null, isImage: true }
    const attachments = n % 10 === 0 ? { attachments: [file] } : {}
    messages.push(testUserMessage(id, `u${n}`, { parentId, text: 'é'.repeat(size), ...attachments }))
    messages.push(testReply(id, `r${n}`, `u${n}`, { text: 'x'.repeat(size), outcome: 'finished' }))
    if (n % 10 === 0)
      images.push({ messageId: `u${n}`, number: 0, mediaType: 'image/png', data: 'A'.repeat(pictureSize) })
  }
  await store.importConversation(
    'ada',
    {
      conversation: testConversation(id, { title: 'A “chat”', headId: messages.at(-1)?.id ?? null }),
      messages,
      runnableCalls: new Map(),
      calls: Array.from({ length: turns }, (_, n) => testCall(`r${n}`, 0, { outcome: testOutcome() })),
      amendments: turns > 1 ? [{ messageId: 'r1', slot: 0, call: null, amendedAt: 5 }] : [],
      tools: [],
      images,
      log: Array.from({ length: 450 }, (_, n) => ({
        seq: n + 1,
        at: 1,
        actor: 'a',
        event: 'call-decided',
        messageId: 'r1',
        slot: 0,
        tool: 't',
        detail: { n },
      })),
      exportedAt: 1,
    },
    5,
  )
}

/** The whole export at once, for comparison. */
async function whole(id: string): Promise<ConversationExport> {
  const chat = await store.loadConversation('ada', id)
  const images = await store.loadImages('ada', id, 'all')
  if (!chat) throw new Error('no chat')
  const { conversation, messages, calls, amendments, grants } = chat
  const log = (await store.loadLog('ada', id)) ?? []
  const head = { format: 'nod-conversation', version: 2, exportedAt: 9 } as const
  return { ...head, conversation, messages, calls, amendments, grants, log, ...(images.length > 0 && { images }) }
}

describe('an export', () => {
  it('is the same text in pieces and as a whole, at any length', async () => {
    for (const turns of [0, 1, 130]) {
      const id = `same-${turns}`
      await importChat(id, turns, 50, 100)
      const text = await exportText(store, 'ada', id, 9)
      const written = (await Array.fromAsync(text?.pieces ?? [])).join('')
      expect(JSON.parse(written)).toEqual(await whole(id))
      expect(written === JSON.stringify(await whole(id))).toBe(true)
      expect(text?.title).toBe('A “chat”')
    }
    expect(await exportText(store, 'eve', 'same-1', 9)).toBeNull()
  })

  it('keeps one page in memory, however large the chat and its pictures are', async () => {
    await importChat('large', 150, 40_000, 3_000_000)
    const held: number[] = []
    let asked = 0
    const counting = new Proxy(store, {
      get(from, name: keyof Store) {
        const method = from[name] as (...args: unknown[]) => Promise<unknown>
        return async (...args: unknown[]) => {
          asked += 1
          const answer = await method.apply(from, args)
          held.push(JSON.stringify(answer).length)
          return answer
        }
      },
    })
    const text = await exportText(counting, 'ada', 'large', 9)
    const pieces = text?.pieces
    if (!pieces) throw new Error('no chat')
    for (let n = 0; n < 4; n += 1) await pieces.next()
    // Nothing is read before the previous page was consumed.
    expect(asked).toBe(3)
    let total = 0
    for await (const piece of pieces) total += piece.length
    expect(total).toBeGreaterThan(55_000_000)
    expect(Math.max(...held)).toBeLessThan(3_100_000)
    expect(held.length).toBeGreaterThan(30)
  })

  it('leaves out later messages, and breaks off if the chat is deleted', async () => {
    await importChat('moving', 130, 50, 100)
    const before = await whole('moving')
    const text = await exportText(store, 'ada', 'moving', 9)
    const pieces = text?.pieces
    if (!pieces) throw new Error('no chat')
    const first = await pieces.next()
    const posted = testCall('r129', 0, { outcome: testOutcome() })
    const plan: AppendPlan = {
      userMessage: testUserMessage('moving', 'late', { parentId: 'r129' }),
      calls: [{ before: posted, after: { ...posted, postedIn: 'late' } }],
      seen: null,
      reply: testReply('moving', 'answer', 'late'),
      title: '',
    }
    await store.append('ada', 'moving', 'late', plan, 6)
    const all = JSON.parse((first.value ?? '') + (await Array.fromAsync(pieces)).join('')) as ConversationExport
    expect({ ...all, log: [] }).toEqual({ ...before, log: [] })
    const broken = await exportText(store, 'ada', 'moving', 9)
    await broken?.pieces.next()
    await store.deleteConversation('ada', 'moving')
    await expect(Array.fromAsync(broken?.pieces ?? [])).rejects.toMatchObject({ code: 'not-found' })
  })
})
