import { newChatDraft } from '../outbox/drafts'
import { viewOf } from './open-conversations'
import type { ClientState } from './state'

/** Something was sent in this chat that the server does not have yet. */
export const isWaitingIn = (outbox: ClientState['outbox'], conversationId: string): boolean =>
  outbox.some(({ entry }) => entry.conversationId === conversationId)

/** Under which name the open chat's field is kept: one for all new chats, until something was sent in one. */
export function draftIdOf(state: Pick<ClientState, 'open' | 'shownId' | 'outbox'>): string {
  const { id, phase, sending } = viewOf(state)
  return phase === 'new' && !sending && !isWaitingIn(state.outbox, id) ? newChatDraft : id
}
