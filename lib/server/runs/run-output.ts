import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { Clock } from './clock'
import type { RunLogTimes, RunTail } from './run-log-reader'

/** Below it a process has time for everything. */
const FREE_UNTIL = 0.6
/** From here on as little as can be is left to the words of old replies. */
const BUSY_FROM = 0.95
const LONGEST = 6

/**
 * By how much longer words of a reply are joined where the loop is busy for this share of its time (0 to 1): the fewer
 * events, the less a new question and a first word, which are never joined, wait behind the words of old ones.
 */
export function joinFactor(utilisation: number): number {
  const share = (utilisation - FREE_UNTIL) / (BUSY_FROM - FREE_UNTIL)
  return 1 + (LONGEST - 1) * Math.min(1, Math.max(0, share))
}

interface Piece {
  readonly channel: 'text' | 'reasoning'
  text: string
}

/** PostgreSQL and SQLite take a delta of any size, but a reader's line should stay handy. */
const MAX_PIECE_CHARS = 64 * 1024

/** What a model wrote since the last look: what follows closely is one piece, each gets the run's next number. */
function createRunPieces() {
  let pieces: Piece[] = []
  // The append wrote `start` as 1.
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

/** What a model writes, as events: shown to readers of this process soon, here until the store has them. */
export interface RunOutput {
  add(channel: 'text' | 'reasoning', text: string): void
  isWaiting(): boolean
  /** Everything that the store lacks. The same again until `stored` is told. */
  unstored(): readonly RunEvent[]
  /**
   * The store was given these at `sentAt`, and has all up to `lastSeq`. False: that is less than it said before, so that what
   * it lost waits again with the rest. What is not remembered here any longer is let be, the reply's end has it.
   */
  stored(events: readonly RunEvent[], sentAt: number, lastSeq: number): boolean
  /** What the store says comes after these. */
  show(events: readonly RunEvent[]): void
  /** Nothing is shown any longer. */
  close(): void
}

/**
 * Readers and the store get the same events with the same numbers, so that a reader may go from one to the other
 * anywhere. What readers see is at most `aheadMs` ahead of the store; while that takes nothing they wait.
 */
export function createRunOutput(
  ports: {
    readonly clock: Clock
    readonly wake: () => void
    /** How busy this process is, 0 to 1. */
    readonly utilisation: () => number
  },
  { tail, times }: { readonly tail: RunTail; readonly times: Pick<RunLogTimes, 'joinMs' | 'aheadMs'> },
): RunOutput {
  const { clock, wake } = ports
  const pieces = createRunPieces()
  let unstored: readonly RunEvent[] = []
  /** When pieces last became events. */
  let cutAt = Number.NEGATIVE_INFINITY
  /** Up to which number the store said that it has them; the append wrote the first. */
  let keptSeq = 1
  /** Since when the store lacks something that readers may have seen. */
  let aheadSince = 0
  let cancelCut: (() => void) | null = null

  function show(events: readonly RunEvent[]): void {
    const news = events.filter(({ seq }) => seq > tail.lastSeq)
    if (news.length === 0 || tail.isClosed) return
    tail.push(news)
    wake()
  }

  /** What was kept above `seq` was shown before, and is remembered for some seconds. */
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
