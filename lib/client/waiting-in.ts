import { newChatDraft } from './drafts'
import type { ClientState } from './state'

/** Something was sent in this chat that the server does not have yet. */
export const isWaitingIn = (outbox: ClientState['outbox'], conversationId: string): boolean =>
  outbox.some(({ entry }) => entry.conversationId === conversationId)

/** Under which name the open chat's field is kept: one for all new chats, until something was sent in one. */
export const draftIdOf = ({ view, outbox }: Pick<ClientState, 'view' | 'outbox'>): string =>
  view.phase === 'new' && !view.sending && !isWaitingIn(outbox, view.id) ? newChatDraft : view.id
