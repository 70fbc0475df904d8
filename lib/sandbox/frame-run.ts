import type { MonotonicClock } from '@/lib/base/clocks'
import { isSandboxAsset, type LoadAsset, isPackageAsset } from './assets'
import { createDeadline, type Deadline, createToolRequests } from './deadline'
import type { DisplayKind, RelayToHost, RunEnd, FrameOpen, HostToRelay } from './frame/protocol'
import { sandboxTimes } from './limits'
import { isPythonAsset } from './python-assets'
import { makeModelMessage } from '@/lib/i18n/t'
import { type SandboxEnd, type SandboxEvent, type SandboxRun, createPythonProgress } from './sandbox'
import { parseTable } from './table-data'
import { createVfsBridge } from './vfs-bridge'

const isImage = (data: string) => /^data:image\/[a-z0-9.+-]+[;,]/i.test(data)

const isWhatItClaims = (kind: DisplayKind, data: string) =>
  kind === 'image' ? isImage(data) : kind === 'table' ? parseTable(data) !== null : true

const endingOf = (end: RunEnd): SandboxEnd => {
  switch (end.kind) {
    case 'returned':
      return { kind: 'returned', value: end.text, valueIsJson: end.isJson }
    case 'threw':
      return { kind: 'threw', message: end.text }
    case 'flooded':
      return { kind: 'flooded', refusal: makeModelMessage('run.flooded', { what: end.of }) }
  }
}

const shownBy = ({ kind, data, name }: RelayToHost & { type: 'show' }) => ({
  kind: isWhatItClaims(kind, data) ? kind : ('text' as const),
  data,
  ...(name !== undefined && { name }),
})

/** Pings the frame at a steady pace, and gives it up after two unanswered pings. */
function createHeartbeat(frame: FrameConnection, ping: () => number, onSilence: () => void) {
  let unanswered = 0
  const timer = setInterval(() => {
    if (++unanswered > 2) onSilence()
    else frame.post({ type: 'ping', n: ping() })
  }, sandboxTimes.heartbeat)
  return {
    answered: () => {
      unanswered = 0
    },
    stop: () => clearInterval(timer),
  }
}

export interface FrameRunPorts {
  readonly newId: () => string
  readonly monotonic: MonotonicClock
  /** The number of the next ping. */
  readonly ping: () => number
  /** Removes a dead frame; the next run gets a new one. */
  readonly drop: () => void
  readonly loadAsset: LoadAsset
  /** The same, cached for the next run. */
  readonly cachedAsset: (name: string) => Promise<Uint8Array<ArrayBuffer>>
  /** Receives the function that ends the run when the sandbox is closed; null once the run is over. */
  readonly onCloser: (close: (() => void) | null) => void
}

/** Runs code in a frame that is connected and idle. Resolves once; later events of the run have no effect. */
export function runInFrame(frame: FrameConnection, request: SandboxRun, ports: FrameRunPorts): Promise<SandboxEnd> {
  const { newId, monotonic, ping, drop, onCloser } = ports
  const startedAt = monotonic()
  const { code, language = 'javascript', vfs, timeoutMs, signal, onEvent, tools } = request
  return new Promise<SandboxEnd>((resolve) => {
    const run = newId()
    const bridge = createVfsBridge(vfs)
    let ending: SandboxEnd | null = null
    let killAs: SandboxEnd | null = null
    let killTimer: ReturnType<typeof setTimeout> | undefined

    const emit = (event: SandboxEvent) => {
      if (ending === null && killAs === null) onEvent(event)
    }
    const atMs = () => Math.max(0, Math.round(monotonic() - startedAt))

    const settle = (outcome: SandboxEnd) => {
      // Unread messages would come before those of the next run, which therefore gets a new frame.
      if (outcome.kind === 'flooded') drop()
      deadline?.clear()
      clearTimeout(startTimer)
      clearTimeout(killTimer)
      heartbeat.stop()
      asks.end()
      signal.removeEventListener('abort', stop)
      bridge.close()
      onCloser(null)
      frame.onMessage = () => {}
      frame.onGone = drop
      resolve(outcome)
    }
    // From here on, events, calls and answers of this run are dropped.
    const kill = (as: SandboxEnd) => {
      if (killAs !== null) return
      if (ending !== null) return settle(ending)
      killAs = as
      bridge.close()
      asks.end()
      frame.post({ type: 'kill', run })
      killTimer = setTimeout(() => {
        drop()
        settle(as)
      }, sandboxTimes.killAck)
    }
    const stop = () => kill({ kind: 'stopped' })
    const startClock = () => {
      clearTimeout(startTimer)
      emit({ type: 'began', atMs: atMs() })
      deadline = createDeadline({
        limitMs: timeoutMs,
        maxPauseMs: language === 'python' ? sandboxTimes.packagesPause : sandboxTimes.maxPause,
        monotonic,
        onEnd: () => kill({ kind: 'timed-out' }),
      })
    }
    const startedTooLate = () => kill({ kind: 'unavailable', refusal: makeModelMessage('run.started-late') })
    let deadline: Deadline | null = null
    let startTimer: ReturnType<typeof setTimeout> | undefined
    if (language === 'javascript') startClock()
    else startTimer = setTimeout(startedTooLate, sandboxTimes.languageStart)
    const heartbeat = createHeartbeat(frame, ping, () => {
      drop()
      settle({ kind: 'unavailable', refusal: makeModelMessage('run.gone') })
    })

    const asks = createToolRequests(tools, {
      answer: (given) => frame.post({ type: 'tool-answer', run, ...given }),
      askIdle: (n) => frame.post({ type: 'idle', run, n }),
      hold: (isHeld) => deadline?.hold(isHeld),
      onPause: (isPaused) => emit({ type: 'paused', isPaused, atMs: atMs() }),
    })

    const answer = async ({ id, op, args }: RelayToHost & { type: 'call' }) => {
      // The page reads or stores files meanwhile: 100 MB take seconds, in which the code can do nothing.
      const clock = deadline
      clock?.pause()
      const given = await bridge.call(op, args)
      clock?.resume()
      if (ending === null && killAs === null) frame.post({ type: 'answer', run, id, answer: given })
    }

    const progress = createPythonProgress((doing, part) =>
      emit({ type: 'progress', doing, ...(part && { part }), atMs: atMs() }),
    )
    const handOver = async ({ id, name }: RelayToHost & { type: 'asset' }) => {
      const clock = deadline
      clock?.pause()
      const bytes = await bytesOfAsset(name, ports, progress).catch(() => null)
      clock?.resume()
      if (ending === null && killAs === null) frame.post({ type: 'asset', run, id, bytes })
    }

    frame.onMessage = (message: RelayToHost) => {
      heartbeat.answered()
      if (message.type === 'killed' && message.run === run && killAs !== null) return settle(killAs)
      if (!('run' in message) || message.run !== run || ending !== null || killAs !== null) return
      switch (message.type) {
        case 'killed':
          return
        case 'log':
          for (const [level, text] of message.lines) emit({ type: 'console', level, text, atMs: atMs() })
          return
        case 'show':
          return emit({ type: 'display', ...shownBy(message), atMs: atMs() })
        case 'started':
          progress.over()
          return startClock()
        case 'asset':
          return void handOver(message)
        case 'call':
          return void answer(message)
        case 'tool':
          return void asks.call({ id: message.id, name: message.name, args: message.args })
        case 'idle':
          return asks.idle(message.n)
        case 'done': {
          const outcome = endingOf(message.end)
          ending = outcome
          asks.end()
          // Writes that the code did not wait for are still done before the run counts as over.
          void bridge.idle().then(() => settle(outcome))
        }
      }
    }
    frame.onGone = () => {
      drop()
      settle(killAs ?? { kind: 'unavailable', refusal: makeModelMessage('run.out-of-memory') })
    }
    onCloser(() => settle({ kind: 'unavailable', refusal: makeModelMessage('run.closed') }))
    signal.addEventListener('abort', stop, { once: true })
    frame.post({ type: 'run', run, code, language, ...(tools && { tools: tools.names }) })
  })
}

