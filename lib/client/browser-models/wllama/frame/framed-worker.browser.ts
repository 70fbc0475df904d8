import type { WllamaWorkerPort } from '../client'
import type { WllamaReply } from '../protocol'
import { isFrameMessage, type FrameMessage, type FrameStart } from './messages'

/** A frame of ours is there at once, or never. */
const FRAME_MS = 20_000

interface Addresses {
  readonly frame: string
  readonly worker: string
}

/** The model's worker, in a frame that is isolated from other origins where the browser knows how. */
export function startFramedWorker(document: Document, { frame: address, worker }: Addresses): WllamaWorkerPort {
  const { port1: here, port2: there } = new MessageChannel()
  const frame = document.createElement('iframe')
  const port: WllamaWorkerPort = {
    postMessage: (message) => here.postMessage(message),
    terminate() {
      clearTimeout(late)
      here.close()
      frame.remove()
    },
    onmessage: null,
    onerror: null,
  }
  const broke = (message: string) => port.onerror?.({ message })
  const late = setTimeout(() => broke('its frame did not load'), FRAME_MS)
  here.onmessage = ({ data }: MessageEvent<FrameMessage | WllamaReply>) => {
    if (!isFrameMessage(data)) return port.onmessage?.({ data })
    clearTimeout(late)
    if (data.frame === 'broken') broke(data.message)
  }
  frame.hidden = true
  frame.src = address
  frame.addEventListener(
    'load',
    () => {
      const start: FrameStart = { worker }
      frame.contentWindow?.postMessage(start, document.location.origin, [there])
    },
    { once: true },
  )
  document.body.append(frame)
  return port
}

/**
 * Two write up to twice as fast as one, as long as nobody takes a core from them: a thread whose fellow has none spins, and both are
 * then slower than one. So they are asked for where cores are left over; where memory can't be shared it is one, whatever is asked.
 */
export const threadsFor = (cores: number | undefined): number => ((cores ?? 1) >= 4 ? 2 : 1)
