import { expect, it } from 'vitest'
import type { StoreSignals } from '@/lib/server/store/ports/store'
import { createHealthRound } from './process-health.server'

/** Delivers messages to all processes on one store, including the sender. */
function createHub() {
  const listeners: ((text: string) => void)[] = []
  const send = (text: string) => queueMicrotask(() => listeners.forEach((listener) => listener(text)))
  const signals: StoreSignals = {
    send,
    listen: (onSignal) => void listeners.push(onSignal),
    isListening: () => true,
    watchBreaks: () => undefined,
  }
  return { signals, listeners, send }
}
const ports = (replies: number) => ({ load: () => ({ replies, maxReplies: 10 }), port: 3000 + replies })

it('knows this node, and every process on the store that responds', async () => {
  const { signals, listeners, send } = createHub()
  createHealthRound({ ...ports(7), signals })
  createHealthRound({ ...ports(5), signals })
  const here = createHealthRound({ ...ports(1), signals })
  // One responds in another format, and one answers a question that nobody asked.
  listeners.push((text) => {
    const [verb, question] = text.split(' ')
    if (verb === 'how-are-you') send(`i-am ${question} {"node":"newer"}`)
    if (verb === 'how-are-you') send(`i-am another {"node":"other"}`)
  })
  const all = await here.ofAll()
  expect(all.map(({ node, replies, maxReplies, place }) => [node.split(':')[1], replies, maxReplies, place])).toEqual([
    ['3001', 1, 10, null],
    ['3005', 5, 10, null],
    ['3007', 7, 10, null],
  ])
  expect(new Set(all.map(({ id }) => id)).size).toBe(3)
  expect(await here.ofNode()).toMatchObject([{ replies: 1 }])
})

it('knows only itself if no one can be asked', async () => {
  const alone = createHealthRound({ ...ports(2), signals: undefined })
  expect(await alone.ofAll()).toMatchObject([
    { replies: 2, isDraining: false, upSeconds: expect.any(Number), memoryBytes: expect.any(Number) },
  ])
})
