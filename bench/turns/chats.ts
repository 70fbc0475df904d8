import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { Message } from '@/lib/shared/conversation/conversation'
import type { ToolResult } from '@/lib/shared/conversation/call-record'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { strategies } from '@/lib/protocols/registry'

/** A chat to measure: its number of messages, their characters, and how many replies call a tool. */
export interface Shape {
  readonly messages: number
  readonly chars: number
  readonly calls: number
}

/** Calls of the last reply, to be decided. */
export const OPEN_CALLS = 8

const prose =
  'The totals of June are above the target, those of May are not; the next part is read before they are compared. '
const textOf = (chars: number): string => prose.repeat(Math.ceil(chars / prose.length)).slice(0, chars)
const call = (n: number) => ({ name: 'read_file', arguments: { path: `/parts/part-${n}.csv` } })

/** The chat as a file, with its last reply's calls open. */
export function chatOf({ messages: count, chars, calls }: Shape): ConversationExport {
  const strategy = strategies.find(({ id }) => id === 'JSON_Strict')
  const settings = { ...defaultSettings('bench/m'), systemPrompt: '' }
  const messages: Message[] = []
  const turns = count / 2
  const text = textOf(chars)
  const callsAt = (n: number) => n > 0 && n <= calls
  const results = (n: number): readonly ToolResult[] =>
    callsAt(n - 1)
      ? [
          {
            messageId: `a${n - 1}`,
            slot: 0,
            callId: 'call_1',
            name: 'read_file',
            status: 'completed',
            result: { text },
            durationMs: 1,
          },
        ]
      : []
  for (let n = 0; n < turns; n += 1) {
    const base = { conversationId: 'long', createdAt: n }
    const parentId = n === 0 ? null : `a${n - 1}`
    messages.push({
      ...base,
      id: `u${n}`,
      parentId,
      role: 'user',
      text: callsAt(n - 1) ? '' : text,
      results: results(n),
    })
    const open =
      n === turns - 1 ? Array.from({ length: OPEN_CALLS }, (_, slot) => call(slot)) : callsAt(n) ? [call(n)] : []
    const written = open.length === 0 ? '' : `\n\n${strategy?.formatCalls(open) ?? ''}`
    messages.push({
      ...base,
      id: `a${n}`,
      parentId: `u${n}`,
      role: 'assistant',
      text: `${text}${written}`,
      reasoning: '',
      strategy: 'JSON_Strict',
      toolsEnabled: true,
      model: 'bench/m',
      outcome: 'finished',
      failure: null,
      usage: null,
      runId: `r${n}`,
    })
  }
  const at = { id: 'long', title: 'Long', headId: `a${turns - 1}`, createdAt: 0, updatedAt: 0 }
  const conversation = { ...at, settings, settingsProblem: null }
  const rows = { messages, calls: [], amendments: [], grants: [], log: [] }
  return { format: 'nod-conversation', version: 2, exportedAt: 0, conversation, ...rows }
}
