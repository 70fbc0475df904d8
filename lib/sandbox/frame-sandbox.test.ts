import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { FrameConnection } from './frame-run'
import type { HostToRelay, RelayToHost } from './frame/protocol'
import { createSandbox } from './frame-sandbox'
import { sandboxTimes } from './limits'
import type { SandboxEvent, SandboxRun } from './sandbox'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

type Behavior = (message: HostToRelay, say: (message: RelayToHost) => void) => void

/** Frames whose relay answers pings and kills, and otherwise does what `behaviour` says. */
/** The changes submitted by a run that wrote one file. */
const writing = (path: string) => [JSON.stringify([{ kind: 'write', path, at: 0, size: 1 }]), new Blob(['x'])]

function setUp(behaviour: Behavior, { pings = true, kills = true } = {}) {
  const frames: { isOpen: boolean; received: HostToRelay[]; say(message: RelayToHost): void; crash(): void }[] = []
  let ids = 0
  const loaded: string[] = []
  const sandbox = createSandbox({
    async loadAsset(name) {
      loaded.push(name)
      await new Promise((resolve) => setTimeout(resolve, 5_000))
      return new Uint8Array([1, 2])
    },
    newId: () => `run-${++ids}`,
    monotonic: () => Date.now(),
    async connect() {
      const frame = { isOpen: true, received: [] as HostToRelay[], say: (_message: RelayToHost) => {}, crash: () => {} }
      const connection: FrameConnection = {
        onMessage: () => {},
        onGone: () => {},
        close: () => (frame.isOpen = false),
        post(message) {
          frame.received.push(message)
          if (!frame.isOpen) return
          if (message.type === 'ping' && pings) queueMicrotask(() => frame.say({ type: 'pong', n: message.n }))
          else if (message.type === 'kill' && kills)
            queueMicrotask(() => frame.say({ type: 'killed', run: message.run }))
          else behaviour(message, (answer) => queueMicrotask(() => frame.say(answer)))
        },
      }
      frame.say = (message) => connection.onMessage(message)
      frame.crash = () => {
        frame.isOpen = false
        connection.onGone()
      }
      frames.push(frame)
      return connection
    },
  })
  const events: SandboxEvent[] = []
  const vfs = createMemoryVfs()
  const stop = new AbortController()
  const run = (over: Partial<SandboxRun> = {}) =>
    sandbox.run({
      code: 'x',
      vfs,
      timeoutMs: 1_000,
      signal: stop.signal,
      onEvent: (event) => events.push(event),
      ...over,
    })
  return { sandbox, loaded, frames, events, vfs, stop, run }
}

const done = (run: string, text = '1'): RelayToHost => ({
  type: 'done',
  run,
  end: { kind: 'returned', text, isJson: true },
})

const returnsAtOnce: Behavior = (message, say) => {
  if (message.type === 'run') say(done(message.run))
}
const neverEnds: Behavior = () => {}

