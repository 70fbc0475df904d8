import { isRecord } from '@/lib/base/json'
import type { RelayBudget } from '../limits'
import type { ConsoleLevel, SandboxLanguage } from '../sandbox'
import type {
  AssetBytes,
  CallArgument,
  DisplayKind,
  HostToRelay,
  RunConsoleLine,
  RelayToHost,
  RelayToWorker,
  RunEnd,
} from './protocol'

/** The part of a Worker that the relay uses. */
export interface RelayWorker {
  postMessage(message: RelayToWorker, transfer?: Transferable[]): void
  terminate(): void
  onmessage: ((event: { readonly data: unknown }) => void) | null
  onmessageerror: ((event: unknown) => void) | null
  onerror: ((event: { readonly message?: unknown; preventDefault?: () => void }) => void) | null
}

export interface RelayPorts {
  /** A fresh worker with the prelude of a language. */
  readonly startWorker: (language: SandboxLanguage) => RelayWorker
  readonly post: (message: RelayToHost) => void
  readonly budget: (language: SandboxLanguage) => RelayBudget
}

const levels: ReadonlySet<unknown> = new Set<ConsoleLevel>(['log', 'info', 'warn', 'error', 'debug'])
const kinds: ReadonlySet<unknown> = new Set<DisplayKind>(['text', 'json', 'table', 'image', 'svg', 'html'])

/** Plain strings, and a Blob where one is accepted; any other value is replaced by its type's name. */
const toArgument = (value: unknown, takesBlob: boolean): CallArgument =>
  typeof value === 'string' || (takesBlob && value instanceof Blob) ? value : typeof value

