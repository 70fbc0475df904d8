import { expect, it, vi } from 'vitest'
import { createLazyRunReader } from './lazy-run-reader'
import type { readRun } from './run-reader'

type ReadRun = typeof readRun

function setUp(load: () => Promise<{ readRun: ReadRun }>) {
  const leaving = new AbortController()
  const wait = vi.fn<(ms: number) => Promise<void>>(() => Promise.resolve())
  const ports = { open: () => Promise.reject(new Error('nothing is opened here')), wait, schedule: () => () => {} }
  const onConnection = vi.fn<(connection: 'live' | 'reconnecting') => void>()
  const options = { signal: leaving.signal, onEvents: () => {}, onPlace: () => {}, onConnection }
  return { read: () => createLazyRunReader(load)(ports, options), ports, options, wait, onConnection, leaving }
}

it('follows a run once its code has loaded, however often loading failed, and shows “reconnecting” meanwhile', async () => {
  const readRun = vi.fn<ReadRun>(() => Promise.resolve('ended'))
  let failures = 2
  const page = setUp(() => (failures-- > 0 ? Promise.reject(new Error('offline')) : Promise.resolve({ readRun })))
  await expect(page.read()).resolves.toBe('ended')
  expect(readRun).toHaveBeenCalledExactlyOnceWith(page.ports, page.options)
  expect(page.onConnection.mock.calls).toEqual([['reconnecting'], ['reconnecting']])
  expect(page.wait).toHaveBeenCalledTimes(2)
})

it('does not wait for code in a chat that was left', async () => {
  const page = setUp(() => {
    page.leaving.abort()
    return Promise.reject(new Error('offline'))
  })
  await expect(page.read()).resolves.toBe('aborted')
})
