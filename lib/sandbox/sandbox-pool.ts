import { makeModelMessage } from '@/lib/i18n/t'
import type { Sandbox, SandboxOutcome, SandboxRun } from './sandbox'

export interface PoolLimits {
  /** Maximum number of runs, and thus of frames, at once. */
  readonly runs: number
  /** How many of these may be in Python: each has its own interpreter and the memory for it. */
  readonly python: number
  /**
   * How many runs may give their place to others while they wait for a tool; later ones keep it. Left out: none gives
   * it up.
   */
  readonly paused?: number
}

interface Lane {
  readonly sandbox: Sandbox
  isBusy: boolean
  /** The run waits for a tool and has given up its place. It continues at once, beside the run that took the place. */
  isPaused: boolean
  runsPython: boolean
  /** Python's files are in its frame: the next run in Python starts there sooner. */
  hasPython: boolean
}

interface Waiting {
  readonly run: SandboxRun
  readonly begin: (lane: Lane) => void
  readonly close: () => void
}

const isPython = ({ language }: SandboxRun): boolean => language === 'python'

const closed = (): SandboxOutcome => ({ kind: 'unavailable', refusal: makeModelMessage('run.closed'), durationMs: 0 })
const stopped: SandboxOutcome = { kind: 'stopped', durationMs: 0 }

/**
 * Combines sandboxes into one: runs in parallel, at most `limits` at once, each in its own lane, so that its end, crash
 * or removal does not affect others. Further runs wait in order of arrival, except that a run that could not start
 * anyway (Python) does not block those after it. A run emits `turn` when it begins to wait and when the wait ends.
 * Lanes are created when they are needed, and all but one release their frames once nothing runs.
 */
export function createSandboxPool(openLane: () => Sandbox, limits: PoolLimits): Sandbox {
  let lanes: readonly Lane[] = []
  let waiting: readonly Waiting[] = []
  let disposed = false

  const newLane = (): Lane => ({
    sandbox: openLane(),
    isBusy: false,
    isPaused: false,
    runsPython: false,
    hasPython: false,
  })

  function freeLane(run: SandboxRun): Lane | null {
    const active = lanes.filter(({ isBusy, isPaused }) => isBusy && !isPaused)
    if (active.length >= limits.runs) return null
    if (isPython(run) && active.filter(({ runsPython }) => runsPython).length >= limits.python) return null
    const free = lanes.filter(({ isBusy }) => !isBusy)
    const fitting = free.find(({ hasPython }) => hasPython === isPython(run)) ?? free[0]
    if (fitting) return fitting
    const lane = newLane()
    lanes = [...lanes, lane]
    return lane
  }

  const pause = (lane: Lane, isPaused: boolean) => {
    lane.isPaused = isPaused && lanes.filter((other) => other.isPaused).length < (limits.paused ?? 0)
    if (lane.isPaused) next()
  }

  async function runIn(lane: Lane, run: SandboxRun): Promise<SandboxOutcome> {
    lane.isBusy = true
    lane.runsPython = isPython(run)
    lane.hasPython ||= lane.runsPython
    const onEvent: SandboxRun['onEvent'] = (event) => {
      if (event.type === 'paused') pause(lane, event.isPaused)
      run.onEvent(event)
    }
    try {
      return await lane.sandbox.run({ ...run, onEvent })
    } finally {
      lane.isBusy = lane.isPaused = lane.runsPython = false
      next()
    }
  }

  function next(): void {
    for (const entry of waiting) {
      const lane = freeLane(entry.run)
      if (lane) entry.begin(lane)
    }
    if (lanes.some(({ isBusy }) => isBusy)) return
    const kept = lanes.find(({ hasPython }) => hasPython) ?? lanes[0]
    for (const lane of lanes) if (lane !== kept) lane.sandbox.dispose()
    lanes = kept ? [kept] : []
  }

  const waitForTurn = (run: SandboxRun): Promise<SandboxOutcome> =>
    new Promise((resolve) => {
      const leave = () => {
        run.signal.removeEventListener('abort', stop)
        waiting = waiting.filter((other) => other !== entry)
      }
      const stop = () => {
        leave()
        resolve(stopped)
      }
      const entry: Waiting = {
        run,
        begin(lane) {
          leave()
          run.onEvent({ type: 'turn', waits: false, atMs: 0 })
          resolve(runIn(lane, run))
        },
        close() {
          leave()
          resolve(closed())
        },
      }
      waiting = [...waiting, entry]
      run.signal.addEventListener('abort', stop, { once: true })
      run.onEvent({ type: 'turn', waits: true, atMs: 0 })
    })

  return {
    run(run) {
      if (disposed) return Promise.resolve(closed())
      if (run.signal.aborted) return Promise.resolve(stopped)
      const lane = freeLane(run)
      return lane ? runIn(lane, run) : waitForTurn(run)
    },
    async prepare() {
      if (disposed) return
      if (lanes.length === 0) lanes = [newLane()]
      await lanes[0]?.sandbox.prepare?.()
    },
    release() {
      for (const { isBusy, sandbox } of lanes) if (!isBusy) sandbox.release?.()
    },
    dispose() {
      disposed = true
      for (const entry of waiting) entry.close()
      for (const { sandbox } of lanes) sandbox.dispose()
    },
  }
}
