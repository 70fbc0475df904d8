/*
 * Two clocks. The wall clock gives the current time; it is stored and shown, and someone may change it while the server
 * runs. The monotonic clock only counts up from the start of the process; every duration is measured with it.
 * `scripts/architecture/wall-clock.ts` forbids arithmetic and comparisons with wall-clock readings outside this file.
 */

declare const clock: unique symbol

/** A wall-clock time, in milliseconds since 1970. */
export type EpochMs = number & { readonly [clock]?: 'epoch' }
/** A monotonic time, in milliseconds since an unknown moment. It means nothing to another process. */
export type MonotonicMs = number & { readonly [clock]?: 'monotonic' }

/** Returns the time to store or to show. */
export type EpochClock = () => EpochMs
/** Returns a time for measuring durations. */
export type MonotonicClock = () => MonotonicMs

export const wallClock: EpochClock = () => Date.now()
export const monotonicClock: MonotonicClock = () => performance.now()
/** Both clocks, under the names that ports use. */
export const bothClocks = { now: wallClock, monotonic: monotonicClock } as const

/*
 * Comparisons with a stored time. The results depend on the wall clock, so code that must stay correct after a clock
 * change may not rely on them alone.
 */

/** Whether a stored end has been reached. */
export const isOver = (endsAt: EpochMs, now: EpochMs): boolean => now >= endsAt

/** Milliseconds until a stored time; 0 if it is over. */
export const msUntil = (at: EpochMs, now: EpochMs): number => Math.max(0, at - now)

/** Milliseconds since a stored time; 0 if it is in the future. */
export const msSince = (at: EpochMs, now: EpochMs): number => Math.max(0, now - at)

/** The time `ms` before `now`. */
export const msBefore = (now: EpochMs, ms: number): EpochMs => now - ms

/** How far one wall-clock reading is ahead of another; negative if it is behind. */
export const clockDifference = (one: EpochMs, other: EpochMs): number => one - other

/**
 * Waits for promises one after another; each wait ends when the signal aborts (rejects with its reason). One listener
 * serves all of them and is removed by `dispose`. A composite signal, or a race against one promise that never settles,
 * would retain every value that was ever waited for.
 */
export function createAbortable(signal: AbortSignal) {
  let abandon: (() => void) | null = null
  const onAbort = () => abandon?.()
  signal.addEventListener('abort', onAbort)
  return {
    wait: <T>(next: PromiseLike<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        abandon = () => reject(signal.reason as Error)
        next.then(resolve, reject)
        if (signal.aborted) abandon()
      }),
    dispose() {
      abandon = null
      signal.removeEventListener('abort', onAbort)
    },
  }
}
