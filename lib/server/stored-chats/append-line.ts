import type { ChatRequest, CreateConversation } from '@/lib/shared/conversation/wire/api-types'
import type { Message } from '@/lib/shared/conversation/conversation'
import { hasText } from '@/lib/shared/conversation/outline'
import type { StoredBranch } from '@/lib/server/store/ports/conversation-store'
import type { StoredConversations } from './stored-conversations'
import type { PromptWindow } from '@/lib/shared/prompt/prompt-budget'

/** What an append is planned on and its model asked with: the end of the line that it goes on, or all of it. */
export interface AppendLine {
  /**
   * The line's messages, what answers its end, and the message whose attachments are kept; with the calls of its end, and all
   * where the model is still to hear of some.
   */
  readonly stored: StoredBranch
  /** Of the model that will answer; null: nothing is left out. */
  readonly window: PromptWindow | null
}

/** Enough for most of what is asked of a line's end. */
const FIRST = 40

type Chats = Pick<StoredConversations, 'loadBranch' | 'loadOrCreate'>

/**
 * Loads what an append needs. Of a line whose beginning the model's window will not hold anyway only the end is read, at
 * least from the person's last word on, by which rounds of calls are counted.
 */
export async function loadAppendLine(
  chats: Chats,
  windowOf: (modelId: string) => Promise<PromptWindow | null>,
  owner: string,
  { conversationId: id, append, create }: ChatRequest,
): Promise<AppendLine> {
  const part = { head: append.parentId, callsOf: 'head', answers: true } as const
  const request: CreateConversation | null = create ? { id, settings: create } : null
  const load = (limit?: number) => {
    const wanted = { ...part, ...(limit !== undefined && { limit }) }
    return request ? chats.loadOrCreate(owner, request, wanted) : chats.loadBranch(owner, id, wanted)
  }
  let stored = await load(FIRST)
  const window = await windowOf(stored.conversation.settings.model)
  if (stored.openEnds > 0) {
    stored = await chats.loadBranch(owner, id, { head: append.parentId, answers: true })
  } else if (stored.older > 0 && window === null) stored = await load()
  while (stored.older > 0 && !(beginsSomewhere(stored.messages) && holdsMarked(stored))) {
    stored = await loadOlder(chats, owner, stored, stored.messages.length)
  }
  const kept = append.kind === 'user' ? append.keepAttachmentsOf : undefined
  const beside = kept === undefined ? [] : (await chats.loadBranch(owner, id, { head: kept, limit: 1 })).messages
  return { stored: { ...stored, answers: [...stored.answers, ...beside] }, window }
}

/** The line with so many more of its messages, and their amendments. */
export async function loadOlder(
  chats: Chats,
  owner: string,
  stored: StoredBranch,
  count: number,
): Promise<StoredBranch> {
  const [first] = stored.messages
  if (!first) return stored
  const before = { before: first.id, limit: count, callsOf: 'head' } as const
  const { messages, amendments, older } = await chats.loadBranch(owner, stored.conversation.id, before)
  return {
    ...stored,
    messages: [...messages, ...stored.messages],
    amendments: [...amendments, ...stored.amendments],
    older: messages.length === 0 ? 0 : older,
  }
}

/** What a compaction leaves out is not needed; what was pinned before it is, and where that is nobody knows but by looking. */
function holdsMarked({ conversation: { marks }, messages }: StoredBranch): boolean {
  if (!marks) return true
  const ids = new Set(messages.map(({ id }) => id))
  const last = marks.compactions.at(-1)
  return marks.pinned.every((id) => ids.has(id)) && (!last || ids.has(last.through))
}

/** The person said something in it, and began with it: a prompt can begin there too. */
function beginsSomewhere(messages: readonly Message[]): boolean {
  const said = messages.findLastIndex((message) => message.role === 'user' && hasText(message))
  return messages.some((message, at) => at <= said && message.role === 'user' && message.results.length === 0)
}
