import type { RunEnding, Store } from '@/lib/store/store'
import { waitFor, type Clock } from './clock'
import type { RunEvent } from './run-event'
import type { RunLogTimes } from './run-log'

export interface RunWriter {
  /** Takes a piece of the reply; returns at once. The first piece is stored at once, later ones joined. */
  write(channel: 'text' | 'reasoning', text: string): void
  /** Stores what is left and the end. Call once; resolves also when the store stays away (then others recover the run). */
  end(ending: Omit<RunEnding, 'silentSince'>): Promise<void>
  /** Resolves when the writer is done, however it ended. */
  readonly ended: Promise<void>
}

interface Piece {
  readonly channel: 'text' | 'reasoning'
  text: string
}

const FIRST_RETRY_MS = 100
const END_TRIES = 6

/** PostgreSQL and SQLite take a delta of any size, but a reader's line should stay handy. */
const MAX_PIECE_CHARS = 64 * 1024

export function createRunWriter(
  ports: {
    readonly store: Store
    readonly clock: Clock
    readonly log: (message: string, error: unknown) => void
    readonly wake: () => void
  },
  run: { readonly runId: string; readonly times: RunLogTimes; readonly onStop: () => void },
): RunWriter {
  const { store, clock } = ports
  const { times } = run
  let pieces: Piece[] = []
  /** Events with their numbers, on their way to the store: the same again if it did not answer. */
  let unsent: RunEvent[] = []
  // The append wrote `start` as 1.
  let lastSeq = 1
  let live = true
  /** Flushes in a row that the store did not take. */
  let failures = 0
  let flushing: Promise<void> | null = null
  let flushedAt = Number.NEGATIVE_INFINITY
  let cancelTimer: (() => void) | null = null
  const { promise: ended, resolve: finish } = Promise.withResolvers<void>()

  async function flush(): Promise<void> {
    for (const { channel, text } of pieces) unsent.push({ seq: (lastSeq += 1), type: 'delta', channel, text })
    pieces = []
    flushedAt = clock.now()
    const sending = unsent
    try {
      const answer = await store.appendRunEvents(run.runId, sending, clock.now())
      unsent = unsent.slice(sending.length)
      live = answer.live
      failures = 0
      if (!answer.live || answer.stopRequested) run.onStop()
      if (sending.length > 0) ports.wake()
    } catch (error) {
      failures += 1
      if (failures === 1) ports.log('a reply could not be stored for a moment; it is kept and tried again', error)
    }
  }

  const flushNow = (): Promise<void> => {
    cancelTimer?.()
    cancelTimer = null
    flushing ??= flush().finally(() => {
      flushing = null
      if (live) schedule()
    })
    return flushing
  }

  /** The next flush: soon when something waits, else the next heartbeat. */
  function schedule(): void {
    const waits = pieces.length > 0 || unsent.length > 0
    const pauseMs = waits ? times.joinMs * 2 ** Math.min(failures, 6) : times.heartbeatMs
    const due = flushedAt + Math.min(pauseMs, times.heartbeatMs)
    cancelTimer?.()
    cancelTimer = clock.after(Math.max(0, due - clock.now()), () => void flushNow())
  }
  schedule()

  return {
    ended,

    write(channel, text) {
      if (text === '' || !live) return
      const last = pieces.at(-1)
      if (last?.channel === channel && last.text.length < MAX_PIECE_CHARS) last.text += text
      else pieces.push({ channel, text })
      if (flushing) return
      if (failures === 0 && clock.now() - flushedAt >= times.joinMs) void flushNow()
      else schedule()
    },

    async end(ending) {
      for (let tries = 1, delayMs = FIRST_RETRY_MS; ; tries += 1, delayMs *= 2) {
        await flushing
        if (live && (pieces.length > 0 || unsent.length > 0)) await flushNow()
        if (unsent.length === 0 || !live) {
          const stored = await store.endRun(run.runId, ending, clock.now()).then(
            () => true,
            (error: unknown) => {
              ports.log('the end of a reply could not be stored', error)
              return false
            },
          )
          if (stored) break
        }
        if (tries === END_TRIES) break
        await waitFor(clock, delayMs)
      }
      live = false
      cancelTimer?.()
      cancelTimer = null
      finish()
    },
  }
}
