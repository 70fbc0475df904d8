import { expect, test } from 'vitest'
import { pythonAssets } from '../../python-assets'
import type { RelayWorker } from '../relay'
import type { FrameToPython } from './start-interpreter'
import { createPythonWorkers, type RealWorker } from './python-workers'

const settle = () => new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)))
const many = async () => {
  for (let turn = 0; turn < 20; turn++) await settle()
}
const compiled = {} as WebAssembly.Module

/** Workers of a frame, and the page that provides assets: `assets` are the available ones. */
function setUp() {
  const opened: (RealWorker & { readonly received: FrameToPython[]; isAlive: boolean; say(data: unknown): void })[] = []
  const start = createPythonWorkers({
    compile: () => Promise.resolve(compiled),
    open() {
      const worker = {
        received: [] as FrameToPython[],
        isAlive: true,
        onmessage: null,
        onmessageerror: null,
        onerror: null,
        postMessage: (message: FrameToPython) => void worker.received.push(message),
        terminate: () => void (worker.isAlive = false),
        say: (data: unknown) => worker.onmessage?.({ data }),
      } as (typeof opened)[number]
      opened.push(worker)
      return worker
    },
  })
  const asked: string[] = []
  function run({ has = true, answers = true } = {}) {
    const heard: unknown[] = []
    const errors: unknown[] = []
    const worker: RelayWorker = start()
    worker.onmessage = ({ data }) => {
      const message = data as { type: string; id: number; name: string }
      if (message.type !== 'asset') return void heard.push(data)
      asked.push(message.name)
      const bytes = has ? new Uint8Array([message.id]) : null
      if (answers) worker.postMessage({ type: 'asset', id: message.id, bytes })
    }
    worker.onerror = ({ message }) => errors.push(message)
    return { worker, heard, errors }
  }
  return { opened, asked, run }
}

const snapshot = (...values: number[]) => ({ type: 'snapshot', snapshot: new Uint8Array(values) })

test('requests Python’s assets once per frame, and gives each run its own worker', async () => {
  const { opened, asked, run } = setUp()
  run()
  await many()
  run()
  await many()
  expect(asked.toSorted()).toEqual(Object.values(pythonAssets).toSorted())
  expect(opened).toHaveLength(2)
  expect(opened[0]?.received).toEqual([expect.objectContaining({ type: 'start', module: compiled, snapshot: null })])
})

test('starts later runs from the first interpreter’s memory before its code', async () => {
  const { opened, run } = setUp()
  const first = run()
  await many()
  opened[0]?.say(snapshot(1))
  opened[0]?.say({ type: 'ready' })
  first.worker.postMessage({ type: 'run', code: 'x' })
  opened[0]?.say(snapshot(6, 6, 6))
  run()
  await many()
  expect(opened[1]?.received[0]).toMatchObject({ type: 'start', snapshot: new Uint8Array([1]) })
  expect(first.heard).toEqual([{ type: 'ready' }])
})

test('never trusts memory from a worker with untrusted code in it', async () => {
  const { opened, run } = setUp()
  const first = run()
  await many()
  first.worker.postMessage({ type: 'run', code: 'x' })
  opened[0]?.say(snapshot(6, 6, 6))
  run()
  await many()
  expect(opened[1]?.received[0]).toMatchObject({ snapshot: null })
})

test('ends the run with a message if loading fails, and the next run tries again', async () => {
  const { opened, asked, run } = setUp()
  const { errors } = run({ has: false })
  await many()
  expect(errors).toEqual([expect.stringContaining('Python could not be loaded')])
  run()
  await many()
  expect(opened).toHaveLength(1)
  expect(asked).toHaveLength(8)
})

test('a run stopped while Python loads starts no worker and does not delay the next one', async () => {
  const { opened, run } = setUp()
  const { worker, errors } = run({ answers: false })
  await many()
  worker.terminate()
  run()
  await many()
  expect(opened).toHaveLength(1)
  expect(errors).toEqual([])
})
