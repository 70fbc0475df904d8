import type { AssistantMessage, Conversation, UserMessage } from '@/lib/shared/conversation/conversation'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { openSqliteStore } from '@/lib/server/store/sqlite/open-sqlite-store'

/**
 * Writes a conversation of one question and one reply, and returns its id. Calls are off: all of the text is Markdown.
 */
export async function seedReply(file: string, owner: string, text: string): Promise<string> {
  const store = await openSqliteStore(file, { decodeSettings })
  const now = Date.now()
  const conversation: Conversation = {
    id: crypto.randomUUID(),
    title: 'One reply',
    settings: { ...decodeSettings('{}').settings, model: 'demo/demo', strategy: 'JSON_Strict' },
    settingsProblem: null,
    headId: null,
    createdAt: now,
    updatedAt: now,
  }
  await store.createConversation(owner, conversation)
  const base = { conversationId: conversation.id, createdAt: now }
  const userMessage: UserMessage = {
    ...base,
    id: crypto.randomUUID(),
    parentId: null,
    role: 'user',
    text: 'Show me.',
    results: [],
  }
  const reply: AssistantMessage = {
    ...base,
    id: crypto.randomUUID(),
    parentId: userMessage.id,
    role: 'assistant',
    text: '',
    reasoning: '',
    strategy: 'JSON_Strict',
    toolsEnabled: false,
    model: 'demo/demo',
    outcome: null,
    failure: null,
    usage: null,
    runId: crypto.randomUUID(),
  }
  const append = { userMessage, calls: [], seen: null, reply, title: '' }
  await store.append(owner, conversation.id, userMessage.id, append, now)
  await store.appendRunEvents({ owner, runId: reply.runId }, [{ seq: 2, type: 'delta', channel: 'text', text }])
  await store.endRun(
    { owner, runId: reply.runId },
    { outcome: 'finished', failure: null, usage: null, runnableCalls: 0 },
    now,
  )
  await store.close()
  return conversation.id
}
