import { Wllama, type WllamaLogger } from '@wllama/wllama/esm/index.js'
import { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'
import { whyItCantRun } from './weights/memory'
import { createEngine, type Tell } from './engine/engine'
import {
  type WllamaAnswers,
  type WllamaWorkerRequest,
  type WllamaFailure,
  type WllamaReply,
  type WllamaRequest,
  wllamaWasm,
} from './protocol'
import { fetchWeights, storeFile, inspectWeights, type FetchPorts } from './weights/fetch-weights'
import { openOpfsStore } from './weights/opfs-store.browser'
import { freeBytes, hostsOfPolicy } from './weights/weights-store'

// The worker that runs a model and downloads its weights. Bundled into /workers/wllama.js by scripts/build-sandbox.mjs;
// its response has its own policy (lib/server/http/response-headers.ts), so that the page's stays closed.

const reply = (message: WllamaReply): void => globalThis.postMessage(message)

/** Listeners for errors that nothing awaits. */
const breakages = new Set<(error: unknown) => void>()
globalThis.addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  for (const tell of breakages) tell(event.reason)
})

const engine = createEngine({
  createLlama(onError) {
    const silent = () => {}
    const error = (...words: readonly unknown[]) => onError(words.map(String).join(' '))
    const logger: WllamaLogger = { debug: silent, log: silent, warn: silent, error }
    const wasm = new URL(wllamaWasm, globalThis.location.href).href
    const llama = new Wllama({ default: wasm }, { logger })
    // Otherwise it would download another build from a foreign host if this browser can't run this one.
    llama.setCompat(null)
    return llama
  },
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  broken: () =>
    new Promise((_, reject) => {
      breakages.clear()
      breakages.add(reject)
    }),
})

/** The policy that this file came with says which hosts it may reach. */
async function allowedHosts(): Promise<readonly string[]> {
  const own = await fetch(globalThis.location.href, { method: 'HEAD' })
  return hostsOfPolicy(own.headers.get('content-security-policy') ?? '')
}

async function fetchPorts(): Promise<FetchPorts> {
  const place = await openOpfsStore(navigator.storage).catch((cause: unknown) => {
    throw makeError('unavailable', 'wllama.no-opfs', {}, { cause })
  })
  return {
    fetch: (address, init) => fetch(address, init),
    place,
    hosts: await allowedHosts(),
    free: () => freeBytes(navigator.storage),
  }
}

function failIfUnable(): void {
  const reason = whyItCantRun(globalThis)
  if (reason !== null) throw makeError('unavailable', reason)
}

async function answer(
  ask: WllamaWorkerRequest,
  tell: Tell,
  signal: AbortSignal,
): Promise<WllamaAnswers[keyof WllamaAnswers]> {
  const onBytes = (done: number, total: number) => tell({ kind: 'bytes', done, total })
  switch (ask.ask) {
    case 'look':
      return inspectWeights(await fetchPorts(), ask.address, signal)
    case 'fetch':
      failIfUnable()
      return fetchWeights(await fetchPorts(), ask.address, onBytes, signal)
    case 'keep':
      return storeFile(await fetchPorts(), ask.file, onBytes, signal)
    case 'load':
      failIfUnable()
      // Threads share memory only if the frame around this worker is isolated from other origins.
      return engine.load(ask.file, ask.windowTokens, globalThis.crossOriginIsolated ? ask.threads : 1, tell)
    case 'write':
      return engine.write(ask.turns, ask.options, tell, signal)
  }
}

const failureOf = (error: unknown): WllamaFailure => {
  const known =
    error instanceof AppError
      ? error
      : makeError('internal', 'wllama.failed', { details: error instanceof Error ? error.message : String(error) })
  return { code: known.code, reason: known.reason, values: known.values, message: known.message }
}

const running = new Map<number, AbortController>()
/** One request at a time: llama.cpp writes one reply at a time, and loading takes all of the memory. */
let last: Promise<unknown> = Promise.resolve()

async function serve(id: number, ask: WllamaWorkerRequest): Promise<void> {
  const stop = new AbortController()
  running.set(id, stop)
  const before = last
  const { promise, resolve } = Promise.withResolvers<void>()
  if (ask.ask === 'load' || ask.ask === 'write') {
    last = promise
    await before
  }
  try {
    stop.signal.throwIfAborted()
    reply({ id, answer: await answer(ask, (notice) => reply({ id, notice }), stop.signal) })
  } catch (error) {
    reply(stop.signal.aborted ? { id, stopped: true } : { id, failed: failureOf(error) })
  } finally {
    running.delete(id)
    resolve()
  }
}

globalThis.onmessage = ({ data }: MessageEvent<WllamaRequest>) => {
  if ('stop' in data) running.get(data.id)?.abort()
  else void serve(data.id, data.ask)
}
