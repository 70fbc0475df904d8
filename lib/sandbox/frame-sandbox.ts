import { createAssetCache, isSandboxAsset, type LoadAsset } from './assets'
import { createDeadline, type Deadline } from './deadline'
import { connectFrame, type FrameConnection } from './frame-connection'
import type { DisplayKind, RelayToHost, RunEnd } from './frame/protocol'
import { sandboxTimes } from './limits'
import { isPythonAsset } from './python-assets'
import { createPythonProgress } from './python-progress'
import { createSandboxPool, type PoolLimits } from './sandbox-pool'
import type { Sandbox, SandboxEvent, SandboxEnd, SandboxOutcome, SandboxRun } from './sandbox'
import { parseTable } from './table-data'
import { createVfsBridge } from './vfs-bridge'

/** What a sandbox needs of the world; `createFrameSandbox` takes it from a document. */
export interface FrameSandboxPorts {
  readonly connect: () => Promise<FrameConnection>
  /** Asked only for names of `sandboxAssets`, and again only when it failed. */
  readonly loadAsset: LoadAsset
  /** Unguessable and new each time. */
  readonly newId: () => string
  /** Milliseconds from any fixed point. */
  readonly now: () => number
}

const gone =
  'The sandbox stopped answering: the code took too much memory or sent too much. A new one is ready: try again.'
const closed = 'The sandbox was closed.'
const startedLate =
  'The language did not start in time: its files could not be loaded. Check the network, then try again.'
const notStarted = 'The sandbox did not start. Reload the page; if that does not help, an extension may block frames.'

const isImage = (data: string) => /^data:image\/[a-z0-9.+-]+[;,]/i.test(data)

const isWhatItClaims = (kind: DisplayKind, data: string) =>
  kind === 'image' ? isImage(data) : kind === 'table' ? parseTable(data) !== null : true

const endOf = (end: RunEnd): SandboxEnd => {
  switch (end.kind) {
    case 'returned':
      return { kind: 'returned', value: end.text, valueIsJson: end.isJson }
    case 'threw':
      return { kind: 'threw', message: end.text }
    case 'flooded':
      return { kind: 'flooded', message: end.text }
  }
}

/** True when the frame answers in time. */
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
 * Runs code in a sandbox frame, one run at a time. The frame is made at the first run, checked before each, and made
 * again when it is dead.
 */
