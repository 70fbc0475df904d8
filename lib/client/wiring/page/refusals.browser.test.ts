// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'
import { watchRefusals, browserRefusals } from './refusals.browser'

afterEach(() => vi.restoreAllMocks())

it('reports refusals when asked, and when they change', async () => {
  vi.stubGlobal('indexedDB', { databases: () => Promise.resolve([]) })
  const heard = vi.fn<() => void>()
  const leave = browserRefusals.subscribe(heard)
  await watchRefusals()
  expect(browserRefusals.now()).toEqual({ cookies: false, words: false, files: false })
  expect(heard).not.toHaveBeenCalled()
  vi.spyOn(document, 'cookie', 'set').mockImplementation(() => {})
  vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
    throw new DOMException('no', 'SecurityError')
  })
  vi.stubGlobal('indexedDB', { databases: () => Promise.reject(new DOMException('no', 'UnknownError')) })
  await watchRefusals()
  expect(browserRefusals.now()).toEqual({ cookies: true, words: true, files: true })
  vi.restoreAllMocks()
  vi.stubGlobal('indexedDB', { databases: () => Promise.resolve([]) })
  await watchRefusals()
  expect(browserRefusals.now()).toEqual({ cookies: false, words: false, files: false })
  expect(heard).toHaveBeenCalledTimes(2)
  leave()
})
