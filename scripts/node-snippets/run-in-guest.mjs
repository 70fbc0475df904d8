// Runs a snippet as the sandbox does, without a browser: the prelude in a Node thread, on the product's own bridge and
// files in memory. `shim` adds what a browser's worker has and a thread lacks.
import { Worker } from 'node:worker_threads'
import { readable } from './run-in-node.mjs'

const shim = `
const { parentPort } = require('node:worker_threads')
const listeners = []
globalThis.self = globalThis
self.postMessage = (message) => parentPort.postMessage(message)
const toEvent = (data) => ({ data })
self.addEventListener = (name, listener) => { if (name === 'message') parentPort.on('message', (data) => listener(toEvent(data))); else listeners.push([name, listener]) }
self.reportError = (thrown) => { for (const [name, listen] of listeners) if (name === 'error') listen({ error: thrown, message: String(thrown), lineno: 0, colno: 0, preventDefault() {} }) }
process.on('uncaughtException', (error) => self.reportError(error))
process.on('unhandledRejection', (reason) => { for (const [name, listen] of listeners) if (name === 'unhandledrejection') listen({ reason, preventDefault() {} }) })
self.FileReaderSync = class { readAsArrayBuffer(blob) { return blob.bytes.buffer } }
for (const name of ['process', 'Buffer', 'require', 'module', 'exports', '__filename', '__dirname', 'setImmediate', 'clearImmediate', 'global']) Reflect.deleteProperty(globalThis, name)
`

/** A Blob that a thread can read synchronously: it replaces those of a snapshot in transit. */
async function readableNow(answer) {
  if (!answer.ok || answer.value === null || typeof answer.value !== 'object' || !('blobs' in answer.value))
    return answer
  const blobs = await Promise.all(
    answer.value.blobs.map(async (blob) => ({ bytes: new Uint8Array(await blob.arrayBuffer()) })),
  )
  return { ok: true, value: { ...answer.value, blobs } }
}

/**
 * @param {{ prelude: string, assets: Record<string, string | Uint8Array>, createBridge: (vfs: any) => any }} product
 * @param {{ code: string, vfs: any, timeoutMs?: number }} run
 */
export async function runGuest({ prelude, assets, createBridge }, { code, vfs, timeoutMs = 10_000 }) {
  const worker = new Worker(`${shim}\n;${prelude}`, { eval: true })
  const bridge = createBridge(vfs)
  const lines = []
  const end = Promise.withResolvers()
  const timer = setTimeout(() => end.resolve({ ok: false, text: 'timed out', isJson: false }), timeoutMs)
  worker.on('error', (error) => end.resolve({ ok: false, text: String(error.stack ?? error), isJson: false }))
  worker.on('message', async (message) => {
    if (message.type === 'log') lines.push(...message.lines)
    else if (message.type === 'asset') {
      const asset = assets[message.name]
      const bytes = asset === undefined ? null : new Uint8Array(Buffer.from(asset))
      worker.postMessage({ type: 'asset', id: message.id, bytes })
    } else if (message.type === 'call') {
      const answer = await readableNow(await bridge.call(message.op, message.args))
      worker.postMessage({ type: 'answer', id: message.id, answer })
    } else if (message.type === 'done') end.resolve(message)
  })
  worker.postMessage({ type: 'run', code })
  const done = await end.promise
  clearTimeout(timer)
  bridge.close()
  await worker.terminate()
  await bridge.idle()
  return { done, lines }
}

const errorLevels = new Set(['warn', 'error'])
const joined = (lines) => (lines.length === 0 ? '' : `${lines.map(([, text]) => text).join('\n')}\n`)

/** The same shape as `runInNode` returns. `lines` are [level, text]. */
export function outcomeOf({ done, lines, files }) {
  const firstLine = done.text.split('\n')[0]
  return {
    value: done.ok ? (done.isJson ? JSON.parse(done.text) : undefined) : undefined,
    threw: done.ok ? null : firstLine,
    out: joined(lines.filter(([level]) => !errorLevels.has(level))),
    err: joined(lines.filter(([level]) => errorLevels.has(level))),
    files,
  }
}

/** All of a Vfs, as `runInNode` returns it. */
export async function filesOfVfs(vfs) {
  const tree = await vfs.tree('/')
  const found = {}
  for (const { path, kind } of tree.value) {
    found[path] = kind === 'directory' ? null : readable((await vfs.read(path)).value)
  }
  return found
}
