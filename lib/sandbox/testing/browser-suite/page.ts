import '@/lib/i18n/server-messages'
import { fetchAsset } from '@/lib/sandbox/assets'
import type { DocumentFormat } from '@/lib/base/text/document-formats'
import { createFrameSandbox } from '@/lib/sandbox/frame-sandbox'
import { readDocument } from '@/lib/sandbox/read-document'
import { maxParallelPython } from '@/lib/sandbox/limits'
import type { SandboxEvent, SandboxLanguage, SandboxOutcome, SandboxTools } from '@/lib/sandbox/sandbox'
import { CALLS_AT_ONCE } from '@/lib/shared/calls/click-reasons'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { readOnlyVfs } from '@/lib/vfs/read-only/read-only-vfs'
import { type Vfs, vfsLimits } from '@/lib/vfs/vfs'
import type { JsonObject } from '@/lib/base/json'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { vfsContract } from '@/lib/vfs/vfs.contract'
import { vfsHistoryContract } from '@/lib/vfs/vfs-history.contract'
import { createWorkerVfs, type VfsWorkerPort } from '@/lib/vfs/indexeddb/worker-vfs'
import { deleteConversationFiles } from '@/lib/client/wiring/files/delete-files.browser'
import { createToolRuntime } from '@/lib/client/wiring/tool-runtime.browser'

// Runs in the page of the browser suite, on the app's origin; the runner calls it through the DevTools protocol.

let assetLoads = 0
/** Additional loading time, to simulate a slow network. */
let assetDelayMs = 0

const loadAsset = fetchAsset((url) => fetch(url))

const sandbox = createFrameSandbox({
  document,
  src: '/sandbox.html',
  limits: { runs: CALLS_AT_ONCE, python: maxParallelPython },
  async loadAsset(name, onBytes) {
    assetLoads++
    await wait(assetDelayMs)
    return loadAsset(name, onBytes)
  },
})

/** The longest time between two animation frames of the page, in ms: how responsive it stayed. */
function watchFrames(): () => number {
  let longest = 0
  let last = performance.now()
  let running = true
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (running) requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
  return () => {
    running = false
    return Math.max(longest, performance.now() - last)
  }
}

export interface RunRequest {
  readonly code: string
  readonly language?: SandboxLanguage
  readonly timeoutMs?: number
  readonly stopAfterMs?: number
  /** Removes the sandbox's frame once the code has written a line, to simulate a crash of its process. */
  readonly breaksOnOutput?: boolean
  readonly files?: Readonly<Record<string, string>>
  /** Waits after the run for late messages. */
  readonly settleMs?: number
  readonly assetDelayMs?: number
  /** The files are read-only. */
  readonly readOnly?: boolean
  /** The code may call tools, which take this long. */
  readonly toolMs?: number
}

export interface RunReport {
  readonly outcome: SandboxOutcome
  readonly events: readonly SandboxEvent[]
  readonly files: Readonly<Record<string, string>>
  /** Changes of files during the run and after it. */
  readonly changes: number
  /** Changes of files after the run was over. */
  readonly lateChanges: number
  readonly frameGapMs: number
  readonly wallMs: number
  readonly intact: boolean
  /** Asset loads from the network since the page began. */
  readonly assetLoads: number
}

async function filesOf(vfs: Vfs, folder = '/'): Promise<Record<string, string>> {
  const listed = await vfs.list(folder)
  const found: Record<string, string> = {}
  for (const entry of listed.ok ? listed.value : []) {
    const path = `${folder === '/' ? '' : folder}/${entry.name}`
    const content = entry.kind === 'file' ? await vfs.read(path) : null
    if (content?.ok === true) found[path] = new TextDecoder().decode(content.value.slice(0, 10_000))
    else if (content === null) Object.assign(found, await filesOf(vfs, path))
  }
  return found
}

const isIntact = () =>
  document.title === 'suite' &&
  document.getElementById('marker')?.textContent === 'APPSECRET-dom' &&
  localStorage.getItem('secret') === 'APPSECRET-storage' &&
  Object.keys(Object.prototype).length === 0

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** `echo` returns its arguments after `ms`; the user denies `denied`; `never` is never answered. */
const toolsFor = (ms: number): SandboxTools => ({
  names: ['echo', 'denied', 'never'],
  async call({ name, args }) {
    await wait(name === 'never' ? 60_000 : ms)
    return name === 'denied' ? { ok: false, text: 'The user denied this call.' } : { ok: true, text: args }
  },
})

