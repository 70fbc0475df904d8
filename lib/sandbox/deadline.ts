import type { MonotonicClock } from '@/lib/base/clocks'
import { sandboxTimes } from './limits'
import type { SandboxTools, ToolAnswer, ToolRequest } from './sandbox'

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

  const isPaused = () => pauses > 0 && pauseLeftMs > 0
  const account = () => {
    const passed = monotonic() - since
    since = monotonic()
    if (isHeld) return
    if (isPaused()) pauseLeftMs -= passed
    else leftMs -= passed
  }
  const schedule = () => {
    clearTimeout(timer)
    if (isCleared || isHeld) return
    const wait = isPaused() ? pauseLeftMs : leftMs
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

interface ToolAsksPorts {
  readonly answer: (answer: ToolAnswer) => void
  /** Asks the worker whether its thread is free; the answer goes to `idle`. */
  readonly askIdle: (n: number) => void
  /** The code only waits, so its clock is stopped. */
  readonly hold: (isHeld: boolean) => void
  /** True: at least one call is open. False: none. */
  readonly onPause: (isPaused: boolean) => void
}

/**
 * The open tool calls of one run. The user may take hours to decide, so this time does not count. Code that keeps its
 * thread busy while a call is open does not answer the check, and then its time limit counts: a loop still ends.
 */
export function createToolRequests(tools: SandboxTools | undefined, ports: ToolAsksPorts) {
  const over = new AbortController()
  let open = 0
  let asked = 0
  let isAwaited = false
  let check: ReturnType<typeof setTimeout> | undefined

  const askThread = () => {
    isAwaited = true
    ports.askIdle((asked += 1))
    check = setTimeout(() => ports.hold(false), sandboxTimes.idleGrace)
  }
  const waitToAsk = () => {
    clearTimeout(check)
    check = setTimeout(askThread, sandboxTimes.idleCheck)
  }
  const pause = (isPaused: boolean) => {
    isAwaited = false
    if (isPaused) waitToAsk()
    else clearTimeout(check)
    ports.hold(isPaused)
    ports.onPause(isPaused)
  }

  return {
    async call(request: ToolRequest): Promise<void> {
      if (tools === undefined || over.signal.aborted) return
      open += 1
      if (open === 1) pause(true)
      const answer = await tools.call(request, over.signal)
      if (over.signal.aborted) return
      open -= 1
      if (open === 0) pause(false)
      ports.answer({ id: request.id, ok: answer.ok, text: answer.text })
    },
    /** The worker's thread is free. */
    idle(n: number): void {
      if (!isAwaited || n !== asked) return
      isAwaited = false
      ports.hold(true)
      waitToAsk()
    },
    /** Withdraws all open calls. */
    end(): void {
      clearTimeout(check)
      over.abort()
    },
  }
}
