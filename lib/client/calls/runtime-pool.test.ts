import { expect, it, vi } from 'vitest'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createRuntimePool } from './runtime-pool'

function pool(keep: number) {
  const ended: string[] = []
  let release = () => {}
  const create = vi.fn<(id: string) => Promise<ToolRuntime>>((id) =>
    Promise.resolve({
      execute: () => new Promise((resolve) => (release = () => resolve(null))),
      dispose: () => ended.push(id),
    } as unknown as ToolRuntime),
  )
  return { ended, create, release: () => release(), runtimes: createRuntimePool(create, keep) }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))
const options = { timeoutMs: 1, signal: new AbortController().signal, onEvent: () => {} }

it('creates one runtime per conversation, also for two requests at once', async () => {
  const { create, runtimes } = pool(4)
  const [one, two] = await Promise.all([runtimes.get('a'), runtimes.get('a')])
  expect(one).toBe(two)
  expect(create).toHaveBeenCalledOnce()
})

it('ends the oldest idle ones, and never one that runs a call', async () => {
  const { ended, runtimes, release } = pool(2)
  const busy = await runtimes.get('a')
  const running = busy.execute('x', {}, options)
  await runtimes.get('b')
  await runtimes.get('c')
  await settle()
  expect(ended).toEqual(['b'])
  release()
  await running
  await runtimes.get('d')
  await settle()
  expect(ended).toEqual(['b', 'a'])
})

it('tries again after a failed start', async () => {
  const create = vi
    .fn<(id: string) => Promise<ToolRuntime>>()
    .mockRejectedValueOnce(new Error('no worker'))
    .mockResolvedValueOnce({ dispose: () => {} } as unknown as ToolRuntime)
  const runtimes = createRuntimePool(create)
  await expect(runtimes.get('a')).rejects.toThrow('no worker')
  await expect(runtimes.get('a')).resolves.toBeTruthy()
})

it('passes on everything that a runtime can do besides running calls', async () => {
  const parts = { vfs: {}, documents: {}, filesAtTheEnd: () => true, missing: () => null, connect: async () => {} }
  const more = { asksUser: () => true, prepare: async () => {}, openCopy: () => ({}), dropCopy: async () => {} }
  const given = { ...parts, ...more, execute: async () => null, dispose: () => {} }
  const runtimes = createRuntimePool(() => Promise.resolve(given as unknown as ToolRuntime), 1)
  const { execute: _execute, dispose: _dispose, ...handed } = await runtimes.get('a')
  expect(handed).toEqual({ ...parts, ...more })
})
