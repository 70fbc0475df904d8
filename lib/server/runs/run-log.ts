import type { MonotonicMs } from '@/lib/base/clocks'
import type { RunKey, RunRow } from '@/lib/server/store/ports/run-store'
import type { Store } from '@/lib/server/store/ports/store'
import type { Clock } from './clock'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { createRunMaintenance, withWatch, type RunLogStore } from './run-maintenance'
import {
  createRunReader,
  createRunWakes,
  defaultRunLogTimes,
  type RunLogTimes,
  createRunTail,
  type RunTail,
} from './run-log-reader'
import { t } from '@/lib/i18n/t'
import { createRunSignals } from './run-signals'
import { createRunWriter, type RunWriter } from './run-log-writer'

export interface RunLogPorts {
  readonly store: RunLogStore & Pick<Store, 'signals' | 'processes'>
  readonly clock: Clock
  readonly log: (message: string, error: unknown) => void
  /** The load of this process, 0 to 1; omitted: idle. */
  readonly utilisation?: () => number
  /** Notifies other processes of a death at once; omitted: only a missing heartbeat shows it. */
  readonly handoff?: RunHandoff | undefined
  /** Returns when the store's clock was last found to have jumped; omitted: it never does. */
  readonly lastStep?: () => Promise<MonotonicMs>
  /** The sentence for readers when a reply could not be stored. */
  readonly describeLoss?: (error: unknown) => string
}

/**
 * For processes whose death is noticed by a supervisor, which then tells another process which runs the dead one wrote.
 */
export interface RunHandoff {
  writes(run: RunKey): void
  /** The run's end is stored. */
  wrote(runId: string): void
  /** `end` is called with each run of a process that is certainly gone; it never rejects. */
  onDeath(end: (run: RunKey) => Promise<void>): void
  /** Whether a living process writes the run. */
  holds(runId: string): Promise<boolean>
}

/**
 * The log of running replies: one writer per run (in this process) and any number of readers, in this process from
 * memory, in others through the store. A run is judged dead by the database's clock, or by a process that noticed the
 * death. A process that could not reach the store ends no runs until all others had time for a heartbeat.
 */
export interface RunLog {
  /**
   * Takes over the run that an append opened. `onStop` is called once: `stopped` if someone stopped or ended it,
   * `interrupted` if the store accepted nothing for too long. `reply`: as the append stored it, so that readers need
   * not load it.
   */
  write(run: RunKey, onStop: (outcome: 'stopped' | 'interrupted') => void, reply?: AssistantMessage): RunWriter
  /**
   * Yields events after `after`, live, up to and including `end`, all available ones at once, by reference. Stops early
   * if the signal aborts, if the run is gone, or if this process shuts down and the run belongs to another one.
   */
  read(run: RunKey, after: number, signal: AbortSignal): AsyncGenerator<readonly RunEvent[], void, undefined>
  /** At once for a run of this process, through the store for others. False for an unknown, foreign or ended run. */
  stop(run: RunKey): Promise<boolean>
  /** The store has new events of a run that no process writes: wakes its readers here and elsewhere. */
  heard(run: RunKey): void
  /** Ends the run as interrupted if its producer is dead; true if it was. */
  recoverIfDead(run: RunKey): Promise<boolean>
  /** Ends all dead runs; called continuously. */
  endDead(): Promise<void>
  /**
   * Stores what could not be stored before, ends all dead runs, deletes old events; called at start and every few
   * seconds.
   */
  sweep(): Promise<void>
  /** Disconnects readers of other processes' runs; they continue elsewhere from their position. */
  leave(): void
  /** The runs that this process writes now. */
  readonly active: ReadonlySet<string>
}

const notifierOf =
  (wakes: ReturnType<typeof createRunWakes>, signals: ReturnType<typeof createRunSignals>) =>
  ({ runId }: RunKey): void => {
    wakes.wake(runId)
    signals.wrote(runId)
  }

