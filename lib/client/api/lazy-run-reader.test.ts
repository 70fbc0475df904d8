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

it('a run is followed once its code is here, however often that failed, and says meanwhile that it is joined again', async () => {
  const readRun = vi.fn<ReadRun>(() => Promise.resolve('ended'))
  let failures = 2
  const page = setUp(() => (failures-- > 0 ? Promise.reject(new Error('offline')) : Promise.resolve({ readRun })))
  await expect(page.read()).resolves.toBe('ended')
  expect(readRun).toHaveBeenCalledExactlyOnceWith(page.ports, page.options)
  expect(page.onConnection.mock.calls).toEqual([['reconnecting'], ['reconnecting']])
  expect(page.wait).toHaveBeenCalledTimes(2)
})

it('a chat that is left waits for no code', async () => {
  const page = setUp(() => {
    page.leaving.abort()
    return Promise.reject(new Error('offline'))
  })
  await expect(page.read()).resolves.toBe('aborted')
})
