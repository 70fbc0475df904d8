import type { EventsOfRun, RunAppended, RunStore } from '@/lib/server/store/ports/run-store'
import type { Clock } from './clock'

/** Stores events of many runs together, so that any number of replies costs few transactions. */
export interface RunMaintenance {
  /**
   * Like the store's `appendRunEvents`; `events` is called when it is sent. `isFirst`: a first token, which does not
   * wait to share a transaction while the process has time.
   */
  keep(ask: {
    readonly run: EventsOfRun['run']
    readonly events: () => EventsOfRun['events']
    readonly isFirst: boolean
  }): Promise<RunAppended>
}

/** The minimum time between transactions: later events wait for the next one. */
const APART_MS = 60
/**
 * The same for first tokens on a busy process: readers elsewhere wait for them, and each transaction delays all others.
 */
const FIRST_APART_MS = 20
const BUSY = 0.6
/**
 * The number of concurrent transactions, one of which may wait for a lock. If each takes long, more of them would only
 * wait for each other and delay heartbeats. Later events share the next one, so that none waits longer than two
 * transactions.
 */
const MOST_AT_ONCE = 2

/**
 * Stores the first request at once; later ones soon after share a transaction. A failed transaction is repeated with
 * each run on its own, so that a problem with one run does not affect the others.
 */
export function createRunMaintenance({
  store,
  clock,
  utilisation,
}: {
  readonly store: Pick<RunLogStore, 'appendRunEvents' | 'appendEventsOfRuns'>
  readonly clock: Clock
  /** The load of this process, 0 to 1. */
  readonly utilisation: () => number
}): RunMaintenance {
  type Ask = Parameters<RunMaintenance['keep']>[0] & PromiseWithResolvers<RunAppended>
  let waiting: Ask[] = []
  let cancelDue: (() => void) | null = null
  let sentAt = Number.NEGATIVE_INFINITY
  let underWay = 0
  /** It was time to send, but both transactions were running. */
  let isOverdue = false

  /** Null: the transaction failed, so nothing was stored. */
  const together = (all: readonly EventsOfRun[]): Promise<readonly RunAppended[] | null> =>
    all.length > 1 ? store.appendEventsOfRuns(all).catch(() => null) : Promise.resolve(null)

  async function send(): Promise<void> {
    cancelDue?.()
    cancelDue = null
    isOverdue = underWay >= MOST_AT_ONCE
    if (isOverdue) return
    sentAt = clock.monotonic()
    const asked = waiting.map((ask) => ({ ask, of: { run: ask.run, events: ask.events() } }))
    waiting = []
    underWay += 1
    const answers = await together(asked.map(({ of }) => of))
    const settled = asked.map(async ({ ask, of }, at) => {
      const answer = answers?.[at]
      if (answer) ask.resolve(answer)
      else await store.appendRunEvents(of.run, of.events).then(ask.resolve, ask.reject)
    })
    await Promise.all(settled)
    underWay -= 1
    if (isOverdue) void send()
  }

  return {
    keep(ask) {
      const settled = Promise.withResolvers<RunAppended>()
      waiting.push({ ...ask, ...settled })
      const apartMs = !ask.isFirst ? APART_MS : utilisation() > BUSY ? FIRST_APART_MS : 0
      const leftMs = sentAt + apartMs - clock.monotonic()
      if (leftMs <= 0 || apartMs === 0) void send()
      else if (ask.isFirst || cancelDue === null) {
        cancelDue?.()
        cancelDue = clock.after(leftMs, () => void send())
      }
      return settled.promise
    },
  }
}

/** The part of the store that the run log uses: everything except tab runs. */
export type RunLogStore = Omit<RunStore, 'loadTabRun' | 'appendTabPieces'>

/** Returns the same store; `onFailure` is called for every failed call. */
export function withWatch(store: RunLogStore, onFailure: () => void): RunLogStore {
  type Ask = (...args: readonly unknown[]) => Promise<unknown>
  const watched = <Name extends keyof RunLogStore>(name: Name): RunLogStore[Name] => {
    const ask = async (...args: readonly unknown[]) => {
      try {
        return await (store[name] as Ask)(...args)
      } catch (error) {
        onFailure()
        throw error
      }
    }
    return ask as unknown as RunLogStore[Name]
  }
  return {
    appendRunEvents: watched('appendRunEvents'),
    appendEventsOfRuns: watched('appendEventsOfRuns'),
    endRun: watched('endRun'),
    loadRun: watched('loadRun'),
    loadReply: watched('loadReply'),
    pruneRunEvents: watched('pruneRunEvents'),
    readRunEvents: watched('readRunEvents'),
    requestStop: watched('requestStop'),
    staleRuns: watched('staleRuns'),
  }
}
