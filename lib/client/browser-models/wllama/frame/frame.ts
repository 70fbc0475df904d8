import type { FrameMessage, FrameStart } from '../protocol'

// The frame around the model's worker, built into public/wllama.html. Its response has `Document-Isolation-Policy`, so
// only the frame, and with it the worker, is isolated from other origins: threads share memory there, and the page
// stays as it is. Browsers that do not know that header give the worker one thread.

const { parent, location } = globalThis.window
let isStarted = false

globalThis.addEventListener('message', ({ source, origin, data, ports }: MessageEvent<FrameStart>) => {
  const [port] = ports
  if (isStarted || source !== parent || origin !== location.origin || port === undefined) return
  isStarted = true
  const say = (message: FrameMessage) => port.postMessage(message)
  const worker = new Worker(data.worker, { type: 'module' })
  worker.onmessage = ({ data: message }) => port.postMessage(message)
  worker.onerror = (event) => {
    event.preventDefault()
    say({ frame: 'broken', message: event.message ?? '' })
  }
  say({ frame: 'started' })
  port.onmessage = ({ data: request }) => worker.postMessage(request)
})
