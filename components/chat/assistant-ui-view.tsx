'use client'

import {
  AuiConfig,
  AuiProvider,
  ExternalThread,
  MessageProvider,
  fromThreadMessageLike,
  useAuiState,
  type AppendMessage,
  type ExternalThreadMessage,
  type MessageStatus,
} from '@assistant-ui/react'
import { useMemo, type ReactNode } from 'react'
import type { Message, ReplyOutcome } from '@/lib/chat/conversation'
import { branchesOf } from '@/lib/client/message-tree'
import { useChat, useChatActions, useClientStore } from './chat-context'

/*
 * The only file that knows assistant-ui. Our store is the truth and this is a view over it: `aui.thread` sees the last
 * few messages, so that its work does not grow with the conversation; every mounted row has a message scope of its own.
 * `aui.thread.append`, `cancelRun`, branches and `s.message.status` mean what they mean in any assistant-ui app, except
 * that `complete` is the stored outcome `finished` and never the mere end of a stream.
 */

const seenByThread = 8

export function AssistantUiView({ children }: { children: ReactNode }) {
  const path = useChat((state) => state.view.path)
  const tree = useChat((state) => state.view.tree)
  const isRunning = useChat((state) => state.view.run !== null || state.view.sending)
  const isLoading = useChat((state) => state.view.phase === 'loading')
  const actions = useChatActions()
  const store = useClientStore()

  const messages = useMemo(() => path.slice(-seenByThread).map(threadMessageOf), [path])
  const branches = useMemo(() => {
    const siblings = branchesOf(tree)
    return { getBranches: (id: string) => siblings.get(id) ?? [], switchToBranch: actions.switchBranch }
  }, [tree, actions])
  const handlers = useMemo(
    () => ({
      onNew: (message: AppendMessage) => void actions.send(textOf(message)),
      onEdit: (message: AppendMessage) => {
        if (message.sourceId) actions.edit(message.sourceId, textOf(message))
      },
      onReload: () => {
        const last = store.getState().view.path.at(-1)
        if (last) actions.regenerate(last.id)
      },
      onCancel: actions.stop,
    }),
    [actions, store],
  )
  const config = AuiConfig({ thread: ExternalThread({ messages, isRunning, isLoading, branches, ...handlers }) })
  return <AuiProvider config={config}>{children}</AuiProvider>
}

/** Gives one row its message scope. */
export function MessageScope({
  message,
  index,
  isLast,
  children,
}: {
  message: Message
  index: number
  isLast: boolean
  children: ReactNode
}) {
  return (
    <MessageProvider message={threadMessageOf(message)} index={index} isLast={isLast}>
      {children}
    </MessageProvider>
  )
}

/** Inside a `MessageScope`: the reply is stored as finished. */
export const useReplyIsComplete = (): boolean => useAuiState((state) => state.message.status?.type === 'complete')

const textOf = (message: AppendMessage): string =>
  message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')

const memo = new WeakMap<Message, ExternalThreadMessage>()

function threadMessageOf(message: Message): ExternalThreadMessage {
  const known = memo.get(message)
  if (known) return known
  const status = message.role === 'assistant' ? statusOf(message.outcome) : null
  const like = {
    id: message.id,
    role: message.role,
    content: [{ type: 'text' as const, text: message.text }],
    createdAt: new Date(message.createdAt),
    metadata: { custom: { parentId: message.parentId } },
    ...(status ? { status } : {}),
  }
  const made = fromThreadMessageLike(like, message.id, { type: 'complete', reason: 'unknown' })
  memo.set(message, made)
  return made
}

export function statusOf(outcome: ReplyOutcome | null): MessageStatus {
  switch (outcome) {
    case null:
      return { type: 'running' }
    case 'finished':
      return { type: 'complete', reason: 'stop' }
    case 'stopped':
      return { type: 'incomplete', reason: 'cancelled' }
    case 'length':
      return { type: 'incomplete', reason: 'length' }
    case 'failed':
    case 'interrupted':
      return { type: 'incomplete', reason: 'error' }
  }
}
