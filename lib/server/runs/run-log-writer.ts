import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { RunKey, StoredRunEnding } from '@/lib/server/store/ports/run-store'
import { waitFor, type Clock } from './clock'
import type { RunLogTimes, RunTail } from './run-log-reader'
import type { RunMaintenance, RunLogStore } from './run-maintenance'
import { createRunOutput, type RunOutput } from './run-output'
import type { MonotonicClock } from '@/lib/base/clocks'
import { createReasoningWatch } from '@/lib/protocols/reasoning/reasoning-watch'

type RunEnding = Omit<StoredRunEnding, 'silentForMs'>

export interface RunWriter {
  /**
   * Takes a piece of the reply; returns at once. The first piece is shown and stored at once, later pieces are joined.
   */
  write(channel: 'text' | 'reasoning', text: string): void
  /** The text so far, whether or not the store has it. */
  readonly said: { readonly text: string; readonly reasoning: string }
  /**
   * Stores the rest and the end. Call it once. Also resolves if the store stays unavailable (then call `storeLate`).
   */
  end(ending: RunEnding): Promise<void>
  /** Resolves when the writer is done; false: the store did not accept the end. */
  readonly ended: Promise<boolean>
  /** After `ended` gave false: tries again to store the reply, as interrupted. True if nothing is left to store. */
  storeLate(): Promise<boolean>
  /** The last error of the store. */
  problem(): unknown
}

interface WriterPorts {
  readonly store: RunLogStore
  readonly keeper: RunMaintenance
  readonly clock: Clock
  readonly utilisation: () => number
  readonly log: (message: string, error: unknown) => void
  /** Tells readers to check the tail, or the run. */
  readonly wake: () => void
  /** The store has new events of the run. */
  readonly onKept: () => void
}

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 1_600
/** The minimum, even if the store has accepted nothing for the longest allowed time. */
const END_TRIES = 6
const NEVER = Number.NEGATIVE_INFINITY

/** When to store next: soon if events wait, later after each failure, otherwise at the next heartbeat. */
function nextFlush(
  { keepMs, heartbeatMs }: RunLogTimes,
  state: { readonly waits: boolean; readonly sentAt: number; readonly beatAt: number; readonly failures: number },
): number {
  const beat = state.beatAt + heartbeatMs
  return state.waits ? Math.min(state.sentAt + keepMs * 2 ** Math.min(state.failures, 6), beat) : beat
}

/** Tracks store failures: since when, how many in a row, and the last error. The first one is logged. */
function createStoreTrouble({ clock, log }: Pick<WriterPorts, 'clock' | 'log'>) {
  let failures = 0
  let since = 0
  let last: unknown = null
  return {
    met(what: string, error: unknown): void {
      failures += 1
      last = error
      if (failures > 1) return
      since = clock.monotonic()
      log(what, error)
    },
    isOver(): void {
      failures = 0
    },
    failures: () => failures,
    lastsMs: () => (failures === 0 ? 0 : clock.monotonic() - since),
    last: () => last,
  }
}

/**
 * Stores the missing events, and again from an earlier position if a crash lost some; sends a heartbeat if there are
 * none.
 */
async function storeRest(
  { keeper, clock, log }: WriterPorts,
  { run, output, isFirst }: { readonly run: RunKey; readonly output: RunOutput; readonly isFirst: boolean },
  onSend: (at: number, isSome: boolean) => void,
) {
  for (let isAgain = false; ; isAgain = true) {
    let sending: readonly RunEvent[] = []
    let sentAt = 0
    const events = () => {
      sending = output.unstored()
      sentAt = clock.monotonic()
      onSend(sentAt, sending.length > 0)
      return sending
    }
    const answer = await keeper.keep({ run, events, isFirst })
    const isStored = answer.live && output.stored(sending, sentAt, answer.lastSeq)
    if (isStored || isAgain || !answer.live) return { answer, sent: sending.length > 0 }
    log('the database had lost the end of a reply in a crash; it is stored again', null)
  }
}

/** The stored end, loaded once for all readers here. A reader that does not get it this way asks the store. */
async function endOf(store: RunLogStore, run: RunKey, after: number): Promise<readonly RunEvent[]> {
  const found = await store.readRunEvents(run, after, 1).catch(() => null)
  return found?.events ?? []
}

/** Tells readers here and on other nodes that the reply was interrupted: no other end may be stored later. */
const asInterrupted = (ending: RunEnding): RunEnding => ({
  ...ending,
  outcome: 'interrupted',
  failure: null,
  runnableCalls: 0,
})

/** False if all tries failed. Makes a minimum number of tries, and more until `giveUpAt`. */
async function tryPatiently(once: () => Promise<boolean>, clock: Clock, giveUpAt: number): Promise<boolean> {
  for (let tries = 1, delayMs = FIRST_RETRY_MS; ; tries += 1, delayMs = Math.min(delayMs * 2, LAST_RETRY_MS)) {
    if (await once()) return true
    if (tries >= END_TRIES && clock.monotonic() >= giveUpAt) return false
    await waitFor(clock, delayMs)
  }
}

