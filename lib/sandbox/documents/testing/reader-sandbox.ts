import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { type Sandbox, type SandboxEnd, type SandboxRun } from '../../sandbox'
import { isReaderName, readerAssets } from '../../document-assets'
import type { RelayToWorker, WorkerToRelay } from '../../frame/protocol'
import { createVfsBridge } from '../../vfs-bridge'
import { bundleLibrary } from '@/scripts/build-sandbox.mjs'
import { cMapSources } from '@/scripts/pdf-reader.mjs'

const bundles = new Map<string, Promise<string>>()

function bundleOf(asset: string): Promise<string> {
  const known = bundles.get(asset) ?? bundleLibrary(asset.replace(/\.js$/, '.ts'))
  bundles.set(asset, known)
  return known
}

/** What browser workers have and Node workers lack. */
const shim = `
const { parentPort } = require('node:worker_threads')
globalThis.self = globalThis
globalThis.postMessage = (message) => parentPort.postMessage(message)
globalThis.addEventListener = (type, listener) => parentPort.on('message', (data) => listener({ data }))
console.warn = console.log = () => {}
`

async function tableOf(name: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const sources: Readonly<Record<string, string>> = await cMapSources()
  const source = Object.entries(sources).find(([file]) => path.basename(file) === name)?.[1]
  return source === undefined ? null : new Uint8Array(await readFile(source))
}

async function runReader(run: SandboxRun): Promise<SandboxEnd> {
  const { language = 'javascript', code, vfs, timeoutMs, signal, onEvent } = run
  if (!isReaderName(language)) throw new Error(`no reader: ${language}`)
  const source = shim + (await bundleOf(readerAssets[language]))
  const worker = new Worker(source, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 1_500 } })
  const bridge = createVfsBridge(vfs)
  const send = (message: RelayToWorker) => worker.postMessage(message)
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    return await new Promise<SandboxEnd>((resolve) => {
      const onAbort = () => resolve({ kind: 'stopped' })
      signal.addEventListener('abort', onAbort, { once: true })
      worker.on('error', (error: Error) => resolve({ kind: 'threw', message: error.message }))
      worker.on('message', (message: WorkerToRelay) => {
        if (message.type === 'ready') {
          timer = setTimeout(() => resolve({ kind: 'timed-out' }), timeoutMs)
          onEvent({ type: 'began', atMs: 0 })
          send({ type: 'run', code })
        } else if (message.type === 'call')
          void bridge.call(message.op, message.args).then((answer) => send({ type: 'answer', id: message.id, answer }))
        else if (message.type === 'asset')
          void tableOf(message.name).then((bytes) => send({ type: 'asset', id: message.id, bytes }))
        else if (message.type === 'show') onEvent({ type: 'display', kind: message.kind, data: message.data, atMs: 0 })
        else if (message.type === 'done') resolve({ kind: 'returned', value: message.text, valueIsJson: true })
      })
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

/** A sandbox in which the page's scripts read documents, in Node workers. */
export const createReaderSandbox = (): Sandbox => ({
  run: async (run) => ({ ...(await runReader(run)), durationMs: 0 }),
  dispose: () => {},
})
