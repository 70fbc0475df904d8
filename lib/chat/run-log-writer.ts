import type { RunKey, StoredRunEnding } from '@/lib/store/store'
import { waitFor, type Clock } from './clock'
import type { RunLogTimes } from './run-log-times'
import { createRunOutput } from './run-output'
import type { RunStore } from './run-log-watch'
import type { RunTail } from './run-tail'

export interface RunWriter {
  /** Takes a piece of the reply; returns at once. The first piece is shown and stored at once, what follows is joined. */
  write(channel: 'text' | 'reasoning', text: string): void
  /** Stores what is left and the end. Call once; resolves also when the store stays away (then `storeLate` is left). */
  end(ending: Omit<StoredRunEnding, 'silentForMs'>): Promise<void>
  /** Resolves when the writer is done; false: the store did not take the end. */
  readonly ended: Promise<boolean>
  /** After `ended` gave false: tries once more; true when there is nothing left to store. */
  storeLate(): Promise<boolean>
  /** What the store said last when it took nothing. */
  problem(): unknown
}

interface WriterPorts {
  readonly store: RunStore
  readonly clock: Clock
  readonly utilisation: () => number
  readonly log: (message: string, error: unknown) => void
  /** Tells readers to look at the tail, or at the run. */
  readonly wake: () => void
  /** The store has something new of it. */
  readonly onKept: () => void
}

const FIRST_RETRY_MS = 100
const END_TRIES = 6

/** When to store next: soon when something waits, later after each failure, else at the next heartbeat. */
function nextFlush(
  { keepMs, heartbeatMs }: RunLogTimes,
  now: { readonly waits: boolean; readonly sentAt: number; readonly beatAt: number; readonly failures: number },
): number {
  const beat = now.beatAt + heartbeatMs
  return now.waits ? Math.min(now.sentAt + keepMs * 2 ** Math.min(now.failures, 6), beat) : beat
}

/** A store that takes nothing: since when, how often in a row, and what it said. The first time is logged. */
function createStoreTrouble({ clock, log }: Pick<WriterPorts, 'clock' | 'log'>) {
  let failures = 0
  let since = 0
  let last: unknown = null
  return {
    met(what: string, error: unknown): void {
      failures += 1
      last = error
      if (failures > 1) return
      since = clock.now()
      log(what, error)
    },
    isOver(): void {
      failures = 0
    },
    failures: () => failures,
    lastsMs: () => clock.now() - since,
    last: () => last,
  }
}

/** Writes one run: to readers of this process by `tail` every `joinMs`, to the store every `keepMs`. */
export function createRunWriter(
  ports: WriterPorts,
  options: {
    readonly run: RunKey
    readonly times: RunLogTimes
    readonly tail: RunTail
    readonly onStop: (outcome: 'stopped' | 'interrupted') => void
  },
): RunWriter {
  const { store, clock } = ports
  const { run, times, tail, onStop } = options
  const output = createRunOutput(ports, options)
  let live = true
  /** The end was stored or given up: the heart beats no more. */
  let over = false
  const trouble = createStoreTrouble(ports)
  let flushing: Promise<void> | null = null
  /** When events were last sent to the store. */
  let sentAt = Number.NEGATIVE_INFINITY
  /** When the heart last beat; the append was its first beat. */
  let beatAt = clock.now()
  let cancelTimer: (() => void) | null = null
  let ending: Omit<StoredRunEnding, 'silentForMs'> | null = null
  const { promise: ended, resolve: finish } = Promise.withResolvers<boolean>()

  async function flush(): Promise<void> {
    const sending = output.unstored()
    beatAt = clock.now()
    if (sending.length > 0) sentAt = beatAt
    try {
      const answer = await store.appendRunEvents(run, sending)
      trouble.isOver()
      live = answer.live
      if (live) output.stored(sending, beatAt)
      if (sending.length > 0) ports.onKept()
      if (!live || answer.stopRequested) onStop('stopped')
      if (live) return
      // Somebody else ended it: readers get from the store what it became.
      output.close()
      ports.wake()
    } catch (error) {
      trouble.met('a reply could not be stored for a moment; it is kept and tried again', error)
      if (trouble.lastsMs() >= times.giveUpMs) onStop('interrupted')
    }
  }

  const flushNow = (): Promise<void> => {
    cancelTimer?.()
    cancelTimer = null
    flushing ??= flush().finally(() => {
      flushing = null
      if (live && !over) schedule()
    })
    return flushing
  }

  function schedule(): void {
    const due = nextFlush(times, { waits: output.isWaiting(), sentAt, beatAt, failures: trouble.failures() })
    cancelTimer?.()
    cancelTimer = clock.after(Math.max(0, due - clock.now()), () => void flushNow())
  }
  schedule()

  async function tryToEnd(how: Omit<StoredRunEnding, 'silentForMs'>): Promise<boolean> {
    await flushing
    if (live && output.isWaiting()) await flushNow()
    if (live && output.isWaiting()) return false
    try {
      await store.endRun(run, how, clock.now())
      ports.onKept()
      return true
    } catch (error) {
      trouble.met('the end of a reply could not be stored', error)
      return false
    }
  }

  /** As it is stored, asked once for all who read here. Whoever does not get it so asks the store. */
  async function showEnd(): Promise<void> {
    const found = await store.readRunEvents(run, tail.lastSeq, 1).catch(() => null)
    output.show(found?.events ?? [])
  }

  return {
    ended,

    write(channel, text) {
      if (text === '' || !live || over) return
      const isFirst = !output.isWaiting()
      output.add(channel, text)
      if (!isFirst || flushing) return
      if (trouble.failures() === 0 && clock.now() - sentAt >= times.keepMs) void flushNow()
      else schedule()
    },

    async end(how) {
      ending = how
      let stored = false
      for (let tries = 1, delayMs = FIRST_RETRY_MS; ; tries += 1, delayMs *= 2) {
        stored = await tryToEnd(how)
        if (stored || tries === END_TRIES) break
        await waitFor(clock, delayMs)
      }
      over = true
      cancelTimer?.()
      cancelTimer = null
      if (stored && live) await showEnd()
      output.close()
      finish(stored)
    },

    storeLate: () => (ending ? tryToEnd(ending) : Promise.resolve(true)),

    problem: trouble.last,
  }
}
