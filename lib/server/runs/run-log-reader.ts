import type { RunKey, RunRow } from '@/lib/server/store/ports/run-store'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { RunLogStore } from './run-maintenance'
import type { Clock } from './clock'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'

/** The newest events of one run in memory, each one object for all who read it. */
export interface RunTail {
  push(events: readonly RunEvent[]): void
  /** The store has all up to `seq`: the older ones of them may be forgotten here. */
  kept(seq: number): void
  /** Nothing comes any longer; what is here can still be read. */
  close(): void
  readonly isClosed: boolean
  readonly lastSeq: number
  /**
   * What is here above `after`, one list for all who stand there; empty: nothing yet. Null: it begins before what is here,
   * and is in the store.
   */
  since(after: number): readonly RunEvent[] | null
}

/** A view that falls behind by more reads on from the store; so a reply of any length takes little memory. */
const REMEMBERED = 256

/** `reply`: as the append stored it; left out: it is in the store alone. */
export function createRunTail(reply?: AssistantMessage): RunTail {
  let events: RunEvent[] = reply ? [{ seq: 1, type: 'start', message: reply }] : []
  /** The number before the first of `events`. */
  let before = reply ? 0 : 1
  let keptSeq = 1
  let isClosed = false
  let answered: { readonly after: number; readonly upTo: number; readonly events: readonly RunEvent[] } | null = null
  const last = () => before + events.length

  /** Seldom, and then many at once: not a copy for each event. */
  function forget(): void {
    const count = Math.min(events.length - REMEMBERED, keptSeq - before)
    if (count < REMEMBERED) return
    events = events.slice(count)
    before += count
  }

  return {
    push(added) {
      for (const event of added) events.push(event)
      forget()
    },
    kept(seq) {
      keptSeq = Math.max(keptSeq, seq)
      forget()
    },
    close() {
      isClosed = true
    },
    get isClosed() {
      return isClosed
    },
    get lastSeq() {
      return last()
    },
    since(after) {
      if (after < before) return null
      const upTo = last()
      if (answered?.after === after && answered.upTo === upTo) return answered.events
      answered = { after, upTo, events: events.slice(after - before) }
      return answered.events
    },
  }
}

const PAGE = 1000

export interface LogReaderPorts {
  readonly store: RunLogStore
  /** What this process has in memory of a run that it writes. */
  readonly tailOf: (run: RunKey) => RunTail | undefined
  readonly isLocal: (runId: string) => boolean
  /** This process goes down, and someone else writes the run. */
  readonly leaves: (runId: string) => boolean
  /** Why the end of a run of this process is not in the store; null: it is, or will be. */
  readonly lossOf: (runId: string) => string | null
  /** Ends the run as interrupted when its producer is dead. */
  readonly interrupt: (run: RunRow) => Promise<boolean>
  readonly subscribe: (runId: string, signal: AbortSignal) => RunWakes
}

/**
 * Reads a run from anywhere to its end, in lists of one event or more. What this process writes is read from memory, all
 * else from the store: the numbers are the same. A log that was pruned, or a reader that stands beyond its end, gets the
 * stored message as a fresh `start` and its `end`: folding them gives the same message.
 */
