import { expect, test } from 'vitest'
import type { VfsReply, VfsRequest } from './protocol'
import { createWorkerVfs, type ChannelPort, type VfsWorkerPort } from './worker-vfs'

type FakeWorker = VfsWorkerPort & { readonly received: VfsRequest[]; isAlive: boolean; reply(value: unknown): void }

function setUp(onStart: (count: number) => void = () => {}) {
  const workers: FakeWorker[] = []
  const channels: (ChannelPort & { readonly name: string; isOpen: boolean })[] = []
  const vfs = createWorkerVfs({
    conversationId: 'c1',
    startWorker() {
      onStart(workers.length)
      const worker: FakeWorker = {
        received: [],
        isAlive: true,
        onmessage: null,
        onerror: null,
        postMessage: (message) => void worker.received.push(message),
        terminate: () => void (worker.isAlive = false),
        reply(value) {
          const last = worker.received.findLast((message) => message.type === 'call')
          worker.onmessage?.({ data: { id: last?.type === 'call' ? last.id : 0, value } as VfsReply })
        },
      }
      workers.push(worker)
      return worker
    },
    openChannel(name) {
      const channel = {
        name,
        isOpen: true,
        onmessage: null,
        close: () => void (channel.isOpen = false),
      } as (typeof channels)[number]
      channels.push(channel)
      return channel
    },
  })
  return { vfs, workers, channels }
}

test('starts its worker at the first call, names the conversation, and sends the call', async () => {
  const { vfs, workers } = setUp()
  expect(workers).toHaveLength(0)
  const answer = vfs.read('/a')
  expect(workers[0]?.received).toMatchObject([
    { type: 'open', conversationId: 'c1' },
    { type: 'call', call: { op: 'read', path: '/a' } },
  ])
  workers[0]?.reply({ ok: true, value: new Uint8Array([1]) })
  expect(await answer).toEqual({ ok: true, value: new Uint8Array([1]) })
})

test('fails the calls of a worker that crashes, and starts a new one for the next call', async () => {
  const { vfs, workers } = setUp()
  const [write, usage] = [vfs.write('/a', new Uint8Array()), vfs.usage()]
  workers[0]?.onerror?.({ message: 'out of memory' })
  expect(await write).toMatchObject({ ok: false, error: { code: 'EIO', path: '/a' } })
  expect(await write.then((result) => !result.ok && result.error.message)).toContain('out of memory')
  expect(await usage).toMatchObject({ files: 0 })
  expect(workers[0]?.isAlive).toBe(false)
  void vfs.list('/')
  expect(workers).toHaveLength(2)
})

test('returns a failure, and does not throw, if the browser blocks workers', async () => {
  const { vfs } = setUp(() => {
    throw new Error('refused')
  })
  expect(await vfs.list('/')).toMatchObject({ ok: false, error: { code: 'EIO' } })
})

test('watches the channel as long as there is a listener', () => {
  const { vfs, channels } = setUp()
  let heard = 0
  const stop = vfs.watch(() => heard++)
  vfs.watch(() => heard++)
  expect(channels.map((channel) => channel.name)).toEqual(['nod:vfs:changes:c1'])
  channels[0]?.onmessage?.({} as MessageEvent)
  stop()
  channels[0]?.onmessage?.({} as MessageEvent)
  expect(heard).toBe(3)
})

test('answers pending calls on close, and accepts no more', async () => {
  const { vfs, workers, channels } = setUp()
  vfs.watch(() => {})
  const waiting = vfs.read('/a')
  await vfs.close()
  expect(await waiting).toMatchObject({ ok: false, error: { code: 'EIO' } })
  expect(await vfs.read('/a')).toMatchObject({ ok: false })
  expect(workers).toHaveLength(1)
  expect(channels[0]?.isOpen).toBe(false)
})
