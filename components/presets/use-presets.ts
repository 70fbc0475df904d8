'use client'

import { useEffect, useSyncExternalStore, useCallback } from 'react'
import type { PresetList, PresetListState } from '@/lib/client/api/preset-list'
import { localPresets } from '@/lib/client/wiring/presets.browser'
import { useChatActions, useClientStore } from '@/components/context/chat-context'
import { focusMessage } from '@/components/context/show-in-page'
import { settingsOfNew } from '@/lib/client/chats/new-conversation'
import { type Preset, settingsOfSetup } from '@/lib/shared/conversation/settings/preset'

const nothing: PresetListState = { presets: null, problem: null, deleted: null }

/** The user's presets, reloaded where they are shown. */
export function usePresets(): PresetListState & { readonly list: PresetList } {
  const list = localPresets()
  const state = useSyncExternalStore(list.subscribe, list.getState, () => nothing)
  useEffect(() => void list.load(), [list])
  return { ...state, list }
}

/** Opens a new chat with a preset's settings; null: with the default settings. */
export function useStartChat(): (preset: Preset | null) => void {
  const actions = useChatActions()
  const store = useClientStore()
  return useCallback(
    (preset) => {
      actions.newChat()
      const { models } = store.getState()
      // A new chat exists only in the page until its first message, so updating its settings can't fail.
      void actions.updateSettings(preset?.setup ? settingsOfSetup(preset.setup, models) : settingsOfNew(models))
      focusMessage()
    },
    [actions, store],
  )
}
