'use client'

import { useMemo } from 'react'
import { useChat, useChatActions, useConversation } from '@/components/context/chat-context'
import { focusMessage, mayTakeFocus } from '@/components/context/focus-message'
import { jumpTo } from '@/components/context/jump'
import { rowSentence } from '@/lib/words/chat-rows'
import { frameSentence } from '@/lib/words/frame'
import { paletteEntry, type PaletteEntry } from './palette-entry'
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
    const found = newest.map(({ id, title, archived, tags = [] }) =>
      paletteEntry({
        id: `chat ${id}`,
        group: isTyped ? 'chats' : 'recent',
        icon: 'right',
        label: title || frameSentence('frame.new-chat'),
        written: 'prose',
        beside: [...tags, ...(archived ? [rowSentence('rows.archived')] : [])].join(' '),
        run() {
          actions.open(id)
          if (mayTakeFocus()) focusMessage()
        },
      }),
    )
    const said = messages.map(({ conversationId, messageId, title, snippet }): PaletteEntry => ({
      ...paletteEntry({
        id: `message ${conversationId} ${messageId}`,
        group: 'messages',
        icon: 'find',
        label: snippet.map(({ text }) => text).join(''),
        written: 'prose',
        beside: title || frameSentence('frame.new-chat'),
        run() {
          jumpTo({ conversationId, messageId })
          actions.open(conversationId)
        },
      }),
      found: true,
    }))
    return [...found, ...said]
  }, [actions, listed, chats, messages, shown, isTyped])
}
