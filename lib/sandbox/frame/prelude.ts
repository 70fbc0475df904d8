import { preludeLimits } from '../limits'
import { compileCode } from './compile-code'
import { showAs, showValue, type DisplayPorts, type Shown } from './display-value'
import { createGuestConsole, formatMessage } from './guest-console'
import {
  createGuestModules,
  createGuestAssets,
  startNode,
  mentionsFiles,
  withoutTexts,
  createGuestTools,
  ToolError,
} from './guest-modules'
import type { PreparedEntry } from './modules/module-registry'
import type { GuestNode } from './node/guest-node'
import type { Chart, ChartPorts } from './charts/render-chart'
import {
  type Answer,
  type RelayToWorker,
  type WorkerToRelay,
  createHostCalls,
  createToolCalls,
  type CallHost,
} from './protocol'
import {
  runValueText,
  describeThrown,
  codeName,
  wrapperLines,
  type CodeLocation,
  type FrameContext,
} from './format-value'
import { handIn, notKept, takeSnapshot, absolute, filesOfSnapshot, nearestNames, readNamed } from './run-files'

// Runs first in the worker of a run, in the same realm as the untrusted code. Nothing here is a security boundary: the
// code may forge every message and change every object. The boundary is the frame's origin, its CSP and the relay's
// budget; a compromised prelude can only misreport the run of its own code.

interface ChartAsset {
  readonly renderChart: (spec: unknown, ports: ChartPorts) => Promise<Chart>
}

const post = self.postMessage.bind(self)
const send = (message: WorkerToRelay) => post(message)
type Callable = (...values: readonly unknown[]) => Promise<unknown>
const AsyncFunction = (async () => {}).constructor as new (...parts: readonly string[]) => Callable

const named = (body: string, name = codeName) => `${body}\n//# sourceURL=${name}`

/** The position of the code in what the engine runs. */
let frame: FrameContext = { offset: 0, shift: null }

/** Node's files and APIs, for code that mentions files. */
let node: GuestNode | null = null
/** The code called exit: nothing that it does afterwards counts. */
let hasExited = false

const guestConsole = createGuestConsole({
  // Node code prints as in Node.
  format: (values) => (node === null ? formatMessage(values) : node.format(...values)),
  send(lines) {
    if (!hasExited) send({ type: 'log', lines })
  },
  // Not the code’s own timers, which the run waits for.
  later: (task) => worldTimers.setTimeout(task, 30),
  monotonic: () => performance.now(),
})

const hostCalls = createHostCalls(send)
const toolCalls = createToolCalls(send)
const underWay = new Set<Promise<Answer>>()

const callHost: CallHost = (op, args) => {
  const call = hostCalls.callHost(op, args)
  underWay.add(call)
  void call.then(() => underWay.delete(call))
  return call
}

const assets = createGuestAssets((id, name) => send({ type: 'asset', id, name }))

let handed: ReturnType<typeof takeSnapshot> | null = null

/** Reads a file that a chart names. */
async function readText(path: string): Promise<string> {
  return readNamed(node?.files ?? filesOfSnapshot(await (handed ??= takeSnapshot(callHost))), path)
}

const displayPorts: DisplayPorts = {
  async chart(spec) {
    const { renderChart } = await assets.load<ChartAsset>('vega.js')
    const { svg, warnings } = await renderChart(spec, {
      readText,
    })
    for (const warning of warnings) guestConsole.write('warn', `display.chart: ${warning}`)
    return svg
  },
  toDataUrl: (blob) =>
    new Promise((resolve, reject) => {
      const reader = new FileReader()
      reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '')
      reader.onerror = () => reject(reader.error ?? new Error('the image could not be read'))
      reader.readAsDataURL(blob)
    }),
  drawing(value) {
    if (typeof OffscreenCanvas === 'undefined') return null
    if (value instanceof OffscreenCanvas) return value.convertToBlob()
    const isBitmap = typeof ImageBitmap !== 'undefined' && value instanceof ImageBitmap
    if (!isBitmap && !(typeof ImageData !== 'undefined' && value instanceof ImageData)) return null
    const canvas = new OffscreenCanvas(value.width, value.height)
    const pen = canvas.getContext('2d')
    if (value instanceof ImageData) pen?.putImageData(value, 0, 0)
    else pen?.drawImage(value, 0, 0)
    return canvas.convertToBlob()
  },
}

let shown = 0
let shownCharacters = 0
let showing: Promise<void> = Promise.resolve()

