import { monotonicClock, type MonotonicClock } from '@/lib/base/clocks'
import { createAssetCache, type LoadAsset, isPackageAsset } from './assets'
import { runInFrame, type FrameRunPorts, connectFrame, type FrameConnection } from './frame-run'
import { sandboxTimes } from './limits'
import { isPythonAsset } from './python-assets'
import type { Sandbox, SandboxEnd, SandboxOutcome, SandboxRun } from './sandbox'
import { makeModelMessage } from '@/lib/i18n/t'

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

/** What a sandbox needs from its environment; `createFrameSandbox` takes it from a document. */
export interface FrameSandboxPorts {
  readonly connect: () => Promise<FrameConnection>
  /** Called only for names in `sandboxAssets`, and again only after a failure. */
  readonly loadAsset: LoadAsset
  /** Unguessable and new each time. */
  readonly newId: () => string
  readonly monotonic: MonotonicClock
}

/** True if the frame answers in time. */
function isAlive(connection: FrameConnection, n: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), sandboxTimes.pong)
    connection.onMessage = (message) => {
      if (message.type !== 'pong' || message.n !== n) return
      clearTimeout(timer)
      resolve(true)
    }
    connection.post({ type: 'ping', n })
  })
}

/**
 * Runs code in a sandbox frame, one run at a time. The frame is created at the first run, checked before each run, and
 * recreated if it is dead.
 */
export function createSandbox({ connect, loadAsset, newId, monotonic }: FrameSandboxPorts): Sandbox {
  const cachedAsset = createAssetCache(loadAsset)
  let connection: FrameConnection | null = null
  let pings = 0
  let queue: Promise<unknown> = Promise.resolve()
  let disposed = false
  let endCurrent: (() => void) | null = null

  const drop = () => {
    connection?.close()
    connection = null
  }

  async function connected(): Promise<FrameConnection> {
    if (connection !== null && !(await isAlive(connection, (pings += 1)))) drop()
    if (connection === null) {
      const made = await connect()
      made.onGone = () => {
        if (connection === made) drop()
      }
      connection = made
    }
    return connection
  }

  const frameRun: FrameRunPorts = {
    newId,
    monotonic,
    ping: () => (pings += 1),
    drop,
    loadAsset,
    cachedAsset,
    onCloser: (close) => (endCurrent = close),
  }

  async function runNow(run: SandboxRun): Promise<SandboxOutcome> {
    const calledAt = monotonic()
    const finish = (ending: SandboxEnd, since: number): SandboxOutcome => ({
      ...ending,
      durationMs: Math.max(0, Math.round(monotonic() - since)),
    })
    if (run.signal.aborted) return finish({ kind: 'stopped' }, calledAt)
    if (disposed) return finish({ kind: 'unavailable', refusal: makeModelMessage('run.closed') }, calledAt)
    try {
      const frame = await connected()
      if (run.signal.aborted) return finish({ kind: 'stopped' }, calledAt)
      const startedAt = monotonic()
      return finish(await runInFrame(frame, run, frameRun), startedAt)
    } catch {
      drop()
      return finish({ kind: 'unavailable', refusal: makeModelMessage('run.not-started') }, calledAt)
    }
  }

  async function prepareNow(): Promise<void> {
    if (!disposed) await connected()
  }

  return {
    run(run) {
      if (disposed)
        return Promise.resolve({ kind: 'unavailable', refusal: makeModelMessage('run.closed'), durationMs: 0 })
      let hasStarted = false
      const mine = queue.then(() => {
        hasStarted = true
        return runNow(run)
      })
      queue = mine
      // A run that still waits for its turn ends at once when it is stopped.
      return new Promise((resolve) => {
        const stop = () => {
          if (!hasStarted) resolve({ kind: 'stopped', durationMs: 0 })
        }
        run.signal.addEventListener('abort', stop, { once: true })
        void mine.then(resolve).finally(() => run.signal.removeEventListener('abort', stop))
      })
    },
    prepare() {
      // If preparing failed, the run that needs the frame tries again.
      const mine = queue.then(() => prepareNow()).catch(drop)
      queue = mine
      return mine
    },
    release() {
      if (endCurrent === null) drop()
    },
    dispose() {
      disposed = true
      drop()
      endCurrent?.()
    },
  }
}

export interface FrameSandboxOptions {
  readonly document: Document
  /** The address of public/sandbox.html. */
  readonly src: string
  readonly loadAsset: LoadAsset
  readonly limits: PoolLimits
}

/** The sandbox of a page: opaque-origin frames of `src`, added to `document` when needed, one per run. */
export function createFrameSandbox({ document, src, loadAsset, limits }: FrameSandboxOptions): Sandbox {
  const shared = createAssetCache(loadAsset)
  const openLane = () =>
    createSandbox({
      connect: () => connectFrame(document, src, sandboxTimes.frameStart),
      loadAsset: (name, onBytes) =>
        isPythonAsset(name) || isPackageAsset(name) ? loadAsset(name, onBytes) : shared(name),
      newId: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
      monotonic: monotonicClock,
    })
  return createSandboxPool(openLane, limits)
}