export function createRunLog(ports: RunLogPorts, times: RunLogTimes = defaultRunLogTimes): RunLog {
  const { clock, utilisation = () => 0 } = ports
  const judge = createRunJudge(
    {
      store: () => store,
      clock,
      isOurs: (runId) => active.has(runId) || unstored.has(runId),
      isHeld: isHeldBy(ports),
      lastStep: ports.lastStep,
      onEnd(runId) {
        wakes.wake(runId)
        signals.ended(runId)
      },
    },
    times,
  )
  const store = withWatch(ports.store, judge.trustFromNow)
  // A crash that is over before this process's next query interrupted the heartbeats of others, too.
  ports.store.signals?.watchBreaks(judge.trustFromNow)
  const keeper = createRunMaintenance({ store, clock, utilisation })
  const writers = new Map<string, { readonly stop: () => void }>()
  const active = new Set<string>()
  const tails = new Map<string, { readonly owner: string; readonly tail: RunTail }>()
  /** Ended replies that the store did not accept. */
  const unstored = new Map<string, RunWriter>()
  const wakes = createRunWakes(clock)
  const signals = createRunSignals(
    {
      signals: ports.store.signals,
      clock,
      onWrote: (runId) => wakes.wake(runId),
      onStop: (runId) => writers.get(runId)?.stop(),
      isOurs: (runId) => active.has(runId),
    },
    times,
  )
  endOrphanedRuns(ports, judge)
  let leaving = false

  async function storeLate(runId: string, writer: RunWriter): Promise<void> {
    if (!(await writer.storeLate())) return
    unstored.delete(runId)
    ports.handoff?.wrote(runId)
    wakes.wake(runId)
  }

  return {
    active,
    endDead: judge.endDead,

    write(run, onStop, reply) {
      const { owner, runId } = run
      active.add(runId)
      ports.handoff?.writes(run)
      const tail = createRunTail(reply)
      tails.set(runId, { owner, tail })
      const stop = once(onStop)
      const wake = () => wakes.wake(runId)
      const writer = createRunWriter(
        { store, keeper, clock, log: ports.log, wake, onKept: () => signals.wrote(runId), utilisation },
        { run, times, tail, onStop: stop },
      )
      writers.set(runId, { stop: () => stop('stopped') })
      const forget = (stored: boolean) => {
        if (stored) ports.handoff?.wrote(runId)
        else unstored.set(runId, writer)
        active.delete(runId)
        tails.delete(runId)
        writers.delete(runId)
        wake()
      }
      void writer.ended.then(forget)
      return writer
    },

    read: createRunReader({
      store,
      interrupt: judge.interrupt,
      tailOf(run) {
        const found = tails.get(run.runId)
        return found?.owner === run.owner ? found.tail : undefined
      },
      leaves: (runId) => leaving && !active.has(runId),
      isLocal: (runId) => active.has(runId),
      lossOf: (runId) => lossSentence(unstored.get(runId), ports.describeLoss),
      // A writer of this process wakes its readers, whatever happens to the run.
      subscribe: (runId, signal) =>
        wakes.subscribe(runId, signal, () => (active.has(runId) ? null : signals.watch(runId))),
    }),

    async stop(run) {
      const requested = await store.requestStop(run)
      const writer = writers.get(run.runId)
      if (requested && writer) writer.stop()
      else if (requested) signals.stop(run.runId)
      return requested
    },

    heard: notifierOf(wakes, signals),

    async recoverIfDead(key) {
      const run = await store.loadRun(key)
      return run ? judge.interrupt(run) : false
    },

    async sweep() {
      for (const [runId, writer] of unstored) await storeLate(runId, writer)
      await judge.endDead()
      await store.pruneRunEvents(times.keepEventsMs)
    },

    leave() {
      leaving = true
      wakes.wakeAll()
    },
  }
}

/** Passes on only the first call. */
function once<Value>(callback: (value: Value) => void): (value: Value) => void {
  let isCalled = false
  return (value) => {
    if (isCalled) return
    isCalled = true
    callback(value)
  }
}

