'use client'

import { AuiConfig, AuiProvider, ExternalThread, useAui, type AppendMessage } from '@assistant-ui/react'
import { useEffect, useMemo } from 'react'
import { useClientStore, useConversation, useThreadActions } from '@/components/context/chat-context'
import { isHere, type ChatRow } from '@/lib/shared/conversation/chat-row'
import type { Message } from '@/lib/shared/conversation/conversation'
import { branchesOf } from '@/lib/shared/conversation/message-tree'
import type { ResultsPort } from '@/lib/client/api/results-port'
import type { ThreadRuntimeRef } from './thread-runtime-ref'
import { appendedText, threadMessageOf } from './thread-message'
import type { AppendMetadata } from './append-text'
import { viewOf } from '@/lib/client/state/open-conversations'

const toldToThread = 8

export interface ThreadHostProps {
  readonly results: Pick<ResultsPort, 'connect' | 'deliver'>
  readonly door: ThreadRuntimeRef
}

/** The thread itself: told the last few messages only, so that its work does not grow with the conversation. */
export default function ThreadHost({ results, door }: ThreadHostProps) {
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
      <Open results={results} door={door} />
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

/** The page outside of it, and the results of calls, which come from outside React, go in here. */
function Open({ results, door }: ThreadHostProps) {
  const aui = useAui()
  useEffect(() => door.open(aui), [door, aui])
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
