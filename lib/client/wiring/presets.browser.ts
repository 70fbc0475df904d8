import { openChannel } from '@/lib/base/features.browser'
import type { ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { createPresetList, type PresetList, createPresetApi } from '@/lib/client/api/preset-list'
import { conversationsChannel } from '@/lib/client/browser/tab-news'
import { fetchNoting } from './nod-api.browser'

const api = createPresetApi(fetchNoting)

let page: PresetList | null = null

/** The page's only list of presets, synchronized with the other tabs. */
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

/**
 * Stores the defaults of new chats; this page and all others are notified. Returns a sentence if they could not be
 * stored.
 */
export async function setNewChats(setup: ChatSetup | null): Promise<string | null> {
  const answer = await api.setNewChats(setup)
  if (!answer.ok) return answer.error.message
  // A channel of its own, so that this page gets the message too.
  const channel = openChannel(conversationsChannel)
  channel.postMessage({ conversationId: null, newChats: true })
  channel.close()
  return null
}