/** Writes one run: to readers of this process through `tail` every `joinMs`, to the store every `keepMs`. */
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
  const written = { text: '', reasoning: '' }
  const thoughts = createReasoningTimes(() => clock.monotonic())
  let live = true
  /** The end was stored or given up, and the heartbeat stopped. */
  let over = false
  const trouble = createStoreTrouble(ports)
  let flushing: Promise<void> | null = null
  /** When events were last sent to the store. */
  let sentAt = NEVER
  /** The last heartbeat; the append counts as the first. */
  let beatAt = clock.monotonic()
  let cancelTimer: (() => void) | null = null
  let left: RunEnding | null = null
  const { promise: ended, resolve: finish } = Promise.withResolvers<boolean>()

  async function flush(): Promise<void> {
    const isFirst = sentAt === NEVER && output.isWaiting()
    try {
      const { answer, sent } = await storeRest(ports, { run, output, isFirst }, (at, isSome) => {
        beatAt = at
        if (isSome) sentAt = at
      })
      trouble.isOver()
      live = answer.live
      if (sent) ports.onKept()
      if (!live || answer.stopRequested) onStop('stopped')
      if (!live) leaveToStore()
    } catch (error) {
      trouble.met('a reply could not be stored for a moment; it is kept and tried again', error)
      if (trouble.lastsMs() >= times.giveUpMs) onStop('interrupted')
    }
  }

  /** Another process ended the run: readers get the rest from the store. */
  function leaveToStore(): void {
    live = false
    output.close()
    ports.wake()
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
    cancelTimer = clock.after(Math.max(0, due - clock.monotonic()), () => void flushNow())
  }
  schedule()

  async function tryToEnd(how: RunEnding): Promise<boolean> {
    await flushing
    const events = live ? output.unstored() : []
    const sent = clock.monotonic()
    const lastSeq = Math.max(tail.lastSeq, events.at(-1)?.seq ?? 0)
    try {
      const isOurs = await store.endRun(run, { ...how, said: { ...written, lastSeq }, events }, clock.now())
      if (isOurs) output.stored(events, sent, lastSeq)
      else if (live) leaveToStore()
      ports.onKept()
      return true
    } catch (error) {
      trouble.met('the end of a reply could not be stored', error)
      return false
    }
  }

  return {
    ended,
    said: written,

    write(channel, text) {
      if (text === '' || !live || over) return
      const isFirst = !output.isWaiting()
      written[channel] += text
      thoughts.saw(channel, text)
      output.add(channel, text)
      if (!isFirst || flushing) return
      if (trouble.failures() === 0 && clock.monotonic() - sentAt >= times.keepMs) void flushNow()
      else schedule()
    },

    async end(given) {
      const thoughtMs = thoughts.all()
      const how = { ...given, ...(thoughtMs && { thoughtMs }) }
      const giveUpAt = clock.monotonic() + times.giveUpMs - trouble.lastsMs()
      const stored = await tryPatiently(() => tryToEnd(how), clock, giveUpAt)
      over = true
      cancelTimer?.()
      cancelTimer = null
      left = stored ? null : asInterrupted(how)
      if (stored && live) output.show(await endOf(store, run, tail.lastSeq))
      output.close()
      finish(stored)
    },

    storeLate: () => (left ? tryToEnd(left) : Promise.resolve(true)),

    problem: trouble.last,
  }
}

/** Measures the thinking time of a model, by what it writes and when. */
interface ReasoningTimes {
  readonly saw: (channel: 'text' | 'reasoning', piece: string) => void
  /**
   * Milliseconds of each thought so far, including an unfinished one: first the reasoning channel as one, then each
   * thought within the text. Null: none.
   */
  readonly all: () => readonly number[] | null
}

/** Measures with `monotonic`. */
export function createReasoningTimes(monotonic: MonotonicClock): ReasoningTimes {
  const watch = createReasoningWatch()
  let apart: number | null = null
  /** The start of the current stretch of reasoning. */
  let apartSince: number | null = null
  const inText: number[] = []
  let inTextSince: number | null = null

  const endApart = (at: number): void => {
    if (apartSince === null) return
    apart = (apart ?? 0) + at - apartSince
    apartSince = null
  }
  const endInText = (at: number): void => {
    if (inTextSince !== null) inText.push(at - inTextSince)
    inTextSince = null
  }
  return {
    saw(channel, piece) {
      if (channel === 'reasoning') {
        if (piece.trim() !== '') apartSince ??= monotonic()
        return
      }
      if (piece.trim() !== '') endApart(monotonic())
      for (const turn of watch.take(piece)) {
        if (turn === 'opens') inTextSince = monotonic()
        else endInText(monotonic())
      }
    },
    all() {
      const at = monotonic()
      endApart(at)
      endInText(at)
      const times = [...(apart === null ? [] : [apart]), ...inText]
      return times.length === 0 ? null : times.map((ms) => Math.max(0, Math.round(ms)))
    },
  }
}
