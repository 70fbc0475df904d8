import type { MonotonicClock } from '@/lib/base/clocks'
export interface Deadline {
  /** Stops the clock until `resume`. Pauses are counted: two that overlap end with the second `resume`. */
  pause(): void
  resume(): void
  /**
   * While true, the clock is stopped without limit, because the user is deciding. Does not count toward `maxPauseMs`.
   */
  hold(isHeld: boolean): void
  /** Nothing is called any more. */
  clear(): void
}

export interface DeadlineOptions {
  readonly limitMs: number
  /** Maximum total pause: after that the clock continues, whatever is still awaited. */
  readonly maxPauseMs: number
  readonly monotonic: MonotonicClock
  /** Called once, when the time is used up. */
  readonly onEnd: () => void
}

/**
 * A time limit that does not count waiting that the code can't control, such as loading a library over a slow network.
 */
export function createDeadline({ limitMs, maxPauseMs, monotonic, onEnd }: DeadlineOptions): Deadline {
  let leftMs = limitMs
  let pauseLeftMs = maxPauseMs
  let pauses = 0
  let since = monotonic()
  let isHeld = false
  let isCleared = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const isStanding = () => pauses > 0 && pauseLeftMs > 0
  const account = () => {
    const passed = monotonic() - since
    since = monotonic()
    if (isHeld) return
    if (isStanding()) pauseLeftMs -= passed
    else leftMs -= passed
  }
  const schedule = () => {
    clearTimeout(timer)
    if (isCleared || isHeld) return
    const wait = isStanding() ? pauseLeftMs : leftMs
    timer = setTimeout(
      () => {
        account()
        if (leftMs > 0) return schedule()
        isCleared = true
        onEnd()
      },
      Math.max(0, wait),
    )
  }

  schedule()
  return {
    pause() {
      account()
      pauses += 1
      schedule()
    },
    resume() {
      account()
      pauses -= 1
      schedule()
    },
    hold(held) {
      if (held === isHeld) return
      account()
      isHeld = held
      schedule()
    },
    clear() {
      isCleared = true
      clearTimeout(timer)
    },
  }
}
