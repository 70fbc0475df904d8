import '@/lib/i18n/server-messages'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { failOnGaps } from './lib/protocols/types/segment'

// A reply whose segments leave out a character fails the test that reads it.
failOnGaps()

// An unexpected console.error is a failure: React's warnings and swallowed errors must not hide in green runs.
// A test that provokes one on purpose replaces the spy with its own.
let errorSpy: ReturnType<typeof vi.spyOn>

beforeEach(() => {
  errorSpy = vi.spyOn(console, 'error')
})

afterEach(() => {
  const calls = errorSpy.mock.calls
  errorSpy.mockRestore()
  expect(calls, 'unexpected console.error').toEqual([])
})

// Waits are long, because a busy machine may be slow. They end as soon as the condition holds.
const waitsMs = 15_000
const { waitFor } = vi
vi.waitFor = (callback, options) => waitFor(callback, options ?? waitsMs)
if (typeof window !== 'undefined') (await import('@testing-library/react')).configure({ asyncUtilTimeout: waitsMs })

// Next mounts a router around every page; a component's test has none. This one records the pushed paths.
vi.mock('next/navigation', async (original) => ({
  ...(await original<object>()),
  useRouter: () => pageRouter,
}))
const pageRouter = { push: vi.fn<(path: string) => void>() }

// jsdom lays nothing out: no media query matches unless a test says otherwise.
if (typeof window !== 'undefined' && typeof Reflect.get(window, 'matchMedia') !== 'function') {
  Reflect.set(window, 'matchMedia', (media: string) => ({
    media,
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
}
