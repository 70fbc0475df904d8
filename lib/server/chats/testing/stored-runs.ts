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
  /** Makes the database use this clock's time. */
  useClock(clock: ManualClock): void
  /** Creates a chat of Ada's with a reply that no process writes yet. */
  open(): Promise<StoredRun>
}

/** For a test file about run logs: a store with a manual clock that creates runs on demand. */
export function storedRuns(): StoredRuns {
  let store: Store | undefined
  let clock = createManualClock()
  let made = 0
  beforeAll(async () => {
    // One process plays all nodes here, including dead ones, so only heartbeats show which node is alive.
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

/** Reads in the background and appends to `seen`. */
export function follow(log: RunLog, run: RunKey, after = 0, signal = new AbortController().signal) {
  const seen: RunEvent[] = []
  const done = (async () => {
    for await (const some of log.read(run, after, signal)) seen.push(...some)
  })()
  return { seen, done }
}

export const textOf = (events: readonly RunEvent[] = []): string =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('')

/** The stored events of a run's log. */
export const storedEvents = async (store: Store, run: RunKey): Promise<readonly RunEvent[]> =>
  (await store.readRunEvents(run, 0, 10_000))?.events ?? []
