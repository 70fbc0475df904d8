import { makeError } from '@/lib/i18n/t'
import type { AppendPlan, StoredConversation } from '@/lib/server/store/ports/conversation-store'
import { roundsInQuestion } from '@/lib/shared/calls/click-reasons'
import { endedCopy } from '@/lib/shared/calls/copy'
import { isGated, openCalls, type MessageCall } from '@/lib/shared/calls/message-calls'
import type { Append } from '@/lib/shared/conversation/wire/api-types'
import { closeCalls, findRow, lateResults, type ClosePorts } from './close-calls'
import { attachedFiles, attachedImages } from '@/lib/shared/conversation/attached'
import type { AssistantMessage, Attachment, Message, UserMessage } from '@/lib/shared/conversation/conversation'
import type { ToolResult } from '@/lib/shared/conversation/call-record'
import { hasText, titleOf } from '@/lib/shared/conversation/outline'
import { headMoved, type HeadMoved } from '@/lib/server/store/ports/store-error'
import { treePathTo, treeOf } from '@/lib/shared/conversation/message-tree'

/** What the plan needs in addition to the stored rows; all pure. */
export interface AppendPorts extends ClosePorts {
  readonly newId: () => string
  /** The branch is loaded without its first messages; omitted: it is complete. */
  readonly isCut?: boolean
}

/**
 * Turns a client's append into rows, or refuses with an AppError sentence. Reads only the stored conversation: the
 * client's view of the past does not matter.
 */
export function planAppend(stored: StoredConversation, append: Append, ports: AppendPorts): AppendPlan {
  switch (append.kind) {
    case 'user':
      return planUserText(stored, append, ports)
    case 'tool-results':
      return planToolResults(stored, append, ports)
    case 'reply':
      return planReply(stored, append, ports)
  }
}

function planUserText(
  stored: StoredConversation,
  append: Extract<Append, { kind: 'user' }>,
  ports: AppendPorts,
): AppendPlan {
  const parent = append.parentId === null ? null : findMessage(stored, append.parentId)
  const head = headFor(stored, append)
  const closed =
    parent?.role === 'assistant' ? closeCalls(stored, parent, append.id, ports) : { calls: [], results: [] }
  const kept = append.keepAttachmentsOf === undefined ? null : findMessage(stored, append.keepAttachmentsOf)
  const attachments = kept ? (kept.role === 'user' ? (kept.attachments ?? []) : []) : attachedFiles(append.attachments)
  const userMessage = {
    ...userRow(stored, append.id, append.parentId, append.text, closed.results, ports),
    ...(attachments.length > 0 && { attachments }),
    ...lateOf(stored, append.parentId, ports),
    ...copyEndOf(stored, append.parentId, ports),
    ...(append.onCopy && { onCopy: true as const }),
  }
  if (!hasText(userMessage)) throw makeError('bad-request', 'chat.empty-message')
  return {
    userMessage,
    images: kept ? { copyOf: kept.id } : attachedImages(append.id, append.attachments),
    calls: closed.calls,
    seen: parent?.role === 'assistant' ? seenOf(stored, parent) : null,
    ...head,
    reply: replyRow(stored, userMessage.id, ports),
    title: titleOf(append.text.trim() === '' ? namesOf(attachments) : append.text),
  }
}

function planToolResults(
  stored: StoredConversation,
  append: Extract<Append, { kind: 'tool-results' }>,
  ports: AppendPorts,
): AppendPlan {
  const parent = findMessage(stored, append.parentId)
  if (parent.role !== 'assistant') throw makeError('bad-request', 'chat.results.no-reply')
  if (parent.outcome !== 'finished') {
    throw makeError('call-not-open', 'chat.results.unfinished')
  }
  const live = ports.readCalls(parent)
  if (live.length === 0) throw makeError('call-not-open', 'chat.results.no-call')
  refuseOpenCalls(stored, parent, live)
  const answered = stored.messages.some(
    (message) => message.role === 'user' && message.parentId === parent.id && message.results.length > 0,
  )
  if (answered) throw makeError('conflict', 'chat.results.sent-before')
  const head = atHead(stored, parent.id, 'chat.results.elsewhere')
  refuseTooManyRounds(stored, parent, append.continueRounds === true)

  const { calls, results } = closeCalls(stored, parent, append.id, ports)
  const attachments = attachedFiles(append.attachments)
  const userMessage = {
    ...userRow(stored, append.id, parent.id, '', results, ports),
    ...(attachments.length > 0 && { attachments }),
    ...lateOf(stored, parent.id, ports),
    ...copyEndOf(stored, parent.id, ports),
  }
  return {
    userMessage,
    images: attachedImages(append.id, append.attachments),
    calls,
    seen: seenOf(stored, parent),
    ...head,
    reply: replyRow(stored, userMessage.id, ports),
    title: '',
  }
}

