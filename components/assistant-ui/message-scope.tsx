'use client'

import {
  MessageProvider,
  useAuiState,
  type AppendMessage,
  type ExternalThreadMessage,
  type MessageStatus,
  type ThreadMessage,
  AuiConfig,
  AuiProvider,
  ExternalThread,
} from '@assistant-ui/react'
import { useMemo, type ReactNode } from 'react'
import { useConversation, useClientStore, useThreadActions } from '@/components/context/chat-context'
import type { AssistantMessage, Message, ReplyOutcome } from '@/lib/shared/conversation/conversation'
import { branchesOf, type ChatRow, isHere } from '@/lib/shared/conversation/message-tree'
import { assertNever } from '@/lib/base/result'
import { viewOf } from '@/lib/client/state/open-conversations'

const memo = new WeakMap<ChatRow, ExternalThreadMessage>()

/**
 * A stored row as assistant-ui's message; the same row always gives the same object. The row is in its metadata
 * (`rowOf`).
 */
export function threadMessageOf(row: ChatRow): ExternalThreadMessage {
  const known = memo.get(row)
  if (known) return known
  const made = messageOf(isHere(row) ? row : absentMessage(row))
  memo.set(row, made)
  return made
}

/** A placeholder for a row that is not loaded yet: only its position in the tree is known. */
const absentMessage = ({ id, parentId }: ChatRow): Message => ({
  id,
  parentId,
  conversationId: '',
  createdAt: 0,
  role: 'user',
  text: '',
  results: [],
})

/** Not `fromThreadMessageLike`, because that also parses tool calls and adds a JSON parser and a Buffer (11 kB). */
function messageOf(row: Message): ExternalThreadMessage {
  const base = {
    id: row.id,
    createdAt: new Date(row.createdAt),
    content: row.text === '' ? [] : [{ type: 'text' as const, text: row.text }],
  }
  const custom = { row }
  if (row.role === 'user') return { ...base, role: 'user', attachments: [], metadata: { custom } }
  const none = { unstable_state: null, unstable_annotations: [], unstable_data: [], steps: [] }
  return { ...base, role: 'assistant', status: replyStatusOf(row), metadata: { ...none, custom } }
}

/** The stored row that a message shows. */
const rowOf = ({ metadata }: Pick<ThreadMessage, 'metadata'>): Message =>
  (metadata.custom as { readonly row: Message }).row

export const appendedText = ({ content }: Pick<AppendMessage, 'content'>): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('')

/**
 * One status per stored outcome. `complete` always means `finished`, because cards may act in a complete message only.
 */
export function replyStatusOf({ outcome, failure }: Pick<AssistantMessage, 'outcome' | 'failure'>): MessageStatus {
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
      return { type: 'incomplete', reason: 'error', ...(failure && { error: failure.message }) }
    case 'interrupted':
      return { type: 'incomplete', reason: 'other' }
    default:
      return assertNever(outcome)
  }
}

/** The outcome of a status. An unknown status counts as `interrupted`, so that no call of the reply can run. */
export function outcomeOf(status: MessageStatus): ReplyOutcome | null {
  switch (status.type) {
    case 'running':
      return null
    case 'complete':
      return 'finished'
    case 'requires-action':
      return 'interrupted'
    case 'incomplete':
      return ended[status.reason]
    default:
      return assertNever(status)
  }
}

const ended: Readonly<Record<Extract<MessageStatus, { type: 'incomplete' }>['reason'], ReplyOutcome>> = {
  cancelled: 'stopped',
  length: 'length',
  error: 'failed',
  other: 'interrupted',
  'content-filter': 'interrupted',
  'tool-calls': 'interrupted',
}

export interface MessageScopeProps {
  readonly message: ChatRow
  /** Its position in the shown branch. */
  readonly index: number
  readonly isLast: boolean
  readonly children: ReactNode
}

/**
 * assistant-ui's message scope (`useAuiState((state) => state.message)`) for one stored row. assistant-ui's thread
 * holds only the last messages, but the row may be anywhere, so rows act through `useThreadActions` instead of
 * `aui.message`.
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

/** Ids of all versions of a message, including itself; empty if it has no other version. */
export function useVersions(messageId: string): readonly string[] {
  // Joined into one string, because each token creates a new tree with the same ids.
  const ids = useConversation((view) => branchesOf(view.tree).get(messageId)?.join(' ') ?? '')
  return useMemo(() => (ids === '' ? [] : ids.split(' ')), [ids])
}

/** The stored row of the reply in scope, with the outcome that the scope's status allows. */
export function useReply(): AssistantMessage {
  const row = useAuiState((state) => rowOf(state.message) as AssistantMessage)
  const outcome = useAuiState(({ message }) => (message.status ? outcomeOf(message.status) : null))
  return useMemo(() => (row.outcome === outcome ? row : { ...row, outcome }), [row, outcome])
}

/** assistant-ui does work per message at each token, so it gets only the last messages. */
const messagesOfThread = 8

/**
 * assistant-ui's thread over our store, which is the source of truth. Every assistant-ui hook and primitive inside
 * reads the store, and their actions (`aui.thread.append`, `cancelRun`, a message's `reload`) call the same functions
 * as the page's own buttons.
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

/** Starts with a user message, so that each reply follows its question. */
function lastTurns(path: readonly ChatRow[]): readonly Message[] {
  const absent = path.findLastIndex((row) => !isHere(row))
  const last = path.slice(Math.max(absent + 1, path.length - messagesOfThread)).filter(isHere)
  const question = last.findIndex(({ role }) => role === 'user')
  return last.slice(Math.max(0, question))
}
