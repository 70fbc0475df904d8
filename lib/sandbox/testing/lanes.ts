import { budgetOf } from '../limits'
import { createRelay, type RelayWorker } from '../frame/relay'
import type { FrameConnection } from '../frame-run'
import { createSandbox } from '../frame-sandbox'
import type { Sandbox } from '../sandbox'

/*
 * The real sandbox and the real relay, without a browser: only the worker is simulated. It returns the code as its
 * value when the test lets it finish; nothing here runs in parallel by itself.
 */

interface Frame {
  isOpen: boolean
  isDeaf: boolean
  worker: PlayedWorker | null
}

interface PlayedWorker {
  code: string
  readonly end: () => void
  readonly callTool: () => void
}

export function openLanes(monotonic: () => number = () => Date.now()) {
  const frames: Frame[] = []
  let ids = 0

  function connect(): Promise<FrameConnection> {
    const frame: Frame = { isOpen: true, isDeaf: false, worker: null }
    frames.push(frame)
    const connection: FrameConnection = {
      onGone: () => {},
      onMessage: () => {},
      post(message) {
        if (!frame.isOpen || (frame.isDeaf && message.type === 'kill')) return
        queueMicrotask(() => relay(message))
      },
      close() {
        frame.isOpen = false
        frame.worker = null
      },
    }
    const startWorker = (): RelayWorker => {
      const worker: RelayWorker = {
        onmessage: null,
        onmessageerror: null,
        onerror: null,
        postMessage(message) {
          // Its thread is always free.
          if (message.type === 'idle') return worker.onmessage?.({ data: message })
          if (message.type !== 'run') return
          const end = () =>
            worker.onmessage?.({ data: { type: 'done', ok: true, text: JSON.stringify(message.code), isJson: true } })
          const callTool = () => worker.onmessage?.({ data: { type: 'tool', id: 1, name: 'ask_user', args: '{}' } })
          frame.worker = { code: message.code, end, callTool }
        },
        terminate: () => void (frame.worker = null),
      }
      // A language that has to start reports when it has.
      queueMicrotask(() => worker.onmessage?.({ data: { type: 'ready' } }))
      return worker
    }
    const relay = createRelay({
      startWorker,
      post: (message) => queueMicrotask(() => frame.isOpen && connection.onMessage(message)),
      budget: budgetOf,
    })
    return Promise.resolve(connection)
  }

  const frameOf = (code: string): Frame => {
    const found = frames.find(({ worker }) => worker?.code === code)
    if (!found) throw new Error(`${code} does not run`)
    return found
  }

  return {
    open: (): Sandbox =>
      createSandbox({
        connect,
        loadAsset: () => Promise.reject(new Error('no assets here')),
        newId: () => `run-${(ids += 1)}`,
        monotonic,
      }),
    frames: (): readonly { readonly isOpen: boolean }[] => frames.map(({ isOpen }) => ({ isOpen })),
    /** The codes that run right now, by frame. */
    running: (): readonly string[] => frames.flatMap(({ worker }) => (worker ? [worker.code] : [])),
    finish: (code: string): void => frameOf(code).worker?.end(),
    /** It calls `ask_user` and waits. */
    callTool: (code: string): void => frameOf(code).worker?.callTool(),
    /** Its frame is gone and receives no kill. */
    deafen: (code: string): void => void (frameOf(code).isDeaf = true),
  }
}