async function show(making: Promise<Shown>, name: string | undefined, before: Promise<void>): Promise<void> {
  // A failure is reported in order; this avoids an unhandled rejection until then.
  making.catch(() => {})
  // In the order of the calls, though a canvas takes longer than a text.
  await before
  try {
    const { kind, data } = await making
    shownCharacters += data.length
    if (++shown > preludeLimits.displays) throw new Error(`at most ${preludeLimits.displays} things are shown a run`)
    if (shownCharacters > preludeLimits.displayCharacters) throw new Error('it is too large to be shown')
    send({ type: 'show', kind, data, ...(name !== undefined && { name }) })
  } catch (thrown) {
    guestConsole.write('error', `display: ${describeThrown(thrown, frame)}`)
  }
}

const showNext = (making: Promise<Shown>, name?: string): Promise<void> => (showing = show(making, name, showing))

/**
 * `display.chart(spec, { name: 'sales' })`: shows a value as the named kind, with an optional name for its download.
 */
const displayAs =
  (kind: 'chart' | 'table' | 'html' | 'svg') =>
  (value: unknown, options?: { readonly name?: unknown }): Promise<void> =>
    showNext(showAs(kind, value, displayPorts), typeof options?.name === 'string' ? options.name : undefined)

const display = Object.assign(
  (...values: readonly unknown[]): Promise<void> => {
    for (const value of values) void showNext(showValue(value, displayPorts))
    return showing
  },
  { chart: displayAs('chart'), table: displayAs('table'), html: displayAs('html'), svg: displayAs('svg') },
)

const noNetwork = () =>
  Promise.reject(new Error('There is no network here. Files of this chat are read with `fs.readFileSync`.'))

const provided: Readonly<Record<string, unknown>> = {
  console: guestConsole.api,
  display,
  fetch: noNetwork,
}
const provide = (values: Readonly<Record<string, unknown>>) => {
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(self, name, { value, configurable: true, writable: true })
}
provide(provided)
// Nothing is lost: a nested worker would have no fs and no console, and would only take time to stop.
Reflect.deleteProperty(self, 'Worker')

/** The position of a SyntaxError, which only an error event reports. */
let syntaxPlace: CodeLocation | null = null
let isLocating = false

self.addEventListener('error', (event) => {
  event.preventDefault()
  if (isLocating) {
    // The file that it names is the prelude; the line is the one in the code.
    syntaxPlace = { line: event.lineno, column: event.colno }
    return
  }
  if (!hasExited) guestConsole.write('error', `Uncaught ${describeThrown(event.error ?? event.message, frame)}`)
})
self.addEventListener('unhandledrejection', (event) => {
  event.preventDefault()
  if (!hasExited) guestConsole.write('error', `Uncaught (in promise) ${describeThrown(event.reason, frame)}`)
})

function compiles(body: string): boolean {
  try {
    return typeof new AsyncFunction(body) === 'function'
  } catch {
    return false
  }
}

function locate(thrown: unknown): CodeLocation | null {
  syntaxPlace = null
  isLocating = true
  reportError(thrown)
  isLocating = false
  return syntaxPlace
}

const modules = createGuestModules({
  assets,
  node: () => node,
  compile(kind, parameters, body, name) {
    const make = kind === 'async' ? AsyncFunction : (Function as unknown as typeof AsyncFunction)
    return new make(...parameters, named(body, name))
  },
  placeOfSyntaxError(thrown) {
    const place = locate(thrown)
    return place === null || place.line <= frame.offset ? '' : `line ${place.line - frame.offset}`
  },
})

