import type { AssistantMessage, CallOutcome, Message } from '@/lib/shared/conversation/conversation'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'

/*
 * What stands in the place of rows that can't be read. Nothing in them runs, covers anything or goes to a model as if it
 * were known; the rows themselves stay as they are.
 */

/** Where a message stands that can't be read. */
export interface MessagePosition {
  readonly id: string
  readonly conversationId: string
  /** What is left of its row. */
  readonly body: unknown
  /** The message that arrived before it; null: it is the first, or nobody looked. */
  readonly before: Message | null
  /** Whose it must be, where something else says so. */
  readonly role?: Message['role']
}

// Inside a text of JSON these marks are escaped, so what is found stands in the message itself or in a result behind it.
const ROLE = /"role":"(user|assistant)"/
const PARENT = /"parentId":(?:"([A-Za-z0-9_-]{1,100})"|null)/

/** A message without words; its place in the chat is what the rest of its row says, else behind the one before it. */
export function standInMessage({ id, conversationId, body, before, role: known }: MessagePosition): Message {
  const left = typeof body === 'string' ? body : ''
  const parent = PARENT.exec(left)
  const role = known ?? ROLE.exec(left)?.[1] ?? (before?.role === 'user' ? 'assistant' : 'user')
  const base = {
    id,
    conversationId,
    parentId: parent ? (parent[1] ?? null) : (before?.id ?? null),
    createdAt: before?.createdAt ?? 0,
    unreadable: 'whole',
    text: '',
  } as const
  return role === 'user' ? { ...base, role, results: [] } : { ...base, ...wordless }
}

const wordless = {
  role: 'assistant',
  reasoning: '',
  strategy: strategyIds[0],
  toolsEnabled: false,
  model: '',
  outcome: 'interrupted',
  failure: null,
  usage: null,
  runId: '',
} as const satisfies Partial<AssistantMessage>

/** A call has ended, and nobody can read how. */
export const standInOutcome: CallOutcome = {
  status: 'error',
  result: { error: 'What this call gave can no longer be read: its row in the storage is damaged.' },
  durationMs: null,
  console: [],
  displays: [],
  said: [{ reason: 'told.unreadable', values: {} }],
}
