import type { DecodeSettings } from '../database/rows'
import type {
  AssistantMessage,
  Conversation,
  ConversationSettings,
  UserMessage,
} from '@/lib/shared/conversation/conversation'
import type { CallOutcome, CallRecord } from '@/lib/shared/conversation/call-record'
import { type RegisteredTool, defaultToolConfig } from '@/lib/shared/conversation/settings/registered-tool'
import type { AppendPlan } from '../ports/conversation-store'
import type { DecisionBasis } from '../ports/call-store'
import type { RunKey, StoredRunEnding } from '../ports/run-store'
import type { OwnerDataStore } from '../ports/store'

/** NUL, a lone surrogate, an emoji, a JSON look-alike, quotes: text that people and models really write. */
export const AWKWARD = '\0 \ud800 😀 [1,2] {"a":"\\u0000"} \'"\\ \u2028'

/** Rows for tests of the store: plain, complete, overridable. */
export const testSettings: ConversationSettings = {
  version: 4,
  model: 'demo/demo',
  strategy: 'JSON_Strict',
  systemPrompt: '',
  tools: defaultToolConfig,
}

export const decodeTestSettings = (text: string): ReturnType<DecodeSettings> => {
  try {
    return { settings: JSON.parse(text) as ConversationSettings, problem: null }
  } catch {
    return { settings: testSettings, problem: 'damaged' }
  }
}

export const testConversation = (id: string, over: Partial<Conversation> = {}): Conversation => ({
  id,
  title: '',
  settings: testSettings,
  settingsProblem: null,
  headId: null,
  createdAt: 1000,
  updatedAt: 1000,
  ...over,
})

export const testUserMessage = (conversationId: string, id: string, over: Partial<UserMessage> = {}): UserMessage => ({
  id,
  conversationId,
  parentId: null,
  createdAt: 1000,
  role: 'user',
  text: `text of ${id}`,
  results: [],
  ...over,
})

export const testReply = (
  conversationId: string,
  id: string,
  parentId: string,
  over: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  id,
  conversationId,
  parentId,
  createdAt: 1000,
  role: 'assistant',
  text: '',
  reasoning: '',
  strategy: 'JSON_Strict',
  toolsEnabled: true,
  model: 'demo/demo',
  outcome: null,
  failure: null,
  usage: null,
  runId: `run-of-${conversationId}-${id}`,
  ...over,
})

/** The run that writes a reply of this owner. */
export const runOf = (owner: string, { runId }: AssistantMessage): RunKey => ({ owner, runId })

/** User message `u<n>` answered by `a<n>`. */
export function testPlan(conversationId: string, n: number, parentId: string | null = null): AppendPlan {
  const userMessage = testUserMessage(conversationId, `u${n}`, { parentId })
  return { userMessage, calls: [], seen: null, reply: testReply(conversationId, `a${n}`, `u${n}`), title: `title ${n}` }
}

export const testCall = (messageId: string, slot: number, over: Partial<CallRecord> = {}): CallRecord => ({
  messageId,
  slot,
  callId: `call_${slot + 1}`,
  name: 'read_file',
  callHash: 'hash',
  decision: 'run',
  reason: '',
  runnerId: 'tab-1',
  attempt: 1,
  decidedAt: 2000,
  outcome: null,
  changed: null,
  by: { kind: 'click' },
  gated: false,
  release: null,
  finishedAt: null,
  postedIn: null,
  ...over,
})

/** A decision on a call as the model wrote it. */
export const asRequested: DecisionBasis = {
  asked: { name: 'read_file', arguments: {} },
  amendment: null,
  maxRuns: 1000,
}

export const neverGated = (): boolean => false

export const testOutcome = (result: CallOutcome['result'] = 'done'): CallOutcome => ({
  status: 'completed',
  result,
  durationMs: 3,
  console: [],
  displays: [],
})

export const finishedEnding = (over: Partial<StoredRunEnding> = {}): StoredRunEnding => ({
  outcome: 'finished',
  failure: null,
  usage: { inputTokens: 1, outputTokens: 2 },
  runnableCalls: 0,
  ...over,
})

export const testTool = (name: string, over: Partial<RegisteredTool> = {}): RegisteredTool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  permission: 'moderate',
  files: 'none',
  origin: 'registered',
  ...over,
})

/** The figures of an owner's data that are not zero. */
export const dataLeft = async (store: Pick<OwnerDataStore, 'ownerData'>, owner: string): Promise<[string, number][]> =>
  Object.entries(await store.ownerData(owner)).filter(([, figure]) => figure !== 0)
