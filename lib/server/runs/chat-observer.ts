import type { MonotonicClock } from '@/lib/base/clocks'
import type { ReplyOutcome, Usage } from '@/lib/shared/conversation/conversation'
import type { ModelId } from '@/lib/shared/models/model'
import type { Store } from '@/lib/server/store/ports/store'
import type { Clock } from './clock'

/**
 * Hears numbers of what the chat service does, never a word of what is said. Every method returns at once and never throws;
 * times are milliseconds.
 */
export interface ChatObserver {
  /** A reply has its place among those that are written. */
  admitted(): void
  /** Something was refused; `reason` is the key of its message (`chat.server-full`). */
  refused(reason: string): void
  started(model: ModelId): void
  /** The first piece of text or reasoning, so long after the start. */
  firstText(model: ModelId, ms: number): void
  /** The model has written its last; `ms` since the start, as those to its first piece (null or left out: none came). */
  ended(model: ModelId, outcome: ReplyOutcome, usage: Usage | null, ms: number, firstTextMs?: number | null): void
  /** Who waits for a place, now. */
  queueLength(waiting: number): void
  /** A call of the store by the name of its method. */
  storeCall(name: string, ms: number, ok: boolean): void
  /** A reader of a running reply came (1) or went (-1). */
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

/** All of them hear everything; none: no one listens, and nothing needs to be watched. */
export function joinObservers(all: readonly ChatObserver[]): ChatObserver {
  const [only = silentObserver, ...others] = all
  if (others.length === 0) return only
  return {
    admitted: () => all.forEach((one) => one.admitted()),
    refused: (...told) => all.forEach((one) => one.refused(...told)),
    started: (...told) => all.forEach((one) => one.started(...told)),
    firstText: (...told) => all.forEach((one) => one.firstText(...told)),
    ended: (...told) => all.forEach((one) => one.ended(...told)),
    queueLength: (...told) => all.forEach((one) => one.queueLength(...told)),
    storeCall: (...told) => all.forEach((one) => one.storeCall(...told)),
    readers: (...told) => all.forEach((one) => one.readers(...told)),
  }
}

/** One reply, from its start on: say each piece and the end. */
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

/** The same store; each of its calls is told with its time, by `monotonic`. */
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