/** Whether the supervisor of workers or the database knows the process to be alive. */
const isHeldBy =
  ({ handoff, store }: RunLogPorts) =>
  async ({ id, process }: RunRow): Promise<boolean> =>
    (handoff !== undefined && (await handoff.holds(id))) ||
    (process !== null && store.processes !== undefined && (await store.processes.lives(process)))

/**
 * Ends the runs that dead processes left behind. After a failure, the regular check ends them by their missing
 * heartbeat.
 */
function endOrphanedRuns({ handoff, log }: RunLogPorts, judge: RunJudge): void {
  handoff?.onDeath((run) =>
    judge.endLeft(run).catch((error: unknown) => log('a reply of a worker that died was not ended yet', error)),
  )
}

/** Why an ended reply is not stored, for its readers; null: it is stored. */
function lossSentence(writer: RunWriter | undefined, describe: RunLogPorts['describeLoss']): string | null {
  if (!writer) return null
  const why = describe?.(writer.problem()) ?? t('store.not-taken')
  return t('chat.not-saved', { why })
}

interface RunJudge {
  /** Suspends judging until heartbeats can resume: the store was unavailable, for this process or for all. */
  readonly trustFromNow: () => void
  /** Ends the run as interrupted if its producer is dead; true if it was. */
  readonly interrupt: (run: RunRow) => Promise<boolean>
  /** Ends a run whose process is known to be gone. */
  readonly endLeft: (key: RunKey) => Promise<void>
  /** Ends all dead runs. */
  readonly endDead: () => Promise<void>
}

/**
 * Decides which runs are dead, by the database's clock, if no other process noticed the death. `store` is called when
 * it is needed; runs that are `isOurs` are alive.
 */
function createRunJudge(
  ports: {
    readonly store: () => RunLogStore
    readonly clock: Clock
    readonly isOurs: (runId: string) => boolean
    /** Whether the writing process is certainly alive. If this can't be found out, nothing is ended. */
    readonly isHeld: (run: RunRow) => Promise<boolean>
    readonly onEnd: (runId: string) => void
    /** Returns when the heartbeat clock was last found to have jumped. Omitted: it never does. */
    readonly lastStep?: (() => Promise<MonotonicMs>) | undefined
  },
  { deadMs, tabDeadMs, stuckMs }: RunLogTimes,
): RunJudge {
  const { clock } = ports
  const beatsAgainMs = Math.max(deadMs, tabDeadMs)
  let trustedFrom: MonotonicMs = Number.NEGATIVE_INFINITY

  /** After a clock change, an earlier heartbeat seems older by the size of the jump, until the next heartbeat. */
  async function hasClockJumped(): Promise<boolean> {
    const steppedAt = (await ports.lastStep?.().catch(() => clock.monotonic())) ?? Number.NEGATIVE_INFINITY
    return clock.monotonic() < steppedAt + beatsAgainMs
  }

  async function interrupt(run: RunRow): Promise<boolean> {
    if (ports.isOurs(run.id)) return false
    const silentForMs = run.isByTab ? tabDeadMs : deadMs
    if (run.status === 'ended' || run.silentMs <= silentForMs || clock.monotonic() < trustedFrom) return false
    if (await hasClockJumped()) return false
    // A busy machine may delay heartbeats for seconds.
    if (run.silentMs <= stuckMs && (await ports.isHeld(run).catch(() => true))) return false
    const dead = { outcome: 'interrupted', failure: null, usage: null, silentForMs, runnableCalls: 0 } as const
    const ended = await ports.store().endRun({ owner: run.owner, runId: run.id }, dead, clock.now())
    if (ended) ports.onEnd(run.id)
    return ended
  }

  return {
    trustFromNow() {
      trustedFrom = clock.monotonic() + beatsAgainMs
    },
    interrupt,
    async endLeft(key) {
      if (ports.isOurs(key.runId)) return
      const dead = { outcome: 'interrupted', failure: null, usage: null, runnableCalls: 0 } as const
      if (await ports.store().endRun(key, dead, clock.now())) ports.onEnd(key.runId)
    },
    async endDead() {
      for (const run of await ports.store().staleRuns(Math.min(deadMs, tabDeadMs))) await interrupt(run)
    },
  }
}
