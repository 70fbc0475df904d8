import type { ChatActions } from './actions'
import type { ChatPorts, KeeperParts } from './chat-ports'
import { viewOf } from './open-conversations'
import { t } from '@/lib/i18n/t'

/** Settings of the shown chat count at once, and go back where the server does not take them. */
export function createSettingsUpdate(
  { store, api, announce }: Pick<ChatPorts, 'store' | 'api' | 'announce'>,
  raise: KeeperParts['raise'],
): ChatActions['updateSettings'] {
  const { dispatch } = store
  return async (settings) => {
    const { id, phase, conversation } = viewOf(store.getState())
    const before = conversation?.settings
    dispatch({ type: 'settings-changed', conversationId: id, settings })
    if (phase === 'new') return null
    const isMine = () => store.getState().open.get(id)?.conversation?.settings === settings
    const answer = await api.patchConversation(id, { settings })
    if (answer.ok) {
      if (isMine()) dispatch({ type: 'conversation-changed', conversation: answer.value })
      announce(id)
      return null
    }
    if (before && isMine()) dispatch({ type: 'settings-changed', conversationId: id, settings: before })
    raise(id, t('client.settings-not-saved', { why: answer.error.message }))
    return answer.error.message
  }
}
