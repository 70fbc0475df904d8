import { expect, it, vi } from 'vitest'
import type { ChatPorts } from './chat-ports'
import type { createDeliverer } from './deliver'
import type { SenderEvents } from '../outbox/delivery'
import { createLazyDeliverer } from './lazy-parts'

type CreateDeliverer = typeof createDeliverer

it('keeps a message in the outbox while its code can’t load, and creates the code once', async () => {
  const deliver = vi.fn<ReturnType<CreateDeliverer>>(() => Promise.resolve('accepted'))
  const make = vi.fn<CreateDeliverer>(() => deliver)
  const load = vi.fn<() => Promise<{ createDeliverer: CreateDeliverer }>>(() =>
    Promise.resolve({ createDeliverer: make }),
  )
  load.mockRejectedValueOnce(new Error('offline'))
  const [ports, events, onPutOff] = [{} as ChatPorts, {} as SenderEvents, () => {}]
  const lazy = createLazyDeliverer(load)(ports, events, onPutOff)
  await expect(lazy('m1', 3)).resolves.toBe('unanswered')
  await expect(lazy('m1', 1)).resolves.toBe('accepted')
  await expect(lazy('m2', 3)).resolves.toBe('accepted')
  expect(make).toHaveBeenCalledExactlyOnceWith(ports, events, onPutOff)
  expect(deliver.mock.calls).toEqual([
    ['m1', 1],
    ['m2', 3],
  ])
  expect(load).toHaveBeenCalledTimes(2)
})
