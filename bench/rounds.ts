import '@/lib/i18n/server-messages'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import type { Message } from '@/lib/shared/conversation/conversation'
import { strategies } from '@/lib/protocols/registry'
import { makeServer } from '@/lib/server/wiring/make-server'

// npm run bench -- rounds: the server's cost of a message in a long chat of tool calls, from the request to the end of
// a short reply of the demo model: process CPU, milliseconds. The first message reads a chat that this process has not
// loaded. Once with the strategy in which the chat was written, once with another, for which all of it is formatted
// again.

const ROUNDS = Number(process.env['NOD_BENCH_ROUNDS'] || 200)
const MESSAGES = 8
const OWNER = 'bench'
const prose =
  'The totals of June are above the target, those of May are not; the next part is read before they are compared. '

/** Each reply has a few paragraphs, then calls a tool; each answer returns its result. */
function longChat(): ConversationExport {
  const strategy = strategies.find(({ id }) => id === 'JSON_Strict')
  const settings = { ...defaultSettings('demo/demo'), systemPrompt: '' }
  const messages: Message[] = []
  for (let n = 0; n < ROUNDS; n += 1) {
    const base = { conversationId: 'long', createdAt: n }
    const result = {
      messageId: `a${n - 1}`,
      slot: 0,
      callId: 'call_1',
      name: 'read_file',
      status: 'completed',
    } as const
    const results = n === 0 ? [] : [{ ...result, result: { text: prose.repeat(8) }, durationMs: 1 }]
    const parentId = n === 0 ? null : `a${n - 1}`
    messages.push({ ...base, id: `u${n}`, parentId, role: 'user', text: n === 0 ? 'Go' : '', results })
    const call = { name: 'read_file', arguments: { path: `/parts/part-${n}.csv`, offset: n, limit: 100 } }
    messages.push({
      ...base,
      id: `a${n}`,
      parentId: `u${n}`,
      role: 'assistant',
      text: `${prose.repeat(12)}\n\n${strategy?.formatCalls([call]) ?? ''}`,
      reasoning: '',
      strategy: 'JSON_Strict',
      toolsEnabled: true,
      model: 'demo/demo',
      outcome: 'finished',
      failure: null,
      usage: null,
      runId: `r${n}`,
    })
  }
  const at = { id: 'long', title: 'Long', headId: `a${ROUNDS - 1}`, createdAt: 0, updatedAt: 0 }
  const conversation = { ...at, settings, settingsProblem: null }
  const rows = { messages, calls: [], amendments: [], grants: [], log: [] }
  return { format: 'nod-conversation', version: 2, exportedAt: 0, conversation, ...rows }
}

const dataDir = mkdtempSync(join(tmpdir(), 'nod-rounds-'))
const env = { NOD_DATA_DIR: dataDir, NOD_DEMO_DELAY_MS: '0', NOD_OLLAMA: 'off' }
const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function measure(strategy: 'JSON_Strict' | 'XML_Tag'): Promise<void> {
  const before = await makeServer(env)
  const { id } = await before.service.import(OWNER, { id: crypto.randomUUID(), export: longChat() })
  const { settings } = (await before.service.view(OWNER, id)).conversation
  await before.service.patch(OWNER, id, { settings: { ...settings, strategy } })
  await before.dispose()

  const { service, dispose } = await makeServer(env)
  const say = async (text: string, conversationId: string, parentId: string | null): Promise<string> => {
    const append = { kind: 'user', id: crypto.randomUUID(), parentId, text } as const
    const { runId, replyId } = await service.append(OWNER, { conversationId, append })
    await service.settled(runId)
    return replyId
  }
  const timed = async (conversationId: string, start: string | null): Promise<readonly number[]> => {
    let head = start
    const spent: number[] = []
    for (let n = 0; n < MESSAGES; n += 1) {
      const since = cpuMs()
      head = await say('hello', conversationId, head)
      spent.push(cpuMs() - since)
    }
    return spent
  }
  // The code is warm before the chat is loaded; the base cost of a message is printed beside it.
  let short: readonly number[] = []
  for (let n = 0; n < 4; n += 1)
    short = await timed((await service.create(OWNER, { id: crypto.randomUUID() })).id, null)
  const spent = await timed(id, (await service.view(OWNER, id)).conversation.headId)
  await dispose()
  const [first = Number.NaN, ...rest] = spent
  const told = strategy === 'JSON_Strict' ? 'as it was written' : 'told anew in another strategy'
  const words = `first message ${first.toFixed(0)} ms of CPU, then ${median(rest)} (in a short chat ${median(short)})`
  console.log(`${ROUNDS} rounds, ${told}: ${words}`)
}

const median = (values: readonly number[]): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN).toFixed(0)

try {
  await measure('JSON_Strict')
  await measure('XML_Tag')
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
