import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { Clock } from './clock'
import type { RunLogTimes, RunTail } from './run-log-reader'

/** Below this load, a process has time for everything. */
const FREE_UNTIL = 0.6
/** From this load on, later tokens of replies get as little time as possible. */
const BUSY_FROM = 0.95
const LONGEST = 6

/**
 * How much longer text of a reply is joined, by the share of time that the event loop is busy (0 to 1). With fewer
 * events, new messages and first tokens, which are never joined, wait less.
 */
export function joinFactor(utilisation: number): number {
  const share = (utilisation - FREE_UNTIL) / (BUSY_FROM - FREE_UNTIL)
  return 1 + (LONGEST - 1) * Math.min(1, Math.max(0, share))
}

interface Piece {
  readonly channel: 'text' | 'reasoning'
  text: string
}

/** PostgreSQL and SQLite accept a delta of any size, but a line for readers should stay small. */
const MAX_PIECE_CHARS = 64 * 1024

/**
 * Joins what a model wrote since the last call: adjacent text becomes one piece, and each piece gets the run's next
 * sequence number.
 */
function createRunPieces() {
  let pieces: Piece[] = []
  // The append stored `start` with number 1.
  let lastSeq = 1
  return {
    add(channel: Piece['channel'], text: string): void {
      const last = pieces.at(-1)
      if (last?.channel === channel && last.text.length < MAX_PIECE_CHARS) last.text += text
      else pieces.push({ channel, text })
    },
    isWaiting: () => pieces.length > 0,
    take(): readonly RunEvent[] {
      const taken = pieces
      pieces = []
      return taken.map(({ channel, text }) => ({ seq: (lastSeq += 1), type: 'delta', channel, text }))
    },
  }
}

/** A model's text as events: shown to readers of this process soon, and kept until the store has them. */
export interface RunOutput {
  add(channel: 'text' | 'reasoning', text: string): void
  isWaiting(): boolean
  /** All events that the store lacks. Returns the same ones until `stored` is called. */
  unstored(): readonly RunEvent[]
  /**
   * Reports that these events were sent to the store at `sentAt`, and that it has all up to `lastSeq`. False if that is
   * less than before: then the lost events are queued again with the rest. Events that are no longer in memory are not
   * repeated; the reply's end contains them.
   */
  stored(events: readonly RunEvent[], sentAt: number, lastSeq: number): boolean
  /** The store's own events follow these. */
  show(events: readonly RunEvent[]): void
  /** Nothing more is shown. */
  close(): void
}

/**
 * Readers and the store get the same events with the same numbers, so that a reader can switch between both at any
 * point. Readers are at most `aheadMs` ahead of the store; while it accepts nothing, they wait.
 */
export function createRunOutput(
  ports: {
    readonly clock: Clock
    readonly wake: () => void
    /** The load of this process, 0 to 1. */
    readonly utilisation: () => number
  },
  { tail, times }: { readonly tail: RunTail; readonly times: Pick<RunLogTimes, 'joinMs' | 'aheadMs'> },
): RunOutput {
  const { clock, wake } = ports
  const pieces = createRunPieces()
  let unstored: readonly RunEvent[] = []
  /** When pieces last became events. */
  let cutAt = Number.NEGATIVE_INFINITY
  /** The last sequence number that the store has; the append stored the first. */
  let keptSeq = 1
  /** Since when the store lacks events that readers may have seen. */
  let aheadSince = 0
  let cancelCut: (() => void) | null = null

  function show(events: readonly RunEvent[]): void {
    const news = events.filter(({ seq }) => seq > tail.lastSeq)
    if (news.length === 0 || tail.isClosed) return
    tail.push(news)
    wake()
  }

  /** Queues the events after `seq` again, if they are still in memory, where they stay for some seconds. */
  function waitAgain(seq: number): boolean {
    const shown = tail.lastSeq < keptSeq ? null : tail.since(seq)
    if (shown === null) return false
    unstored = [...shown, ...unstored.filter((event) => event.seq > tail.lastSeq)]
    keptSeq = seq
    return true
  }

  function cut(): void {
    cancelCut?.()
    cancelCut = null
    if (!pieces.isWaiting()) return
    cutAt = clock.monotonic()
    if (unstored.length === 0) aheadSince = cutAt
    unstored = [...unstored, ...pieces.take()]
    if (cutAt - aheadSince <= times.aheadMs) show(unstored)
  }

  return {
    add(channel, text) {
      pieces.add(channel, text)
      if (cancelCut) return
      const leftMs = cutAt + times.joinMs * joinFactor(ports.utilisation()) - clock.monotonic()
      if (leftMs <= 0) cut()
      else cancelCut = clock.after(leftMs, cut)
    },
    isWaiting: () => unstored.length > 0 || pieces.isWaiting(),
    unstored() {
      cut()
      return unstored
    },
    stored(events, sentAt, lastSeq) {
      if (lastSeq < keptSeq && waitAgain(lastSeq)) return false
      unstored = unstored.slice(events.length)
      aheadSince = sentAt
      show(events)
      keptSeq = events.at(-1)?.seq ?? keptSeq
      tail.kept(keptSeq)
      return true
    },
    show,
    close() {
      cancelCut?.()
      cancelCut = null
      tail.close()
    },
  }
}
