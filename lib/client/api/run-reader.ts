import { createAbortable } from '@/lib/base/clocks'
import type { RunEvent, QueuedLine } from '@/lib/shared/conversation/wire/run-event'
import { type ApiAnswer, readyToRead } from './api-failure'
import { readLines } from './ndjson'
import { isJsonObject, type JsonObject } from '@/lib/base/json'

const outcomes: ReadonlySet<unknown> = new Set(['finished', 'stopped', 'failed', 'length', 'interrupted'])
const isInteger = Number.isSafeInteger
const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * Parses one line of a run's log. Returns null if it is no event of this version. Written by hand, because the server's
 * schemas are too large for a page that is about to show its first text.
 */
export function eventOfLine(line: string): RunEvent | QueuedLine | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (!isJsonObject(value)) return null
  const { type, seq, place } = value
  const isRead = type === 'queued' ? place === null || isInteger(place) : isInteger(seq) && isEvent(value)
  return isRead ? (value as unknown as RunEvent | QueuedLine) : null
}

function isEvent(value: JsonObject): boolean {
  switch (value['type']) {
    case 'start':
      return isReply(value['message'])
    case 'delta':
      return isText(value['text']) && (value['channel'] === 'text' || value['channel'] === 'reasoning')
    case 'end':
      return outcomes.has(value['outcome']) && isObjectOrNull(value['failure']) && isObjectOrNull(value['usage'])
    default:
      return false
  }
}

const isObjectOrNull = (value: unknown): boolean => value === null || isJsonObject(value)

const isReply = (value: unknown): boolean =>
  isJsonObject(value) &&
  value['role'] === 'assistant' &&
  [value['id'], value['conversationId'], value['text'], value['reasoning'], value['strategy']].every(isText)

export interface RunReaderPorts {
  /** Opens the log after `seq`. Status 404: the run will never answer; any other failure is temporary. */
  readonly open: (after: number, signal: AbortSignal) => Promise<ApiAnswer<ReadableStream<Uint8Array>>>
  /** Resolves after `ms`, or at once when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Runs `task` after `ms`; gives the function that cancels it. */
  readonly schedule: (task: () => void, ms: number) => () => void
}

export interface RunReaderOptions {
  readonly signal: AbortSignal
  /** Called with events in order, each once; at most about twenty times a second. */
  readonly onEvents: (events: readonly RunEvent[]) => void
  /**
   * Called before the first token. `place` is null when the run's turn has come; `isAlive`: the model's server has
   * answered.
   */
  readonly onPlace: (place: number | null, isAlive: boolean) => void
  readonly onConnection: (connection: 'live' | 'reconnecting') => void
}

const flushMs = 50
const firstBackoffMs = 250
const maxBackoffMs = 5_000
/** The server writes a blank line every 10 s: a longer silence means a dead connection. */
const silenceMs = 25_000

/**
 * Reads a run's log to its end, through dropped connections and server restarts: it rejoins after the last event that
 * it has seen. Resolves with `ended` (the end event was delivered), `gone` (no such run) or `aborted`.
 */
export async function readRun(ports: RunReaderPorts, options: RunReaderOptions): Promise<'ended' | 'gone' | 'aborted'> {
  const { signal } = options
  const batch = createBatch(ports.schedule, options.onEvents)
  let seq = 0
  let backoffMs = 0
  try {
    for (;;) {
      if (signal.aborted) return 'aborted'
      if (backoffMs > 0) await ports.wait(backoffMs, signal)
      if (signal.aborted) return 'aborted'
      const before = seq
      const connection = new AbortController()
      const stop = () => connection.abort()
      signal.addEventListener('abort', stop, { once: true })
      let disarm = ports.schedule(stop, silenceMs)
      try {
        const body = await ports.open(seq, connection.signal)
        if (!body.ok) {
          if (body.error.status === 404) return 'gone'
          throw new Error(body.error.message)
        }
        options.onConnection('live')
        for await (const line of abortable(readLines(body.value), connection.signal)) {
          disarm()
          disarm = ports.schedule(stop, silenceMs)
          if (line.trim() === '') continue
          const event = eventOfLine(line)
          if (event?.type === 'queued') {
            options.onPlace(event.place, event.isAlive === true)
            continue
          }
          if (event && event.seq <= seq) continue
          if (event?.seq !== seq + 1) break
          if (event.type === 'start') await readyToRead([event.message])
          seq = event.seq
          batch.push(event)
          if (event.type === 'end') {
            batch.flush()
            return 'ended'
          }
        }
      } catch {
        // The connection broke or was silent: rejoin.
      } finally {
        disarm()
        signal.removeEventListener('abort', stop)
        connection.abort()
      }
      if (signal.aborted) return 'aborted'
      batch.flush()
      backoffMs = seq > before || backoffMs === 0 ? firstBackoffMs : Math.min(backoffMs * 2, maxBackoffMs)
      options.onConnection('reconnecting')
    }
  } finally {
    if (!signal.aborted) batch.flush()
    batch.drop()
  }
}

/** Ends the iteration as soon as the signal aborts, even while the source hangs. */
async function* abortable<T>(source: AsyncGenerator<T>, signal: AbortSignal): AsyncGenerator<T> {
  const waiting = createAbortable(signal)
  try {
    for (;;) {
      const step = await waiting.wait(source.next())
      if (step.done) return
      yield step.value
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    waiting.dispose()
    void source.return(undefined).catch(() => {})
  }
}

/**
 * Delivers the first event at once and batches what follows within 50 ms. The server batches over the same interval.
 */
function createBatch(schedule: RunReaderPorts['schedule'], deliver: (events: readonly RunEvent[]) => void) {
  let waiting: RunEvent[] = []
  let cancel: (() => void) | null = null
  const flush = () => {
    cancel?.()
    cancel = null
    if (waiting.length === 0) return
    const events = waiting
    waiting = []
    cancel = schedule(flush, flushMs)
    deliver(events)
  }
  return {
    push(event: RunEvent) {
      waiting.push(event)
      if (!cancel) flush()
    },
    flush,
    drop() {
      cancel?.()
      waiting = []
    },
  }
}
