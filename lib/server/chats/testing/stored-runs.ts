import { afterAll, beforeAll } from 'vitest'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import type { RunKey } from '@/lib/server/store/ports/run-store'
import type { Store } from '@/lib/server/store/ports/store'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import { decodeTestSettings, runOf, testConversation, testPlan } from '@/lib/server/store/testing/rows'
import type { RunLog } from '../../runs/run-log'
import { createManualClock, type ManualClock } from './manual-clock'

export interface StoredRun {
  readonly run: RunKey
  readonly reply: AssistantMessage
}

export interface StoredRuns {
  readonly store: Store
  /** The database's time is the clock's from then on. */
  useClock(clock: ManualClock): void
  /** A chat of Ada's whose reply nobody writes yet. */
  open(): Promise<StoredRun>
}

/** For a whole file of tests of run logs: a store whose clock stands still, with a run wherever one is needed. */
export function storedRuns(): StoredRuns {
  let store: Store | undefined
  let clock = createManualClock()
  let made = 0
  beforeAll(async () => {
    // One process plays all nodes here, the dead ones too: who is there is told by hearts alone.
    const { processes: _, ...opened } = await openTestStore({
      decodeSettings: decodeTestSettings,
      now: () => clock.now(),
    })
    store = opened
  })
  afterAll(() => store?.close())
  const opened = () => {
    if (!store) throw new Error('asked for before the tests began')
    return store
  }
  return {
    get store() {
      return opened()
    },
    useClock(given) {
      clock = given
    },
    async open() {
      const id = `c${(made += 1)}`
      await opened().createConversation('ada', testConversation(id))
      const { reply } = await opened().append('ada', id, 'u1', testPlan(id, 1), clock.now())
      return { run: runOf('ada', reply), reply }
    },
  }
}

/** Reads in the background; `seen` grows. */
export function follow(log: RunLog, run: RunKey, after = 0, signal = new AbortController().signal) {
  const seen: RunEvent[] = []
  const done = (async () => {
    for await (const some of log.read(run, after, signal)) seen.push(...some)
  })()
  return { seen, done }
}

export const textOf = (events: readonly RunEvent[] = []): string =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('')

/** What the store has of a run's log. */
export const storedEvents = async (store: Store, run: RunKey): Promise<readonly RunEvent[]> =>
  (await store.readRunEvents(run, 0, 10_000))?.events ?? []