async function run(request: RunRequest): Promise<RunReport> {
  const vfs = createMemoryVfs({ now: Date.now, limits: { maxFileBytes: 8_000_000 } })
  for (const [path, content] of Object.entries(request.files ?? {}))
    await vfs.write(path, new TextEncoder().encode(content))
  assetDelayMs = request.assetDelayMs ?? 0
  let changes = 0
  vfs.watch(() => changes++)
  const stop = new AbortController()
  if (request.stopAfterMs !== undefined) setTimeout(() => stop.abort(), request.stopAfterMs)
  const events: SandboxEvent[] = []
  const gap = watchFrames()
  const startedAt = performance.now()
  const outcome = await sandbox.run({
    code: request.code,
    ...(request.language !== undefined && { language: request.language }),
    vfs: request.readOnly === true ? readOnlyVfs(vfs) : vfs,
    // If the test is not about time: enough on any machine.
    timeoutMs: request.timeoutMs ?? 60_000,
    signal: stop.signal,
    ...(request.toolMs !== undefined && { tools: toolsFor(request.toolMs) }),
    onEvent(event) {
      events.push(event)
      // With a timer, it might be removed before the code begins, and the run would wait for a new frame.
      if (request.breaksOnOutput === true) for (const frame of document.querySelectorAll('iframe')) frame.remove()
    },
  })
  const wallMs = performance.now() - startedAt
  let lateChanges = 0
  const unwatch = vfs.watch(() => lateChanges++)
  await wait(request.settleMs ?? 20)
  unwatch()
  const files = await filesOf(vfs)
  return { outcome, events, files, changes, lateChanges, frameGapMs: gap(), wallMs, intact: isIntact(), assetLoads }
}

let opened = 0

const openFiles = (conversationId: string, limits: object = {}): Vfs =>
  createWorkerVfs({
    conversationId,
    limits: { ...vfsLimits, ...limits },
    startWorker: () => new Worker('/workers/vfs.js', { type: 'module' }) as VfsWorkerPort,
    openChannel: (name) => new BroadcastChannel(name),
  })

async function runContractCase(name: string): Promise<void> {
  const contractCase = [...vfsContract, ...vfsHistoryContract].find((each) => each.name === name)
  if (contractCase === undefined) throw new Error(`no such case: ${name}`)
  const id = `contract-${++opened}`
  const views: Vfs[] = []
  const open = async (limits?: object) => {
    const vfs = openFiles(id, limits)
    views.push(vfs)
    return vfs
  }
  await contractCase.run({ open, reopen: () => open() })
  for (const view of views) await view.close()
  await deleteConversationFiles(id)
}

const views = new Map<string, Vfs>()
const filesNamed = (id: string): Vfs => {
  const vfs = views.get(id) ?? openFiles(id)
  views.set(id, vfs)
  return vfs
}

async function write(id: string, path: string, content: string, repeat = 1): Promise<string> {
  const result = await filesNamed(id).write(path, new TextEncoder().encode(content.repeat(repeat)))
  return result.ok ? 'ok' : `${result.error.code}: ${result.error.message}`
}

/** Writes files with any bytes, as base64 by path. */
async function write64(id: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, base64] of Object.entries(files)) {
    const result = await filesNamed(id).write(path, bytesOf(base64))
    if (!result.ok) throw new Error(`${path}: ${result.error.message}`)
  }
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

/** Incompressible bytes. */
async function writeRandom(id: string, path: string, bytes: number): Promise<string> {
  const data = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(data.subarray(at, at + 65_536))
  const result = await filesNamed(id).write(path, data)
  return result.ok ? 'ok' : `${result.error.code}: ${result.error.message}`
}

async function read(id: string, path: string): Promise<string> {
  const result = await filesNamed(id).read(path)
  return result.ok ? new TextDecoder().decode(result.value) : result.error.code
}

async function list(id: string, path: string): Promise<readonly string[]> {
  const result = await filesNamed(id).list(path)
  return result.ok ? result.value.map((entry) => entry.name) : [result.error.code]
}

/** Counts changes of a conversation's files that this page receives. */
function countChanges(id: string): { readonly count: () => number } {
  let changes = 0
  filesNamed(id).watch(() => changes++)
  return { count: () => changes }
}

