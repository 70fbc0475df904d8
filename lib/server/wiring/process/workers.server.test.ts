import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type ToWorker,
  type WorkerHolds,
  type WorkerExiting,
  type WorkerTalk,
  createWorkerQuestions,
  createWorkerHandoffs,
} from '@/lib/server/serving/worker-messages'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import {
  answerWorkers,
  requestFromWorkers,
  greetsOperator,
  isFirstWorker,
  workerHandoff,
  workerIndex,
  workerSignals,
} from './workers.server'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

describe('the number of a process among the workers', () => {
  it('is null for a single process, which does everything', () => {
    expect([workerIndex({}), isFirstWorker({}), greetsOperator({})]).toEqual([null, true, true])
  })

  it('comes from the supervisor; the first does the per-server work, and greets unless it is a replacement', () => {
    const first = { NOD_WORKER_ID: '1' }
    expect([workerIndex(first), isFirstWorker(first), greetsOperator(first)]).toEqual([1, true, true])
    expect(greetsOperator({ ...first, NOD_WORKER_REPLACES: '1' })).toBe(false)
    expect(isFirstWorker({ NOD_WORKER_ID: '2' })).toBe(false)
  })
})

describe('a question to all workers', () => {
  it('is answered by the single process if there are no workers', async () => {
    expect(await requestFromWorkers('nothing', 1_000)).toEqual([])
    answerWorkers('own', () => 'alone')
    expect(await requestFromWorkers('own', 1_000)).toEqual(['alone'])
  })

  it('goes through the supervisor, and a worker that fails has no answer', async () => {
    vi.stubEnv('NOD_WORKER_ID', '1')
    const messages = process as unknown as { emit(event: 'message', message: ToWorker): void }
    // The supervisor runs in this process: its messages to worker 1 arrive here, worker 2 answers by itself.
    const questions = createWorkerQuestions({
      places: () => [1, 2],
      after: () => () => undefined,
      send(place, message) {
        if (place === 1) messages.emit('message', message)
        else if (message.type !== 'nod-told') questions.hear(2, { type: 'nod-answer', id: message.id, answer: 'two' })
      },
    })
    const had = { send: process.send, connected: process.connected }
    process.send = (message: unknown) => {
      questions.hear(1, message as WorkerTalk)
      return true
    }
    process.connected = true
    try {
      answerWorkers('both', () => Promise.resolve('one'))
      expect(await requestFromWorkers('both', 1_000)).toEqual(['one', 'two'])
      answerWorkers('broken', () => Promise.reject(new Error('no figures')))
      expect(await requestFromWorkers('broken', 1_000)).toEqual(['two'])
    } finally {
      Object.assign(process, had)
    }
  })
})

describe('a run that a worker hands over in case it dies', () => {
  it('is kept until it is written, and passes to the next worker until it is done; unused for one process', async () => {
    expect(workerHandoff()).toBeUndefined()
    vi.stubEnv('NOD_WORKER_ID', '2')
    const messages = process as unknown as { emit(event: 'message', message: ToWorker): void }
    const handoffs = createWorkerHandoffs()
    // This process is the successor. Another one dies twice: before this one's store is open, and after.
    const own = handoffs.born((message) => messages.emit('message', message))
    const dies = (run: RunKey) => {
      const other = handoffs.born(() => undefined)
      other.hear({ type: 'nod-handoff', id: run.runId, text: JSON.stringify(run) })
      other.open()
    }
    const said: WorkerExiting[] = []
    const had = { send: process.send, connected: process.connected }
    process.send = (message: unknown) => {
      said.push(message as WorkerExiting)
      own.hear(message as WorkerExiting)
      return true
    }
    process.connected = true
    const [ada, bob] = [
      { owner: 'ada {"', runId: 'r1' },
      { owner: 'bob', runId: 'r2' },
    ]
    try {
      const handoff = workerHandoff()
      handoff?.writes({ owner: 'eve', runId: 'r3' })
      handoff?.wrote('r3')
      said.length = 0
      dies(ada)
      const ended: RunKey[] = []
      const { promise, resolve } = Promise.withResolvers<void>()
      handoff?.onDeath((run) => {
        ended.push(run)
        return run.runId === 'r2' ? promise : Promise.resolve()
      })
      dies(bob)
      expect(ended).toEqual([ada, bob])
      await expect.poll(() => said).toEqual([{ type: 'nod-handoff', id: 'r1', text: null }])
      // It dies while handling the run, which passes to the next worker.
      own.open()
      const next: string[] = []
      handoffs.born(({ text }) => void next.push(text))
      expect(next).toEqual([JSON.stringify(bob)])
      resolve()
      await expect.poll(() => said.at(-1)?.id).toBe('r2')
    } finally {
      Object.assign(process, had)
    }
  })
})

describe('whether a living worker writes a reply', () => {
  it('is answered by the supervisor from the registered runs; dead workers do not count', async () => {
    vi.stubEnv('NOD_WORKER_ID', '2')
    const messages = process as unknown as { emit(event: 'message', message: ToWorker): void }
    const handoffs = createWorkerHandoffs()
    const other = handoffs.born(() => undefined)
    const had = { send: process.send, connected: process.connected }
    process.send = (message: unknown) => {
      messages.emit('message', handoffs.answer(message as WorkerHolds))
      return true
    }
    process.connected = true
    try {
      const handoff = workerHandoff()
      other.hear({ type: 'nod-handoff', id: 'r1', text: '{}' })
      expect([await handoff?.holds('r1'), await handoff?.holds('r2')]).toEqual([true, false])
      other.open()
      expect(await handoff?.holds('r1')).toBe(false)
      handoffs.born(() => undefined).hear({ type: 'nod-handoff', id: 'r3', text: '{}' })
      expect(await handoff?.holds('r3')).toBe(true)
      process.connected = false
      expect(await handoff?.holds('r3')).toBe(false)
    } finally {
      Object.assign(process, had)
    }
  })
})

describe('a message from one worker to the others', () => {
  it('reaches all others through the supervisor, and nobody if there is none or only one process', () => {
    expect(workerSignals()).toBeUndefined()
    vi.stubEnv('NOD_WORKER_ID', '2')
    const sent: [number, ToWorker][] = []
    const supervisor = createWorkerQuestions({
      places: () => [1, 2, 3],
      after: () => () => undefined,
      send: (place, message) => void sent.push([place, message]),
    })
    const had = { send: process.send, connected: process.connected }
    process.send = (message: unknown) => {
      supervisor.hear(2, message as WorkerTalk)
      return true
    }
    process.connected = true
    try {
      const signals = workerSignals()
      const heard: string[] = []
      signals?.listen((text) => heard.push(text))
      expect(signals?.isListening()).toBe(true)
      signals?.send('stop r1')
      expect(sent).toEqual([1, 3].map((place) => [place, { type: 'nod-told', text: 'stop r1' }]))
      const messages = process as unknown as { emit(event: 'message', message: ToWorker): void }
      messages.emit('message', { type: 'nod-told', text: 'wrote r2' })
      expect(heard).toEqual(['wrote r2'])
      process.connected = false
      signals?.send('lost')
      expect([signals?.isListening(), sent.length]).toEqual([false, 2])
    } finally {
      Object.assign(process, had)
    }
  })
})
