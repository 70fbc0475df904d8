import type { FrameOpen, HostToRelay, RelayToHost } from './frame/protocol'

/** A line to a started sandbox frame. */
export interface FrameConnection {
  post(message: HostToRelay): void
  /** The one receiver of messages; replaced for each run. */
  onMessage: (message: RelayToHost) => void
  /** Told once, when the frame’s process ended by itself. Browsers that tell of no closed port never do. */
  onGone: () => void
  /** Removes the frame, and with it everything that runs in it. */
  close(): void
}

/**
 * Puts the sandbox frame into the page and waits until its relay is ready. The frame has an opaque origin, is not seen,
 * not focusable, and is believed only if the word comes from its own window. Rejects after `timeoutMs`.
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
    const giveUp = view.setTimeout(() => {
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
      // The frame's origin is opaque, so that no narrower target than '*' exists; the message goes to that one window.
      frame.contentWindow?.postMessage(open, '*', [theirs])
    }

    const connection: FrameConnection = {
      post: (message) => port.postMessage(message),
      onMessage: (message) => {
        if (message.type !== 'ready') return
        view.clearTimeout(giveUp)
        resolve(connection)
      },
      onGone: () => {},
      close() {
        port.close()
        frame.remove()
      },
    }
    port.onmessage = ({ data }: MessageEvent<RelayToHost>) => connection.onMessage(data)
    // The other end is gone with its process: code that takes all memory ends that one alone.
    port.addEventListener('close', () => connection.onGone())
    view.addEventListener('message', onHello)
    document.body.append(frame)
  })
}
