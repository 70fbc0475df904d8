import { expect, it } from 'vitest'
import { createFaultBrowser } from '@/lib/client/chats/testing/faults/fault-browser'
import { exclusively, openTab } from './tab.browser'

function setUp() {
  const browser = createFaultBrowser()
  let ids = 0
  const open = (session: Map<string, string>) => {
    const owner = {}
    const listeners = new Map<string, () => void>()
    const page = { addEventListener: (name: string, listener: () => void) => void listeners.set(name, listener) }
    const locks = browser.locksOf(owner, () => true)
    const tab = openTab({
      session: {
        getItem: (key) => session.get(key) ?? null,
        setItem: (key, value) => void session.set(key, value),
        removeItem: (key) => void session.delete(key),
      },
      locks,
      newId: () => `tab${(ids += 1)}`,
      page: page as unknown as Window,
    })
    const end = () => browser.end(owner)
    return {
      tab,
      locks,
      end,
      leave: () => (listeners.get('pagehide')?.(), end()),
      fire: (name: string) => listeners.get(name)?.(),
    }
  }
  return open
}

it('a tab keeps its id after a reload, and gets a new one when duplicated', async () => {
  const open = setUp()
  const session = new Map<string, string>()
  const first = open(session)
  const copy = open(new Map(session))
  expect(copy.tab.id).not.toBe(first.tab.id)
  expect(await copy.tab.isOpen(first.tab.id)).toBe(true)
  first.leave()
  expect(await copy.tab.isOpen(first.tab.id)).toBe(false)
  const reloaded = open(session)
  expect(reloaded.tab.id).toBe(first.tab.id)
  // A page that was restored from the cache is open again.
  reloaded.fire('pagehide')
  reloaded.fire('pageshow')
  expect(open(new Map(session)).tab.id).not.toBe(first.tab.id)
})

it('after a crash it is a new one, and the old one is closed', async () => {
  const open = setUp()
  const session = new Map<string, string>()
  const first = open(session)
  first.end()
  const next = open(session)
  expect(next.tab.id).not.toBe(first.tab.id)
  expect(await next.tab.isOpen(first.tab.id)).toBe(false)
})

it('works without storage and locks', async () => {
  const page = { addEventListener: () => undefined } as unknown as Window
  const tab = openTab({ session: null, locks: null, newId: () => 'only', page })
  expect(tab.id).toBe('only')
  expect(await tab.isOpen('other')).toBe(false)
  expect(await tab.exclusively('x', () => Promise.resolve(1))).toBe(1)
})

it('works if the browser has locks and denies them', async () => {
  const page = { addEventListener: () => undefined } as unknown as Window
  const denied = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))
  const locks = { request: denied, query: denied } as unknown as LockManager
  const tab = openTab({ session: null, locks, newId: () => 'only', page })
  expect(await tab.isOpen('other')).toBe(false)
  expect(await tab.exclusively('x', () => Promise.resolve(1))).toBe(1)
})

it('does not take an error of the work itself for a denial', async () => {
  const { locks } = setUp()(new Map())
  const thrown = new DOMException('no', 'SecurityError')
  let times = 0
  const work = () => Promise.reject(((times += 1), thrown))
  await expect(exclusively(locks, 'work', work)).rejects.toBe(thrown)
  expect(times).toBe(1)
})

it('lets one tab at a time do a task', async () => {
  const open = setUp()
  const [one, two] = [open(new Map()), open(new Map())]
  let done: (value: number) => void = () => undefined
  const first = exclusively(one.locks, 'work', () => new Promise<number>((resolve) => (done = resolve)))
  expect(await exclusively(two.locks, 'work', () => Promise.resolve(2))).toBeNull()
  done(1)
  expect(await first).toBe(1)
  expect(await exclusively(two.locks, 'work', () => Promise.resolve(2))).toBe(2)
})