/**
 * Null for a name that code may not request. Python's files and packages are not cached here: the frame or the
 * browser's cache has them, and the list of packages may change.
 */
async function bytesOfAsset(
  name: string,
  { loadAsset, cachedAsset }: FrameRunPorts,
  progress: ReturnType<typeof createPythonProgress>,
) {
  if (!isSandboxAsset(name)) return null
  if (isPackageAsset(name)) {
    progress.packages(1)
    return loadAsset(name).finally(() => progress.packages(-1))
  }
  if (!isPythonAsset(name)) return cachedAsset(name)
  const bytes = await loadAsset(name, (loaded) => progress.add(name, loaded))
  progress.loaded(name)
  return bytes
}

/** A connection to a started sandbox frame. */
export interface FrameConnection {
  post(message: HostToRelay): void
  /** The only receiver of messages; replaced for each run. */
  onMessage: (message: RelayToHost) => void
  /** Called once, if the frame’s process ended by itself. Browsers that do not report closed ports never call it. */
  onGone: () => void
  /** Removes the frame, and with it everything that runs in it. */
  close(): void
}

/**
 * Puts the sandbox frame into the page and waits until its relay is ready. The frame has an opaque origin, is invisible
 * and not focusable, and messages are accepted only from its own window. Rejects after `timeoutMs`.
 */
export function connectFrame(document: Document, src: string, timeoutMs: number): Promise<FrameConnection> {
  const view = document.defaultView
  if (view === null) return Promise.reject(new Error('the page has no window'))
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.setAttribute('allow', '')
  frame.setAttribute('aria-hidden', 'true')
  frame.setAttribute('tabindex', '-1')
  frame.referrerPolicy = 'no-referrer'
  frame.title = 'Sandbox'
  frame.style.cssText = 'position:fixed;left:0;bottom:0;width:1px;height:1px;border:0;opacity:0;pointer-events:none'
  frame.src = src

  return new Promise((resolve, reject) => {
    const { port1: port, port2: theirs } = new MessageChannel()
    const abandon = view.setTimeout(() => {
      view.removeEventListener('message', onHello)
      port.close()
      frame.remove()
      reject(new Error('the frame did not start'))
    }, timeoutMs)

    function onHello(event: MessageEvent): void {
      if (event.source !== frame.contentWindow || event.origin !== 'null') return
      if ((event.data as { type?: unknown } | null)?.type !== 'nod-sandbox-hello') return
      view?.removeEventListener('message', onHello)
      const open: FrameOpen = { type: 'nod-sandbox-open' }
      // The frame's origin is opaque, so no narrower target than '*' is possible; the message goes only to that window.
      frame.contentWindow?.postMessage(open, '*', [theirs])
    }

    const connection: FrameConnection = {
      post: (message) => port.postMessage(message),
      onMessage: (message) => {
        if (message.type !== 'ready') return
        view.clearTimeout(abandon)
        resolve(connection)
      },
      onGone: () => {},
      close() {
        port.close()
        frame.remove()
      },
    }
    port.onmessage = ({ data }: MessageEvent<RelayToHost>) => connection.onMessage(data)
    // The other end is gone with its process: code that uses up all memory ends only that process.
    port.addEventListener('close', () => connection.onGone())
    view.addEventListener('message', onHello)
    document.body.append(frame)
  })
}
