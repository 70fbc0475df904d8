import { monotonicClock, type MonotonicClock } from '@/lib/base/clocks'
import { createAssetCache, type LoadAsset, isPackageAsset } from './assets'
import { makeModelMessage } from '@/lib/i18n/t'
import { runInFrame, type FrameRunPorts, connectFrame, type FrameConnection } from './frame-run'
import { sandboxTimes } from './limits'
import { isPythonAsset } from './python-assets'
import { createSandboxPool, type PoolLimits } from './sandbox-pool'
import type { Sandbox, SandboxEnd, SandboxOutcome, SandboxRun } from './sandbox'

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