describe('a run', () => {
  test('ends with the return value of the code', async () => {
    const { run, frames } = setUp(returnsAtOnce)
    expect(await run()).toEqual({ kind: 'returned', value: '1', valueIsJson: true, durationMs: 0 })
    expect(await run()).toMatchObject({ kind: 'returned' })
    expect(frames).toHaveLength(1)
  })

  test('reports at once that its process ended, and the next run has a new frame', async () => {
    let runs = 0
    const { run, frames } = setUp((message, say) => {
      if (message.type === 'run' && ++runs > 1) say(done(message.run))
    })
    const first = run({ timeoutMs: 60_000 })
    await vi.advanceTimersByTimeAsync(10)
    frames[0]?.crash()
    expect(await first).toMatchObject({ kind: 'unavailable', refusal: { reason: 'run.out-of-memory' }, durationMs: 10 })
    expect(await run()).toMatchObject({ kind: 'returned' })
    expect(frames).toHaveLength(2)
  })

  test('gets a new frame if the process of an idle one has ended', async () => {
    const { run, frames } = setUp(returnsAtOnce)
    await run()
    frames[0]?.crash()
    expect(await run()).toMatchObject({ kind: 'returned' })
    expect(frames).toHaveLength(2)
  })

  test('receives only its own messages', async () => {
    const { run, events } = setUp((message, say) => {
      if (message.type !== 'run') return
      say({ type: 'log', run: 'other', lines: [['log', 'not mine']] })
      say({ type: 'log', run: message.run, lines: [['warn', 'mine']] })
      say({ type: 'show', run: message.run, kind: 'image', data: 'javascript:alert(1)' })
      say(done('other', '"not mine"'))
      say(done(message.run))
      say({ type: 'log', run: message.run, lines: [['log', 'late']] })
    })
    expect(await run()).toMatchObject({ value: '1' })
    expect(events).toEqual([
      { type: 'began', atMs: expect.any(Number) as number },
      { type: 'console', level: 'warn', text: 'mine', atMs: 0 },
      { type: 'display', kind: 'text', data: 'javascript:alert(1)', atMs: 0 },
    ])
  })

  test('gets answers to its file calls, and late calls have no effect', async () => {
    const { run, vfs, frames } = setUp((message, say) => {
      if (message.type === 'run') say({ type: 'call', run: message.run, id: 1, op: 'commit', args: writing('/a') })
      if (message.type !== 'answer') return
      say(done(message.run))
      say({ type: 'call', run: message.run, id: 2, op: 'commit', args: writing('/late') })
    })
    expect(await run()).toMatchObject({ kind: 'returned' })
    await vi.advanceTimersByTimeAsync(100)
    expect((await vfs.list('/')) as unknown).toMatchObject({ ok: true, value: [{ name: 'a' }] })
    expect(frames[0]?.received.filter((message) => message.type === 'answer')).toHaveLength(1)
  })

  test('does not spend its time limit while the page stores its changes', async () => {
    const { run, vfs } = setUp((message, say) => {
      if (message.type === 'run') say({ type: 'call', run: message.run, id: 1, op: 'commit', args: writing('/a') })
      if (message.type === 'answer') setTimeout(() => say(done(message.run)), 900)
    })
    const apply: typeof vfs.apply = async (changes) => {
      await new Promise((resolve) => setTimeout(resolve, 20_000))
      return vfs.apply(changes)
    }
    const ended = run({ vfs: { ...vfs, apply }, timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(21_000)
    expect(await ended).toMatchObject({ kind: 'returned' })
    expect((await vfs.read('/a')).ok).toBe(true)
  })

  test('is stopped if the page can’t store its changes in time', async () => {
    const { run, vfs } = setUp((message, say) => {
      if (message.type === 'run') say({ type: 'call', run: message.run, id: 1, op: 'commit', args: writing('/a') })
    })
    const ended = run({ vfs: { ...vfs, apply: () => new Promise(() => {}) }, timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(sandboxTimes.maxPause + 1_100)
    expect(await ended).toMatchObject({ kind: 'timed-out' })
  })

  test('waits for changes that the code submitted and did not await', async () => {
    const { run, vfs } = setUp((message, say) => {
      if (message.type !== 'run') return
      say({ type: 'call', run: message.run, id: 1, op: 'commit', args: writing('/a') })
      say(done(message.run))
    })
    await run()
    expect((await vfs.read('/a')).ok).toBe(true)
  })
})

describe('a prepared frame', () => {
  test('is used by the first run', async () => {
    const { run, frames, sandbox } = setUp(returnsAtOnce)
    await sandbox.prepare?.()
    expect(frames).toHaveLength(1)
    expect(await run()).toMatchObject({ kind: 'returned' })
    expect(frames).toHaveLength(1)
  })

  test('is requested again by the run that needs it if it failed', async () => {
    let tries = 0
    const sandbox = createSandbox({
      loadAsset: () => Promise.reject(new Error('not asked')),
      newId: () => 'r',
      monotonic: () => 0,
      connect: () => Promise.reject(new Error(`no network, ${(tries += 1)}`)),
    })
    await sandbox.prepare?.()
    const given = { code: 'x', vfs: createMemoryVfs(), timeoutMs: 1, signal: new AbortController().signal }
    expect(await sandbox.run({ ...given, onEvent: () => {} })).toMatchObject({ kind: 'unavailable' })
    expect(tries).toBe(2)
  })
})

describe('release', () => {
  test('removes an idle frame, and the next run has a new one', async () => {
    const { run, frames, sandbox } = setUp(returnsAtOnce)
    await run()
    sandbox.release?.()
    expect(frames.map(({ isOpen }) => isOpen)).toEqual([false])
    expect(await run()).toMatchObject({ kind: 'returned' })
    expect(frames.map(({ isOpen }) => isOpen)).toEqual([false, true])
  })

  test('leaves a current run alone', async () => {
    const { run, frames, sandbox } = setUp(neverEnds)
    const outcome = run()
    await vi.advanceTimersByTimeAsync(100)
    sandbox.release?.()
    expect(frames.map(({ isOpen }) => isOpen)).toEqual([true])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await outcome).toMatchObject({ kind: 'timed-out' })
  })
})

describe('a forced end', () => {
  test('at the time limit, acknowledged: the frame is kept', async () => {
    const { run, frames } = setUp(neverEnds)
    const outcome = run()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await outcome).toMatchObject({ kind: 'timed-out', durationMs: 1_000 })
    expect(frames[0]?.isOpen).toBe(true)
  })

  test('by the user', async () => {
    const { run, stop } = setUp(neverEnds)
    const outcome = run()
    await vi.advanceTimersByTimeAsync(200)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'stopped', durationMs: 200 })
    expect(await run()).toMatchObject({ kind: 'stopped' })
  })

  test('that is not acknowledged removes the frame; the next run gets a new one', async () => {
    const { run, frames } = setUp(neverEnds, { kills: false })
    const outcome = run()
    await vi.advanceTimersByTimeAsync(1_000 + sandboxTimes.killAck)
    expect(await outcome).toMatchObject({ kind: 'timed-out' })
    expect(frames[0]?.isOpen).toBe(false)
    const next = run()
    await vi.advanceTimersByTimeAsync(2_000)
    await next
    expect(frames).toHaveLength(2)
  })

  test('ignores later calls', async () => {
    const { run, frames, vfs, stop } = setUp(neverEnds)
    const outcome = run()
    await vi.advanceTimersByTimeAsync(10)
    stop.abort()
    frames[0]?.say({ type: 'call', run: 'run-1', id: 1, op: 'commit', args: writing('/late') })
    await outcome
    expect((await vfs.stat('/late')).ok).toBe(false)
  })
})