function planReply(
  stored: StoredConversation,
  append: Extract<Append, { kind: 'reply' }>,
  ports: AppendPorts,
): AppendPlan {
  const parent = findMessage(stored, append.parentId)
  if (parent.role !== 'user') throw makeError('bad-request', 'chat.not-yours')
  if (parent.deleted && parent.results.length === 0) throw makeError('bad-request', 'chat.delete-answered')
  const reply = replyRow(stored, parent.id, ports)
  const plan = { userMessage: null, calls: [], seen: null, reply, title: '' }
  // The store knows which other replies are being written.
  if (append.beside) return { ...plan, beside: true }
  return { ...plan, ...(append.head !== undefined && atHead(stored, append.head)) }
}

function headFor(
  stored: StoredConversation,
  { branch, parentId }: Extract<Append, { kind: 'user' }>,
): Pick<AppendPlan, 'head'> {
  if (branch === undefined) return atHead(stored, parentId)
  switch (branch) {
    case 'edit':
    case 'back':
      return {}
    case 'leaf': {
      const { headId } = stored.conversation
      if (stored.messages.some((message) => message.parentId === parentId)) throw headMoved(headId)
      // Any message that is added meanwhile moves the head.
      return atHead(stored, headId)
    }
  }
}

/**
 * The append must continue from the head that the client saw. If the head has moved, another client continued the chat,
 * and a branch would hide one of the two messages. The store checks again within the transaction.
 */
function atHead(
  { conversation, activeRunId }: StoredConversation,
  head: string | null,
  reason?: HeadMoved,
): Pick<AppendPlan, 'head'> {
  // Temporary obstacles are reported before those that need the user.
  if (activeRunId !== null) throw makeError('run-in-progress', 'chat.writing')
  if (conversation.headId !== head) throw headMoved(conversation.headId, reason)
  return { head }
}

/** The results to send for calls that were still running when the model last heard of them. */
function lateOf(
  stored: StoredConversation,
  parentId: string | null,
  { readCalls }: AppendPorts,
): Pick<UserMessage, 'late'> {
  if (parentId === null) return {}
  const late = lateResults(stored, treePathTo(treeOf(stored.messages), parentId), readCalls)
  return late.length > 0 ? { late } : {}
}

/** What to tell the model about a copy of the files that ended. */
const copyEndOf = (
  { grants, messages }: StoredConversation,
  parentId: string | null,
  { isCut = false }: AppendPorts,
): Pick<UserMessage, 'copyEnd'> =>
  parentId === null ? {} : endedCopy(grants, treePathTo(treeOf(messages), parentId), isCut)

const seenOf = ({ amendments }: StoredConversation, { id }: AssistantMessage): AppendPlan['seen'] => ({
  messageId: id,
  amendments: amendments.filter(({ messageId }) => messageId === id),
})

/** Results are sent together: none while a call waits for a decision, runs, or has a result that waits for review. */
function refuseOpenCalls(stored: StoredConversation, parent: AssistantMessage, live: readonly MessageCall[]): void {
  const rowOf = (slot: number) => findRow(stored, parent.id, slot)
  const open = openCalls(live, rowOf, stored.conversation.settings.tools.maxCallsPerReply)
  const named = (calls: readonly MessageCall[]) => calls.map(({ call }) => call.name)
  const gated = live.filter(({ slot }) => {
    const row = rowOf(slot)
    return row !== undefined && isGated(row)
  })
  if (gated.length > 0) {
    throw makeError('call-not-open', 'chat.results.gated', { names: named(gated) })
  }
  if (open.length > 0) {
    throw makeError('call-not-open', 'chat.results.open', { names: named(open) })
  }
}

/** Limits rounds of results without a user message: the user has to continue from time to time. */
function refuseTooManyRounds(stored: StoredConversation, parent: AssistantMessage, continued: boolean): void {
  const rounds = roundsInQuestion(treePathTo(treeOf(stored.messages), parent.id), stored.conversation.settings.tools)
  if (continued || rounds === 0) return
  throw makeError('conflict', 'chat.results.rounds', { rounds })
}

function findMessage(stored: StoredConversation, id: string): Message {
  const message = stored.messages.find((candidate) => candidate.id === id)
  if (!message) throw makeError('not-found', 'chat.no-parent')
  if (message.role === 'assistant' && message.outcome === null) {
    throw makeError('run-in-progress', 'chat.writing')
  }
  return message
}

const userRow = (
  stored: StoredConversation,
  id: string,
  parentId: string | null,
  text: string,
  results: readonly ToolResult[],
  { now }: AppendPorts,
): UserMessage => ({
  id,
  conversationId: stored.conversation.id,
  parentId,
  createdAt: now,
  role: 'user',
  text,
  results,
})

function replyRow({ conversation }: StoredConversation, parentId: string, ports: AppendPorts): AssistantMessage {
  const { strategy, model, tools } = conversation.settings
  return {
    id: ports.newId(),
    conversationId: conversation.id,
    parentId,
    createdAt: ports.now,
    role: 'assistant',
    text: '',
    reasoning: '',
    strategy,
    toolsEnabled: tools.enabled,
    model,
    outcome: null,
    failure: null,
    usage: null,
    runId: ports.newId(),
  }
}

/** The title of a chat that begins with files only. */
const namesOf = (attachments: readonly Attachment[]): string =>
  attachments.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)).join(', ')
