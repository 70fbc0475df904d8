import { AsyncLocalStorage } from 'node:async_hooks'
import type { RequestSpan } from './traced-request'
import { monotonicClock } from '@/lib/base/clocks'
import { AppError } from '@/lib/base/app-error'
import { createKeyRedactor, type Redact, redactSecrets } from '@/lib/shared/models/redact-keys'
import { asStoreError } from '@/lib/server/store/ports/store-error'

/** The log fields of the current request. */
export interface RequestContext {
  readonly id: string
  /** A hash of the owner, once known; the same on every node with this secret. Computed when it is logged. */
  owner?: () => string
  /** Set if tracing is enabled. */
  readonly span?: RequestSpan
}

/** On globalThis: set in one bundle and read in all of them. */
const contextKey = Symbol.for('nod.request')
const contextSlot = globalThis as typeof globalThis & { [contextKey]?: AsyncLocalStorage<RequestContext> }
const storage = (): AsyncLocalStorage<RequestContext> => (contextSlot[contextKey] ??= new AsyncLocalStorage())

/** Sets the request for this code and everything started from here. */
export const enterRequest = (context: RequestContext): void => storage().enterWith(context)

export const currentRequest = (): RequestContext | undefined => storage().getStore()

/*
 * The operator's log: one line per entry, without secrets, chat content, or a flood of the same problem. Text for a
 * person at a terminal, or JSON for machines (`NOD_LOG=json`). Every line goes through `logLine`.
 */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
type Fields = Readonly<Record<string, string | number | boolean | null>>
/** Takes entries that are already clean. */
type Sink = (level: LogLevel, message: string, fields: Fields) => void

interface Holder {
  redact: Redact
  sink: Sink
  readonly printed: Map<string, { readonly until: number; left: number }>
}

const QUIET_MS = 10_000
const MAX_KNOWN = 200

/** A person sees problems and the start-up lines, but not each request. */
const asText: Sink = (level, message) => {
  if (level === 'warn' || level === 'error') console.warn(`[nod] ${message}`)
}

/** On globalThis: the server is created in one bundle and all of them log. */
const key = Symbol.for('nod.log')
const slot = globalThis as typeof globalThis & { [key]?: Holder }
const holder = (): Holder => (slot[key] ??= { redact: (text) => text, sink: asText, printed: new Map() })

/** From here on, these texts are removed from the log and by `redact`. */
export function redactSecret(secrets: readonly (string | null | undefined)[]): Redact {
  const literally = createKeyRedactor(secrets)
  holder().redact = literally
  return literally
}

/** Sets where lines go from here on; null: to a person again. */
export const setLogSink = (sink: Sink | null): void => {
  holder().sink = sink ?? asText
}

/** The only way to write to the log: removes secrets from text and fields. */
export function logLine(level: LogLevel, message: string, fields: Fields = {}): void {
  const { redact, sink } = holder()
  const clean = (text: string): string => redactSecrets(redact(text))
  const request = currentRequest()?.id
  const all = request === undefined ? fields : { request, ...fields }
  const cleaned = Object.entries(all).map(([name, value]) => [name, typeof value === 'string' ? clean(value) : value])
  sink(level, clean(message), Object.fromEntries(cleaned) as Fields)
}

/** Refusals and an unavailable store take one line; unexpected errors include their stack. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const known = error instanceof AppError ? error : asStoreError(error)
  if (!known) return error.stack ?? error.message
  const { cause } = known
  return cause instanceof Error ? `${known.message} (${cause.message})` : known.message
}

/** Prints a problem; the same one within ten seconds is counted instead. */
export function logProblem(message: string, error?: unknown): void {
  const { printed } = holder()
  const line = error === undefined ? message : `${message}: ${wordsOf(error)}`
  const at = monotonicClock()
  const before = printed.get(line)
  if (before && at < before.until) {
    before.left += 1
    return
  }
  if (printed.size >= MAX_KNOWN) printed.clear()
  printed.set(line, { until: at + QUIET_MS, left: 0 })
  logLine('warn', `${line}${before && before.left > 0 ? ` (and ${before.left} times more before)` : ''}`)
}

/** Start-up lines for the operator: printed unchanged, or one log entry each. */
export function logForOperator(texts: readonly (string | OperatorLine)[]): void {
  const lines = texts.map((line) => (typeof line === 'string' ? ({ level: 'info', text: line } as const) : line))
  if (lines.length === 0) return
  if (holder().sink === asText) console.log(`${lines.map(({ text }) => text).join('\n')}\n`)
  else for (const { level, text } of withHeadings(lines)) logLine(level, text)
}

interface OperatorLine {
  readonly level: LogLevel
  readonly text: string
}

/** A heading alone means nothing in a log, so it is put before each indented line below it. */
function withHeadings(lines: readonly OperatorLine[]): readonly OperatorLine[] {
  const some = lines.filter(({ text }) => text.trim() !== '')
  const depth = (line: string | undefined) => (line === undefined ? 0 : line.length - line.trimStart().length)
  const headings: string[] = []
  return some.flatMap(({ level, text }, at) => {
    while (headings.length > 0 && depth(headings.at(-1)) >= depth(text)) headings.pop()
    if (depth(some[at + 1]?.text) > depth(text)) {
      headings.push(text)
      return []
    }
    return [{ level, text: [...headings, text].map((part) => part.trim()).join(': ') }]
  })
}
