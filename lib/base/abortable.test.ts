import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { createAbortable } from './clocks'

it('passes each answer on, uses one listener for all of them, and removes it at the end', async () => {
  const { signal } = new AbortController()
  const abortable = createAbortable(signal)
  for (let n = 0; n < 100; n += 1) {
    expect(await abortable.wait(Promise.resolve(n))).toBe(n)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  }
  await expect(abortable.wait(Promise.reject(new Error('no')))).rejects.toThrow('no')
  abortable.dispose()
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

it.each(['before', 'while'] as const)('rejects with the reason when it is aborted %s it waits', async (when) => {
  const abort = new AbortController()
  const abortable = createAbortable(abort.signal)
  if (when === 'before') abort.abort(new Error('stop'))
  const waiting = abortable.wait(new Promise(() => {}))
  abort.abort(new Error('stop'))
  await expect(waiting).rejects.toThrow('stop')
})
