'use client'

import { useCallback, useState } from 'react'
import { useChatActions, useClientStore } from '@/components/context/chat-context'
import type { ConversationSettings } from '@/lib/shared/conversation/conversation'
import { viewOf } from '@/lib/client/state/open-conversations'

export interface SaveSettings {
  /** Applies a change to the current settings. False if it could not be stored; `problem` then has the reason. */
  readonly save: (change: (settings: ConversationSettings) => ConversationSettings) => Promise<boolean>
  readonly problem: string | null
}

/** Stores changes to the open conversation's settings, each based on the newest state, so that quick clicks add up. */
export function useSaveSettings(): SaveSettings {
  const store = useClientStore()
  const actions = useChatActions()
  const [problem, setProblem] = useState<string | null>(null)
  const save = useCallback<SaveSettings['save']>(
    async (change) => {
      const settings = viewOf(store.getState()).conversation?.settings
      if (!settings) return false
      const why = await actions.updateSettings(change(settings))
      setProblem(why)
      return why === null
    },
    [store, actions],
  )
  return { save, problem }
}
