import type { RunKey, StoredRunEnding } from '@/lib/store/store'
import { waitFor, type Clock } from './clock'
import type { RunEvent } from '@/lib/conversation/run-event'
import type { RunLogTimes } from './run-log-times'
import { createRunPieces } from './run-pieces'
import type { RunStore } from './run-log-watch'

export interface RunWriter {
  /** Takes a piece of the reply; returns at once. The first piece is stored at once, what follows closely is joined. */
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

const FIRST_RETRY_MS = 100
const END_TRIES = 6

/** When to flush next: soon when something waits, later after each failure, else at the next heartbeat. */
function nextFlush(
  { joinMs, heartbeatMs }: RunLogTimes,
  now: { readonly waits: boolean; readonly sentAt: number; readonly beatAt: number; readonly failures: number },
): number {
  const beat = now.beatAt + heartbeatMs
  return now.waits ? Math.min(now.sentAt + joinMs * 2 ** Math.min(now.failures, 6), beat) : beat
}

export function createRunWriter(
  ports: {
    readonly store: RunStore
    readonly clock: Clock
    readonly log: (message: string, error: unknown) => void
    readonly wake: () => void
  },
  options: {
    readonly run: RunKey
    readonly times: RunLogTimes
    readonly onStop: (outcome: 'stopped' | 'interrupted') => void
  },
): RunWriter {
  const { store, clock } = ports
  const { run, times, onStop } = options
  const pieces = createRunPieces()
  /** Events with their numbers, on their way to the store: the same again if it did not answer. */
  let unsent: RunEvent[] = []
  let live = true
  /** The end was stored or given up: the heart beats no more. */
  let over = false
  /** Flushes in a row that the store did not take. */
  let failures = 0
  let failingSince = 0
  let problem: unknown = null
  let flushing: Promise<void> | null = null
  /** When pieces were last sent to the store: what comes within `joinMs` of it is joined. */
  let sentAt = Number.NEGATIVE_INFINITY
  /** When the heart last beat; the append was its first beat. */
  let beatAt = clock.now()
  let cancelTimer: (() => void) | null = null
  let ending: Omit<StoredRunEnding, 'silentForMs'> | null = null
  const { promise: ended, resolve: finish } = Promise.withResolvers<boolean>()

  async function flush(): Promise<void> {
    unsent.push(...pieces.take())
    beatAt = clock.now()
    if (unsent.length > 0) sentAt = beatAt
    const sending = unsent
    try {
      const answer = await store.appendRunEvents(run, sending)
      unsent = unsent.slice(sending.length)
      live = answer.live
      failures = 0
      if (!answer.live || answer.stopRequested) onStop('stopped')
      if (sending.length > 0) ports.wake()
    } catch (error) {
      failures += 1
      problem = error
      if (failures === 1) {
        failingSince = clock.now()
        ports.log('a reply could not be stored for a moment; it is kept and tried again', error)
      }
      if (clock.now() - failingSince >= times.giveUpMs) onStop('interrupted')
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
    const waits = pieces.isWaiting() || unsent.length > 0
    const due = nextFlush(times, { waits, sentAt, beatAt, failures })
    cancelTimer?.()
    cancelTimer = clock.after(Math.max(0, due - clock.now()), () => void flushNow())
  }
  schedule()

  async function tryToEnd(how: Omit<StoredRunEnding, 'silentForMs'>): Promise<boolean> {
    await flushing
    if (live && (pieces.isWaiting() || unsent.length > 0)) await flushNow()
    if (live && unsent.length > 0) return false
    try {
      await store.endRun(run, how, clock.now())
      return true
    } catch (error) {
      problem = error
      if (failures === 0) ports.log('the end of a reply could not be stored', error)
      failures += 1
      return false
    }
  }

  return {
    ended,

    write(channel, text) {
      if (text === '' || !live || over) return
      pieces.add(channel, text)
      if (flushing) return
      if (failures === 0 && clock.now() - sentAt >= times.joinMs) void flushNow()
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
      finish(stored)
    },

    storeLate: () => (ending ? tryToEnd(ending) : Promise.resolve(true)),

    problem: () => problem,
  }
}
