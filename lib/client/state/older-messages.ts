import type { MessagesPage } from '@/lib/shared/conversation/wire/api-types'
import { isHere } from '@/lib/shared/conversation/message-tree'
import { lastTextAt } from '@/lib/shared/conversation/outline'
import type { ApiAnswer } from '../api/api-failure'
import { viewOf } from './open-conversations'
import type { ConversationState } from './state'
import type { ClientStore } from './store'

/** The state of loading missing messages: `problem` is a sentence that says why it stopped. */
export interface OlderStatus {
  readonly loading: boolean
  readonly problem: string | null
}

/**
 * Loads messages of the shown chat when someone views them, or when something must know them. It never requests more
 * than what is viewed now: a request that was scrolled past is forgotten.
 */
export interface OlderMessages {
  /** Sets the messages in view, most important first. Replaces the previous ones. */
  readonly look: (ids: readonly string[]) => void
  /** The page needs these messages to be correct. They are requested until they are loaded, or the chat is left. */
  readonly need: (ids: readonly string[]) => void
  /** Tries again after a problem. */
  readonly retry: () => void
  readonly status: () => OlderStatus
  readonly subscribe: (listener: () => void) => () => void
}

export interface OlderMessagesPorts {
  readonly store: Pick<ClientStore, 'getState' | 'subscribe' | 'dispatch'>
  readonly messages: (conversationId: string, ids: readonly string[]) => Promise<ApiAnswer<MessagesPage>>
}

/** The most ids in one request, because they are part of its address. */
const MOST_IDS = 100
const MOST_CHARS = 4_000

const idle: OlderStatus = { loading: false, problem: null }

type View = Pick<ConversationState, 'tree' | 'path' | 'aged'>

/** True if the message is not loaded, or is older than the last load of the chat. */
const isWanted = ({ tree, aged }: View, id: string): boolean => {
  const row = tree.get(id)
  return row !== undefined && (!isHere(row) || aged.has(id))
}

/** What the page computes for a turn (repeats, rounds, waiting calls) counts from the user's last message on. */
const turnOf = ({ path }: View): readonly string[] => path.slice(Math.max(0, lastTextAt(path))).map(({ id }) => id)

export function createOlderMessages({ store, messages }: OlderMessagesPorts): OlderMessages {
  let status = idle
  let looked: readonly string[] = []
  let needed = new Set<string>()
  /** Requested and not returned: asking again at once would never end. */
  let missing = new Set<string>()
  let shown = ''
  let seen: View | null = null
  let online = true
  const listeners = new Set<() => void>()

  const setStatus = (next: OlderStatus) => {
    if (next.loading === status.loading && next.problem === status.problem) return
    status = next
    for (const listener of listeners) listener()
  }

  /** Newest first within the turn: the page begins with the latest messages. */
  function wanted(view: ConversationState): readonly string[] {
    const all = new Set([...turnOf(view).toReversed(), ...needed, ...looked])
    const open = [...all].filter((id) => isWanted(view, id) && !missing.has(id)).slice(0, MOST_IDS)
    let chars = 0
    return open.filter((id, at) => (chars += id.length + 1) <= MOST_CHARS || at === 0)
  }

  async function pump(): Promise<void> {
    const view = viewOf(store.getState())
    const ids = view.phase === 'ready' ? wanted(view) : []
    if (status.loading || status.problem !== null || ids.length === 0) return
    setStatus({ loading: true, problem: null })
    const answer = await messages(view.id, ids)
    const isShown = shown === view.id
    // Set before the event: its listeners must not request the same messages again.
    if (answer.ok && isShown) missing = new Set([...missing, ...notGiven(ids, answer.value)])
    status = isShown && !answer.ok ? { loading: false, problem: answer.error.message } : idle
    if (answer.ok) store.dispatch({ type: 'messages-loaded', conversationId: view.id, ...answer.value })
    for (const listener of listeners) listener()
    void pump()
  }

  function changed(): void {
    const view = viewOf(store.getState())
    if (view.id !== shown) {
      shown = view.id
      looked = []
      needed = new Set()
      missing = new Set()
      setStatus({ ...status, problem: null })
    }
    const isBack = store.getState().online && !online
    ;({ online } = store.getState())
    if (isBack) setStatus({ ...status, problem: null })
    else if (seen?.path === view.path && seen.aged === view.aged) return
    seen = view
    void pump()
  }
  store.subscribe(changed)
  changed()

  return {
    look(ids) {
      looked = ids
      void pump()
    },
    need(ids) {
      for (const id of ids) needed.add(id)
      void pump()
    },
    retry() {
      missing = new Set()
      setStatus({ ...status, problem: null })
      void pump()
    },
    status: () => status,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A response may end before the last requested message; if it is empty, the server has none of them. */
function notGiven(ids: readonly string[], { messages }: MessagesPage): readonly string[] {
  const given = new Set(messages.map(({ id }) => id))
  const last = ids.findLastIndex((id) => given.has(id))
  return ids.filter((id, at) => !given.has(id) && (at < last || last < 0))
}
