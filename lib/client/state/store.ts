import { type ClientEvent, type ClientState, initialState, type ConversationState, emptyView } from './state'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { replaceEqualDeep, replaceEqualRows } from '@/lib/base/replace-equal'
import { comesAfter } from '@/lib/shared/conversation/search/list-filter'
import { holderOf, runsOf, setAside, showConversation, viewOf, withView } from './open-conversations'
import { reduceView, type ViewEvent } from './reduce-view'

/** Pure. An event that changes nothing returns the same object, so that nothing renders again. */
export function reduceClient(state: ClientState, event: ClientEvent): ClientState {
  switch (event.type) {
    case 'conversations-loaded':
      return event.query === state.query ? withPage(state, event) : state
    case 'query-changed':
      return event.query === state.query ? state : { ...state, query: event.query }
    case 'models-loaded':
      return { ...state, models: event.models }
    case 'use-loaded':
      return { ...state, use: event.use }
    case 'online-changed':
      return event.online === state.online ? state : { ...state, online: event.online }
    case 'outbox-changed':
      return event.outbox.length === 0 && state.outbox.length === 0 ? state : { ...state, outbox: event.outbox }
    case 'view-new':
      return showConversation(state, {
        ...emptyView,
        id: event.conversation.id,
        phase: 'new',
        conversation: event.conversation,
      })
    case 'view-opened': {
      const { conversationId: id } = event
      const known = state.open.get(id)
      return id === state.shownId
        ? state
        : showConversation(state, known ? { ...setAside(known), path: [] } : { ...emptyView, id })
    }
    case 'conversation-removed':
      return removed(state, event.conversationId)
    case 'rows-left':
      return { ...state, conversations: without(state.conversations, new Set(event.ids)) }
    case 'conversation-changed': {
      const { id, title } = event.conversation
      return inView(patchRow(state, id, { title }), event)
    }
    case 'view-loaded':
      return inView(event.view.summary ? withRow(state, event.view.summary) : state, event)
    case 'send-accepted':
      return inView(withRow(state, event.response.summary), event)
    case 'run-joined':
      return inView(patchRow(state, event.conversationId, { running: true }), event)
    case 'run-lost':
    case 'run-events': {
      const next = inView(state, event)
      const ended = runsOf(viewOf(state)).length > runsOf(viewOf(next)).length
      if (!ended) return next
      const last = event.type === 'run-events' ? event.events.at(-1) : undefined
      const summary = last?.type === 'end' ? last.summary : undefined
      return summary ? withRow(next, summary) : patchRow(next, next.shownId, { running: viewOf(next).run !== null })
    }
    default:
      return inView(state, event)
  }
}

function inView(state: ClientState, event: ViewEvent): ClientState {
  const view = concerned(state, event)
  return view ? withView(state, reduceView(view, event)) : state
}

/** The open conversation that an event is about; a followed run belongs to the shown one. */
function concerned(state: ClientState, event: ViewEvent): ConversationState | undefined {
  if ('conversationId' in event) return state.open.get(event.conversationId)
  switch (event.type) {
    case 'view-loaded':
      return state.open.get(event.view.conversation.id)
    case 'conversation-changed':
      return state.open.get(event.conversation.id)
    case 'call-recorded':
      return holderOf(state, event.call.messageId)
    case 'results-held':
      return holderOf(state, event.messageId)
    case 'call-live':
      return holderOf(state, event.key.slice(0, event.key.lastIndexOf(':')))
    default:
      return viewOf(state)
  }
}

const without = (rows: ClientState['conversations'], ids: ReadonlySet<string>): ClientState['conversations'] =>
  rows?.filter(({ id }) => !ids.has(id)) ?? null

function removed(state: ClientState, id: string): ClientState {
  const conversations = without(state.conversations, new Set([id]))
  const open = new Map(state.open)
  if (id === state.shownId) open.set(id, { ...emptyView, id })
  else open.delete(id)
  return { ...state, conversations, open }
}

function withList(state: ClientState, loaded: readonly ConversationSummary[]): ClientState {
  const old = state.conversations
  const known = new Map(old?.map((row) => [row.id, row]))
  const rows = [
    ...replaceEqualRows(
      known,
      loaded.map((row) => [row.id, row] as const),
    ).values(),
  ]
  const same = old?.length === rows.length && rows.every((row, index) => row === old[index])
  return same ? state : { ...state, conversations: rows }
}

/** Puts a chat's list entry from the server in its place; one that a search does not show is left out. */
function withRow(state: ClientState, row: ConversationSummary): ClientState {
  // A temporary chat is in no list.
  if (state.open.get(row.id)?.conversation?.temporary) return state
  const { conversations, query } = state
  const known = conversations?.find(({ id }) => id === row.id)
  if (!conversations || (!known && query !== '')) return state
  return withList(state, inOrder([...conversations.filter((one) => one !== known), row]))
}

const inOrder = (rows: readonly ConversationSummary[]) => rows.toSorted((a, b) => (comesAfter(a, b) ? 1 : -1))

/**
 * Adds a page of the list. The first page is loaded repeatedly: pages loaded behind it stay if they still connect, and
 * the entry of the shown chat always stays.
 */
function withPage(state: ClientState, { query, conversations: page, next, more }: PageEvent): ClientState {
  const isNew = new Set(page.map(({ id }) => id))
  const known = state.listed.query === query ? (state.conversations ?? []).filter(({ id }) => !isNew.has(id)) : []
  const last = page.at(-1)
  const before = state.conversations?.find(({ id }) => id === last?.id)
  const joins = next !== null && last !== undefined && before?.updatedAt === last.updatedAt
  const kept = known
    .filter((row) => more || (joins ? comesAfter(row, last) : next !== null && row.id === state.shownId))
    // All pinned chats come with the first page.
    .map((row) => (more || !row.pinned ? row : unpinned(row)))
  const listed = { query, next: joins && !more && kept.length > 0 ? state.listed.next : next }
  const withNext = replaceEqualDeep(state.listed, listed) === state.listed ? state : { ...state, listed }
  return withList(withNext, inOrder([...page, ...kept]))
}

const unpinned = ({ pinned: _pinned, ...row }: ConversationSummary): ConversationSummary => row

type PageEvent = Extract<ClientEvent, { type: 'conversations-loaded' }>

function patchRow(state: ClientState, id: string, patch: Partial<ConversationSummary>): ClientState {
  const { conversations } = state
  return conversations
    ? withList(
        state,
        conversations.map((row) => (row.id === id ? replaceEqualDeep(row, { ...row, ...patch }) : row)),
      )
    : state
}

export interface ClientStore {
  readonly getState: () => ClientState
  /** Returns the function that ends the subscription. */
  readonly subscribe: (listener: () => void) => () => void
  readonly dispatch: (event: ClientEvent) => void
}

/** The browser's only store: a pure reducer behind `useSyncExternalStore`. */
export function createClientStore(start: ClientState = initialState): ClientStore {
  let state = start
  const listeners = new Set<() => void>()
  return {
    getState: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    dispatch(event) {
      const next = reduceClient(state, event)
      if (next === state) return
      state = next
      for (const listener of listeners) listener()
    },
  }
}
