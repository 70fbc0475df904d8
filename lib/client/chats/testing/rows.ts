import type { AppendResult } from '../actions'
import type { AssistantMessage, Conversation, UserMessage } from '@/lib/shared/conversation/conversation'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import type { UseView } from '@/lib/shared/conversation/wire/api-types'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { newConversation } from '../new-conversation'

export const conversationId = 'c1'

export const conversationRow = (patch: Partial<Conversation> = {}): Conversation => ({
  ...newConversation(conversationId, 'demo/demo', 1_000),
  title: 'A chat',
  ...patch,
})

export const userRow = (id: string, parentId: string | null, patch: Partial<UserMessage> = {}): UserMessage => ({
  id,
  conversationId,
  parentId,
  createdAt: 1_000,
  role: 'user',
  text: `text of ${id}`,
  results: [],
  ...patch,
})

export const replyRow = (
  id: string,
  parentId: string | null,
  patch: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  id,
  conversationId,
  parentId,
  createdAt: 1_000,
  role: 'assistant',
  text: `text of ${id}`,
  reasoning: '',
  strategy: 'JSON_Strict',
  toolsEnabled: true,
  model: 'demo/demo',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: `run-${id}`,
  ...patch,
})

export const callRow = (messageId: string, slot: number, patch: Partial<CallRecord> = {}): CallRecord => ({
  messageId,
  slot,
  callId: `call_${slot + 1}`,
  name: 'read_file',
  callHash: 'hash',
  decision: 'run',
  reason: '',
  runnerId: 'tab',
  attempt: 1,
  decidedAt: 1_000,
  outcome: null,
  changed: null,
  by: { kind: 'click' },
  gated: false,
  release: null,
  finishedAt: null,
  postedIn: null,
  ...patch,
})

/** The log of a reply that comes in `pieces` and ends as finished. */
export function runLog(message: AssistantMessage, pieces: readonly string[]): readonly RunEvent[] {
  const start: RunEvent = { seq: 1, type: 'start', message: { ...message, text: '', outcome: null } }
  const deltas = pieces.map((text, index): RunEvent => ({ seq: index + 2, type: 'delta', channel: 'text', text }))
  const end: RunEvent = { seq: pieces.length + 2, type: 'end', outcome: 'finished', failure: null, usage: null }
  return [start, ...deltas, end]
}

/** What `append` gives for a message that was taken. */
export const stored: AppendResult = { status: 'stored', messageId: 'u2', delivery: Promise.resolve('accepted') }
export const refused: AppendResult = { status: 'refused', reason: 'busy' }

/** The use of an owner with one short chat and no limits. */
export const useView: UseView = {
  budgets: [],
  resetsAt: 86_400_000,
  chats: 1,
  messages: 2,
  bytes: 3,
  presets: 0,
  maxBytes: null,
  retentionDays: null,
}