describe('a frame that dies', () => {
  test('between runs is replaced', async () => {
    const { run, frames } = setUp(returnsAtOnce)
    await run()
    const [first] = frames
    if (first !== undefined) first.isOpen = false
    const outcome = run()
    await vi.advanceTimersByTimeAsync(sandboxTimes.pong)
    expect(await outcome).toMatchObject({ kind: 'returned' })
    expect(frames).toHaveLength(2)
  })

  test('or was flooded is replaced: unread messages would precede those of the next run', async () => {
    const { run, frames } = setUp((message, say) => {
      if (message.type !== 'run') return
      const isFlood = message.code === 'flood'
      say(isFlood ? { type: 'done', run: message.run, end: { kind: 'flooded', of: 'messages' } } : done(message.run))
    })
    expect(await run()).toMatchObject({ kind: 'returned' })
    expect(await run({ code: 'flood' })).toMatchObject({ kind: 'flooded' })
    expect(frames.map(({ isOpen }) => isOpen)).toEqual([false])
    expect(await run()).toMatchObject({ kind: 'returned' })
    expect(frames.map(({ isOpen }) => isOpen)).toEqual([false, true])
  })

  test('during a run is reported with what to do', async () => {
    const { run, frames } = setUp(neverEnds, { pings: false })
    const outcome = run({ timeoutMs: 60_000 })
    await vi.advanceTimersByTimeAsync(3 * sandboxTimes.heartbeat - 1)
    expect(frames[0]?.isOpen).toBe(true)
    await vi.advanceTimersByTimeAsync(1)
    expect(await outcome).toMatchObject({
      kind: 'unavailable',
      refusal: { message: expect.stringContaining('try again') },
    })
    expect(frames[0]?.isOpen).toBe(false)
  })

  test('is reported if it never starts', async () => {
    const sandbox = createSandbox({
      connect: () => Promise.reject(new Error('no')),
      loadAsset: () => Promise.reject(new Error('no')),
      newId: () => 'x',
      monotonic: () => 0,
    })
    const signal = new AbortController().signal
    const outcome = await sandbox.run({ code: '', vfs: createMemoryVfs(), timeoutMs: 1, signal, onEvent: () => {} })
    expect(outcome).toMatchObject({
      kind: 'unavailable',
      refusal: { message: expect.stringContaining('Reload the page') },
    })
  })
})

