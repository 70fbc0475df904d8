import type { ClientState, ConversationState } from './state'

export const emptyView: ConversationState = {
  id: '',
  phase: 'loading',
  conversation: null,
  tree: new Map(),
  path: [],
  aged: new Set(),
  others: { ran: false, failed: [] },
  run: null,
  sending: false,
  calls: new Map(),
  live: new Map(),
  heldBack: new Map(),
  amendments: new Map(),
  grants: [],
  tools: [],
  problem: null,
  keptAt: null,
  held: 0,
}

/** What the server renders and the browser starts from. */
export const initialState: ClientState = {
  conversations: null,
  listed: { query: '', next: null },
  query: '',
  models: null,
  open: new Map([[emptyView.id, emptyView]]),
  shownId: emptyView.id,
  online: true,
  use: null,
  outbox: [],
}
