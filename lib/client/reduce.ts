import type { ConversationSummary } from '@/lib/conversation/conversation'
import type { ClientEvent } from './events'
import { emptyView } from './initial-state'
import { reduceView } from './reduce-view'
import type { ClientState } from './state'

/** Pure. An event that changes nothing gives the same object back, so that nobody renders for it. */
export function reduceClient(state: ClientState, event: ClientEvent): ClientState {
  switch (event.type) {
    case 'conversations-loaded':
      return event.query === state.query
        ? { ...state, conversations: keepRows(state.conversations, event.conversations) }
        : state
    case 'query-changed':
      return event.query === state.query ? state : { ...state, query: event.query }
    case 'models-loaded':
      return { ...state, models: event.models }
    case 'online-changed':
      return event.online === state.online ? state : { ...state, online: event.online }
    case 'outbox-changed':
      return event.outbox.length === 0 && state.outbox.length === 0 ? state : { ...state, outbox: event.outbox }
    case 'view-new':
      return {
        ...state,
        view: { ...emptyView, id: event.conversation.id, phase: 'new', conversation: event.conversation },
      }
    case 'view-opened':
      return event.conversationId === state.view.id
        ? state
        : { ...state, view: { ...emptyView, id: event.conversationId } }
    case 'conversation-removed': {
      const conversations = state.conversations?.filter((row) => row.id !== event.conversationId) ?? null
      return { ...state, conversations }
    }
    case 'conversation-changed': {
      const { id, title } = event.conversation
      const next = patchRow(state, id, { title })
      return withView(next, reduceView(next.view, event))
    }
    case 'run-joined': {
      const next = patchRow(state, event.conversationId, { running: true })
      return withView(next, reduceView(next.view, event))
    }
    case 'run-lost':
    case 'run-events': {
      const view = reduceView(state.view, event)
      const ended = state.view.run !== null && view.run === null
      return withView(ended ? patchRow(state, view.id, { running: false }) : state, view)
    }
    case 'view-loaded':
    case 'view-failed':
    case 'settings-changed':
    case 'amendments-changed':
    case 'grant-changed':
    case 'tools-changed':
    case 'send-started':
    case 'send-accepted':
    case 'send-failed':
    case 'problem-raised':
    case 'problem-dismissed':
    case 'run-connection':
    case 'run-stopping':
    case 'branch-switched':
    case 'head-moved':
    case 'call-recorded':
    case 'call-live':
    case 'results-held':
    case 'call-event':
      return withView(state, reduceView(state.view, event))
  }
}

const withView = (state: ClientState, view: ClientState['view']): ClientState =>
  view === state.view ? state : { ...state, view }

function patchRow(state: ClientState, id: string, patch: Partial<ConversationSummary>): ClientState {
  const at = state.conversations?.findIndex((row) => row.id === id) ?? -1
  const row = state.conversations?.[at]
  if (!state.conversations || !row) return state
  const next = { ...row, ...patch }
  return sameRow(row, next) ? state : { ...state, conversations: state.conversations.with(at, next) }
}

function keepRows(
  old: readonly ConversationSummary[] | null,
  loaded: readonly ConversationSummary[],
): readonly ConversationSummary[] {
  if (!old) return loaded
  const byId = new Map(old.map((row) => [row.id, row]))
  const rows = loaded.map((row) => {
    const known = byId.get(row.id)
    return known && sameRow(known, row) ? known : row
  })
  return rows.length === old.length && rows.every((row, index) => row === old[index]) ? old : rows
}

export const sameRow = (a: ConversationSummary, b: ConversationSummary): boolean =>
  a.title === b.title && a.updatedAt === b.updatedAt && a.running === b.running && a.waitingCalls === b.waitingCalls
