import type { ConversationState } from '../state/state'
import { emptyView } from '../state/state'
import { reduceView } from '../state/reduce-view'
import { isOnOtherBranch, viewOf } from '../state/open-conversations'
import type { Delivery } from '../outbox/delivery'
import type { OutboxEntry } from '../outbox/outbox'
import type { ChatPorts } from './chat-ports'

/**
 * A message that was written during a turn, on its way to the end that its chat has now; or why it does not go. The end is
 * named in the request: when the chat goes on before it arrives, the server refuses it and it is aimed again.
 */
export async function aimQueued(
  ports: Pick<ChatPorts, 'store' | 'api' | 'outbox' | 'turnOf'>,
  entry: OutboxEntry,
): Promise<OutboxEntry | Exclude<Delivery, 'accepted'>> {
  if (entry.after === 'edit') return 'held'
  const view = await stateOf(ports, entry.conversationId)
  if (typeof view === 'string') return view
  if (view.tree.has(entry.id)) {
    // It had arrived without an answer.
    ports.outbox.remove(entry.id)
    return 'kept'
  }
  const turn = await ports.turnOf(view)
  if (turn === 'writing') return 'held'
  if (entry.after !== 'reply' && (turn !== 'over' || isOnOtherBranch(view, entry.parentId))) return 'held'
  const { create, ...words } = entry
  const isNew = view.phase === 'new' && create !== undefined
  return { ...words, parentId: view.path.at(-1)?.id ?? null, tried: true, ...(isNew && { create }) }
}

/** The shown chat is known here; any other is asked for. */
async function stateOf(
  { store, api }: Pick<ChatPorts, 'store' | 'api'>,
  conversationId: string,
): Promise<ConversationState | Exclude<Delivery, 'accepted'>> {
  const shown = viewOf(store.getState())
  if (shown.id === conversationId && (shown.phase === 'ready' || shown.phase === 'new')) return shown
  const loaded = await api.view(conversationId)
  // Not begun yet, or gone: the request itself finds out.
  if (!loaded.ok) return loaded.error.status === 404 ? { ...emptyView, id: conversationId, phase: 'new' } : 'unanswered'
  if (loaded.value.activeRunId !== null) return 'held'
  return reduceView({ ...emptyView, id: conversationId }, { type: 'view-loaded', view: loaded.value })
}
