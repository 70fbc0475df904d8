import type { ModelsResponse } from '@/lib/conversation/api-types'
import type { ChatPorts } from './chat-ports'
import { viewOf } from './open-conversations'

const retryMs = 3_000

/** Which models there are: asked until the server says so, and again when a person wants to know. */
export function createModelsLoader({ store, api, wait }: Pick<ChatPorts, 'store' | 'api' | 'wait'>) {
  const { dispatch } = store

  function take(models: ModelsResponse): void {
    dispatch({ type: 'models-loaded', models })
    const { phase, id, conversation } = viewOf(store.getState())
    if (phase !== 'new' || conversation?.settings.model !== '') return
    const settings = { ...conversation.settings, model: models.defaultModel }
    dispatch({ type: 'settings-changed', conversationId: id, settings })
  }

  async function load(): Promise<void> {
    const models = await api.models()
    if (models.ok) return take(models.value)
    await wait(retryMs)
    await load()
  }

  return {
    load,
    /** Once; gives a sentence when they could not be had. */
    async reload(): Promise<string | null> {
      const models = await api.models()
      if (!models.ok) return models.error.message
      take(models.value)
      return null
    },
  }
}
