import { describe, expect, it } from 'vitest'
import type { AssistantMessage, Message } from '@/lib/shared/conversation/conversation'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { formOf, type ReplyForm } from '@/lib/protocols/types/tool-context-def'
import { testTools } from '@/lib/protocols/testing/tools'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { envelopeReplies, envelopeStrategy } from '@/lib/protocols/envelope-reply'
import { buildModelInput } from './model-messages'
import { createReplyReadings } from './reply-readings'

toolContextBuilder.learnWhole(envelopeReplies)

const forms: readonly ReplyForm[] = [...toolContextBuilder.strategies.map(({ id }) => id), 'whole']
const rowOf = (form: ReplyForm) =>
  form === 'whole' ? ({ strategy: envelopeStrategy, reading: form } as const) : { strategy: form }
const call = { name: 'read_file', arguments: { path: '/a' } }

/** A reply as a prompt of another form shows it to the model. */
function told(text: string, from: ReplyForm, to: ReplyForm, outcome: AssistantMessage['outcome'] = 'finished'): string {
  const base = { conversationId: 'c', createdAt: 0 }
  const reply: AssistantMessage = {
    ...base,
    id: 'a1',
    parentId: 'u1',
    role: 'assistant',
    text,
    reasoning: '',
    ...rowOf(from),
    toolsEnabled: true,
    model: 'demo/demo',
    outcome,
    failure: null,
    usage: null,
    runId: 'r',
  }
  const path: Message[] = [
    { ...base, id: 'u1', parentId: null, role: 'user', text: 'go', results: [] },
    reply,
    { ...base, id: 'u2', parentId: 'a1', role: 'user', text: 'on', results: [] },
  ]
  const { strategy, reading } = { reading: undefined, ...rowOf(to) }
  const { messages } = buildModelInput({
    conversation: { settings: { ...defaultSettings('demo/demo'), strategy } },
    path,
    builder: toolContextBuilder,
    readings: createReplyReadings(toolContextBuilder),
    tools: testTools,
    ...(reading && { reading }),
  })
  const content = messages[1]?.content
  return typeof content === 'string' ? content : JSON.stringify(content)
}

const read = (text: string, form: ReplyForm) => {
  const { segments } = toolContextBuilder.parseResponse(form, text, testTools)
  return {
    calls: segments.flatMap((one) =>
      one.kind === 'call' && one.standing === 'live' ? { name: one.name, arguments: { ...one.arguments } } : [],
    ),
    words: segments.flatMap((one) =>
      one.kind === 'text' ? (one.said ?? text.slice(one.start, one.end)).trim() || [] : [],
    ),
  }
}

const byProvider = (form: ReplyForm) => toolContextBuilder.get(form).callsBy === 'provider'

describe('a reply that is one JSON value, in the next prompt', () => {
  const whole = envelopeReplies.formatReply?.(['I look.', call, call]) ?? ''

  it.each(forms.filter((form) => !byProvider(form)))('says the same words and calls under %s', (form) => {
    expect(read(told(whole, 'whole', form), form)).toEqual({ words: ['I look.'], calls: [call, call] })
  })

  it.each(forms)('is built from a reply under %s', (form) => {
    const { formatReply, formatCalls } = toolContextBuilder.get(form)
    const text = formatReply ? formatReply(['I look.', call]) : `I look.\n\n${formatCalls([call])}`
    const now = told(text, form, 'whole')
    expect(JSON.parse(now)).toMatchObject([
      { action: 'text', text: 'I look.' },
      { action: 'tool_call', ...call },
    ])
    expect(read(now, 'whole')).toEqual({ words: ['I look.'], calls: [call] })
  })

  it('is sent as the model wrote it, white space included, unless something must change', () => {
    const spaced = `{ "action" : "text",\n  "text" : "I look." }\n`
    expect(told(spaced, 'whole', 'whole')).toBe(spaced)
    const other = '{"action":"text","text":"<tool_code>\\n{\\"name\\":\\"read_file\\"}\\n</tool_code>"}'
    expect(told(other, 'whole', 'whole')).not.toContain('<tool_code>')
    expect(JSON.parse(told('Well.', 'whole', 'whole'))).toEqual({ action: 'text', text: 'Well.' })
  })

  it('keeps the text of an interrupted reply, and no call', () => {
    for (const form of forms) {
      const words = told(`[{"action":"text","text":"So it go`, 'whole', form, 'stopped')
      expect(words).toContain('So it go')
      expect(words).toContain('(stopped by the user)')
      expect(read(told(whole, 'whole', form, 'length'), form).calls).toEqual([])
    }
  })

  it('is read by its row alone', () => {
    expect(formOf({ strategy: envelopeStrategy })).toBe(envelopeStrategy)
    expect(read(whole, envelopeStrategy).words).not.toEqual(['I look.'])
  })
})
