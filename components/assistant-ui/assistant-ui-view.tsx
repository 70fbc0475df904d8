'use client'

import { AuiConfig, AuiProvider, ExternalThread, useAui, type AppendMessage } from '@assistant-ui/react'
import { useEffect, useMemo, type ReactNode } from 'react'
import { useClientStore, useConversation, useThreadActions } from '@/components/context/chat-context'
import { isHere, type ChatRow } from '@/lib/conversation/chat-row'
import type { Message } from '@/lib/conversation/conversation'
import { branchesOf } from '@/lib/conversation/message-tree'
import type { ResultsPort } from '@/lib/client/results-port'
import { appendedText, threadMessageOf } from './thread-message'
import type { AppendMetadata } from './use-say'
import { viewOf } from '@/lib/client/open-conversations'

/*
 * Our store is the truth; assistant-ui is how the page reads it and the one way in. Whatever is said, by a person or by the
 * results of calls, is `aui.thread.append` and arrives at `onNew`; Stop is `cancelRun`, Retry `startRun`. The thread is told
 * the last few messages only, so that its work does not grow with the conversation: every row has a scope of its own.
 */

const toldToThread = 8

export interface AssistantUiViewProps {
  readonly results: Pick<ResultsPort, 'connect' | 'deliver'>
  readonly children: ReactNode
}

export function AssistantUiView({ results, children }: AssistantUiViewProps) {
  const path = useConversation((view) => view.path)
  const tree = useConversation((view) => view.tree)
  const isRunning = useConversation((view) => view.run !== null || view.sending)
  const isLoading = useConversation((view) => view.phase === 'loading')
  const actions = useThreadActions()
  const store = useClientStore()

  const messages = useMemo(() => lastTurns(path).map(threadMessageOf), [path])
  const branches = useMemo(() => {
    const siblings = branchesOf(tree)
    return { getBranches: (id: string) => siblings.get(id) ?? [], switchToBranch: actions.switchBranch }
  }, [tree, actions])
  const handlers = useMemo(
    () => ({
      onNew(message: AppendMessage) {
        const { said = { kind: 'words' } } = message.metadata.custom as { readonly said?: AppendMetadata }
        if (said.kind === 'tool-results') return results.deliver(said)
        const taken = actions.send(appendedText(message), said.attachments ?? [])
        said.onTaken?.(taken)
      },
      onEdit(message: AppendMessage) {
        if (message.sourceId) actions.edit(message.sourceId, appendedText(message))
      },
      onReload(parentId: string | null) {
        const { path: shown } = viewOf(store.getState())
        const reply = shown.find((row) => row.role === 'assistant' && row.parentId === parentId)
        if (reply) actions.regenerate(reply.id)
      },
      onStartRun: actions.retry,
      onCancel: actions.stop,
    }),
    [actions, store, results],
  )
  const config = AuiConfig({ thread: ExternalThread({ messages, isRunning, isLoading, branches, ...handlers }) })
  return (
    <AuiProvider config={config}>
      <Door results={results} />
      {children}
    </AuiProvider>
  )
}

/** From a question on, so that the one before a reply is its own. */
function lastTurns(path: readonly ChatRow[]): readonly Message[] {
  const absent = path.findLastIndex((row) => !isHere(row))
  const last = path.slice(Math.max(absent + 1, path.length - toldToThread)).filter(isHere)
  return last.slice(
    Math.max(
      0,
      last.findIndex(({ role }) => role === 'user'),
    ),
  )
}

/** Results of calls come from outside React. */
function Door({ results }: Pick<AssistantUiViewProps, 'results'>) {
  const aui = useAui()
  useEffect(
    () =>
      results.connect((said) => {
        const { parentId } = said.append
        aui.thread.append({ role: 'user', content: [], parentId, metadata: { custom: { said } } })
      }),
    [aui, results],
  )
  return null
}