/** A file name for the download, without anything that would make it a path. */
const nameOf = (name: unknown): { readonly name?: string } => {
  const plain =
    typeof name === 'string'
      ? name
          .slice(0, 200)
          .replace(/[\p{C}/\\:*?"<>|]/gu, ' ')
          .trim()
          .slice(0, 120)
      : ''
  return plain === '' ? {} : { name: plain }
}

interface RunningCode {
  readonly run: string
  readonly end: (end: RunEnd | null) => void
  readonly tell: (message: RelayToWorker & { type: 'answer' | 'tool-answer' }) => void
  /** Forwards the question whether the worker's thread is free. */
  readonly askIdle: (n: number) => void
  readonly handOver: (id: number, bytes: AssetBytes) => void
}

/**
 * The trusted part of the sandbox frame: starts one worker per run, and passes on what fits the budget, as plain data
 * with the run's id. The first `done` of a run ends it; later messages, or those of an earlier run, are dropped.
 */
export function createRelay(ports: RelayPorts): (message: HostToRelay) => void {
  const { post } = ports
  let current: RunningCode | null = null

  return (message) => {
    switch (message.type) {
      case 'run':
        current?.end(null)
        current = startRun(ports, message, () => {
          if (current?.run === message.run) current = null
        })
        return
      case 'kill':
        if (current?.run === message.run) current.end(null)
        return post({ type: 'killed', run: message.run })
      case 'answer':
        if (current?.run === message.run) current.tell({ type: 'answer', id: message.id, answer: message.answer })
        return
      case 'asset':
        if (current?.run === message.run) current.handOver(message.id, message.bytes)
        return
      case 'tool-answer':
        if (current?.run === message.run) {
          const { id, ok, text } = message
          current.tell({ type: 'tool-answer', id, ok, text })
        }
        return
      case 'idle':
        if (current?.run === message.run) current.askIdle(message.n)
        return
      case 'ping':
        return post({ type: 'pong', n: message.n })
    }
  }
}

/** One run in its own worker. `onEnd` is called before its `done` is sent. */
function startRun(
  { startWorker, post, budget: budgetOf }: RelayPorts,
  { run, code, language, tools }: HostToRelay & { type: 'run' },
  onEnd: () => void,
): RunningCode {
  const budget = budgetOf(language)
  const used = {
    messages: 0,
    logLines: 0,
    logCharacters: 0,
    calls: 0,
    displays: 0,
    displayCharacters: 0,
    toolArguments: 0,
  }
  let hasCommitted = false
  let ended = false
  // JavaScript is ready at once; another language gets the code when it has started, and no untrusted code runs before.
  let hasCode = language === 'javascript'
  const asked = new Set<string>()
  const called = new Set<number>()
  let idleAsked: number | null = null
  const worker = startWorker(language)

  const end = (outcome: RunEnd | null) => {
    if (ended) return
    ended = true
    worker.terminate()
    onEnd()
    if (outcome !== null) post({ type: 'done', run, end: outcome })
  }
  const flooded = (of: 'messages' | 'calls') => end({ kind: 'flooded', of })

  function log(lines: unknown): void {
    if (!Array.isArray(lines)) return
    const passed: RunConsoleLine[] = []
    for (const line of lines.slice(0, budget.logLines + 1)) {
      if (!Array.isArray(line) || !levels.has(line[0]) || typeof line[1] !== 'string') continue
      used.logLines++
      used.logCharacters += line[1].length
      if (used.logLines > budget.logLines || used.logCharacters > budget.logCharacters) break
      passed.push([line[0] as ConsoleLevel, line[1]])
    }
    if (passed.length > 0) post({ type: 'log', run, lines: passed })
  }

  function call(id: unknown, op: unknown, args: unknown): void {
    if (typeof id !== 'number' || typeof op !== 'string' || !Array.isArray(args)) return
    if (++used.calls > budget.calls) return flooded('calls')
    const given = args.slice(0, 3)
    // A run's changes come as one Blob, once; nothing else may be that large, or a Blob at all.
    const takesBlob = op === 'commit' && !hasCommitted
    hasCommitted ||= takesBlob
    const blobBytes = takesBlob
      ? given.reduce((sum: number, value) => sum + (value instanceof Blob ? value.size : 0), 0)
      : 0
    const size = given.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
    if (size > budget.callSize || blobBytes > budget.commitBytes) {
      const answer = { ok: false, code: 'EFBIG', message: 'The data is too large for one file operation.' } as const
      worker.postMessage({ type: 'answer', id, answer })
      return
    }
    post({ type: 'call', run, id, op: op.slice(0, 20), args: given.map((value) => toArgument(value, takesBlob)) })
  }

  function show(kind: unknown, data: unknown, name: unknown): void {
    if (!kinds.has(kind) || typeof data !== 'string') return
    used.displays++
    used.displayCharacters += data.length
    if (used.displays > budget.displays || used.displayCharacters > budget.displayCharacters) return
    post({ type: 'show', run, kind: kind as DisplayKind, data, ...nameOf(name) })
  }

  /** Only the call over the budget is refused; earlier effects of the code still count. */
  function tool(id: unknown, name: unknown, args: unknown): void {
    if (typeof id !== 'number' || typeof name !== 'string' || typeof args !== 'string' || called.has(id)) return
    const refuse = (text: string) => worker.postMessage({ type: 'tool-answer', id, ok: false, text })
    if (!tools?.includes(name)) return refuse('There is no such tool here.')
    if (called.size >= budget.toolCalls) return refuse(`One run may call ${budget.toolCalls} tools at most.`)
    if (used.toolArguments + args.length > budget.toolArguments)
      return refuse(`The calls of one run may have ${budget.toolArguments} characters of arguments at most.`)
    called.add(id)
    used.toolArguments += args.length
    post({ type: 'tool', run, id, name, args })
  }

  const begin = () => worker.postMessage({ type: 'run', code, ...(tools && { tools }) })

  function ready(): void {
    if (hasCode) return
    hasCode = true
    begin()
    post({ type: 'started', run })
  }

  function asset(id: unknown, name: unknown): void {
    if (typeof id !== 'number' || typeof name !== 'string') return
    if (asked.size >= budget.assets || asked.has(name) || name.length > 80) {
      worker.postMessage({ type: 'asset', id, bytes: null })
      return
    }
    asked.add(name)
    post({ type: 'asset', run, id, name })
  }

  worker.onmessage = ({ data }) => {
    if (ended) return
    if (idleAsked !== null && isRecord(data) && data.type === 'idle' && data.n === idleAsked) {
      // Requested by the page, so it is not counted: the user may take hours.
      idleAsked = null
      return post({ type: 'idle', run, n: data.n })
    }
    if (++used.messages > budget.messages) return flooded('messages')
    if (!isRecord(data)) return
    switch (data.type) {
      case 'log':
        return log(data.lines)
      case 'call':
        return call(data.id, data.op, data.args)
      case 'asset':
        return asset(data.id, data.name)
      case 'tool':
        return tool(data.id, data.name, data.args)
      case 'ready':
        return ready()
      case 'show':
        return show(data.kind, data.data, data.name)
      case 'done': {
        const whole = typeof data.text === 'string' ? data.text : ''
        const fits = whole.length <= budget.resultCharacters
        const text = fits ? whole : `${whole.slice(0, budget.resultCharacters)}…`
        return end(
          data.ok === true ? { kind: 'returned', text, isJson: fits && data.isJson === true } : { kind: 'threw', text },
        )
      }
    }
  }
  worker.onmessageerror = () => end({ kind: 'threw', text: 'The code sent data that can’t be passed on.' })
  worker.onerror = (event) => {
    event.preventDefault?.()
    const text = typeof event.message === 'string' && event.message !== '' ? event.message : 'The worker failed.'
    end({ kind: 'threw', text: text.slice(0, 2_000) })
  }
  const tell = (message: RelayToWorker & { type: 'answer' | 'tool-answer' }) => {
    if (!ended) worker.postMessage(message)
  }
  const askIdle = (n: number) => {
    if (ended) return
    idleAsked = n
    worker.postMessage({ type: 'idle', n })
  }
  const handOver = (id: number, bytes: AssetBytes) => {
    if (!ended) worker.postMessage({ type: 'asset', id, bytes }, bytes === null ? [] : [bytes.buffer])
  }
  if (hasCode) begin()
  return { run, end, tell, askIdle, handOver }
}
