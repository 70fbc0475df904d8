'use client'

import { useCallback } from 'react'
import { useChatActions, useClientStore } from '@/components/context/chat-context'
import { focusMessage } from '@/components/context/focus-message'
import { settingsOfNew } from '@/lib/client/chats/new-conversation'
import { settingsOfSetup } from '@/lib/shared/conversation/settings/chat-setup'
import type { Preset } from '@/lib/shared/conversation/settings/preset'

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
