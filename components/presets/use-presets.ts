'use client'

import { useEffect, useSyncExternalStore, useCallback } from 'react'
import type { PresetList, PresetListState } from '@/lib/client/api/preset-list'
import { localPresets } from '@/lib/client/wiring/presets.browser'
import { useChatActions, useClientStore } from '@/components/context/chat-context'
import { focusMessage } from '@/components/context/show-in-page'
import { settingsOfNew } from '@/lib/client/chats/new-conversation'
import { type Preset, settingsOfSetup } from '@/lib/shared/conversation/settings/preset'

const nothing: PresetListState = { presets: null, problem: null, deleted: null }

/** The user's presets, loaded again where they are shown. */
export function usePresets(): PresetListState & { readonly list: PresetList } {
  const list = localPresets()
  const state = useSyncExternalStore(list.subscribe, list.getState, () => nothing)
  useEffect(() => void list.load(), [list])
  return { ...state, list }
}

/** Opens a new chat with the settings of a preset; null: with those of every new chat. */
export function useStartChat(): (preset: Preset | null) => void {
  const actions = useChatActions()
  const store = useClientStore()
  return useCallback(
    (preset) => {
      actions.newChat()
      const { models } = store.getState()
      // A new chat is the page's own until its first message: nothing can go wrong with its settings.
      void actions.updateSettings(preset?.setup ? settingsOfSetup(preset.setup, models) : settingsOfNew(models))
      focusMessage()
    },
    [actions, store],
  )
}
