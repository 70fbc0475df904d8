import type { MonotonicClock } from '@/lib/base/clocks'
import { t } from '@/lib/i18n/t'

/** A worker process, from its supervisor's view. */
export interface Worker {
  readonly pid: number
  readonly stop: (signal: 'SIGTERM' | 'SIGINT') => void
}

interface WorkerEvents {
  /** The worker accepts connections. */
  readonly listening: () => void
  /** The worker is gone; `how`: a code or a signal as text. */
  readonly exit: (how: string, code: number) => void
}

export interface SupervisorPorts {
  readonly count: number
  /** Starts a worker with a number from 1 to `count`; `isFirst`: no worker had that number before. */
  readonly fork: (place: number, isFirst: boolean, on: WorkerEvents) => Worker
  /** Milliseconds. */
  readonly monotonic: MonotonicClock
  /** Returns a function that cancels the task. */
  readonly after: (ms: number, task: () => void) => () => void
  readonly log: (line: string) => void
}

export interface Supervisor {
  /** The exit code, once the last worker is gone: 0 after `stop`. */
  readonly ended: Promise<number>
  /** Stops replacing workers, and tells all of them to finish. */
  stop(signal: 'SIGTERM' | 'SIGINT'): void
}

/** A worker that lived shorter than this died of something that would affect the next one too. */
const YOUNG_MS = 5_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/**
 * Keeps `count` workers running. A worker that dies is replaced: at once if it ran for a while, otherwise after a wait
 * that doubles. If none could even start, the supervisor ends with the code of the first that failed, because all
 * others would fail the same way.
 */
export function supervise({ count, fork, monotonic, after, log }: SupervisorPorts): Supervisor {
  const workers = new Map<number, Worker>()
  const waiting = new Set<() => void>()
  const { promise: ended, resolve: end } = Promise.withResolvers<number>()
  let hasServed = false
  /** Null while the server should keep running. */
  let exitCode: number | null = null

  const endIfLast = () => {
    if (exitCode !== null && workers.size === 0) end(exitCode)
  }

  function stopAll(signal: 'SIGTERM' | 'SIGINT', code: number): void {
    exitCode ??= code
    for (const cancel of waiting) cancel()
    waiting.clear()
    for (const worker of workers.values()) worker.stop(signal)
    endIfLast()
  }

  function start(place: number, isFirst: boolean, waitedMs: number): void {
    const bornAt = monotonic()
    let isListening = false
    const worker = fork(place, isFirst, {
      listening() {
        isListening = true
        hasServed = true
      },
      exit(how, code) {
        workers.delete(place)
        if (exitCode !== null) return endIfLast()
        if (!hasServed) {
          log(t('serve.not-started', { how }))
          return stopAll('SIGTERM', code || 1)
        }
        const wasYoung = !isListening || monotonic() - bornAt < YOUNG_MS
        const waitMs = wasYoung ? Math.min(Math.max(FIRST_WAIT_MS, waitedMs * 2), LONGEST_WAIT_MS) : 0
        log(t('serve.worker-died', { place, pid: worker.pid, how, waitMs }))
        replaceAfter(waitMs, place)
      },
    })
    workers.set(place, worker)
  }

  function replaceAfter(waitMs: number, place: number): void {
    const cancel = after(waitMs, () => {
      waiting.delete(cancel)
      start(place, false, waitMs)
    })
    waiting.add(cancel)
  }

  for (let place = 1; place <= count; place += 1) start(place, true, 0)
  return { ended, stop: (signal) => stopAll(signal, 0) }
}