export function createRunReader(ports: LogReaderPorts) {
  return async function* read(
    key: RunKey,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly RunEvent[], void, undefined> {
    const { runId } = key
    let seq = after
    let tail: RunTail | undefined
    const changes = ports.subscribe(runId, signal)
    try {
      while (!signal.aborted) {
        changes.clear()
        tail = ports.tailOf(key) ?? tail
        const here = tail?.since(seq)
        if (here?.length === 0 && tail?.isClosed === false) {
          await changes.wait()
          continue
        }
        const found = here && here.length > 0 ? { events: here, run: null } : await readOn(key, seq)
        if (found === 'nothing') return
        if (found !== 'loss') {
          const { events, run } = found
          if (events[0]?.seq === seq + 1) {
            yield events
            const last = events.at(-1)
            if (last?.type === 'end') return
            seq = last?.seq ?? seq
            // There may be more already, in memory too.
            if (tail?.isClosed === false || run?.status !== 'running' || events.length === PAGE) continue
          } else if (run?.status === 'ended') {
            const replayed = await replayStored(ports.store, key, seq)
            if (replayed) yield replayed
            return
          } else if (run && !ports.isLocal(runId) && (await ports.interrupt(run))) continue
        }
        const loss = ports.lossOf(runId)
        if (loss !== null) {
          const failure = { code: 'unknown', message: loss, detail: '' } as const
          // As the store will say it, and as readers elsewhere hear it.
          yield [{ seq: seq + 1, type: 'end', outcome: 'interrupted', failure, usage: null }]
          return
        }
        if (ports.leaves(runId)) return
        await changes.wait()
      }
    } finally {
      changes.dispose()
    }
  }

  /** A store that is away ends the reading, unless there is a loss to tell. */
  async function readOn(key: RunKey, after: number) {
    try {
      return (await ports.store.readRunEvents(key, after, PAGE)) ?? 'nothing'
    } catch (error) {
      if (ports.lossOf(key.runId) !== null) return 'loss'
      throw error
    }
  }
}

async function replayStored(store: RunLogStore, run: RunKey, after: number): Promise<readonly RunEvent[] | null> {
  const message = await store.loadReply(run)
  if (!message) return null
  const { outcome, failure, usage } = message
  return [
    { seq: after + 1, type: 'start', message: { ...message, outcome: null, failure: null, usage: null } },
    { seq: after + 2, type: 'end', outcome: outcome ?? 'interrupted', failure, usage },
  ]
}

/** One reader's ear for changes of one run. */
interface RunWakes {
  /** From here on a change counts as new: call it before reading. */
  clear(): void
  /** Resolves when the run changed since `clear`, after the poll interval if there is one, or when the reader goes away. */
  wait(): Promise<void>
  dispose(): void
}

/**
 * Who waits for which run. A reader registers once and not once a token; nothing but plain functions is made while
 * it waits, so that nothing of it can outlive the run.
 */
export function createRunWakes(clock: Clock) {
  const listeners = new Map<string, Set<() => void>>()

  return {
    wake(runId: string): void {
      for (const listener of listeners.get(runId) ?? []) listener()
    },

    wakeAll(): void {
      for (const ofRun of listeners.values()) for (const listener of ofRun) listener()
    },

    subscribe(runId: string, signal: AbortSignal, pollMs: () => number | null): RunWakes {
      let changed = false
      let finish: (() => void) | null = null
      const listener = () => {
        changed = true
        finish?.()
      }
      const ofRun = listeners.get(runId) ?? new Set()
      listeners.set(runId, ofRun.add(listener))
      signal.addEventListener('abort', listener)
      return {
        clear() {
          changed = false
        },
        wait: () =>
          new Promise((resolve) => {
            if (changed || signal.aborted) return resolve()
            const ms = pollMs()
            const cancel = ms === null ? null : clock.after(ms, () => finish?.())
            finish = () => {
              finish = null
              cancel?.()
              resolve()
            }
          }),
        dispose() {
          signal.removeEventListener('abort', listener)
          ofRun.delete(listener)
          if (ofRun.size === 0 && listeners.get(runId) === ofRun) listeners.delete(runId)
        },
      }
    },
  }
}

/**
 * Milliseconds. A run is dead when its heart was silent for `deadMs`, which must span several beats; one that a tab writes, over
 * whatever line, for `tabDeadMs`. With a look every `lookMs` the former is ended within six seconds of its death, also when no one reads it.
 */
export interface RunLogTimes {
  /** What a model writes within it is one event for readers. */
  readonly joinMs: number
  /** How often what readers of this process have seen is stored: all of it in one transaction. */
  readonly keepMs: number
  /** Readers see no more than this much of what the store has not taken: it would be lost with this process. */
  readonly aheadMs: number
  readonly heartbeatMs: number
  readonly deadMs: number
  readonly tabDeadMs: number
  /** As `deadMs` where its process is known to be there: it only stands still, until it is silent for so long: then it hangs. */
  readonly stuckMs: number
  /** How often dead runs are looked for that no one reads. */
  readonly lookMs: number
  readonly pollMs: number
  /** How often the store is asked of a run of another process while that process tells of it, too. */
  readonly listeningPollMs: number
  readonly keepEventsMs: number
  /** A reply that the store has not taken for so long is given up. */
  readonly giveUpMs: number
}

export const defaultRunLogTimes: RunLogTimes = {
  joinMs: 50,
  keepMs: 400,
  aheadMs: 1_000,
  heartbeatMs: 1_000,
  deadMs: 5_000,
  tabDeadMs: 6_000,
  stuckMs: 20_000,
  lookMs: 500,
  pollMs: 150,
  listeningPollMs: 1_000,
  keepEventsMs: 10 * 60_000,
  giveUpMs: 15_000,
}
