import { makeError } from '@/lib/i18n/t'
import type { ChatSetup } from '@/lib/conversation/chat-setup'
import type { Preset, PresetChange, PresetToAdd } from '@/lib/conversation/preset'
import type { ChatServicePorts } from './chat-service-ports'

/** What chats to come begin with: named, and for all new ones. */
export interface PresetService {
  presets(owner: string): Promise<readonly Preset[]>
  /** The same id again gives what stands. */
  addPreset(owner: string, preset: PresetToAdd): Promise<Preset>
  changePreset(owner: string, id: string, change: PresetChange): Promise<Preset>
  /** One that is gone already is gone. */
  removePreset(owner: string, id: string): Promise<void>
  orderPresets(owner: string, ids: readonly string[]): Promise<readonly Preset[]>
  /** Null: new chats begin with what Nod gives them. */
  newChats(owner: string): Promise<ChatSetup | null>
  setNewChats(owner: string, setup: ChatSetup | null): Promise<void>
}

export function createPresetService({ store }: Pick<ChatServicePorts, 'store'>): PresetService {
  return {
    presets: (owner) => store.listPresets(owner),
    addPreset: (owner, preset) => store.addPreset(owner, preset),
    async changePreset(owner, id, change) {
      const changed = await store.changePreset(owner, id, change)
      if (!changed) throw makeError('not-found', 'chat.no-preset')
      return changed
    },
    removePreset: (owner, id) => store.removePreset(owner, id),
    orderPresets: (owner, ids) => store.orderPresets(owner, ids),
    newChats: (owner) => store.loadDefaults(owner),
    setNewChats: (owner, setup) => store.saveDefaults(owner, setup),
  }
}
