import type { MonotonicClock } from '@/lib/base/clocks'
import type { ReplyOutcome, Usage } from '@/lib/shared/conversation/conversation'
import type { ModelId } from '@/lib/shared/models/model'
import type { Store } from '@/lib/server/store/ports/store'
import type { Clock } from './clock'

/**
 * Receives metrics of the chat service, never any content. Every method returns at once and never throws; times are
 * milliseconds.
 */
export interface ChatObserver {
  /** A reply got a slot. */
  admitted(): void
  /** A request was refused; `reason` is its message key (`chat.server-full`). */
  refused(reason: string): void
  started(model: ModelId): void
  /** The first piece of text or reasoning, and its time since the start. */
  firstText(model: ModelId, ms: number): void
  /**
   * The model has finished, `ms` after the start; `firstTextMs` is the time to its first piece (null or omitted: there
   * was none).
   */
  ended(model: ModelId, outcome: ReplyOutcome, usage: Usage | null, ms: number, firstTextMs?: number | null): void
  /** The current number of queued replies. */
  queueLength(waiting: number): void
  /** A call of the store by the name of its method. */
  storeCall(name: string, ms: number, ok: boolean): void
  /** A reader of a running reply connected (1) or disconnected (-1). */
  readers(change: 1 | -1): void
}

export const silentObserver: ChatObserver = {
  admitted: () => {},
  refused: () => {},
  started: () => {},
  firstText: () => {},
  ended: () => {},
  queueLength: () => {},
  storeCall: () => {},
  readers: () => {},
}

/** Forwards everything to all observers; without observers, nothing needs to be measured. */
export function joinObservers(all: readonly ChatObserver[]): ChatObserver {
  const [only = silentObserver, ...others] = all
  if (others.length === 0) return only
  return {
    admitted: () => all.forEach((one) => one.admitted()),
    refused: (...args) => all.forEach((one) => one.refused(...args)),
    started: (...args) => all.forEach((one) => one.started(...args)),
    firstText: (...args) => all.forEach((one) => one.firstText(...args)),
    ended: (...args) => all.forEach((one) => one.ended(...args)),
    queueLength: (...args) => all.forEach((one) => one.queueLength(...args)),
    storeCall: (...args) => all.forEach((one) => one.storeCall(...args)),
    readers: (...args) => all.forEach((one) => one.readers(...args)),
  }
}

/** Observes one reply from its start: report each piece and the end. */
export function observeRun(observer: ChatObserver, clock: Pick<Clock, 'monotonic'>, model: ModelId) {
  const from = clock.monotonic()
  let firstTextMs: number | null = null
  observer.started(model)
  return {
    wrote(): void {
      if (firstTextMs !== null) return
      firstTextMs = clock.monotonic() - from
      observer.firstText(model, firstTextMs)
    },
    ended: (outcome: ReplyOutcome, usage: Usage | null): void =>
      observer.ended(model, outcome, usage, clock.monotonic() - from, firstTextMs),
  }
}

/** Returns the same store, which reports each call with its duration, measured by `monotonic`. */
export function observeStore(store: Store, observer: ChatObserver, monotonic: MonotonicClock): Store {
  type Ask = (...args: readonly unknown[]) => Promise<unknown>
  const observed = (name: string, ask: Ask): Ask => {
    return async (...args) => {
      const from = monotonic()
      let ok = false
      try {
        const answer = await ask(...args)
        ok = true
        return answer
      } finally {
        observer.storeCall(name, monotonic() - from, ok)
      }
    }
  }
  const calls = Object.entries(store).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function' ? observed(name, value as Ask) : value,
  ])
  return Object.fromEntries(calls) as Store
}
