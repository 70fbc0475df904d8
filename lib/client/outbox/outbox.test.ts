import { describe, expect, it } from 'vitest'
import { createOutbox, outboxPrefix, type OutboxStorage, type OutboxEntry } from './outbox'

const entry = (id: string, over: Partial<OutboxEntry> = {}): OutboxEntry => ({
  version: 1,
  id,
  conversationId: 'c1',
  parentId: 'a1',
  text: `text of ${id}`,
  createdAt: 1,
  refusal: null,
  ...over,
})

function storageOf(saved = new Map<string, string>(), options: { full?: boolean } = {}): OutboxStorage {
  return {
    get length() {
      return saved.size
    },
    key: (index) => [...saved.keys()][index] ?? null,
    getItem: (key) => saved.get(key) ?? null,
    setItem(key, value) {
      if (options.full) throw new DOMException('full', 'QuotaExceededError')
      saved.set(key, value)
    },
    removeItem: (key) => void saved.delete(key),
  }
}

describe('the outbox', () => {
  it('is the same after a reload and in every tab, oldest first, until a message is taken out', () => {
    const saved = new Map<string, string>([['nod:draft:new', 'no entry']])
    const here = createOutbox(storageOf(saved))
    here.put(entry('u2', { createdAt: 2 }))
    here.put(entry('u1'))
    const there = createOutbox(storageOf(saved))
    expect(there.all().map(({ entry: { id }, kept }) => [id, kept])).toEqual([
      ['u1', true],
      ['u2', true],
    ])
    there.remove('u1')
    expect(here.all().map(({ entry: { id } }) => id)).toEqual(['u2'])
    expect(here.get('u1')).toBeNull()
  })

  it('keeps images in the page and their names in the storage', () => {
    const saved = new Map<string, string>()
    const image = { mediaType: 'image/png', data: 'AAAA' } as const
    const file = { path: '/attachments/a.png', mediaType: 'image/png', size: 3, head: null, isImage: true }
    const here = createOutbox(storageOf(saved))
    here.put(entry('u1', { attachments: [{ ...file, image }] }))
    expect(here.get('u1')?.attachments).toEqual([{ ...file, image }])
    expect(createOutbox(storageOf(saved)).get('u1')?.attachments).toEqual([file])
  })

  it('lasts as long as the page if the storage is full or off, and says so', () => {
    for (const storage of [null, storageOf(new Map(), { full: true })]) {
      const outbox = createOutbox(storage)
      outbox.put(entry('u1'))
      expect(outbox.all()).toEqual([{ entry: entry('u1'), kept: false }])
      outbox.remove('u1')
      expect(outbox.all()).toEqual([])
    }
  })

  it('leaves foreign entries in the storage alone', () => {
    const saved = new Map([
      [`${outboxPrefix}x`, '{"version":2,"id":"x"}'],
      [`${outboxPrefix}y`, 'not JSON'],
    ])
    expect(createOutbox(storageOf(saved)).all()).toEqual([])
    expect(saved.size).toBe(2)
  })

  it('notifies of every change, including those of other tabs', () => {
    const outbox = createOutbox(storageOf())
    let told = 0
    const stop = outbox.subscribe(() => (told += 1))
    outbox.put(entry('u1'))
    outbox.remove('u1')
    outbox.changedElsewhere()
    stop()
    outbox.changedElsewhere()
    expect(told).toBe(3)
  })
})
