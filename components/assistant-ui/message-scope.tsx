'use client'

import { MessageProvider, useAuiState } from '@assistant-ui/react'
import { useMemo, type ReactNode } from 'react'
import { useConversation } from '@/components/context/chat-context'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { branchesOf, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { outcomeOf, rowOf, threadMessageOf } from './thread-message'

export interface MessageScopeProps {
  readonly message: ChatRow
  /** Its position in the branch that is shown. */
  readonly index: number
  readonly isLast: boolean
  readonly children: ReactNode
}

/**
 * assistant-ui's message scope (`useAuiState((state) => state.message)`) for one stored row. The row may be anywhere in the
 * conversation, while the thread itself only knows the last messages; so rows act by `useThreadActions`, not by `aui.message`.
 */
export function MessageScope({ message, index, isLast, children }: MessageScopeProps) {
  const versions = useVersions(message.id)
  return (
    <MessageProvider
      message={threadMessageOf(message)}
      index={index}
      isLast={isLast}
      branchNumber={Math.max(1, versions.indexOf(message.id) + 1)}
      branchCount={Math.max(1, versions.length)}
    >
      {children}
    </MessageProvider>
  )
}

/** Ids of all versions of a message, itself included; empty when it is the only one. */
export function useVersions(messageId: string): readonly string[] {
  // Compared as one string: each token of a reply makes a new tree, with the same ids.
  const ids = useConversation((view) => branchesOf(view.tree).get(messageId)?.join(' ') ?? '')
  return useMemo(() => (ids === '' ? [] : ids.split(' ')), [ids])
}

/** In the scope of a reply: its stored row, with the outcome that the scope's status allows. */
export function useReply(): AssistantMessage {
  const row = useAuiState((state) => rowOf(state.message) as AssistantMessage)
  const outcome = useAuiState(({ message }) => (message.status ? outcomeOf(message.status) : null))
  return useMemo(() => (row.outcome === outcome ? row : { ...row, outcome }), [row, outcome])
}
