import { describe, expect, it } from 'vitest'
import { supervise } from './supervise'

/** Simulated processes, and a manual clock. */
function stage(count: number) {
  const alive = new Map<
    number,
    { readonly listening: () => void; readonly exit: (how: string, code: number) => void }
  >()
  const forks: { readonly place: number; readonly isFirst: boolean }[] = []
  const stopped: string[] = []
  const told: string[] = []
  let now = 0
  let tasks: { readonly at: number; readonly run: () => void }[] = []
  const supervisor = supervise({
    count,
    monotonic: () => now,
    after(ms, run) {
      const task = { at: now + ms, run }
      tasks.push(task)
      return () => void (tasks = tasks.filter((one) => one !== task))
    },
    log: (line) => told.push(line),
    fork(place, isFirst, on) {
      forks.push({ place, isFirst })
      alive.set(place, on)
      return { pid: 1_000 + forks.length, stop: (signal) => stopped.push(`${place} ${signal}`) }
    },
  })
  return {
    supervisor,
    forks,
    told,
    stopped,
    places: () => [...alive.keys()].toSorted((a, b) => a - b),
    listen: (place: number) => alive.get(place)?.listening(),
    die(place: number, code = 1) {
      const worker = alive.get(place)
      alive.delete(place)
      worker?.exit(code === 0 ? 'with code 0' : 'by SIGKILL', code)
    },
    pass(ms: number) {
      now += ms
      const due = tasks.filter(({ at }) => at <= now)
      tasks = tasks.filter(({ at }) => at > now)
      for (const { run } of due) run()
    },
    waiting: () => tasks.length,
  }
}

/** The result of a promise that has settled by now. */
const settledWith = async <Value>(promise: Promise<Value>): Promise<Value | 'open'> => {
  const open = Promise.resolve('open' as const)
  return Promise.race([promise, open.then(() => open)])
}

describe('the supervisor', () => {
  it('replaces a worker that ran for a while at once, under its own number, and logs it', () => {
    const { forks, listen, die, pass, places, told } = stage(3)
    for (const place of [1, 2, 3]) listen(place)
    pass(60_000)
    die(2)
    pass(0)
    expect(places()).toEqual([1, 2, 3])
    expect(forks.at(-1)).toEqual({ place: 2, isFirst: false })
    expect(told).toEqual(['Worker 2 (process 1002) ended by SIGKILL. It is replaced.'])
  })

  it('waits longer each time for a worker that dies at its start, and resets after a longer run', () => {
    const { listen, die, pass, forks, told, waiting } = stage(2)
    listen(1)
    listen(2)
    pass(60_000)
    const waits: number[] = []
    for (let round = 0; round < 9; round += 1) {
      die(1)
      const before = forks.length
      let waited = 0
      while (forks.length === before) {
        pass(waited === 0 ? 0 : 500)
        if (forks.length === before) waited += 500
      }
      waits.push(waited)
    }
    expect(waits).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expect(told.at(-1)).toContain('in 30.0 s')
    listen(1)
    pass(60_000)
    die(1)
    pass(0)
    expect(waiting()).toBe(0)
  })

  it('ends with the exit code of the first worker if none can start, and restarts none', async () => {
    const { supervisor, die, forks, stopped, told, pass } = stage(3)
    die(2, 7)
    expect(stopped).toEqual(['1 SIGTERM', '3 SIGTERM'])
    die(1, 143)
    expect(await settledWith(supervisor.ended)).toBe('open')
    die(3, 143)
    pass(120_000)
    expect(await settledWith(supervisor.ended)).toBe(7)
    expect(forks).toHaveLength(3)
    expect(told).toHaveLength(1)
  })

  it('asks all to stop, restarts none, and ends when the last has exited', async () => {
    const { supervisor, listen, die, stopped, forks, pass } = stage(3)
    for (const place of [1, 2, 3]) listen(place)
    die(3)
    supervisor.stop('SIGTERM')
    expect(stopped).toEqual(['1 SIGTERM', '2 SIGTERM'])
    pass(120_000)
    die(1, 0)
    expect(await settledWith(supervisor.ended)).toBe('open')
    // Killed while draining, which is no failure of the whole server.
    die(2, 1)
    expect(await settledWith(supervisor.ended)).toBe(0)
    expect(forks).toHaveLength(3)
  })
})
