import { keepEqual } from '@/lib/base/keep-equal'
import type { ChatPorts } from './chat-ports'

const typingMs = 150
const retryMs = 3_000

/** Loads the conversation list; the newest question wins. Also the pulse that tells whether the server answers. */
export function createListLoader({
  store,
  api,
  wait,
  schedule,
}: Pick<ChatPorts, 'store' | 'api' | 'wait' | 'schedule'>) {
  let count = 0
  let cancel: (() => void) | null = null
  let asked: string | null = null

  /** Resolves with the ids of rows that differ from what was known, in an unfiltered list. */
  async function load(): Promise<ReadonlySet<string>> {
    cancel?.()
    cancel = null
    const mine = ++count
    const { query } = store.getState()
    const answer = await api.conversations(query)
    if (!answer.ok) {
      if (answer.error.code === 'unreachable') store.dispatch({ type: 'online-changed', online: false })
      if (mine === count) void loadAgain(mine)
      return new Set()
    }
    const { conversations, next = null, keptAt } = answer.value
    store.dispatch({ type: 'online-changed', online: keptAt === undefined })
    if (mine !== count) return new Set()
    if (keptAt !== undefined) {
      // What this page knows is newer than what was kept.
      if (store.getState().conversations === null)
        store.dispatch({ type: 'conversations-loaded', query, conversations, next: null })
      void loadAgain(mine)
      return new Set()
    }
    const known = new Map(store.getState().conversations?.map((row) => [row.id, row]))
    const changed = conversations.filter((row) => {
      const before = known.get(row.id)
      return keepEqual(before, row) !== before
    })
    store.dispatch({ type: 'conversations-loaded', query, conversations, next })
    return new Set(changed.map((row) => row.id))
  }

  async function loadAgain(mine: number): Promise<void> {
    await wait(retryMs)
    if (mine === count) await load()
  }

  /** The page behind what is there. False: it could not be loaded. */
  async function loadMore(): Promise<boolean> {
    const { query, listed } = store.getState()
    if (listed.next === null || listed.query !== query || asked === listed.next) return true
    asked = listed.next
    const answer = await api.conversations(query, listed.next)
    asked = null
    if (!answer.ok) return false
    const { conversations, next = null } = answer.value
    store.dispatch({ type: 'conversations-loaded', query, conversations, next, more: true })
    return true
  }

  return {
    load,
    loadMore,
    /** For typing and for bursts of news from other tabs. */
    loadSoon() {
      cancel?.()
      cancel = schedule(() => void load(), typingMs)
    },
  }
}
