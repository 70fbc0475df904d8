import type { AssistantClient } from '@assistant-ui/react'
import { expect, it, vi } from 'vitest'
import { createThreadRuntimeRef } from './thread-runtime-ref'

const client = (name: string) => ({ name }) as unknown as AssistantClient

it('what is done before the thread is here waits in its order, and asks for the thread', () => {
  const door = createThreadRuntimeRef()
  const told = vi.fn<() => void>()
  door.subscribe(told)
  const done: string[] = []
  door.enter(() => done.push('first'))
  door.enter(() => done.push('second'))
  expect([door.isAsked(), door.client(), done, told.mock.calls.length]).toEqual([true, null, [], 1])
  const here = client('a')
  door.open(here)
  door.enter((aui) => done.push(aui === here ? 'third' : 'of another'))
  expect([door.client(), done]).toEqual([here, ['first', 'second', 'third']])
})

it('a thread that goes takes no other one along, and what comes then waits for the next', () => {
  const door = createThreadRuntimeRef()
  const close = door.open(client('a'))
  const next = client('b')
  const closeNext = door.open(next)
  close()
  expect(door.client()).toBe(next)
  closeNext()
  const deed = vi.fn<(aui: AssistantClient) => void>()
  door.enter(deed)
  expect(deed).not.toHaveBeenCalled()
  door.open(next)
  expect(deed).toHaveBeenCalledExactlyOnceWith(next)
})
