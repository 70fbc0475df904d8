import type { ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import type { ChatPorts } from './chat-ports'
import { rebasedOn, settingsOfNew } from './new-conversation'
import { makeRefusal } from '@/lib/i18n/t'
import { viewOf } from '../state/open-conversations'

const retryMs = 3_000

/** Loads the list of models: retries until the server answers, and loads again on request. */
export function createModelsLoader({ store, api, wait }: Pick<ChatPorts, 'store' | 'api' | 'wait'>) {
  const { dispatch } = store

  function take(models: ModelsResponse): void {
    const before = JSON.stringify(settingsOfNew(store.getState().models))
    dispatch({ type: 'models-loaded', models })
    const { phase, id, path, conversation } = viewOf(store.getState())
    if (phase !== 'new' || path.length > 0 || !conversation) return
    // The user changed nothing in it yet: it uses the current defaults of new chats.
    const isUntouched = JSON.stringify(conversation.settings) === before
    if (!isUntouched && conversation.settings.model !== '') return
    const settings = isUntouched ? settingsOfNew(models) : rebasedOn(models, conversation.settings)
    dispatch({ type: 'settings-changed', conversationId: id, settings })
  }

  async function load(): Promise<void> {
    const models = await api.models()
    if (models.ok) {
      take(models.value)
      if (models.value.keptAt === undefined) return
    }
    await wait(retryMs)
    await load()
  }

  return {
    load,
    /** Tries once; returns a sentence if they could not be loaded. */
    async reload(): Promise<string | null> {
      const models = await api.models()
      if (!models.ok) return models.error.message
      if (models.value.keptAt !== undefined) return makeRefusal('client.unreachable').message
      take(models.value)
      return null
    },
  }
}
