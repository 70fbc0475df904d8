import { setImmediate } from 'node:timers/promises'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { filterAtSource } from '../filter-at-source'
import { withPlainWords } from './plain-words-model'

/* The same bytes of a server, read by the vendor's package alone and with the words taken out before it. */

const word = fc.oneof(
  fc.string({ maxLength: 6, unit: 'grapheme' }),
  fc.constantFrom('\u001e', '\n', '\r', '\u2028', '"__proto__":', 'data: x\n\n', '😀', 'é', '</think>'),
)
const nullish = fc.constantFrom(null, undefined)
const delta = fc.record(
  {
    role: fc.constantFrom('assistant', '', null, 'system'),
    content: fc.oneof({ weight: 8, arbitrary: word }, { weight: 1, arbitrary: nullish }),
    reasoning_content: fc.oneof(word, nullish),
    reasoning: fc.oneof(word, nullish),
    refusal: fc.constantFrom(null, '', 'no', false),
    tool_calls: fc.constantFrom(null, [], [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }]),
    anything: fc.constantFrom(1, { deep: [1] }),
  },
  { requiredKeys: [] },
)
const words = fc.record({ content: word })
const thoughts = fc.record({ reasoning_content: word })
const chunkOf = (of: fc.Arbitrary<object | null>, finish: fc.Arbitrary<string | null | undefined>) =>
  fc.record(
    {
      id: fc.constantFrom('c', null),
      created: fc.constantFrom(5, null),
      model: fc.constantFrom('m', 'n'),
      choices: fc.record({ index: fc.constant(0), delta: of, finish_reason: finish }).map((one) => [one]),
    },
    { requiredKeys: ['choices'] },
  )
const plain = chunkOf(fc.oneof(words, thoughts), fc.constantFrom(null, undefined))
const odd = fc.oneof(
  chunkOf(
    fc.oneof(delta, fc.constant(null)),
    fc.constantFrom(null, 'stop', 'length', 'tool_calls', 'content_filter', 'eos'),
  ),
  fc.constant({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 4 } }),
  fc.constant({ error: { message: 'overloaded', code: 503 } }),
  fc.constant({ choices: [{ delta: { content: 7 } }] }),
  fc.constant({ id: 7, choices: [{ delta: { content: 'x' } }] }),
  fc.constant({ choices: [{ delta: { content: [{ type: 'text', text: 'part' }] } }] }),
  fc.constant({ choices: [{ delta: { content: 'a' } }, { delta: { content: 'b' } }] }),
  fc.constant({ error: 'plain', choices: [{ delta: { content: 'x' } }] }),
  fc.constant({ choices: [{ delta: { content: 'x' }, __proto__x: 1 }], usage: { completion_tokens: 1 } }),
)
const eol = fc.constantFrom('\n', '\r\n', '\r')
const line = fc.oneof(
  { weight: 12, arbitrary: plain.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`) },
  { weight: 3, arbitrary: fc.tuple(plain, eol).map(([chunk, end]) => `data:${JSON.stringify(chunk)}${end}${end}`) },
  { weight: 2, arbitrary: fc.tuple(odd, eol).map(([chunk, end]) => `data: ${JSON.stringify(chunk)}${end}${end}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ': keep-alive\n\n',
      '\n',
      '\r\n',
      'event: message\ndata: {"choices":[{"delta":{"content":"named"}}]}\n\n',
      'data: {"choices":[{"delta":\ndata: {"content":"two lines"}}]}\n\n',
      'id: 4\n\n',
      'data: {broken\n\n',
      'data: "text"\n\n',
      'data: {"choices":[{"delta":{"content":"x","__proto__":{}}}]}\n\n',
      'data: {"choices":\r[{"delta":{"content":"cr"}}]}\n\n',
      '\ufeff',
      'data: [DONE]\n\n',
    ),
  },
)
const ending = fc.constantFrom(
  'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
  'data: {"choices":[{"delta":{"content":"last"},"finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n\n',
  'data: [DONE]\n\n',
  'data: {"choices":[{"delta":{"content":"no blank line"}}]}',
  '',
)

/** A body in pieces cut at these bytes; `breaks`: it ends with a broken connection. */
function bodyOf(text: string, cuts: readonly number[], breaks: boolean): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b)
  const pieces = [0, ...at].map((from, index) => bytes.slice(from, at[index] ?? bytes.length))
  return new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else if (breaks) {
        // What came before has been passed on by then.
        await setImmediate()
        controller.error(new TypeError('terminated'))
      } else controller.close()
    },
  })
}

const vendor = (fetch: typeof globalThis.fetch) =>
  createOpenAICompatible({ name: 'own', baseURL: 'http://model.test/v1', includeUsage: true, fetch }).chatModel('m')

