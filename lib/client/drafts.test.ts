import { describe, expect, it } from 'vitest'
import { createDrafts } from './drafts'

function setUp(options: { readonly refuses?: boolean } = {}) {
  const saved = new Map<string, string>()
  const timers: (() => void)[] = []
  let writes = 0
  const storage = {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem(key: string, value: string) {
      if (options.refuses) throw new DOMException('full', 'QuotaExceededError')
      writes += 1
      saved.set(key, value)
    },
    removeItem: (key: string) => void saved.delete(key),
  }
  const drafts = createDrafts({
    storage,
    schedule(task) {
      timers.push(task)
      return () => {}
    },
  })
  return { drafts, saved, timers, writes: () => writes }
}

describe('drafts', () => {
  it('are written once for a burst of keys, and read back at once', () => {
    const { drafts, timers, writes, saved } = setUp()
    for (const text of ['a', 'ab', 'abc']) drafts.set('c1', text)
    expect(drafts.get('c1')).toBe('abc')
    expect(timers).toHaveLength(1)
    timers[0]?.()
    expect(writes()).toBe(1)
    expect([...saved.values()]).toEqual(['abc'])
  })

  it('of one conversation are not those of another', () => {
    const { drafts } = setUp()
    drafts.set('c1', 'one')
    drafts.set('c2', 'two')
    drafts.flush()
    expect([drafts.get('c1'), drafts.get('c2')]).toEqual(['one', 'two'])
  })

  it('come back after a failed send, but never over something newer', () => {
    const { drafts } = setUp()
    const heard: string[] = []
    drafts.subscribe((id) => heard.push(id))
    drafts.restore('c1', 'unsent')
    expect(drafts.get('c1')).toBe('unsent')
    drafts.set('c1', 'newer')
    drafts.restore('c1', 'unsent')
    expect(drafts.get('c1')).toBe('newer')
    expect(heard).toEqual(['c1'])
  })

  it('live as long as the page where storage is refused', () => {
    const { drafts } = setUp({ refuses: true })
    drafts.set('c1', 'kept')
    drafts.flush()
    expect(drafts.get('c1')).toBe('kept')
  })
})
