'use client'

import { useMemo } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { focusMessage, mayTakeFocus } from '@/components/context/focus-message'
import { chatEntry, foundMessages } from './found-entry'
import type { PaletteEntry } from './palette-entry'
import type { ServerFinds } from './use-server-finds'

/** Chats of the list and of the server, and messages of the server. Without words: the other chats of the list, newest first. */
export function useFoundEntries(isTyped: boolean, finds: ServerFinds): readonly PaletteEntry[] {
  const actions = useChatActions()
  const listed = useChat((state) => state.conversations)
  const shown = useConversation((view) => view.id)
  const { chats, messages } = finds
  return useMemo(() => {
    const rows = new Map([...(listed ?? []), ...chats].map((row) => [row.id, row]))
    rows.delete(shown)
    const newest = [...rows.values()].toSorted((one, other) => other.updatedAt - one.updatedAt)
    const found = newest.map((row) =>
      chatEntry(row, isTyped ? 'chats' : 'recent', () => {
        actions.open(row.id)
        if (mayTakeFocus()) focusMessage()
      }),
    )
    return [...found, ...foundMessages(messages, actions.open)]
  }, [actions, listed, chats, messages, shown, isTyped])
}
