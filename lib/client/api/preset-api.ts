import type { Preset, PresetChange, PresetToAdd, ChatSetup } from '@/lib/shared/conversation/settings/preset'
import { createApiClient } from './api-client'

export type PresetApi = Readonly<ReturnType<typeof createPresetApi>>

/** What presets and the settings of new chats ask of the server; nothing of it is needed before somebody looks for it. */
export function createPresetApi(fetchFrom: typeof fetch) {
  const { ask, askFor, tell } = createApiClient(fetchFrom)
  const at = (id: string) => `/api/presets/${encodeURIComponent(id)}`
  return {
    list: () => askFor<readonly Preset[]>('presets', 'GET', '/api/presets'),
    /** The same id again is the same request. */
    add: (preset: PresetToAdd) => askFor<Preset>('preset', 'POST', '/api/presets', { body: preset }),
    change: (id: string, change: PresetChange) => askFor<Preset>('preset', 'PATCH', at(id), { body: change }),
    remove: (id: string) => tell('DELETE', at(id)),
    order: (ids: readonly string[]) =>
      askFor<readonly Preset[]>('presets', 'PATCH', '/api/presets', { body: { order: ids } }),
    /** Null: as Nod gives them. */
    setNewChats: (setup: ChatSetup | null) => ask<unknown>('PUT', '/api/new-chats', { body: { setup } }),
  }
}
