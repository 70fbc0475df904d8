import type { AssistantMessage, Conversation, UserMessage } from '@/lib/shared/conversation/conversation'
import type { CallRecord, ToolResult } from '@/lib/shared/conversation/call-record'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import type { Store } from '@/lib/server/store/ports/store'
import { openSqliteStore } from '@/lib/server/store/sqlite/open-sqlite-store'

/** The last words of every seeded conversation, which show that the page has rendered it. */
export const lastWords = 'And that is the end of the conversation.'

const parts = [
  'The totals of **June** are above the target, those of *May* are not. See `orders.csv`, column 4.',
  '| Month | Orders | Target |\n|---|---:|---:|\n| May | 18,420.50 | 20,000 |\n| June | 21,977.00 | 20,000 |',
  '```ts\nconst total = rows.reduce((sum, row) => sum + row.amount, 0)\nconsole.log(total.toFixed(2))\n```',
  '- first, read the file\n- then add the rows up\n- then compare with the targets',
  'A longer paragraph of plain prose, such as models like to write when nobody stops them. '.repeat(6),
]

/** Prose of one to five kinds; every fourth reply makes a call. */
function replyText(turn: number, isLast: boolean): string {
  const prose = [`## Step ${turn}`, ...parts.slice(0, 1 + (turn % parts.length))].join('\n\n')
  if (isLast) return `${prose}\n\n${lastWords}`
  if (turn % 4 !== 1) return prose
  return `${prose}\n\n${JSON.stringify({ tool_calls: [{ name: 'read_file', arguments: { path: `/part-${turn}.csv` } }] })}`
}

const resultOf = (call: CallRecord): ToolResult => ({
  messageId: call.messageId,
  slot: call.slot,
  callId: call.callId,
  name: call.name,
  status: 'completed',
  result: { text: 'month,amount\nmay,18420.50\njune,21977.00\n' },
  durationMs: 12,
})

async function addTurn(
  store: Store,
  owner: string,
  conversation: Conversation,
  previous: { id: string; call: CallRecord | null } | null,
  turn: number,
  isLast: boolean,
): Promise<{ id: string; call: CallRecord | null }> {
  const now = conversation.createdAt + turn * 1_000
  const base = { conversationId: conversation.id, createdAt: now }
  const open = previous?.call ?? null
  const userMessage: UserMessage = {
    ...base,
    id: crypto.randomUUID(),
    parentId: previous?.id ?? null,
    role: 'user',
    text: open ? '' : `Question ${turn}: and what does the next part say?`,
    results: open ? [resultOf(open)] : [],
  }
  const reply: AssistantMessage = {
    ...base,
    id: crypto.randomUUID(),
    parentId: userMessage.id,
    role: 'assistant',
    text: '',
    reasoning: '',
    strategy: 'JSON_Strict',
    toolsEnabled: true,
    model: 'demo/demo',
    outcome: null,
    failure: null,
    usage: null,
    runId: crypto.randomUUID(),
  }
  const calls = open ? [{ before: open, after: { ...open, postedIn: userMessage.id } }] : []
  await store.append(owner, conversation.id, userMessage.id, { userMessage, calls, seen: null, reply, title: '' }, now)
  const text = replyText(turn, isLast)
  await store.appendRunEvents({ owner, runId: reply.runId }, [{ seq: 2, type: 'delta', channel: 'text', text }])
  const asks = text.includes('tool_calls')
  const ending = { outcome: 'finished', failure: null, usage: null, runnableCalls: Number(asks) } as const
  await store.endRun({ owner, runId: reply.runId }, ending, now)
  if (!asks) return { id: reply.id, call: null }
  const key = { messageId: reply.id, slot: 0, attempt: 1, runnerId: 'bench' }
  const decided: CallRecord = {
    ...key,
    callId: 'call_1',
    name: 'read_file',
    callHash: 'bench',
    decision: 'run',
    reason: '',
    decidedAt: now,
    outcome: null,
    changed: null,
    by: { kind: 'click' },
    gated: false,
    release: null,
    finishedAt: null,
    postedIn: null,
  }
  await store.decideCall(owner, conversation.id, decided, { asked: null, amendment: null, maxRuns: 1 })
  const { status, result, durationMs } = resultOf(decided)
  const outcome = { status, result, durationMs, console: [], displays: [] }
  return { id: reply.id, call: await store.finishCall(owner, conversation.id, key, outcome, () => false, now) }
}

/** Writes a conversation of `count` mixed messages (prose, tables, code, calls with results) and returns its id. */
export async function seedConversation(file: string, owner: string, count: number): Promise<string> {
  const store = await openSqliteStore(file, { decodeSettings })
  const now = Date.now() - count * 1_000
  const conversation: Conversation = {
    id: crypto.randomUUID(),
    title: `Thread of ${count}`,
    settings: { ...decodeSettings('{}').settings, model: 'demo/demo', strategy: 'JSON_Strict' },
    settingsProblem: null,
    headId: null,
    createdAt: now,
    updatedAt: now,
  }
  await store.createConversation(owner, conversation)
  let previous: { id: string; call: CallRecord | null } | null = null
  const turns = Math.ceil(count / 2)
  for (let turn = 1; turn <= turns; turn += 1) {
    previous = await addTurn(store, owner, conversation, previous, turn, turn === turns)
  }
  await store.close()
  return conversation.id
}
