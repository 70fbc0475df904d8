import '@/lib/i18n/server-messages'
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { speakTo } from './lib/base/text/languages'
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

/** Loaded messages, and what modules set up once in a process. */
const lasting = new Set(['nod.messages', 'nod.speech', 'nod.requests', 'nod.peer-address'])

// Several files share a process, one after the other: each one finds what the first one found.
afterAll(async () => {
  // In this order: a stub that was set under fake timers would bring a fake one back.
  vi.unstubAllGlobals()
  vi.useRealTimers()
  // A module that is cut off while it loads would be broken for all files that follow.
  await vi.dynamicImportSettled()
  vi.unstubAllEnvs()
  if (typeof window === 'undefined') {
    // The server, its settings and what else a process has once.
    for (const key of Object.getOwnPropertySymbols(globalThis))
      if (key.description?.startsWith('nod.') && !lasting.has(key.description)) Reflect.deleteProperty(globalThis, key)
    return
  }
  ;(await import('@testing-library/react')).cleanup()
  window.requestAnimationFrame = Reflect.get(globalThis, framesKey) as typeof requestAnimationFrame
  speakTo('en')
  document.body.replaceChildren()
  document.head.replaceChildren()
  for (const element of [document.documentElement, document.body])
    for (const name of element.getAttributeNames()) element.removeAttribute(name)
  localStorage.clear()
  sessionStorage.clear()
  for (const cookie of document.cookie.split('; '))
    document.cookie = `${cookie.replace(/=.*/s, '')}=; max-age=0; path=/`
  history.replaceState(null, '', '/')
})

// Next mounts a router around every page; a component's test has none. This one records the pushed paths. There is one
// for all files of a process, because their modules are loaded once.
vi.mock('next/navigation', async (original) => ({
  ...(await original<object>()),
  useRouter: () => pageRouter,
}))
const routerKey = Symbol.for('pageRouter')
const pageRouter = Reflect.get(globalThis, routerKey) ?? { push: vi.fn<(path: string) => void>() }
Reflect.set(globalThis, routerKey, pageRouter)

// jsdom runs animation frames by an interval, which it begins with the first one. Begun under a test's fake timers, it
// would never run again for the files that follow, so it begins here and always has a frame to run.
const framesKey = Symbol.for('framesRun')
if (typeof window !== 'undefined' && !Reflect.has(globalThis, framesKey)) {
  Reflect.set(globalThis, framesKey, window.requestAnimationFrame)
  const request = window.requestAnimationFrame.bind(window)
  const keepRunning = () => void request(keepRunning)
  keepRunning()
}

// jsdom lays nothing out: no media query matches unless a test says otherwise.
if (typeof window !== 'undefined' && typeof Reflect.get(window, 'matchMedia') !== 'function') {
  Reflect.set(window, 'matchMedia', (media: string) => ({
    media,
    matches: false,
    addEventListener: () => {},
    removeEventListener: () => {},
  }))
}
