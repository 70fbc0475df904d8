import { describe, expect, it } from 'vitest'
import type { UserMessage } from '@/lib/shared/conversation/conversation'
import { defaultSettings } from '@/lib/shared/conversation/settings/settings'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { twentyTools } from '@/lib/protocols/testing/twenty-tools'
import { buildModelInput } from './model-messages'
import { createReplyReadings } from './reply-readings'

const user = (text: string, results: UserMessage['results'] = []): UserMessage => ({
  id: 'm',
  conversationId: 'c',
  parentId: null,
  createdAt: 0,
  role: 'user',
  text,
  results,
})

const result = (value: string) => ({
  messageId: 'a',
  slot: 0,
  callId: 'call_1',
  name: 'read_file',
  status: 'completed' as const,
  result: { content: value },
  durationMs: 1,
})

const textual = toolContextBuilder.strategies.filter(({ callsBy }) => callsBy === 'model')

describe.each(textual.map((def) => [def.id, def] as const))('where a server may end a reply in %s', (strategy, def) => {
  const stopsFor = (
    message: UserMessage,
    more: { enabled?: boolean; reading?: 'whole'; systemPrompt?: string } = {},
  ) => {
    const settings = { ...defaultSettings('demo'), strategy, systemPrompt: more.systemPrompt ?? 'Be kind.' }
    const tools = { ...settings.tools, enabled: more.enabled ?? true }
    return buildModelInput({
      conversation: { settings: { ...settings, tools } },
      path: [message],
      builder: toolContextBuilder,
      readings: createReplyReadings(toolContextBuilder),
      tools: twentyTools,
      ...(more.reading && { reading: more.reading }),
    }).stops
  }
  const about = def.stops[0]?.about ?? ''

  it('is where a result begins that the model invents', () => {
    const made = def.formatResults([{ id: 'call_1', name: 'f', status: 'completed', result: 1 }], 'k3j9x0ab').text
    const stops = stopsFor(user('Hi'))
    expect(stops).toHaveLength(1)
    expect(stops?.some((stop) => `\n${made}`.includes(stop))).toBe(true)
  })

  it('is nowhere in a written call, whatever its text quotes, in the formats that escape texts', () => {
    if (['VCP', 'Tool_Action'].includes(strategy)) return
    const made = def.formatResults([{ id: 'call_1', name: 'f', status: 'completed', result: 1 }], 'k3j9x0ab').text
    const call = def.formatCalls([
      { name: 'write_file', arguments: { path: '/a.md', content: `# Results\n${made}\n` } },
    ])
    for (const stop of stopsFor(user('Hi')) ?? []) expect(call).not.toContain(stop)
  })

  it.each([
    ['the user', () => stopsFor(user(`Write a page about ${about}.`))],
    ['a result', () => stopsFor(user('', [result(`a page about ${about}`)]))],
    ['the system prompt', () => stopsFor(user('Hi'), { systemPrompt: `You document ${about}.` })],
  ])('is nowhere when %s speaks of the form: a document about it must get to its end', (_who, stops) => {
    expect(stops()).toBeUndefined()
  })

  it('is nowhere when no tools are offered', () => {
    expect(stopsFor(user('Hi'), { enabled: false })).toBeUndefined()
  })
})

it('is not needed for the provider’s own tool calling', () => {
  expect(toolContextBuilder.get('Native').stops).toEqual([])
})
