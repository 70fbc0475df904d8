import fc from 'fast-check'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { replyStream } from './reply-stream'

/*
 * Whatever a server writes beside the text, however it frames it and wherever the connection cuts: the text is the
 * same.
 */

const word = fc.oneof(
  fc.string({ maxLength: 6, unit: 'grapheme' }),
  fc.constantFrom(
    '\u001e',
    '\n',
    '\r',
    '\u2028',
    '"__proto__":',
    'data: x\n\n',
    '[DONE]',
    '😀',
    'é',
    '</think>',
    'NaN',
  ),
)
const said = fc.record({ channel: fc.constantFrom('text', 'reasoning'), text: word })

const oddField = fc.constantFrom<Record<string, unknown>>(
  {},
  { id: 7 },
  { created: 'now' },
  { usage: 'none' },
  { usage: { prompt_tokens: 'many' } },
  { error: null },
  { model: null, service_tier: [] },
)
const nothing = fc.constantFrom(
  ': alive',
  'id: 4',
  'retry: 10',
  'event: message',
  'data: {"choices":null}',
  'data: {"choices":[]}',
  'data: {"type":"ping"}',
  'data: {"choices":[{"delta":null}]}',
  'data: {"choices":[{"index":0,"delta":{}},{"index":1,"delta":{"content":"OTHER"}}]}',
  'data: ping',
  '',
)
const frame = fc.record({
  prefix: fc.constantFrom('data: ', 'data:'),
  end: fc.constantFrom('\n', '\r\n', '\r'),
  isSpaced: fc.boolean(),
})

const chunkOf = (delta: object, finish: string | null, odd: object) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...odd,
})

/** A body in pieces cut at these bytes. */
function bodyOf(text: string, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
  const pieces = [0, ...at].map((from, index) => bytes.slice(from, at[index] ?? bytes.length))
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
}

async function read(text: string, cuts: readonly number[]) {
  const words = { text: '', reasoning: '' }
  const open = new Set<string>()
  const others: LanguageModelV4StreamPart[] = []
  for await (const part of replyStream(bodyOf(text, cuts), 'own')) {
    if (part.type === 'text-start' || part.type === 'reasoning-start') open.add(part.id)
    else if (part.type === 'text-end' || part.type === 'reasoning-end') expect(open.delete(part.id)).toBe(true)
    else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      expect(open.has(part.id)).toBe(true)
      words[part.type === 'text-delta' ? 'text' : 'reasoning'] += part.delta
    } else if (part.type !== 'raw') others.push(part)
  }
  expect(open.size).toBe(0)
  return { words, others }
}

it('yields the same text and end, whatever else is in the body and wherever it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(said, oddField, fc.array(nothing, { maxLength: 2 })), { maxLength: 8 }),
      frame,
      fc.constantFrom('reason', 'done', 'both'),
      fc.boolean(),
      fc.array(fc.nat(3_000), { maxLength: 12 }),
      async (list, { prefix, end, isSpaced }, ending, isTerminated, cuts) => {
        const lines = list.flatMap(([{ channel, text }, odd, before]) => [
          ...before,
          prefix + JSON.stringify(chunkOf(channel === 'text' ? { content: text } : { reasoning: text }, null, odd)),
        ])
        if (ending !== 'done') lines.push(prefix + JSON.stringify(chunkOf({}, 'stop', {})))
        if (ending !== 'reason') lines.push(`${prefix}[DONE]`)
        const body = lines.join(isSpaced ? end + end : end) + (isTerminated ? end : '')
        const { words, others } = await read(body, cuts)
        const all = (channel: string) => list.flatMap(([one]) => (one.channel === channel ? [one.text] : [])).join('')
        expect(words).toEqual({ text: all('text'), reasoning: all('reasoning') })
        expect(others.map(({ type }) => type)).toEqual(['stream-start', 'finish'])
        expect(others.at(-1)).toMatchObject({ finishReason: { unified: 'stop' } })
      },
    ),
    { numRuns: 400 },
  )
})

it('never calls a reply finished whose body was cut before its end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(2_000), async (list, at) => {
      const whole = list.map((content) => `data: ${JSON.stringify(chunkOf({ content }, null, {}))}\n\n`).join('')
      const { others } = await read(whole.slice(0, at % (whole.length + 1)), [])
      expect(others.map(({ type }) => type)).toEqual(['stream-start', 'error', 'finish'])
    }),
    { numRuns: 200 },
  )
})

it('yields text before more has come, and closes the connection if nobody reads on', async () => {
  const closed = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    start: (out) => out.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"early"}}]}\n')),
    cancel: () => closed.resolve(),
  })
  const reader = replyStream(body, 'own').getReader()
  const seen: string[] = []
  while (seen.at(-1) !== 'text-delta') seen.push((await reader.read()).value?.type ?? 'over')
  await reader.cancel()
  await expect(closed.promise).resolves.toBeUndefined()
})

it('gives up an event that is longer than any reply', async () => {
  const piece = new TextEncoder().encode('x'.repeat(1_000_000))
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(out) {
      out.enqueue(sent === 0 ? new TextEncoder().encode('data: {"a":"') : piece)
      sent += 1
    },
  })
  const types: string[] = []
  for await (const part of replyStream(body, 'own')) if (part.type !== 'raw') types.push(part.type)
  expect(types).toEqual(['stream-start', 'error', 'finish'])
  expect(sent).toBeLessThan(20)
})

// Quadratic reading would take a minute for these.
const HEAVY: readonly (readonly [string, string])[] = [
  ['a million line ends of one kind', '\r'.repeat(1_000_000)],
  ['lists in lists', `data: ${'['.repeat(300_000)}${']'.repeat(300_000)}\n\n`],
  [
    'content in lists in lists',
    `data: {"choices":[{"delta":{"content":${'['.repeat(20_000)}${']'.repeat(20_000)}}}]}\n\n`,
  ],
  ['a text that never ends', `data: {"a":"${'\\"'.repeat(300_000)}\n\n`],
  ['control characters in JSON', `data: {"a":"${'\t'.repeat(300_000)}"}\n\n`],
  ['many values in a line', `data: ${'{"a":1}'.repeat(50_000)}\n\n`],
]

it.each(HEAVY)(
  'ends a reply of %s in time',
  async (_name, heavy) => {
    const rest = 'data: {"choices":[{"delta":{"content":"words"}}]}\n\ndata: [DONE]\n\n'
    const types: string[] = []
    for await (const part of replyStream(bodyOf(heavy + rest, [heavy.length]), 'own'))
      if (part.type !== 'raw') types.push(part.type)
    expect(types.at(-1)).toBe('finish')
  },
  20_000,
)
