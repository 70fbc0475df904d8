import { describe, expect, it, vi } from 'vitest'
import { ok } from '@/lib/base/result'
import { undoDeletionMs } from '@/lib/shared/conversation/search/list-filter'
import { unreachable } from './api-failure'
import { createDeletions, type DeletionsPorts } from './deletions'

function page(saved = new Map<string, string>(), at = 1_000) {
  const clock = { now: at }
  const timers: { readonly due: number; readonly task: () => void }[] = []
  const ports = {
    storage: {
      getItem: (key: string) => saved.get(key) ?? null,
      setItem: (key: string, value: string) => void saved.set(key, value),
    },
    now: () => clock.now,
    schedule(task: () => void, ms: number) {
      const timer = { due: clock.now + ms, task }
      timers.push(timer)
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0)
    },
    restore: vi.fn<DeletionsPorts['restore']>(({ ids }) => Promise.resolve(ok(ids))),
    restored: vi.fn<DeletionsPorts['restored']>(),
    forget: vi.fn<DeletionsPorts['forget']>(),
    gone: () => 'gone',
  }
  const pass = (ms: number) => {
    clock.now += ms
    for (const timer of timers.filter(({ due }) => due <= clock.now)) {
      timers.splice(timers.indexOf(timer), 1)
      timer.task()
    }
  }
  return { saved, ports, pass, deletions: createDeletions(ports) }
}

describe('a deletion', () => {
  it('can be undone for a while; then the browser’s data of the chat is deleted', () => {
    const { deletions, ports, pass } = page()
    const listener = vi.fn<() => void>()
    deletions.subscribe(listener)
    deletions.add(['a', 'b'])
    expect(deletions.open()).toMatchObject([{ ids: ['a', 'b'] }])
    expect(listener).toHaveBeenCalled()
    pass(undoDeletionMs - 1)
    expect(ports.forget).not.toHaveBeenCalled()
    pass(1)
    expect(ports.forget).toHaveBeenCalledExactlyOnceWith(['a', 'b'])
    expect(deletions.open()).toEqual([])
  })

  it('of messages is undone in its chat, whose browser data is kept', async () => {
    const { deletions, ports, pass } = page()
    deletions.add(['m2', 'm1'], 'chat')
    deletions.add(['m3'], 'chat')
    const [first] = deletions.open()
    if (!first) throw new Error('nothing to undo')
    expect(await deletions.undo(first)).toBeNull()
    expect(ports.restore).toHaveBeenCalledExactlyOnceWith(first)
    expect(ports.restored).toHaveBeenCalledExactlyOnceWith(['m2', 'm1'], first)
    expect(first.messageIn).toBe('chat')
    pass(undoDeletionMs)
    expect(deletions.open()).toEqual([])
    expect(ports.forget).not.toHaveBeenCalled()
  })

  it('is undone as a whole, and no browser data is deleted', async () => {
    const { deletions, ports, pass } = page()
    deletions.add(['a', 'b'])
    const [made] = deletions.open()
    if (!made) throw new Error('nothing to undo')
    expect(await deletions.undo(made)).toBeNull()
    expect(ports.restored).toHaveBeenCalledExactlyOnceWith(['a', 'b'], made)
    pass(undoDeletionMs)
    expect(ports.forget).not.toHaveBeenCalled()
  })

  it('keeps the undo offer while the server can’t be reached, and says when it is too late to undo', async () => {
    const { deletions, ports } = page()
    deletions.add(['a'])
    const [made] = deletions.open()
    if (!made) throw new Error('nothing to undo')
    ports.restore.mockResolvedValueOnce(unreachable())
    expect(await deletions.undo(made)).not.toBeNull()
    expect(deletions.open()).toEqual([made])
    ports.restore.mockResolvedValueOnce(ok([]))
    expect(await deletions.undo(made)).toBe('gone')
    expect(ports.restored).not.toHaveBeenCalled()
    expect(deletions.open()).toEqual([])
  })

  it('survives a reload with its remaining time, and is carried out if that time passed meanwhile', () => {
    const first = page()
    first.deletions.add(['a'])
    const second = page(first.saved, 1_000 + undoDeletionMs - 5)
    expect(second.deletions.open()).toMatchObject([{ ids: ['a'] }])
    second.pass(5)
    expect(second.ports.forget).toHaveBeenCalledExactlyOnceWith(['a'])

    first.saved.set('nod:deleted', JSON.stringify([{ ids: ['b'], until: 5 }]))
    const third = page(first.saved, 9_000)
    expect(third.ports.forget).toHaveBeenCalledExactlyOnceWith(['b'])
    expect(third.deletions.open()).toEqual([])
  })

  it('is no longer offered for undo in any tab once dismissed, and still ends', () => {
    const { saved, deletions, ports, pass } = page()
    const other = page(saved)
    deletions.add(['a'])
    other.deletions.changedElsewhere()
    const [made] = other.deletions.open()
    if (!made) throw new Error('nothing to undo')
    other.deletions.dismiss(made)
    deletions.changedElsewhere()
    expect(deletions.open()).toEqual([])
    pass(undoDeletionMs)
    expect(ports.forget).toHaveBeenCalledExactlyOnceWith(['a'])
  })

  it('reads any stored content without breaking', () => {
    for (const text of ['', '{', '5', '[1,{"ids":"a","until":5},{"ids":[7],"until":1}]', 'null']) {
      expect(page(new Map([['nod:deleted', text]])).deletions.open()).toEqual([])
    }
  })
})
