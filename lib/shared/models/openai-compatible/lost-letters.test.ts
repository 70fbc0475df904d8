import { describe, expect, it } from 'vitest'
import { lostPositions } from '@/lib/base/text/characters'
import { createChatModel } from './index'

/* Invalid bytes of a body are told from valid text, however the connection cuts it. */

const before = 'Größe 漢字 '
const after = ' 😀 → Ende'

/** One text event, in UTF-8, as servers write it, with `bad` in the middle. */
const event = (bad: readonly number[]): Uint8Array =>
  Buffer.concat([
    Buffer.from(`data: {"id":"c","choices":[{"index":0,"delta":{"content":"${before}`),
    Uint8Array.from(bad),
    Buffer.from(`${after}"},"finish_reason":null}]}\n\n`),
  ])

/** After the first event the text is read here; after the second one by the vendor's package. */
const beginnings = { here: '', 'by the package': 'event: message\ndata: {"id":"c","choices":[]}\n\n' } as const
const ending = 'data: {"id":"c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

async function read(pieces: readonly Uint8Array[]): Promise<string> {
  const waiting = [...pieces]
  const body = new ReadableStream<Uint8Array>({
    pull(out) {
      const piece = waiting.shift()
      if (piece) out.enqueue(piece)
      else out.close()
    },
  })
  const fetch = () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }))
  const model = createChatModel({ id: 'own', baseUrl: 'http://model.test/v1', apiKey: null }, 'm', {
    fetch,
    monotonic: () => 0,
  })
  const { stream } = await model.doStream({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] })
  let text = ''
  for await (const part of stream) if (part.type === 'text-delta') text += part.delta
  return text
}

/** The same bytes in two pieces, cut at each place from one to the other, and byte by byte. */
const cuts = (bytes: Uint8Array, from: number, to: number): readonly (readonly Uint8Array[])[] => [
  ...Array.from({ length: to - from }, (_, at) => [bytes.slice(0, from + at), bytes.slice(from + at)]),
  Array.from(bytes, (byte) => Uint8Array.of(byte)),
]

describe.each(['here', 'by the package'] as const)('text that is read %s', (how) => {
  const bodyOf = (bad: readonly number[]) =>
    Buffer.concat([Buffer.from(beginnings[how]), event(bad), Buffer.from(ending)])

  it('loses nothing if a character is cut in two', async () => {
    const body = bodyOf([])
    const from = body.indexOf(before)
    for (const pieces of cuts(body, from, from + Buffer.byteLength(before + after))) {
      const text = await read(pieces)
      expect(text).toBe(before + after)
      expect(lostPositions(text)).toBe(0)
    }
  })

  it.each([
    ['the rest of a character without its beginning', [0x80]],
    ['a beginning without its rest', [0xe2, 0x28]],
    ['a character cut off', [0xf0, 0x9f, 0x98]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['more bytes than a character needs', [0xc0, 0xaf]],
    ['more than Unicode has', [0xf5, 0x80, 0x80, 0x80]],
    ['Latin-1', [0xfc]],
    ['the sign itself, as a server wrote it for such bytes', [0xef, 0xbf, 0xbd]],
  ] as const)(
    'shows a replacement character for %s, however it is cut, and keeps all around it',
    async (_what, bad) => {
      const body = bodyOf(bad)
      const from = body.indexOf(before) + Buffer.byteLength(before)
      for (const pieces of cuts(body, from - 1, from + bad.length + 2)) {
        const text = await read(pieces)
        expect(lostPositions(text)).toBe(1)
        expect(text.startsWith(before) && text.endsWith(after)).toBe(true)
      }
    },
  )
})

it('joins halves of a surrogate pair in two pieces of a reply; a lone one is lost', () => {
  const [high = '', low = ''] = '😀'
    .split('')
    .map((unit) => JSON.parse(`"\\u${unit.charCodeAt(0).toString(16)}"`) as string)
  expect(lostPositions(high + low)).toBe(0)
  expect([lostPositions(`a${high}`), lostPositions(`${low}b`), lostPositions(`${high} ${low}`)]).toEqual([1, 1, 2])
})