describe('runs at the same time', () => {
  test('wait for each other', async () => {
    const { run, frames } = setUp(neverEnds)
    const [first, second] = [run(), run({ code: 'second' })]
    await vi.advanceTimersByTimeAsync(500)
    expect(frames[0]?.received.filter((message) => message.type === 'run')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(500)
    expect((await first).kind).toBe('timed-out')
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await second).kind).toBe('timed-out')
  })

  test('never start if they are stopped while waiting', async () => {
    const { run, frames } = setUp(neverEnds)
    const mine = new AbortController()
    const [first, second] = [run(), run({ signal: mine.signal, code: 'second' })]
    await vi.advanceTimersByTimeAsync(100)
    mine.abort()
    expect(await second).toEqual({ kind: 'stopped', durationMs: 0 })
    await vi.advanceTimersByTimeAsync(5_000)
    await first
    expect(frames[0]?.received.some((message) => message.type === 'run' && message.code === 'second')).toBe(false)
  })

  test('closing a sandbox ends its runs and rejects new ones', async () => {
    const { run, sandbox } = setUp(neverEnds)
    const running = run()
    await vi.advanceTimersByTimeAsync(10)
    sandbox.dispose()
    expect((await running).kind).toBe('unavailable')
    expect((await run()).kind).toBe('unavailable')
  })
})

describe('an asset that the code requests', () => {
  const asks =
    (...names: readonly string[]): Behavior =>
    (message, say) => {
      if (message.type !== 'run') return
      for (const [id, name] of names.entries()) say({ type: 'asset', run: message.run, id, name })
    }

  test('is loaded once per page', async () => {
    const { run, frames, loaded } = setUp(asks('vega.js'))
    for (let round = 0; round < 2; round++) {
      const outcome = run()
      await vi.advanceTimersByTimeAsync(10_000)
      await outcome
    }
    expect(loaded).toEqual(['vega.js'])
    const handed = frames[0]?.received.filter((message) => message.type === 'asset')
    expect(handed).toMatchObject([{ id: 0, bytes: new Uint8Array([1, 2]) }, { id: 0 }])
  })

  test('is refused, and nothing is fetched, if it is not in the list', async () => {
    const names = ['', 'x.js', '../sandbox.html', 'vega.js?x', '/vega.js', '__proto__', 'constructor', 'VEGA.JS']
    const { run, frames, loaded } = setUp(asks(...names))
    const outcome = run()
    await vi.advanceTimersByTimeAsync(1_000)
    await outcome
    expect(loaded).toEqual([])
    const handed = frames[0]?.received.filter((message) => message.type === 'asset') ?? []
    expect(handed.map((message) => message.bytes)).toEqual(names.map(() => null))
  })

  test('does not use up the run’s time while it loads', async () => {
    const { run } = setUp(asks('vega.js', 'papaparse.js'))
    const outcome = run({ timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await outcome).toMatchObject({ kind: 'timed-out', durationMs: 6_000 })
  })
})

describe('a language that starts first', () => {
  test('has its time limit from its start on', async () => {
    const { run, frames } = setUp(neverEnds)
    const outcome = run({ language: 'python', timeoutMs: 1_000 })
    await vi.advanceTimersByTimeAsync(30_000)
    frames[0]?.say({ type: 'started', run: 'run-1' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await outcome).toMatchObject({ kind: 'timed-out', durationMs: 31_000 })
  })

  test('is given up if it does not start', async () => {
    const { run } = setUp(neverEnds)
    const outcome = run({ language: 'python' })
    await vi.advanceTimersByTimeAsync(sandboxTimes.languageStart)
    expect(await outcome).toMatchObject({
      kind: 'unavailable',
      refusal: { message: expect.stringContaining('did not start') },
    })
  })

  test('can be stopped while it starts', async () => {
    const { run, stop } = setUp(neverEnds)
    const outcome = run({ language: 'python' })
    await vi.advanceTimersByTimeAsync(100)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'stopped' })
  })
})

