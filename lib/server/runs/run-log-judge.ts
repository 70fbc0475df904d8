import type { MonotonicMs } from '@/lib/base/clocks'
import type { RunKey, RunRow } from '@/lib/server/store/ports/run-store'
import type { Clock } from './clock'
import type { RunLogTimes } from './run-log-reader'
import type { RunLogStore } from './run-log-watch'

export interface RunJudge {
  /** For as long as hearts need to beat again: the store was away, for this process or for all. */
  readonly judgeNobody: () => void
  /** Ends the run as interrupted if its producer is dead; true if it was. */
  readonly interrupt: (run: RunRow) => Promise<boolean>
  /** Ends a run whose process is known to be gone. */
  readonly endLeft: (key: RunKey) => Promise<void>
  /** Ends all dead runs. */
  readonly endDead: () => Promise<void>
}

/** Says who is dead: by the database's clock, as nobody else saw it. `store` is asked when it is needed; runs that are `isOurs` live. */
export function createRunJudge(
  ports: {
    readonly store: () => RunLogStore
    readonly clock: Clock
    readonly isOurs: (runId: string) => boolean
    /** Whether the process that writes it is certainly there; a question without an answer ends nothing, either. */
    readonly isHeld: (run: RunRow) => Promise<boolean>
    readonly onEnd: (runId: string) => void
    /** When the clock of the hearts was last found to have jumped, asked anew. Left out: it never does. */
    readonly lastStep?: (() => Promise<MonotonicMs>) | undefined
  },
  { deadMs, tabDeadMs, stuckMs }: RunLogTimes,
): RunJudge {
  const { clock } = ports
  const beatsAgainMs = Math.max(deadMs, tabDeadMs)
  let trustedFrom: MonotonicMs = Number.NEGATIVE_INFINITY

  /** Somebody set the clock: a heart that beat before seems silent for as long as the clock jumped, until it beats again. */
  async function hasClockJumped(): Promise<boolean> {
    const steppedAt = (await ports.lastStep?.().catch(() => clock.monotonic())) ?? Number.NEGATIVE_INFINITY
    return clock.monotonic() < steppedAt + beatsAgainMs
  }

  async function interrupt(run: RunRow): Promise<boolean> {
    if (ports.isOurs(run.id)) return false
    const silentForMs = run.isByTab ? tabDeadMs : deadMs
    if (run.status === 'ended' || run.silentMs <= silentForMs || clock.monotonic() < trustedFrom) return false
    if (await hasClockJumped()) return false
    // A machine that is busy stops hearts for seconds, and then they go on.
    if (run.silentMs <= stuckMs && (await ports.isHeld(run).catch(() => true))) return false
    const dead = { outcome: 'interrupted', failure: null, usage: null, silentForMs, runnableCalls: 0 } as const
    const ended = await ports.store().endRun({ owner: run.owner, runId: run.id }, dead, clock.now())
    if (ended) ports.onEnd(run.id)
    return ended
  }

  return {
    judgeNobody() {
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
