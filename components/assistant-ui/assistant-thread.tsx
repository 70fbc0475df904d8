'use client'

import { AuiConfig, AuiProvider, ExternalThread, type AppendMessage } from '@assistant-ui/react'
import { useMemo, type ReactNode } from 'react'
import { useClientStore, useConversation, useThreadActions } from '@/components/context/chat-context'
import { viewOf } from '@/lib/client/state/open-conversations'
import type { Message } from '@/lib/shared/conversation/conversation'
import { branchesOf, isHere, type ChatRow } from '@/lib/shared/conversation/message-tree'
import { appendedText, threadMessageOf } from './message-scope'

/** The thread's work grows with its messages, at each token: it gets the last ones only. */
const messagesOfThread = 8

/**
 * assistant-ui's thread over our store, which is the truth. Every assistant-ui hook and primitive inside reads it, and what
 * they do (`aui.thread.append`, `cancelRun`, a message's `reload`) ends in the same actions as the page's own buttons.
 */
export function AssistantThread({ children }: { children: ReactNode }) {
  const path = useConversation((view) => view.path)
  const tree = useConversation((view) => view.tree)
  const isRunning = useConversation((view) => view.run !== null || view.sending)
  const isLoading = useConversation((view) => view.phase === 'loading')
  const actions = useThreadActions()
  const store = useClientStore()

  const messages = useMemo(() => lastTurns(path).map(threadMessageOf), [path])
  const branches = useMemo(() => {
    const versions = branchesOf(tree)
    return { getBranches: (id: string) => versions.get(id) ?? [], switchToBranch: actions.switchBranch }
  }, [tree, actions])
  const handlers = useMemo(
    () => ({
      onNew: (message: AppendMessage) => void actions.append(appendedText(message)),
      onEdit(message: AppendMessage) {
        if (message.sourceId) void actions.edit(message.sourceId, appendedText(message))
      },
      onReload(parentId: string | null) {
        const { path: shown } = viewOf(store.getState())
        const reply = shown.find((row) => row.role === 'assistant' && row.parentId === parentId)
        if (reply) actions.regenerate(reply.id)
      },
      onStartRun: actions.retry,
      onCancel: actions.stop,
    }),
    [actions, store],
  )
  const config = AuiConfig({ thread: ExternalThread({ messages, isRunning, isLoading, branches, ...handlers }) })
  return <AuiProvider config={config}>{children}</AuiProvider>
}

/** Begins with a user message, so that the message before each reply is its question. */
function lastTurns(path: readonly ChatRow[]): readonly Message[] {
  const absent = path.findLastIndex((row) => !isHere(row))
  const last = path.slice(Math.max(absent + 1, path.length - messagesOfThread)).filter(isHere)
  const question = last.findIndex(({ role }) => role === 'user')
  return last.slice(Math.max(0, question))
}