/** One call through everything: registry, executor, sandbox or file worker. */
async function execute(id: string, name: string, args: JsonObject, timeoutMs = 5_000): Promise<CallOutcome> {
  const runtime = await createToolRuntime(id)
  const { signal } = new AbortController()
  const outcome = await runtime.execute(name, args, { timeoutMs, signal, onEvent: () => {} })
  runtime.dispose()
  return outcome
}

interface Shown {
  readonly height: number
  readonly intact: boolean
  /** The frame is still the one that was opened. */
  readonly stayed: boolean
}

export type Markup = string | { readonly svg: string }

/** The frame of /show.html as the product creates it, with its messages. */
function openShown(markup: Markup, hear: (data: Readonly<Record<string, unknown>>) => void): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.src = '/show.html'
  let isSent = false
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== 'null') return
    if (data.type === 'nod-show-hello' && !isSent) {
      isSent = true
      const content = typeof markup === 'string' ? { html: markup } : markup
      frame.contentWindow?.postMessage({ type: 'nod-show', ...content }, '*')
    }
    hear(data)
  })
  document.body.append(frame)
  return frame
}

/** Shows HTML or SVG, and waits for anything that it might load. */
async function show(markup: Markup): Promise<Shown> {
  let hellos = 0
  let loads = 0
  const { frame, height } = await new Promise<{ frame: HTMLIFrameElement; height: number }>((resolve, reject) => {
    const giveUp = setTimeout(() => reject(new Error('the frame did not answer')), 5_000)
    const made = openShown(markup, (data) => {
      if (data['type'] === 'nod-show-hello') hellos++
      if (data['type'] !== 'nod-show-size' && data['type'] !== 'nod-show-broken') return
      clearTimeout(giveUp)
      resolve({ frame: made, height: typeof data['height'] === 'number' ? data['height'] : 0 })
    })
  })
  frame.addEventListener('load', () => loads++)
  await wait(60)
  frame.remove()
  return { height, intact: isIntact(), stayed: hellos === 1 && loads <= 1 }
}

/** Shows content that is too expensive to draw, for a while: counts how often the page ran and the frame answered. */
async function holdUp(svg: string, forMs: number): Promise<{ readonly ticks: number; readonly answers: number }> {
  let answers = 0
  let ticks = 0
  const frame = await new Promise<HTMLIFrameElement>((resolve) => {
    const made = openShown({ svg }, ({ type }) => {
      if (type === 'nod-show-hello') resolve(made)
      else answers++
    })
  })
  const beat = setInterval(() => {
    ticks++
    frame.contentWindow?.postMessage({ type: 'nod-show-ping', n: ticks }, '*')
  }, 100)
  await wait(forMs)
  clearInterval(beat)
  frame.remove()
  // As in the product: releasing the last frame ends a process that hangs.
  sandbox.release?.()
  return { ticks, answers }
}

/** As in the product: a separate frame for documents. */
const readers = createFrameSandbox({ document, src: '/sandbox.html', limits: { runs: 1, python: 0 }, loadAsset })

/**
 * Reads a document, its bytes as base64; returns the text of its parts, or why there are none. `gapMs`: how responsive
 * the page stayed.
 */
async function read64(format: DocumentFormat, base64: string) {
  const data = bytesOf(base64)
  const frames = watchFrames()
  const text = await readDocument(readers, { format, data }, new AbortController().signal)
  const gapMs = frames()
  return text.ok
    ? { gapMs, cut: text.value.cut, texts: text.value.parts.map((part) => part.text), intact: isIntact() }
    : { gapMs, error: text.error.message, intact: isIntact() }
}

localStorage.setItem('secret', 'APPSECRET-storage')
const suite = {
  show,
  holdUp,
  run,
  /** Started at once. */
  runTogether: (requests: readonly RunRequest[]) => Promise.all(requests.map(run)),
  runContractCase,
  write,
  write64,
  writeRandom,
  read,
  list,
  filesOf: (id: string) => filesOf(filesNamed(id)),
  countChanges,
  execute,
  readDocument: read64,
}
Object.assign(globalThis, { suite })

declare global {
  // What the runner calls in the page, and what a case stores there.
  var suite: Suite
  var heard: ReturnType<typeof countChanges>
}
type Suite = typeof suite
