/*
 * Two clocks. The wall clock says what time it is: it is stored and shown, and someone may set it while the server runs. The
 * monotonic clock only counts on from the start of the process: every span is measured with it. `scripts/architecture/wall-clock.ts`
 * forbids arithmetic and comparisons with a wall-clock reading outside this file.
 */

declare const clock: unique symbol

/** A time of the wall clock, in milliseconds since 1970. */
export type EpochMs = number & { readonly [clock]?: 'epoch' }
/** A time of the monotonic clock, in milliseconds since an unknown moment. It means nothing to another process. */
export type MonotonicMs = number & { readonly [clock]?: 'monotonic' }

/** Gives the time to store or to show. */
export type EpochClock = () => EpochMs
/** Gives a time to measure spans with. */
export type MonotonicClock = () => MonotonicMs

export const wallClock: EpochClock = () => Date.now()
export const monotonicClock: MonotonicClock = () => performance.now()
/** Both, as ports call them. */
export const bothClocks = { now: wallClock, monotonic: monotonicClock } as const

/*
 * What may be asked of a stored time. The answers depend on the wall clock, so nothing that must be right after the clock was set may
 * depend on them alone.
 */

/** Whether a stored end has been reached. */
export const isOver = (endsAt: EpochMs, now: EpochMs): boolean => now >= endsAt

/** Milliseconds until a stored time; 0 if it is over. */
export const msUntil = (at: EpochMs, now: EpochMs): number => Math.max(0, at - now)

/** Milliseconds since a stored time; 0 if it is still to come. */
export const msSince = (at: EpochMs, now: EpochMs): number => Math.max(0, now - at)

/** The time `ms` before `now`. */
export const msBefore = (now: EpochMs, ms: number): EpochMs => now - ms

/** How far the wall clock stands ahead of another reading; negative if it is behind. */
export const clockDifference = (one: EpochMs, other: EpochMs): number => one - other

/**
 * Waits for one thing after the other, each given up when the signal aborts (rejects with its reason). One listener for
 * all of them, taken away by `dispose`: a composite signal, or a race against one promise that never settles, would keep
 * every piece that was ever waited for.
 */
export function createAbortable(signal: AbortSignal) {
  let giveUp: (() => void) | null = null
  const onAbort = () => giveUp?.()
  signal.addEventListener('abort', onAbort)
  return {
    wait: <T>(next: PromiseLike<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        giveUp = () => reject(signal.reason as Error)
        next.then(resolve, reject)
        if (signal.aborted) giveUp()
      }),
    dispose() {
      giveUp = null
      signal.removeEventListener('abort', onAbort)
    },
  }
}
