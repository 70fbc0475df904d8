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

describe('loading the first message’s code', () => {
  beforeEach(() => {
    loaded.mockClear()
    forgetInteraction()
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  it('loads nothing on a page that nobody touches', async () => {
    const forget = preloadThread()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(loaded).not.toHaveBeenCalled()
    forget()
  })

  it.each([
    ['pointermove', () => new MouseEvent('pointermove')],
    ['pointerdown', () => new MouseEvent('pointerdown')],
    ['keydown', () => new KeyboardEvent('keydown', { key: 'a' })],
  ])('loads once on the first %s', async (_, event) => {
    const forget = preloadThread()
    window.dispatchEvent(event())
    window.dispatchEvent(event())
    await vi.advanceTimersByTimeAsync(2_000)
    expect(loaded).toHaveBeenCalledTimes(1)
    forget()
  })

  it('loads without a further event if there was one before', async () => {
    onFirstInteraction(() => {})
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
    preloadThread()
    await vi.advanceTimersByTimeAsync(2_000)
    expect(loaded).toHaveBeenCalledTimes(1)
  })

  it('loads only that: the code that reads replies waits for a message', async () => {
    preloadThread()
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(loaded).toHaveBeenCalledTimes(1)
    expect(markdown).not.toHaveBeenCalled()
    // Several parts load in parallel, which takes some time.
    vi.useRealTimers()
    loadReplies()
    await vi.waitFor(() => expect(markdown).toHaveBeenCalledTimes(1))
  })

  it('leaves nothing behind after the page is gone', async () => {
    preloadThread()()
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(loaded).not.toHaveBeenCalled()
  })
})