export function createSandbox({ connect, loadAsset, newId, now }: FrameSandboxPorts): Sandbox {
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
    if (connection !== null && !(await isAlive(connection, ++pings))) drop()
    connection ??= await connect()
    return connection
  }

  function runIn(frame: FrameConnection, asked: SandboxRun, startedAt: number) {
    const { code, language = 'javascript', vfs, timeoutMs, signal, onEvent } = asked
    return new Promise<SandboxEnd>((resolve) => {
      const run = newId()
      const bridge = createVfsBridge(vfs)
      let ending: SandboxEnd | null = null
      let killAs: SandboxEnd | null = null
      let killTimer: ReturnType<typeof setTimeout> | undefined
      let unanswered = 0

      const emit = (event: SandboxEvent) => {
        if (ending === null && killAs === null) onEvent(event)
      }
      const atMs = () => Math.max(0, Math.round(now() - startedAt))

      const settle = (outcome: SandboxEnd) => {
        deadline?.clear()
        clearTimeout(startTimer)
        clearTimeout(killTimer)
        clearInterval(heart)
        signal.removeEventListener('abort', stop)
        bridge.close()
        endCurrent = null
        frame.onMessage = () => {}
        resolve(outcome)
      }
      // From here on nothing of this run has an effect: events, calls and answers are dropped.
      const kill = (as: SandboxEnd) => {
        if (killAs !== null) return
        if (ending !== null) return settle(ending)
        killAs = as
        bridge.close()
        frame.post({ type: 'kill', run })
        killTimer = setTimeout(() => {
          drop()
          settle(as)
        }, sandboxTimes.killAck)
      }
      const stop = () => kill({ kind: 'stopped' })
      const startClock = () => {
        clearTimeout(startTimer)
        deadline = createDeadline({
          limitMs: timeoutMs,
          maxPauseMs: sandboxTimes.assetPause,
          now,
          onEnd: () => kill({ kind: 'timed-out' }),
        })
      }
      const startedTooLate = () => kill({ kind: 'unavailable', message: startedLate })
      let deadline: Deadline | null = null
      let startTimer: ReturnType<typeof setTimeout> | undefined
      if (language === 'javascript') startClock()
      else startTimer = setTimeout(startedTooLate, sandboxTimes.languageStart)
      const heart = setInterval(() => {
        if (++unanswered > 2) {
          drop()
          settle({ kind: 'unavailable', message: gone })
        } else frame.post({ type: 'ping', n: ++pings })
      }, sandboxTimes.pong)

      const answer = async ({ id, op, args }: RelayToHost & { type: 'call' }) => {
        const given = await bridge.call(op, args)
        if (ending === null && killAs === null) frame.post({ type: 'answer', run, id, answer: given })
      }

      const progress = createPythonProgress((text) => emit({ type: 'progress', text, atMs: atMs() }))
      // Not kept here: the frame keeps them, and a new frame gets them from the browser's own cache.
      const loadPython = async (name: string) => {
        const bytes = await loadAsset(name, (loaded) => progress.add(name, loaded))
        progress.loaded(name)
        return bytes
      }
      const handOver = async ({ id, name }: RelayToHost & { type: 'asset' }) => {
        const clock = deadline
        clock?.pause()
        const bytes = isSandboxAsset(name)
          ? await (isPythonAsset(name) ? loadPython(name) : cachedAsset(name)).catch(() => null)
          : null
        clock?.resume()
        if (ending === null && killAs === null) frame.post({ type: 'asset', run, id, bytes })
      }

      frame.onMessage = (message: RelayToHost) => {
        unanswered = 0
        if (message.type === 'killed' && message.run === run && killAs !== null) return settle(killAs)
        if (!('run' in message) || message.run !== run || ending !== null || killAs !== null) return
        switch (message.type) {
          case 'killed':
            return
          case 'log':
            for (const [level, text] of message.lines) emit({ type: 'console', level, text, atMs: atMs() })
            return
          case 'show': {
            const { data, name } = message
            const kind = isWhatItClaims(message.kind, data) ? message.kind : 'text'
            return emit({ type: 'display', kind, data, ...(name !== undefined && { name }), atMs: atMs() })
          }
          case 'started':
            progress.over()
            return startClock()
          case 'asset':
            return void handOver(message)
          case 'call':
            return void answer(message)
          case 'done': {
            const outcome = endOf(message.end)
            ending = outcome
            // Writes that the code did not wait for are still done before the run counts as over.
            void bridge.idle().then(() => settle(outcome))
          }
        }
      }
      endCurrent = () => settle({ kind: 'unavailable', message: closed })
      signal.addEventListener('abort', stop, { once: true })
      frame.post({ type: 'run', run, code, language })
    })
  }

  async function runNow(run: SandboxRun): Promise<SandboxOutcome> {
    const calledAt = now()
    const finish = (ending: SandboxEnd, since: number): SandboxOutcome => ({
      ...ending,
      durationMs: Math.max(0, Math.round(now() - since)),
    })
    if (run.signal.aborted) return finish({ kind: 'stopped' }, calledAt)
    if (disposed) return finish({ kind: 'unavailable', message: closed }, calledAt)
    try {
      const frame = await connected()
      if (run.signal.aborted) return finish({ kind: 'stopped' }, calledAt)
      const startedAt = now()
      return finish(await runIn(frame, run, startedAt), startedAt)
    } catch {
      drop()
      return finish({ kind: 'unavailable', message: notStarted }, calledAt)
    }
  }

  return {
    run(run) {
      if (disposed) return Promise.resolve({ kind: 'unavailable', message: closed, durationMs: 0 })
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
  /** Where public/sandbox.html is served. */
  readonly src: string
  readonly loadAsset: LoadAsset
  readonly limits: PoolLimits
}

/** The sandbox of a page: opaque-origin frames of `src`, added to `document` when needed, one a run. */
export function createFrameSandbox({ document, src, loadAsset, limits }: FrameSandboxOptions): Sandbox {
  const shared = createAssetCache(loadAsset)
  const openLane = () =>
    createSandbox({
      connect: () => connectFrame(document, src, sandboxTimes.frameStart),
      loadAsset: (name, onBytes) => (isPythonAsset(name) ? loadAsset(name, onBytes) : shared(name)),
      newId: () => crypto.getRandomValues(new Uint32Array(4)).join('-'),
      now: () => performance.now(),
    })
  return createSandboxPool(openLane, limits)
}
