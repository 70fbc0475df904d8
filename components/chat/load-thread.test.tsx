// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetInteraction, onFirstInteraction } from '@/components/context/first-interaction'
import { loadReplies, preloadThread, Thread } from './load-thread'

const markdown = vi.hoisted(() => vi.fn<() => void>())
const loaded = vi.spyOn(Thread, 'preload')
vi.mock('@/components/markdown/markdown', () => ({ preloadMarkdown: markdown }))
vi.mock('@/components/thread/thread', () => ({ default: () => null }))
vi.mock('@/lib/client/chats/deliver', () => ({}))
vi.mock('@/lib/client/api/run-reader', () => ({}))
vi.mock('@/components/thread/reply-row', () => ({ default: () => null }))
vi.mock('@/components/thread/plain-thread', () => ({ PlainThread: () => null }))
vi.mock('@/components/files/branch-notice', () => ({ default: () => null }))

describe('what shows the first message', () => {
  beforeEach(() => {
    loaded.mockClear()
    forgetInteraction()
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  it('is not fetched by a page that nobody touches', async () => {
    const forget = preloadThread()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(loaded).not.toHaveBeenCalled()
    forget()
  })

  it.each([
    ['pointermove', () => new MouseEvent('pointermove')],
    ['pointerdown', () => new MouseEvent('pointerdown')],
    ['keydown', () => new KeyboardEvent('keydown', { key: 'a' })],
  ])('is fetched once with the first %s', async (_, event) => {
    const forget = preloadThread()
    window.dispatchEvent(event())
    window.dispatchEvent(event())
    await vi.advanceTimersByTimeAsync(2_000)
    expect(loaded).toHaveBeenCalledTimes(1)
    forget()
  })

  it('is fetched without another sign where there was one', async () => {
    onFirstInteraction(() => {})
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
    preloadThread()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(loaded).toHaveBeenCalledTimes(1)
  })

  it('is all that is fetched: what reads replies waits for a message', async () => {
    preloadThread()
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(loaded).toHaveBeenCalledTimes(1)
    expect(markdown).not.toHaveBeenCalled()
    // Several parts come beside each other: that takes as long as it takes.
    vi.useRealTimers()
    loadReplies()
    await vi.waitFor(() => expect(markdown).toHaveBeenCalledTimes(1))
  })

  it('is left alone by a page that is gone', async () => {
    preloadThread()()
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(loaded).not.toHaveBeenCalled()
  })
})
