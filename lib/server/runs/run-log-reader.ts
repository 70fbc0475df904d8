import type { RunKey, RunRow } from '@/lib/server/store/ports/run-store'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { RunLogStore } from './run-maintenance'
import type { Clock } from './clock'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'

/** The newest events of one run in memory; all readers share the same event objects. */
export interface RunTail {
  push(events: readonly RunEvent[]): void
  /** The store has all events up to `seq`, so older ones may be dropped here. */
  kept(seq: number): void
  /** No more events will follow; the existing ones can still be read. */
  close(): void
  readonly isClosed: boolean
  readonly lastSeq: number
  /**
   * The events after `after`, in one list for all readers at that position; empty: none yet. Null: they begin before
   * the events in memory, and are in the store.
   */
  since(after: number): readonly RunEvent[] | null
}

/** A reader that is further behind continues from the store, so a reply of any length needs little memory. */
const REMEMBERED = 256

/** `reply`: as the append stored it; omitted: it is only in the store. */
export function createRunTail(reply?: AssistantMessage): RunTail {
  let events: RunEvent[] = reply ? [{ seq: 1, type: 'start', message: reply }] : []
  /** The sequence number before the first of `events`. */
  let before = reply ? 0 : 1
  let keptSeq = 1
  let isClosed = false
  let answered: { readonly after: number; readonly upTo: number; readonly events: readonly RunEvent[] } | null = null
  const last = () => before + events.length

  /** Runs rarely, and then drops many at once, to avoid copying the list for each event. */
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
  /** The events in memory of a run that this process writes. */
  readonly tailOf: (run: RunKey) => RunTail | undefined
  readonly isLocal: (runId: string) => boolean
  /** This process is shutting down, and another one writes the run. */
  readonly leaves: (runId: string) => boolean
  /** Why the end of a run of this process is not in the store; null: it is, or will be. */
  readonly lossOf: (runId: string) => string | null
  /** Ends the run as interrupted if its producer is dead. */
  readonly interrupt: (run: RunRow) => Promise<boolean>
  readonly subscribe: (runId: string, signal: AbortSignal) => RunWakes
}

/**
 * Reads a run from any position to its end, in lists of one or more events. Runs of this process are read from memory,
 * all others from the store; the sequence numbers are the same. If the log was pruned, or the reader is beyond its end,
 * it gets the stored message as a new `start` and its `end`: folding them gives the same message.
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
            // There may already be more events, also in memory.
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
          // The same as the store will return it and readers elsewhere will get it.
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

  /** An unavailable store ends the reading, unless a loss must be reported. */
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

/** Notifies one reader of changes of one run. */
interface RunWakes {
  /** Changes from here on count as new: call it before reading. */
  clear(): void
  /**
   * Resolves when the run changed since `clear`, after the poll interval if there is one, or when the reader
   * disconnects.
   */
  wait(): Promise<void>
  dispose(): void
}

/**
 * Keeps track of which reader waits for which run. A reader registers once, not once per token. A waiting reader
 * creates only plain functions, so that none of them can outlive the run.
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
 * Milliseconds. A run is dead if its heartbeat is missing for `deadMs`, which must span several heartbeats. For a run
 * that a tab writes over the network, it is `tabDeadMs`. With a check every `lookMs`, a run of a dead process ends
 * within six seconds, even without readers.
 */
export interface RunLogTimes {
  /** Text that the model writes within this time becomes one event. */
  readonly joinMs: number
  /** How often the events that readers of this process have seen are stored, all in one transaction. */
  readonly keepMs: number
  /** How far readers may be ahead of the store: these events are lost if the process crashes. */
  readonly aheadMs: number
  readonly heartbeatMs: number
  readonly deadMs: number
  readonly tabDeadMs: number
  /** Like `deadMs`, for a process that is known to be alive: it may stall this long, then it counts as hung. */
  readonly stuckMs: number
  /** How often dead runs without readers are looked for. */
  readonly lookMs: number
  readonly pollMs: number
  /** How often the store is polled for a run of another process that also sends notifications. */
  readonly listeningPollMs: number
  readonly keepEventsMs: number
  /** A reply that the store has not accepted for this long is given up. */
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
