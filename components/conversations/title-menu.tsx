'use client'

import { useEffect, useEffectEvent, useState } from 'react'
import { useClientStore } from '@/components/context/chat-context'
import type { ConversationSummary } from '@/lib/shared/conversation/conversation'
import { viewOf } from '@/lib/client/state/open-conversations'
import { nodApi } from '@/lib/client/wiring/nod-api.browser'
import ChatMenu, { type ChatMenuProps } from './chat-menu'

export type TitleMenuProps = Omit<ChatMenuProps, 'row'> & { readonly conversationId: string }

/**
 * The open chat's menu. Whether the chat is pinned or archived comes from the list, or from the server if the list does
 * not have the chat.
 */
export default function TitleMenu({ conversationId, ...menu }: TitleMenuProps) {
  const store = useClientStore()
  const [row, setRow] = useState(() => store.getState().conversations?.find(({ id }) => id === conversationId) ?? null)
  const close = useEffectEvent(menu.onClose)
  useEffect(() => {
    if (row !== null) return
    const take = (answer: Awaited<ReturnType<typeof nodApi.view>>) => {
      if (answer.ok && answer.value.summary) return setRow(answer.value.summary)
      if (!answer.ok) {
        const problem = { message: answer.error.message, canRetry: false }
        store.dispatch({ type: 'problem-raised', conversationId, problem })
      }
      close()
    }
    void nodApi.view(conversationId).then((answer) => take(answer))
  }, [row, conversationId, store])
  return row === null ? null : <ChatMenu {...menu} row={withTitle(row, viewOf(store.getState()).conversation?.title)} />
}

/** The page may have a newer title than the list. */
const withTitle = (row: ConversationSummary, title: string | undefined): ConversationSummary =>
  title === undefined ? row : { ...row, title }
