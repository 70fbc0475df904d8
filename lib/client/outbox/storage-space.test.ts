import { describe, expect, it } from 'vitest'
import { createDrafts, migrateDrafts } from './drafts'
import { createOutbox, type OutboxStorage, storageSpace } from './outbox'

function memory(): OutboxStorage & { readonly all: Map<string, string> } {
  const all = new Map<string, string>()
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
    key: (index) => [...all.keys()][index] ?? null,
    get length() {
      return all.size
    },
  }
}
const draftsOf = (storage: OutboxStorage) =>
  createDrafts({
    storage,
    schedule: (task) => {
      task()
      return () => {}
    },
    tab: { id: 't', isOpen: () => Promise.resolve(false), exclusively: (_, work) => work() },
  })
const entry = { version: 1, id: 'm', conversationId: 'c', createdAt: 1, kind: 'user', parentId: null, text: 'unsent' }

describe('data written in one browser', () => {
  it('is visible only to the account that wrote it', async () => {
    const storage = memory()
    draftsOf(storageSpace(storage, 'ada')).put('new', 'a secret')
    storageSpace(storage, 'ada').setItem('nod:outbox:m', JSON.stringify(entry))
    for (const who of ['', 'eve', 'ad']) {
      const seen = storageSpace(storage, who)
      expect(draftsOf(seen).get('new')).toBe('')
      expect(await draftsOf(seen).adopt('new', 'all')).toBe('')
      expect(createOutbox(seen).all()).toEqual([])
    }
    expect(draftsOf(storageSpace(storage, 'ada')).get('new')).toBe('a secret')
  })

  it('moves to the account at sign-in, but never over existing data', () => {
    const storage = memory()
    storage.setItem('nod:draft:t/new', 'written before')
    storage.setItem('nod:draft:t/c1', 'also before')
    storage.setItem('nod:outbox:m', 'kept')
    storage.setItem('nod:unsent:edit', '1:half')
    storage.setItem('nod:own-models', '1')
    storage.setItem('nod-lab-best', 'measured here')
    storage.setItem('ada:nod-lab-best', 'measured last week')
    storage.setItem('theme', 'dark')
    storage.setItem('ada:nod:draft:t/c1', 'of last week')
    migrateDrafts(storage, 'ada')
    expect(Object.fromEntries(storage.all)).toEqual({
      theme: 'dark',
      'ada:nod:draft:t/new': 'written before',
      'ada:nod:draft:t/c1': 'of last week',
      'ada:nod:outbox:m': 'kept',
      'ada:nod:unsent:edit': '1:half',
      'ada:nod:own-models': '1',
      'ada:nod-lab-best': 'measured last week',
      'nod:draft:t/c1': 'also before',
    })
    migrateDrafts(storage, '')
    expect(storage.all.size).toBe(8)
  })
})
