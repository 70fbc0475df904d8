import { openChannel } from '@/lib/base/features.browser'
import type { ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { createPresetList, type PresetList, createPresetApi } from '@/lib/client/api/preset-list'
import { conversationsChannel } from '@/lib/client/browser/tab-news'
import { fetchNoting } from './nod-api.browser'

const api = createPresetApi(fetchNoting)

let page: PresetList | null = null

/** The page's one list of presets, in step with those of the other tabs. */
export function localPresets(): PresetList {
  if (page) return page
  const channel = openChannel('nod:presets')
  const made = createPresetList({
    api,
    newId: () => crypto.randomUUID(),
    schedule(task, ms) {
      const timer = setTimeout(task, ms)
      return () => clearTimeout(timer)
    },
    announce: () => channel.postMessage(null),
  })
  channel.addEventListener('message', () => void made.load())
  page = made
  return made
}

/** Stores what new chats begin with; this page and all others hear of it. Gives a sentence when it could not be stored. */
export async function setNewChats(setup: ChatSetup | null): Promise<string | null> {
  const answer = await api.setNewChats(setup)
  if (!answer.ok) return answer.error.message
  // Of its own, so that this page hears it too.
  const channel = openChannel(conversationsChannel)
  channel.postMessage({ conversationId: null, newChats: true })
  channel.close()
  return null
}