/** Parts with neighbouring words joined, and without the marks of blocks, whose names are nobody's business. */
async function told(model: LanguageModelV4): Promise<readonly unknown[]> {
  const parts: unknown[] = []
  let last: { readonly type: string; delta: string } | undefined
  try {
    const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] })
    const open = new Set<string>()
    for await (const part of stream as AsyncIterable<LanguageModelV4StreamPart>) {
      if (part.type === 'text-start' || part.type === 'reasoning-start') open.add(part.id)
      else if (part.type === 'text-end' || part.type === 'reasoning-end') expect(open.delete(part.id)).toBe(true)
      else if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
        expect(open.has(part.id)).toBe(true)
        if (last?.type !== part.type) parts.push((last = { type: part.type, delta: '' }))
        last.delta += part.delta
      } else {
        if (part.type !== 'response-metadata') last = undefined
        if (part.type !== 'response-metadata')
          parts.push(part.type === 'error' ? [part.type, String(part.error)] : part)
      }
    }
    expect(open.size).toBe(0)
  } catch (error) {
    parts.push(['thrown', String(error)])
  }
  return parts
}

it('gives what the package alone gives, whatever a server sends and wherever it is cut', async () => {
  let direct = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      ending,
      fc.array(fc.nat(2_000), { maxLength: 12 }),
      fc.boolean(),
      async (lines, end, cuts, breaks) => {
        const text = lines.join('') + end
        const answer = () => Promise.resolve(new Response(bodyOf(text, cuts, breaks)))
        const alone = await told(vendor(answer))
        const split = await told(
          withPlainWords(answer, (fetch) =>
            vendor((input, init) => {
              expect(new Headers(init?.headers).get('x-nod-call')).not.toBeNull()
              return fetch(input, init)
            }),
          ),
        )
        expect(split).toEqual(alone)
        if (JSON.stringify(split).includes('text-delta')) direct += 1
      },
    ),
    { numRuns: 300 },
  )
  expect(direct).toBeGreaterThan(50)
})

it('says nothing of itself to the server, and leaves its refusals to the package', async () => {
  const asked: (string | null)[] = []
  const refuse: typeof globalThis.fetch = (_input, init) => {
    asked.push(new Headers(init?.headers).get('x-nod-call'))
    return Promise.resolve(Response.json({ error: { message: 'no key' } }, { status: 401 }))
  }
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  await expect(withPlainWords(refuse, vendor).doStream({ prompt })).rejects.toMatchObject({ statusCode: 401 })
  expect(asked).toEqual([null])
})

it('gives words before the end of the body has come, and closes the connection when nobody reads on', async () => {
  const closed = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"early"}}]}\n\n'))
    },
    cancel: () => closed.resolve(),
  })
  const model = withPlainWords(() => Promise.resolve(new Response(body)), vendor)
  const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] })
  const reader = stream.getReader()
  const seen: string[] = []
  while (seen.at(-1) !== 'text-delta') seen.push((await reader.read()).value?.type ?? 'over')
  await reader.cancel()
  await expect(closed.promise).resolves.toBeUndefined()
})

it('hears the same parts where they are made, and passes on what is to go on alone', async () => {
  const isWord = ({ type }: LanguageModelV4StreamPart) => type === 'text-delta' || type === 'reasoning-delta'
  const open = async (text: string, cuts: readonly number[]) => {
    const answer = () => Promise.resolve(new Response(bodyOf(text, cuts, false)))
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
    return (await withPlainWords(answer, vendor).doStream({ prompt })).stream
  }
  const readAll = async (stream: ReadableStream<LanguageModelV4StreamPart>) => {
    const parts: LanguageModelV4StreamPart[] = []
    for await (const part of stream as AsyncIterable<LanguageModelV4StreamPart>) parts.push(part)
    return parts
  }
  /** Calls of one id get another one from the package, made up each time: what counts is which parts have the same. */
  const written = (parts: readonly LanguageModelV4StreamPart[]) => {
    const madeUp = new Map<string, string>()
    return JSON.stringify(parts).replaceAll(/(?<="(?:id|toolCallId)":")[A-Za-z0-9]{16}(?=")/g, (id) => {
      madeUp.set(id, madeUp.get(id) ?? `made up ${madeUp.size}`)
      return madeUp.get(id) ?? id
    })
  }
  /** Which reply it is comes on the package's way: before or behind a word that came at the same time, as streams have it. */
  const isAbout = ({ type }: LanguageModelV4StreamPart) => type === 'response-metadata'
  const inOrder = (parts: readonly LanguageModelV4StreamPart[]) => [
    written(parts.filter((part) => !isAbout(part))),
    written(parts.filter(isAbout)),
  ]
  let heardWords = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 12 }),
      ending,
      fc.array(fc.nat(2_000), { maxLength: 12 }),
      async (lines, end, cuts) => {
        const text = lines.join('') + end
        const all = await readAll(await open(text, cuts)).catch(() => null)
        if (!all) return
        const heard: LanguageModelV4StreamPart[] = []
        const stream = await open(text, cuts)
        const taken = filterAtSource(stream, (part) => {
          heard.push(part)
          return !isWord(part)
        })
        expect(taken).toBe(true)
        const passed = await readAll(stream)
        expect(inOrder(heard)).toEqual(inOrder(all))
        expect(inOrder(passed)).toEqual(inOrder(all.filter((part) => !isWord(part))))
        heardWords += all.filter(isWord).length
        // Too late for one that was read.
        expect(filterAtSource(stream, () => true)).toBe(false)
      },
    ),
    { numRuns: 150 },
  )
  expect(heardWords).toBeGreaterThan(100)
})