const mayImport = /\bimport\s*[(.]|\brequire\s*[(.]|\bmodule\s*\.\s*exports\b|\bexports\s*\./
const isModuleCode = /^\s*(?:import|export)\b/m

/** Null: the code is plain, or has an error that the engine describes best. */
async function prepared(code: string): Promise<(PreparedEntry & { ok: true }) | null> {
  if (!mayImport.test(withoutTexts(code)) && compiles(compileCode(code, compiles).body)) return null
  const entry = await modules.prepare(code)
  if (entry.ok) return entry.isModule || compiles(entry.body) ? entry : null
  if (!isModuleCode.test(code)) return null
  const { message, line, column } = entry.error
  throw new SyntaxError(`${message} (line ${line}, column ${column})`)
}

const broken = (text: string): WorkerToRelay => ({ type: 'done', ok: false, text, isJson: false })

/** The worker's own timers, which the code's `setTimeout` replaces. */
const worldTimers = {
  setTimeout: self.setTimeout.bind(self),
  clearTimeout: self.clearTimeout.bind(self),
  setInterval: self.setInterval.bind(self),
  clearInterval: self.clearInterval.bind(self),
  soon(task: () => void) {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      task()
    }
    port2.postMessage(null)
  },
}

const exit = Promise.withResolvers<{ readonly exitCode: number; readonly changes: ReturnType<GuestNode['end']> }>()

/** Thrown by `process.exit`, so that the code stops at once. */
class Exit extends Error {
  override readonly name = 'process.exit'
}

async function beginNode(): Promise<void> {
  const startedAt = performance.now()
  node = await startNode(assets, callHost, {
    timers: worldTimers,
    print: (level, text) => guestConsole.write(level, text),
    exit(exitCode): never {
      guestConsole.flush()
      if (!hasExited) exit.resolve({ exitCode, changes: node?.end() ?? [] })
      hasExited = true
      throw new Exit('The code ended itself.')
    },
    elapsed: () => performance.now() - startedAt,
  })
  provide(node.globals)
  provide({ __filename: '/code.js', __dirname: '/' })
}

/** The text of the thrown value; for a path that does not exist, with the most similar existing one. */
function withNearest(text: string, thrown: unknown): string {
  const { code, path } = (thrown ?? {}) as { code?: unknown; path?: unknown }
  if (node === null || !(thrown instanceof Error) || code !== 'ENOENT' || typeof path !== 'string') return text
  const nearest = node.files.size(absolute(path)) < 0 ? nearestNames(node.files, absolute(path)) : ''
  return nearest === '' ? text : text.replace(/\n|$/, (end) => `. ${nearest}${end}`)
}

async function run(code: string): Promise<WorkerToRelay> {
  try {
    const offset = wrapperLines(String(await new AsyncFunction(named('return new Error().stack'))()))
    frame = { offset, shift: null }
    if (mentionsFiles(code)) await beginNode()
    const entry = await prepared(code)
    let main: Callable
    try {
      const compiled = compileCode(entry?.body ?? code, compiles)
      frame = { offset, shift: compiled.shift, linesOnly: entry !== null && (entry.isModule || entry.isTypeScript) }
      main = new AsyncFunction(...(entry?.parameters ?? []), named(compiled.body))
    } catch (thrown) {
      return broken(describeThrown(thrown, { ...frame, syntaxPlace: locate(thrown), lines: code.split('\n').length }))
    }
    const value = await main(...(entry?.values ?? []))
    const { text, isJson } = runValueText(value, preludeLimits.resultCharacters)
    // As in Node, work that the code started but did not await is still finished.
    await toolCalls.idle()
    await node?.idle()
    return { type: 'done', ok: true, text, isJson }
  } catch (thrown) {
    return broken(withNearest(describeThrown(thrown, frame), thrown))
  }
}

/** Runs to the end of the code or to `process.exit`. */
async function runOrExit(code: string) {
  const whole = run(code).then((done) => ({ done, changes: null }))
  const exited = exit.promise.then(({ exitCode, changes }) => {
    const text = `The code ended itself with process.exit(${exitCode}).`
    const done: WorkerToRelay =
      exitCode === 0 ? { type: 'done', ok: true, text: 'undefined', isJson: false } : broken(text)
    return { done, changes }
  })
  return Promise.race([whole, exited])
}

async function runToEnd(code: string): Promise<void> {
  const { done, changes } = await runOrExit(code)
  while (underWay.size > 0) await Promise.all(underWay)
  await showing
  const answer = await handIn(changes ?? node?.end() ?? [], callHost)
  guestConsole.flush()
  const why = notKept(answer)
  if (why === null) return send(done)
  send(broken(done.type === 'done' && !done.ok ? `${done.text}\n${why}` : why))
}

self.addEventListener('message', ({ data }: MessageEvent<RelayToWorker>) => {
  switch (data.type) {
    case 'answer':
      return hostCalls.take(data.id, data.answer)
    case 'asset':
      return assets.arrived(data.id, data.bytes)
    case 'tool-answer':
      return toolCalls.take(data)
    case 'idle':
      return send({ type: 'idle', n: data.n })
    case 'run':
      if (data.tools) provide({ tools: createGuestTools(data.tools, toolCalls.callTool), ToolError })
      return void runToEnd(data.code)
  }
})
