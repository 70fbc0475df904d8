import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { SandboxEvent, SandboxLanguage } from './sandbox'
import { createSandboxPool, type PoolLimits } from './frame-sandbox'
import { openLanes } from './testing/lanes'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const tick = () => vi.advanceTimersByTimeAsync(1)

function setUp(limits: PoolLimits = { runs: 3, python: 1 }) {
  const lanes = openLanes()
  const pool = createSandboxPool(lanes.open, limits)
  const run = (code: string, language: SandboxLanguage = 'javascript') => {
    const events: SandboxEvent[] = []
    const stop = new AbortController()
    const tool = Promise.withResolvers<{ ok: boolean; text: string }>()
    const outcome = pool.run({
      code,
      language,
      vfs: createMemoryVfs(),
      timeoutMs: 5_000,
      signal: stop.signal,
      onEvent: (event) => events.push(event),
      tools: { names: ['ask_user'], call: () => tool.promise },
    })
    const turns = () => events.flatMap((event) => (event.type === 'turn' ? [event.waits] : []))
    return { outcome, stop, turns, events, answer: () => tool.resolve({ ok: true, text: '1' }) }
  }
  return { ...lanes, pool, run }
}

describe('a pool of sandboxes', () => {
  test('runs up to the limit in parallel, each in its own frame, and the next one when one ends', async () => {
    const { run, running, finish, frames } = setUp()
    const runs = ['a', 'b', 'c', 'd', 'e'].map((code) => run(code))
    await tick()
    expect(running()).toEqual(['a', 'b', 'c'])
    expect(frames()).toHaveLength(3)
    expect(runs.map(({ turns }) => turns())).toEqual([[], [], [], [true], [true]])
    finish('b')
    await tick()
    expect(running()).toEqual(['a', 'd', 'c'])
    expect(frames()).toHaveLength(3)
    expect(await runs[1]?.outcome).toMatchObject({ kind: 'returned', value: '"b"' })
    for (const code of ['a', 'c', 'd']) finish(code)
    await tick()
    finish('e')
    for (const each of runs) expect(await each.outcome).toMatchObject({ kind: 'returned' })
    expect(runs.map(({ turns }) => turns())).toEqual([[], [], [], [true, false], [true, false]])
  })

  test('prepares one of them for the first run, and none once it is closed', async () => {
    const { pool, run, frames, finish } = setUp()
    await pool.prepare?.()
    expect(frames()).toHaveLength(1)
    const first = run('a')
    await tick()
    expect(frames()).toHaveLength(1)
    finish('a')
    expect(await first.outcome).toMatchObject({ kind: 'returned' })
    const other = setUp()
    other.pool.dispose()
    await other.pool.prepare?.()
    expect(other.frames()).toEqual([])
  })

  test('does not count the time that a run waits for its turn', async () => {
    const { run, finish } = setUp({ runs: 1, python: 1 })
    const [first, second] = [run('a'), run('b')]
    await vi.advanceTimersByTimeAsync(4_000)
    finish('a')
    await vi.advanceTimersByTimeAsync(4_000)
    finish('b')
    expect(await first.outcome).toMatchObject({ kind: 'returned', durationMs: 4_000 })
    expect(await second.outcome).toMatchObject({ kind: 'returned', durationMs: 4_000 })
  })

  test.each([
    ['a stop', (one: ReturnType<ReturnType<typeof setUp>['run']>) => one.stop.abort(), 'stopped'],
    ['its time limit', () => vi.advanceTimersByTimeAsync(6_000), 'timed-out'],
  ] as const)('ends one by %s without affecting the others', async (_what, end, kind) => {
    const { run, running, finish } = setUp()
    const [a, b] = [run('a'), run('endless')]
    await tick()
    if (kind === 'timed-out') finish('a')
    await end(b)
    await tick()
    expect(await b.outcome).toMatchObject({ kind })
    if (kind === 'stopped') {
      expect(running()).toEqual(['a'])
      finish('a')
    }
    expect(await a.outcome).toMatchObject({ kind: 'returned', value: '"a"' })
  })

  test('lets a run that waits for a tool give its place to another, up to a limit', async () => {
    const { run, running, finish, callTool } = setUp({ runs: 2, python: 1, paused: 1 })
    const [p, a, b, p2] = [run('p', 'python'), run('a'), run('b'), run('p2', 'python')]
    await tick()
    expect(running()).toEqual(['p', 'a'])
    callTool('p')
    await tick()
    expect(running()).toEqual(['p', 'a', 'b'])
    // All runs that may give up their place have done so.
    callTool('a')
    await tick()
    expect(running()).toEqual(['p', 'a', 'b'])
    finish('b')
    await tick()
    expect(running()).toEqual(['p', 'a', 'p2'])
    p.answer()
    a.answer()
    await tick()
    for (const code of ['p', 'a', 'p2']) finish(code)
    for (const each of [p, a, b, p2]) expect(await each.outcome).toMatchObject({ kind: 'returned' })
  })

  test('counts a run again once its tool has answered, so that the next one waits', async () => {
    const { run, running, finish, callTool } = setUp({ runs: 1, python: 0, paused: 1 })
    const [a, b] = [run('a'), run('b')]
    await tick()
    callTool('a')
    await tick()
    expect(running()).toEqual(['a', 'b'])
    a.answer()
    await tick()
    finish('b')
    await tick()
    const c = run('c')
    await tick()
    expect(running()).toEqual(['a'])
    finish('a')
    await tick()
    finish('c')
    for (const each of [a, b, c]) expect(await each.outcome).toMatchObject({ kind: 'returned' })
  })

  test('loses one frame that hears no kill, and no other', async () => {
    const { run, running, finish, frames, deafen } = setUp()
    const [a, b] = [run('a'), run('endless')]
    await tick()
    deafen('endless')
    b.stop.abort()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await b.outcome).toMatchObject({ kind: 'stopped' })
    expect(frames()).toMatchObject([{ isOpen: true }, { isOpen: false }])
    expect(running()).toEqual(['a'])
    finish('a')
    expect(await a.outcome).toMatchObject({ kind: 'returned' })
  })

  test('stops a waiting run at once, and it never begins', async () => {
    const { run, running, finish } = setUp({ runs: 1, python: 1 })
    const [a, b] = [run('a'), run('b')]
    b.stop.abort()
    expect(await b.outcome).toEqual({ kind: 'stopped', durationMs: 0 })
    await tick()
    finish('a')
    await a.outcome
    await tick()
    expect(running()).toEqual([])
    expect(b.turns()).toEqual([true])
  })

  test('limits interpreters separately: Python waits for Python, and blocks no other run', async () => {
    const { run, running, finish } = setUp()
    const runs = [run('p1', 'python'), run('p2', 'python'), run('a'), run('b'), run('c')]
    await tick()
    expect(running()).toEqual(['p1', 'a', 'b'])
    finish('a')
    await tick()
    expect(running()).toEqual(['p1', 'c', 'b'])
    finish('p1')
    await tick()
    expect(running()).toEqual(['p2', 'c', 'b'])
    for (const code of ['p2', 'b', 'c']) finish(code)
    for (const each of runs) expect(await each.outcome).toMatchObject({ kind: 'returned' })
  })

  test('keeps one frame when all runs are done, Python’s if there is one', async () => {
    const { run, finish, frames } = setUp()
    const runs = [run('a'), run('p', 'python'), run('b')]
    await tick()
    finish('a')
    finish('b')
    await tick()
    expect(frames().filter(({ isOpen }) => isOpen)).toHaveLength(3)
    finish('p')
    for (const each of runs) await each.outcome
    await tick()
    expect(frames().map(({ isOpen }) => isOpen)).toEqual([false, true, false])
    const again = run('p', 'python')
    await tick()
    finish('p')
    await again.outcome
    expect(frames()).toHaveLength(3)
  })

  test('releases idle frames, and leaves running ones', async () => {
    const { run, finish, frames, pool } = setUp()
    const [a, b] = [run('a'), run('b')]
    await tick()
    finish('a')
    await a.outcome
    pool.release?.()
    expect(frames().map(({ isOpen }) => isOpen)).toEqual([false, true])
    finish('b')
    expect(await b.outcome).toMatchObject({ kind: 'returned' })
  })

  test('ends all runs when it is closed, including waiting ones', async () => {
    const { run, pool } = setUp({ runs: 1, python: 1 })
    const runs = [run('a'), run('b')]
    await tick()
    pool.dispose()
    for (const each of [...runs, run('c')]) expect(await each.outcome).toMatchObject({ kind: 'unavailable' })
  })
})
