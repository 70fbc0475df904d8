import { t } from '@/lib/i18n/t'
import type { ChatPorts, ConversationActions } from './chat-ports'
import { viewOf } from '../state/open-conversations'

type CreateChatKeeper = ChatPorts['createConversationActions']

/**
 * Actions on whole chats, with code that loads on first use. If it can't be loaded, the action reports a failure, as if
 * the server had refused.
 */
export const createLazyConversationActions =
  (load: () => Promise<{ readonly createConversationActions: CreateChatKeeper }>): CreateChatKeeper =>
  (ports, parts) => {
    let keeper: ConversationActions | null = null
    const get = async (): Promise<ConversationActions | null> => {
      const code = keeper ? null : await load().catch(() => null)
      return (keeper ??= code?.createConversationActions(ports, parts) ?? null)
    }
    const notLoaded = () => t('client.part-missing')
    const tell = async (act: (keeper: ConversationActions) => Promise<void>): Promise<void> => {
      const loaded = await get()
      if (loaded) return act(loaded)
      parts.raise(viewOf(ports.store.getState()).id, notLoaded())
    }
    return {
      rename: (...args) => tell((it) => it.rename(...args)),
      remove: (...args) => tell((it) => it.remove(...args)),
      keepChat: () => tell((it) => it.keepChat()),
      endTemporary: (...args) => tell((it) => it.endTemporary(...args)),
      async forgetForGood(...args) {
        // No user waits for this, so no error is shown: the remaining data is only in this browser.
        await (await get())?.forgetForGood(...args)
      },
      async updateMarks(...args) {
        const loaded = await get()
        return loaded ? loaded.updateMarks(...args) : notLoaded()
      },
    }
  }
