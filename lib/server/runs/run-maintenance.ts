import type { EventsOfRun, RunAppended, RunStore } from '@/lib/server/store/ports/run-store'
import type { Clock } from './clock'

/** Stores events of runs: those of many at once, so that as many replies as there are cost few transactions. */
export interface RunMaintenance {
  /** As the store's `appendRunEvents`: `events` is asked when it is sent. `isFirst`: a first word, which waits for no others to share with while the process has time. */
  keep(ask: {
    readonly run: EventsOfRun['run']
    readonly events: () => EventsOfRun['events']
    readonly isFirst: boolean
  }): Promise<RunAppended>
}

/** Anyone who comes sooner after the last transaction waits for the next one. */
const APART_MS = 60
/** The same of first words while the process is busy: readers elsewhere wait for them, and each transaction holds all others up. */
const FIRST_APART_MS = 20
const BUSY = 0.6
/**
 * So many transactions are under way at a time, of which one may hang at a lock. Where each takes long, more of them would only wait for
 * each other, and hearts with them: what comes meanwhile shares the next one, so that none waits longer than two.
 */
const MOST_AT_ONCE = 2

/**
 * The first to ask is served at once; who comes soon after shares a transaction with all others that do. What is wrong with
 * one run is its own: a transaction that fails is done again, each run in one of its own.
 */
export function createRunMaintenance({
  store,
  clock,
  utilisation,
}: {
  readonly store: Pick<RunLogStore, 'appendRunEvents' | 'appendEventsOfRuns'>
  readonly clock: Clock
  /** How busy this process is, 0 to 1. */
  readonly utilisation: () => number
}): RunMaintenance {
  type Ask = Parameters<RunMaintenance['keep']>[0] & PromiseWithResolvers<RunAppended>
  let waiting: Ask[] = []
  let cancelDue: (() => void) | null = null
  let sentAt = Number.NEGATIVE_INFINITY
  let underWay = 0
  /** It was time to send, and there was no place. */
  let isOverdue = false

  /** Null: it was not done, for any of them. */
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

/** What the run log uses of the store: all but what tabs write. */
export type RunLogStore = Omit<RunStore, 'loadTabRun' | 'appendTabPieces'>

/** The same store; `onFailure` hears of every answer that did not come. */
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