describe('code that calls a tool', () => {
  const calling: Behavior = (message, say) => {
    if (message.type === 'run') say({ type: 'tool', run: message.run, id: 1, name: 'ask_user', args: '{}' })
    if (message.type === 'tool-answer') say(done(message.run, message.text))
  }
  /** The thread is free while the code waits. */
  const waiting: Behavior = (message, say) => {
    calling(message, say)
    if (message.type === 'idle') say({ type: 'idle', run: message.run, n: message.n })
  }
  const person = () => {
    const answer = Promise.withResolvers<{ ok: boolean; text: string }>()
    const asked: { args: string; signal: AbortSignal }[] = []
    const tools = {
      names: ['ask_user'],
      call: ({ args }: { args: string }, signal: AbortSignal) => {
        asked.push({ args, signal })
        return answer.promise
      },
    }
    return { tools, asked, answer: answer.resolve }
  }

  test('waits for 20 minutes under a limit of a second, and continues with the answer', async () => {
    const { run, events, frames } = setUp(waiting)
    const { tools, asked, answer } = person()
    const outcome = run({ tools })
    await vi.advanceTimersByTimeAsync(20 * 60_000)
    expect(frames[0]?.received.find(({ type }) => type === 'run')).toMatchObject({ tools: ['ask_user'] })
    expect(asked).toHaveLength(1)
    answer({ ok: true, text: '42' })
    expect(await outcome).toMatchObject({ kind: 'returned', value: '42' })
    expect(events.flatMap((event) => (event.type === 'paused' ? [event.isPaused] : []))).toEqual([true, false])
  })

  test('is stopped by its limit if it works on while the call is open, and the call is withdrawn', async () => {
    const { run } = setUp(calling)
    const { tools, asked, answer } = person()
    const outcome = run({ tools })
    await vi.advanceTimersByTimeAsync(sandboxTimes.idleCheck + sandboxTimes.idleGrace + 1_100)
    expect(await outcome).toMatchObject({ kind: 'timed-out' })
    expect(asked[0]?.signal.aborted).toBe(true)
    answer({ ok: true, text: '1' })
  })

  test('has its clock stopped again once its thread is free', async () => {
    let busy = 2
    const { run } = setUp((message, say) => {
      calling(message, say)
      if (message.type !== 'idle') return
      // At first the thread is busy for half a second more.
      const free = () => say({ type: 'idle', run: message.run, n: message.n })
      if (busy-- > 0) setTimeout(free, sandboxTimes.idleGrace + 300)
      else free()
    })
    const { tools, answer } = person()
    const outcome = run({ tools })
    await vi.advanceTimersByTimeAsync(60_000)
    answer({ ok: true, text: '1' })
    expect(await outcome).toMatchObject({ kind: 'returned' })
  })

  test('can be stopped while it waits: the call is withdrawn', async () => {
    const { run, stop } = setUp(waiting)
    const { tools, asked } = person()
    const outcome = run({ tools })
    await vi.advanceTimersByTimeAsync(5_000)
    stop.abort()
    expect(await outcome).toMatchObject({ kind: 'stopped' })
    expect(asked[0]?.signal.aborted).toBe(true)
  })
})
