import { describe, expect, it, vi } from 'vitest'
import { runToolChain, type ChainOptions, type ChainPorts } from './start-calls'
import { type ChainEnd } from './run-call'

const options: ChainOptions = { atOnce: 1, stopAtFailure: false, maxCalls: 20, timeoutMs: 30 }

/** Calls named after how they end; each ends when the test says so. */
function bench() {
  const going = new Map<string, (end: ChainEnd) => void>()
  const ports = {
    run: vi.fn<ChainPorts<string>['run']>((call) => new Promise((resolve) => going.set(call, resolve))),
    onStart: vi.fn<(call: string) => void>(),
    onEnd: vi.fn<(call: string, end: ChainEnd) => void>(),
    onStopped: vi.fn<NonNullable<ChainPorts<string>['onStopped']>>(),
  }
  const end = async (call: string, how: ChainEnd) => {
    going.get(call)?.(how)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { ports, end, started: () => ports.onStart.mock.calls.map(([call]) => call) }
}

describe('runToolChain', () => {
  it('starts a call when the one before it has ended, and passes on the time limit', async () => {
    const { ports, end, started } = bench()
    const report = runToolChain(['a', 'b'], options, ports)
    expect(started()).toEqual(['a'])
    await end('a', 'failed')
    expect(started()).toEqual(['a', 'b'])
    await end('b', 'succeeded')
    expect(await report).toEqual({
      ended: [
        { call: 'a', end: 'failed' },
        { call: 'b', end: 'succeeded' },
      ],
      left: [],
      stopped: null,
    })
    expect(ports.run).toHaveBeenCalledWith('a', { timeoutMs: 30, signal: undefined })
    expect(ports.onStopped).not.toHaveBeenCalled()
  })

  it('runs as many in parallel as allowed, starts the next when one ends, and reports each end', async () => {
    const { ports, end, started } = bench()
    const report = runToolChain(['a', 'b', 'c', 'd'], { ...options, atOnce: 3 }, ports)
    expect(started()).toEqual(['a', 'b', 'c'])
    await end('c', 'succeeded')
    expect(started()).toEqual(['a', 'b', 'c', 'd'])
    for (const call of ['d', 'a', 'b']) await end(call, 'succeeded')
    expect((await report).ended.map(({ call }) => call)).toEqual(['c', 'd', 'a', 'b'])
    expect(ports.onStopped).not.toHaveBeenCalled()
  })

  it.each([
    ['failed', 'failure'],
    ['stopped', 'stop'],
  ] as const)('in parallel, when one %s, starts no more and lets the others continue', async (how, why) => {
    const { ports, end, started } = bench()
    const report = runToolChain(['a', 'b', 'c', 'd'], { ...options, atOnce: 2, stopAtFailure: true }, ports)
    await end('b', how)
    await end('a', 'succeeded')
    expect(started()).toEqual(['a', 'b'])
    expect(await report).toMatchObject({ left: ['c', 'd'], stopped: why })
    expect(ports.onStopped).toHaveBeenCalledExactlyOnceWith(['c', 'd'], why)
  })

  it.each([
    ['failed', 'failure'],
    ['stopped', 'stop'],
  ] as const)('leaves the rest when a call %s, and keeps the results so far', async (how, why) => {
    const { ports, end } = bench()
    const report = runToolChain(['a', 'b', 'c', 'd'], { ...options, stopAtFailure: true }, ports)
    await end('a', 'succeeded')
    await end('b', how)
    const { ended, left, stopped } = await report
    expect(ended).toHaveLength(2)
    expect(left).toEqual(['c', 'd'])
    expect(stopped).toBe(why)
    expect(ports.onStopped).toHaveBeenCalledExactlyOnceWith(['c', 'd'], why)
  })

  it('starts no more than may run, and does not count calls that did not run', async () => {
    const { ports, end, started } = bench()
    const report = runToolChain(['a', 'b', 'c'], { ...options, maxCalls: 1 }, ports)
    await end('a', 'not-run')
    await end('b', 'succeeded')
    expect(await report).toMatchObject({ left: ['c'], stopped: 'limit' })
    expect(started()).toEqual(['a', 'b'])
    const none = await runToolChain(['a'], { ...options, maxCalls: 0, atOnce: 4 }, ports)
    expect(none).toEqual({ ended: [], left: ['a'], stopped: 'limit' })
  })

  it('starts nothing after an abort, and calls that ran keep their outcome', async () => {
    const { ports, end } = bench()
    const abort = new AbortController()
    const report = runToolChain(['a', 'b'], { ...options, signal: abort.signal }, ports)
    abort.abort()
    await end('a', 'succeeded')
    expect(await report).toMatchObject({ ended: [{ call: 'a', end: 'succeeded' }], left: ['b'], stopped: 'abort' })
  })

  it('skips calls that were taken out meanwhile', async () => {
    const { ports, end, started } = bench()
    const gone = new Set<string>()
    const report = runToolChain(['a', 'b', 'c'], options, { ...ports, isWanted: (call) => !gone.has(call) })
    gone.add('b')
    await end('a', 'succeeded')
    await end('c', 'succeeded')
    expect(started()).toEqual(['a', 'c'])
    expect((await report).left).toEqual([])
  })

  it('counts a call whose runner throws as not run, and continues', async () => {
    const run = vi.fn<ChainPorts<string>['run']>(() => Promise.resolve('succeeded'))
    run.mockRejectedValueOnce(new Error('broken'))
    const report = await runToolChain(['a', 'b'], options, { run })
    expect(report.ended.map(({ end }) => end)).toEqual(['not-run', 'succeeded'])
  })
})
