import { storageManagerOrNull } from '@/lib/base/features.browser'
import { builtFile } from '@/lib/base/base-path'
import { makeError } from '@/lib/i18n/t'
import { createWllamaClient, createWllamaRunner, type WllamaWorkerPort } from './client'
import type { WeightsSource } from './choice'
import { weightsFile, requestPersistence } from './weights/weights-store'
import { openOpfsStore } from './weights/opfs-store.browser'
import { type WllamaReply, isFrameMessage, type FrameMessage, type FrameStart } from './protocol'

/** A frame of our own loads quickly, or never. */
const FRAME_MS = 20_000

interface Addresses {
  readonly frame: string
  readonly worker: string
}

/** Starts the model's worker in a frame that is isolated from other origins, if the browser supports that. */
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
 * Two threads write up to twice as fast as one, if each has a core: a thread without one delays the other, which spins,
 * and both are then slower than one. So two are requested only if cores are left over. Without shared memory there is
 * one, whatever is requested.
 */
const threadsFor = (cores: number | undefined): number => ((cores ?? 1) >= 4 ? 2 : 1)

/* The page's only engine: a model takes most of the memory that a page may have. */

function createPage() {
  const client = createWllamaClient({
    startWorker: () =>
      startFramedWorker(document, { frame: builtFile('/wllama.html'), worker: builtFile('/workers/wllama.js') }),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
  /** Files that were picked in this page, by name and size. */
  const picked = new Map<string, File>()
  const keyOf = ({ name, size }: { readonly name: string; readonly size: number }) => `${size} ${name}`
  const place = () =>
    openOpfsStore(storageManagerOrNull()).catch((cause: unknown) => {
      throw makeError('unavailable', 'wllama.no-opfs', {}, { cause })
    })
  return {
    client,
    runner: createWllamaRunner(client),
    place,
    /** The requested number; it is one if the browser shares no memory. */
    threads: threadsFor(navigator.hardwareConcurrency),
    /** Asks the browser not to evict weights when space is short; it may refuse. */
    persist: () => requestPersistence(storageManagerOrNull()),
    pick: (file: File) => void picked.set(keyOf(file), file),
    /** @throws {AppError} if it must be picked again, or is no longer stored */
    async file(source: WeightsSource): Promise<File> {
      if (source.kind === 'kept') return weightsFile(await place(), source)
      const file = picked.get(keyOf({ name: source.name, size: source.bytes }))
      if (file === undefined) throw makeError('not-found', 'wllama.pick-again', { name: source.name })
      return file
    },
  }
}

export type WllamaPage = ReturnType<typeof createPage>

let page: WllamaPage | null = null

export const wllamaPage = (): WllamaPage => (page ??= createPage())
