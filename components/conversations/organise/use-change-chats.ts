'use client'

import { useState } from 'react'
import { useChatActions, useClientStore } from '@/components/context/chat-context'
import { sortInParts } from '@/lib/client/api/sort-in-parts'
import type { ChatsChange } from '@/lib/shared/conversation/search/list-filter'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { t } from '@/lib/i18n/t'

/** Changes chats of the list, here and in every tab. What fails is said in the open chat, and given back. */
export function useChangeChats(): {
  readonly busy: boolean
  /** Gives how many were changed; null: it failed. */
  readonly change: (ids: readonly string[], what: ChatsChange) => Promise<number | null>
} {
  const actions = useChatActions()
  const store = useClientStore()
  const [busy, setBusy] = useState(false)
  return {
    busy,
    async change(ids, what) {
      setBusy(true)
      const { done, problem } = await sortInParts(nodApi, ids, what)
      setBusy(false)
      if (what.archived === true && done.length > 0) store.dispatch({ type: 'rows-left', ids: done })
      actions.listChanged()
      if (problem === null) return done.length
      const conversationId = store.getState().shownId
      const why = problem.message
      const message =
        done.length === 0 ? t('list.not-changed', { why }) : t('list.partly-changed', { why, count: done.length })
      store.dispatch({ type: 'problem-raised', conversationId, problem: { message, canRetry: false } })
      return null
    },
  }
}
