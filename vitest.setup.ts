import '@/lib/i18n/server-messages'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { failOnGaps } from './lib/protocols/types/segment'

// A reply whose segments leave a character out is a failure wherever it is read.
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

// What is waited for comes when the machine gets to it: the waits end there, not at a time that a busy one can't keep.
const waitsMs = 15_000
const { waitFor } = vi
vi.waitFor = (callback, options) => waitFor(callback, options ?? waitsMs)
if (typeof window !== 'undefined') (await import('@testing-library/react')).configure({ asyncUtilTimeout: waitsMs })

// Next mounts its router round every page; a component's test has none. What one was asked for is a click on a link.
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
