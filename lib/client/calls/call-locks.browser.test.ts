import { describe, expect, it } from 'vitest'
import { createWebCallLocks } from './call-locks.browser'

/** Enough of a LockManager: exclusive and shared holders, a queue, `ifAvailable` and `signal`. */
function createLocks(): LockManager {
  const held: { name: string; mode: LockMode }[] = []
  const queue: (() => boolean)[] = []
  const free = (name: string, mode: LockMode) =>
    !held.some((lock) => lock.name === name && (mode === 'exclusive' || lock.mode === 'exclusive'))
  const drain = () => {
    for (const start of Array.from(queue)) if (start()) queue.splice(queue.indexOf(start), 1)
  }
  async function request(name: string, second: unknown, third?: unknown): Promise<unknown> {
    const options = (typeof second === 'function' ? {} : second) as LockOptions
    const work = (typeof second === 'function' ? second : third) as LockGrantedCallback<unknown>
    const mode = options.mode ?? 'exclusive'
    const hold = async () => {
      const lock = { name, mode }
      held.push(lock)
      try {
        return await work(lock)
      } finally {
        held.splice(held.indexOf(lock), 1)
        drain()
      }
    }
    if (free(name, mode)) return hold()
    if (options.ifAvailable) return work(null)
    return new Promise((resolve, reject) => {
      const start = () => {
        if (!free(name, mode)) return false
        resolve(hold())
        return true
      }
      queue.push(start)
      options.signal?.addEventListener('abort', () => {
        queue.splice(queue.indexOf(start), 1)
        reject(new DOMException('aborted', 'AbortError'))
      })
    })
  }
  return { request, query: () => Promise.resolve({ held: [...held], pending: [] }) } as LockManager
}

describe('createWebCallLocks', () => {
  it('lets one holder in at a time and refuses the other at once', async () => {
    const locks = createWebCallLocks(createLocks())
    let finish = () => {}
    const first = locks.tryHold('a', () => new Promise<string>((resolve) => (finish = () => resolve('done'))))
    expect(await locks.isHeld('a')).toBe(true)
    expect(await locks.tryHold('a', () => Promise.resolve('second'))).toEqual({ held: false })
    finish()
    expect(await first).toEqual({ held: true, value: 'done' })
    expect(await locks.isHeld('a')).toBe(false)
  })

  it('wakes a watcher when the lock is free, and never takes a watcher for a runner', async () => {
    const manager = createLocks()
    const locks = createWebCallLocks(manager)
    let finish = () => {}
    const first = locks.tryHold('a', () => new Promise<null>((resolve) => (finish = () => resolve(null))))
    let woken = false
    const watching = locks.whenFree('a', new AbortController().signal).then(() => (woken = true))
    await Promise.resolve()
    expect(woken).toBe(false)
    finish()
    await first
    await watching
    let leave = () => {}
    const shared = manager.request('a', { mode: 'shared' }, () => new Promise<void>((resolve) => (leave = resolve)))
    expect(await locks.isHeld('a')).toBe(false)
    const taken = locks.tryHold('a', () => Promise.resolve('got it'))
    await Promise.resolve()
    leave()
    await shared
    expect(await taken).toEqual({ held: true, value: 'got it' })
  })

  it('ends a wait that was aborted', async () => {
    const locks = createWebCallLocks(createLocks())
    void locks.tryHold('a', () => new Promise(() => {}))
    const unwanted = new AbortController()
    const waiting = locks.whenFree('a', unwanted.signal)
    unwanted.abort()
    await expect(waiting).resolves.toBeUndefined()
  })
})

describe('locks that the browser denies', () => {
  const denied = () => Promise.reject(new DOMException('The request was denied.', 'SecurityError'))
  const locks = createWebCallLocks({ request: denied, query: denied })

  it('let nothing run, and say why', async () => {
    await expect(locks.tryHold('a', () => Promise.resolve(1))).rejects.toThrow(/blocks site data for this page/)
    await expect(locks.whenFree('a', new AbortController().signal)).rejects.toThrow(/blocks site data/)
    expect(await locks.isHeld('a')).toBe(false)
  })

  it('differ from an error inside a call that holds a lock', async () => {
    const thrown = new DOMException('no', 'SecurityError')
    const held = createWebCallLocks(createLocks())
    await expect(held.tryHold('a', () => Promise.reject(thrown))).rejects.toBe(thrown)
  })

  it('that are missing say so', async () => {
    await expect(createWebCallLocks(null).tryHold('a', () => Promise.resolve(1))).rejects.toThrow(/HTTPS or localhost/)
  })
})
