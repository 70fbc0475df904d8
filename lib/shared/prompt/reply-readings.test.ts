import { describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import type { AssistantMessage, UserMessage } from '@/lib/shared/conversation/conversation'
import type { CallAmendment } from '@/lib/shared/conversation/call-record'
import { createReplyReadings, type ReadingOptions } from './reply-readings'
import { lineBuilder, lineTools } from '@/lib/server/chats/testing/line-strategy'

const reply = (text: string, over: Partial<AssistantMessage> = {}): AssistantMessage => ({
  id: 'a1',
  conversationId: 'c1',
  parentId: 'u1',
  createdAt: 0,
  role: 'assistant',
  text,
  reasoning: '',
  strategy: 'JSON_Strict',
  toolsEnabled: true,
  model: 'demo/demo',
  outcome: 'finished',
  failure: null,
  usage: null,
  runId: 'r1',
  ...over,
})
const read = 'CALL read_file {"path":"/a"}'

/** Cached values must not be changed by anyone who gets them. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

function counted(maxBytes?: number) {
  const parsed: string[] = []
  const parser = {
    ...lineBuilder,
    parseResponse(...args: Parameters<typeof lineBuilder.parseResponse>) {
      parsed.push(args[1])
      return frozen(lineBuilder.parseResponse(...args))
    },
  }
  return { parsed, readings: createReplyReadings(parser, maxBytes) }
}

describe('cached readings of replies', () => {
  it('are made once, for equal tools whoever found them', () => {
    const { parsed, readings } = counted()
    const first = readings.parse(reply(read), lineTools)
    expect(readings.parse(reply(read), structuredClone(lineTools))).toBe(first)
    expect(readings.callsOf(reply(read), lineTools)).toMatchObject([{ slot: 0, runnable: true }])
    expect(parsed).toHaveLength(1)
  })

  it.each([
    ['another strategy', reply(read, { strategy: 'XML_Tag' }), lineTools],
    ['a tool that was switched off', reply(read), lineTools.map((tool) => ({ ...tool, disabled: true }))],
    [
      'a tool with another schema',
      reply(read),
      lineTools.map((tool) => ({ ...tool, parameters: { a: 1 } as JsonObject })),
    ],
    ['a tool less', reply(read), lineTools.slice(1)],
    ['other words', reply(`${read}\n${read}`), lineTools],
    ['a reply of the same id in another chat', reply(read, { conversationId: 'c2' }), lineTools],
    ['another reply', reply(read, { id: 'a2' }), lineTools],
  ] as const)('are made again for %s, and the previous one is kept', (_, message, tools) => {
    const { parsed, readings } = counted()
    const before = readings.parse(reply(read), lineTools)
    const own = readings.parse(message, tools)
    expect(own).not.toBe(before)
    expect(own).toEqual(lineBuilder.parseResponse(message.strategy, message.text, tools))
    expect(parsed).toEqual([read, message.text])
    expect(readings.parse(message, tools)).toBe(own)
    expect(readings.parse(reply(read), lineTools)).toEqual(before)
  })

  it('are not kept for a reply that is still being written', () => {
    const { parsed, readings } = counted()
    for (const text of [read, `${read} `]) readings.parse(reply(text, { outcome: null }), lineTools)
    expect(readings.bytes).toBe(0)
    expect(parsed).toHaveLength(2)
  })

  it('include the user’s edits of calls only for that request', () => {
    const { readings } = counted()
    const call = { name: 'read_file', arguments: { path: '/b' } }
    const amendment = (messageId: string): CallAmendment => ({ messageId, slot: 0, call, amendedAt: 1 })
    const paths = (amendments: readonly CallAmendment[]) =>
      readings.callsOf(reply(read), lineTools, amendments).map((one) => one.call.arguments['path'])
    expect(paths([amendment('a1')])).toEqual(['/b'])
    expect(paths([amendment('a2')])).toEqual(['/a'])
    expect(paths([])).toEqual(['/a'])
  })

  it('keep a reply’s prompt text until it depends on something else', () => {
    const { readings } = counted()
    const how: ReadingOptions = { strategy: 'JSON_Strict', tools: lineTools, amendments: [] }
    const amendments = [{ messageId: 'a1', slot: 0, call: null, amendedAt: 1 }]
    let tellings = 0
    const tell = (message: AssistantMessage, told: ReadingOptions) =>
      readings.asPrompt(message, told, () => `${++tellings}`)
    expect([tell(reply(read), how), tell(reply(read), { ...how, tools: [...lineTools] })]).toEqual(['1', '1'])
    expect(tell(reply(read), { ...how, amendments: [{ messageId: 'a2', slot: 0, call: null, amendedAt: 1 }] })).toBe(
      '1',
    )
    const others: readonly (readonly [AssistantMessage, ReadingOptions])[] = [
      [reply(read), { ...how, strategy: 'XML_Tag' }],
      [reply(read), { ...how, strategy: null }],
      [reply(read), { ...how, tools: lineTools.slice(1) }],
      [reply(read), { ...how, amendments }],
      [reply(read), { ...how, amendments: amendments.map((one) => ({ ...one, amendedAt: 2 })) }],
      [reply(read, { outcome: 'stopped' }), how],
      [reply('other words'), how],
    ]
    others.forEach(([message, told], index) => expect(tell(message, told)).toBe(`${index + 2}`))
  })

  it('keep the prompt text of results as long as their row and form are the same', () => {
    const readings = createReplyReadings(lineBuilder)
    const message: UserMessage = {
      id: 'u1',
      conversationId: 'c1',
      parentId: null,
      createdAt: 0,
      role: 'user',
      text: '',
      results: [],
    }
    let told = 0
    const tell = () => `telling ${(told += 1)}`
    expect(readings.resultsAsPrompt(message, 'JSON_Strict', tell)).toBe('telling 1')
    expect(readings.resultsAsPrompt(message, 'JSON_Strict', tell)).toBe('telling 1')
    expect(readings.resultsAsPrompt(message, 'XML_Tag', tell)).toBe('telling 2')
    // A row that was written again is another one.
    expect(readings.resultsAsPrompt({ ...message }, 'XML_Tag', tell)).toBe('telling 3')
  })

  it('never exceed their size limit: the least recently used ones are dropped first', () => {
    const maxBytes = 200_000
    const { parsed, readings } = counted(maxBytes)
    const text = (n: number) => `CALL read_file {"path":"/${n}","text":"${'x'.repeat(5_000)}"}`
    const parse = (n: number) => readings.parse(reply(text(n), { id: `a${n}` }), lineTools)
    const first = parse(0)
    for (let n = 1; n < 200; n += 1) {
      parse(n)
      readings.asPrompt(reply(text(n), { id: `a${n}` }), { strategy: null, tools: lineTools }, () => text(n))
      expect(parse(0)).toBe(first)
      expect(readings.bytes).toBeLessThanOrEqual(maxBytes)
    }
    expect(readings.bytes).toBeGreaterThan(maxBytes / 2)
    const before = parsed.length
    parse(1)
    expect(parsed).toHaveLength(before + 1)
    readings.parse(reply('x'.repeat(maxBytes), { id: 'huge' }), lineTools)
    expect(readings.bytes).toBeLessThanOrEqual(maxBytes)
    expect(parse(0)).toBe(first)
  })
})
