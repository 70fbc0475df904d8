import { pythonAssets } from '../../python-assets'
import type { RelayToWorker } from '../protocol'
import type { RelayWorker } from '../relay'
import type { FrameToPython } from './start-interpreter'

/** A browser's Worker. */
export interface RealWorker extends Omit<RelayWorker, 'postMessage'> {
  postMessage(message: FrameToPython, transfer?: Transferable[]): void
}

export interface PythonWorkersPorts {
  readonly open: (source: Uint8Array<ArrayBuffer>) => RealWorker
  readonly compile: (wasm: Uint8Array<ArrayBuffer>) => Promise<WebAssembly.Module>
}

/** What every Python worker of this frame starts from. */
interface Loaded {
  readonly worker: Uint8Array<ArrayBuffer>
  readonly script: Uint8Array<ArrayBuffer>
  readonly module: WebAssembly.Module
  readonly stdlib: Uint8Array<ArrayBuffer>
}

const notLoaded = 'Python could not be loaded. Check the network, then run the call again.'

const isSnapshot = (data: unknown): data is { readonly snapshot: Uint8Array<ArrayBuffer> } =>
  typeof data === 'object' &&
  data !== null &&
  (data as { type?: unknown }).type === 'snapshot' &&
  (data as { snapshot?: unknown }).snapshot instanceof Uint8Array

/**
 * Creates the workers that run Python, one per run, for the relay. Their files are requested from the page at the first
 * run and cached. The first interpreter takes seconds to start. Its memory, captured before any untrusted code is in
 * its worker, is what all later ones start from: they are equally clean, and ready in a fraction of the time.
 */
export function createPythonWorkers({ open, compile }: PythonWorkersPorts): () => RelayWorker {
  let loaded: Promise<Loaded> | null = null
  let snapshot: Uint8Array<ArrayBuffer> | null = null

  return () => {
    let real: RealWorker | null = null
    let isOver = false
    let hasCode = false
    /** By negative ids: the worker numbers its own requests. */
    const asked = new Map<number, (bytes: Uint8Array<ArrayBuffer> | null) => void>()

    const ask = (name: string) =>
      new Promise<Uint8Array<ArrayBuffer>>((resolve, reject) => {
        const id = -1 - asked.size
        asked.set(id, (bytes) => (bytes === null ? reject(new Error(name)) : resolve(bytes)))
        worker.onmessage?.({ data: { type: 'asset', id, name } })
      })

    async function load(): Promise<Loaded> {
      const [source, script, wasm, stdlib] = await Promise.all([
        ask(pythonAssets.worker),
        ask(pythonAssets.script),
        ask(pythonAssets.wasm),
        ask(pythonAssets.stdlib),
      ])
      return { worker: source, script, stdlib, module: await compile(wasm) }
    }

    async function start(): Promise<void> {
      const mine = (loaded ??= load())
      let parts: Loaded
      try {
        parts = await mine
      } catch {
        if (loaded === mine) loaded = null
        if (!isOver) worker.onerror?.({ message: notLoaded })
        return
      }
      if (isOver) return
      const { worker: source, ...rest } = parts
      real = open(source)
      real.onmessage = ({ data }) => {
        // Trust only what was sent while there was no untrusted code: the next runs start from it.
        if (isSnapshot(data)) snapshot ??= hasCode ? null : data.snapshot
        else worker.onmessage?.({ data })
      }
      real.onmessageerror = (event) => worker.onmessageerror?.(event)
      real.onerror = (event) => worker.onerror?.(event)
      real.postMessage({ type: 'start', ...rest, snapshot })
    }

    const worker: RelayWorker = {
      postMessage(message: RelayToWorker, transfer?: Transferable[]) {
        const mine = message.type === 'asset' ? asked.get(message.id) : undefined
        if (message.type === 'asset' && mine !== undefined) return mine(message.bytes)
        if (message.type === 'run') hasCode = true
        real?.postMessage(message, transfer)
      },
      terminate() {
        isOver = true
        real?.terminate()
        // An interrupted load never finishes; the next run requests it again.
        if (real === null) loaded = null
      },
      onmessage: null,
      onmessageerror: null,
      onerror: null,
    }
    // The relay sets its handlers first.
    queueMicrotask(() => void start())
    return worker
  }
}
