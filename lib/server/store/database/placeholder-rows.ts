import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import type { CallOutcome } from '@/lib/shared/conversation/call-record'
import { strategyIds } from '@/lib/protocols/types/tool-context-def'

/*
 * Placeholders for rows that can't be read. Nothing in them runs, covers anything or is sent to a model as if it were
 * known; the rows themselves are not changed.
 */

/** The position of a message that can't be read. */
export interface MessagePosition {
  readonly id: string
  readonly conversationId: string
  /** The remains of its row. */
  readonly body: unknown
  /** The message that arrived before it; null: it is the first, or this was not checked. */
  readonly before: Message | null
  /** Its role, if other rows determine it. */
  readonly role?: Message['role']
}

// Within JSON text these quotation marks are escaped, so a match is in the message itself or in a result after it.
const ROLE = /"role":"(user|assistant)"/
const PARENT = /"parentId":(?:"([A-Za-z0-9_-]{1,100})"|null)/

/** A message without text. Its position comes from the rest of its row; otherwise it follows the message before it. */
export function placeholderMessage({ id, conversationId, body, before, role: known }: MessagePosition): Message {
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

/** The outcome of a call that has ended, but can't be read. */
export const placeholderOutcome: CallOutcome = {
  status: 'error',
  result: { error: 'The result of this call can no longer be read: its row in the storage is damaged.' },
  durationMs: null,
  console: [],
  displays: [],
  said: [{ reason: 'told.unreadable', values: {} }],
}
