import { expect, it } from 'vitest'
import { withoutNextTimings } from './next-adapters'

it('removes only Next’s configuration timings, and only while it runs', async () => {
  const said: unknown[][] = []
  const log = (...words: readonly unknown[]) => void said.push([...words])
  const output = { log }
  const done = withoutNextTimings(() => {
    output.log(' ✓', 'Running next.config took 83ms')
    output.log('✓ Running next.config.js took 1.0ms')
    output.log('{"level":"info"}', 1)
    return Promise.resolve('started')
  }, output)
  expect(await done).toBe('started')
  expect(said).toEqual([['{"level":"info"}', 1]])
  expect(output.log).toBe(log)
  await expect(withoutNextTimings(() => Promise.reject(new Error('no')), output)).rejects.toThrow('no')
  expect(output.log).toBe(log)
})
