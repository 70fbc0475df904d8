import { beforeEach, describe, expect, it } from 'vitest'
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

  it('are separate for each conversation', () => {
    const { drafts } = setUp()
    drafts.set('c1', 'one')
    drafts.set('c2', 'two')
    drafts.flush()
    expect([drafts.get('c1'), drafts.get('c2')]).toEqual(['one', 'two'])
  })

  it('are restored after a failed send, but never over newer text', () => {
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

  it('last as long as the page if storage is refused', () => {
    const { drafts } = setUp({ refuses: true })
    drafts.set('c1', 'kept')
    drafts.flush()
    expect(drafts.get('c1')).toBe('kept')
  })
})

describe('drafts of several tabs', () => {
  const saved = new Map<string, string>()
  const open = new Set<string>()
  const storage = {
    get length() {
      return saved.size
    },
    key: (index: number) => [...saved.keys()][index] ?? null,
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (key: string, value: string) => void saved.set(key, value),
    removeItem: (key: string) => void saved.delete(key),
  }
  const openTab = (id: string) => {
    open.add(id)
    const tab = {
      id,
      isOpen: (other: string) => Promise.resolve(open.has(other)),
      exclusively: <T>(_: string, work: () => Promise<T>) => work(),
    }
    return createDrafts({ storage, schedule: () => () => {}, tab })
  }
  beforeEach(() => {
    saved.clear()
    open.clear()
  })

  it('are separate: sending in one tab does not clear the other', () => {
    const [one, two] = [openTab('t1'), openTab('t2')]
    one.set('c1', 'mine')
    two.set('c1', 'yours')
    one.flush()
    two.flush()
    two.remove('c1')
    expect([one.get('c1'), two.get('c1')]).toEqual(['mine', ''])
    expect(openTab('t1').get('c1')).toBe('mine')
  })

  it('of a closed tab move to the next tab that opens the chat, all of them, and never over its own text', async () => {
    const [one, two] = [openTab('t1'), openTab('t2')]
    one.put('c1', 'first')
    two.put('c1', 'second')
    one.put('c2', 'elsewhere')
    saved.set('nod:draft:c1', 'of an older version')
    const three = openTab('t3')
    open.delete('t1')
    expect(await three.adopt('c1', 'all')).toBe('first\n\nof an older version')
    open.delete('t2')
    expect(await three.adopt('c1', 'all')).toBe('first\n\nof an older version')
    expect(two.get('c1')).toBe('second')
    three.remove('c1')
    expect(await three.adopt('c1', 'all')).toBe('second')
    expect([...saved.keys()]).toEqual(['nod:draft:t1/c2', 'nod:draft:t3/c1'])
  })

  it('of a deleted chat are removed in every tab', () => {
    const [one, two] = [openTab('t1'), openTab('t2')]
    one.put('c1', 'first')
    two.put('c1', 'second')
    one.removeEverywhere('c1')
    expect(saved.size).toBe(0)
  })

  it('last as long as the page if the browser has no storage', () => {
    const drafts = createDrafts({ storage: null, schedule: () => () => {} })
    drafts.set('c1', 'kept')
    drafts.flush()
    expect(drafts.get('c1')).toBe('kept')
    drafts.remove('c1')
    expect(drafts.get('c1')).toBe('')
  })
})
