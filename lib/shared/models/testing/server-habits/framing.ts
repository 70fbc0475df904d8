import { createGzip } from 'node:zlib'
import { chunkOf, piecesOf, type Habit } from './habit'

const text = 'Words in events of another form: 好 😀.'

/** The same reply with a different event syntax. */
const framed = (does: string, line: (data: string) => string, done = true): Habit => ({
  does,
  send(out) {
    for (const piece of piecesOf(text)) out.raw(line(JSON.stringify(chunkOf({ content: piece }))))
    out.raw(line(JSON.stringify(chunkOf({}, 'stop'))))
    if (done) out.raw(line('[DONE]'))
  },
  expected: { text },
})

const inParts = (bytes: Uint8Array, size: number): readonly Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size))

/** How servers write their events. */
export const framingHabits: Readonly<Record<string, Habit>> = {
  usual: framed('writes events as most do', (data) => `data: ${data}\n\n`),
  'no-blank': framed('writes no blank after the colon', (data) => `data:${data}\n\n`),
  crlf: framed('ends lines with CR and LF', (data) => `data: ${data}\r\n\r\n`),
  cr: framed('ends lines with CR alone', (data) => `data: ${data}\r\r`),
  'single-end': framed('writes one line end between events', (data) => `data: ${data}\n`),
  'single-crlf': framed('writes one CRLF between events', (data) => `data: ${data}\r\n`),
  'many-ends': framed('writes four line ends between events', (data) => `data: ${data}\n\n\n\n`),
  fields: framed(
    'writes id, event and retry with each event',
    (data) => `id: 1\nevent: message\nretry: 3000\ndata: ${data}\n\n`,
  ),
  'named-chunks': framed('names its events', (data) => `event: chat.completion.chunk\ndata: ${data}\n\n`),
  'data-first': framed('names its events after the data', (data) => `data: ${data}\nevent: message\n\n`),
  'blank-before': framed('writes blanks before the field', (data) => `  data: ${data}\n\n`),
  commented: framed('writes a comment with each event', (data) => `: at work\ndata: ${data}\n\n`),
  'bom-first': {
    does: 'begins with a byte order mark',
    send(out) {
      out.raw('\uFEFF')
      out.words(text)
      out.stop()
    },
    expected: { text },
  },
  'two-lines': framed('writes one event over two lines of data', (data) =>
    data.startsWith('{') ? `data: ${data.replace(/,/, ',\ndata: ')}\n\n` : `data: ${data}\n\n`,
  ),
  'pretty-data': framed('writes its JSON over many lines of data', (data) =>
    data.startsWith('{')
      ? `${JSON.stringify(JSON.parse(data), null, 2).replaceAll(/^/gm, 'data: ')}\n\n`
      : `data: ${data}\n\n`,
  ),
  'byte-by-byte': {
    does: 'sends each byte by itself',
    async send(out) {
      const bytes = new TextEncoder().encode(`data: ${JSON.stringify(chunkOf({ content: text }))}\n\n`)
      for (const byte of inParts(bytes, 1)) {
        out.raw(byte)
        await new Promise((resolve) => setImmediate(resolve))
      }
      out.stop()
    },
    expected: { text },
  },
  surrogates: {
    does: 'cuts a letter into the halves of its surrogate pair',
    send(out) {
      for (const half of 'a😀b'.split(''))
        out.raw(`data: {"choices":[{"delta":{"content":${JSON.stringify(half)}}}]}\n\n`)
      out.stop()
    },
    expected: { text: 'a😀b' },
  },
  gzip: {
    does: 'packs the stream',
    async send(out) {
      out.begin('text/event-stream', { 'content-encoding': 'gzip' })
      const packed = createGzip()
      packed.pipe(out.response, { end: false })
      for (const piece of piecesOf(text)) packed.write(`data: ${JSON.stringify(chunkOf({ content: piece }))}\n\n`)
      packed.write(`data: ${JSON.stringify(chunkOf({}, 'stop'))}\n\ndata: [DONE]\n\n`)
      await new Promise<void>((resolve) => packed.end(resolve))
      await out.wait(20)
    },
    expected: { text },
  },
  'plain-type': {
    does: 'calls the stream text/plain',
    send(out) {
      out.begin('text/plain; charset=utf-8')
      out.words(text)
      out.stop()
    },
    expected: { text },
  },
  'one-json': {
    does: 'answers with one JSON in place of a stream',
    send: (out) =>
      out.answer(200, {
        id: 'x',
        choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 4 },
      }),
    expected: { text, usage: [3, 4] },
  },
  'one-pretty-json': {
    does: 'answers with one JSON over many lines',
    send(out) {
      out.begin('application/json')
      const choices = [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'length' }]
      out.raw(JSON.stringify({ id: 'x', choices }, null, 2))
    },
    expected: { text, outcome: 'length' },
  },
  'json-lines': {
    does: 'writes a line of JSON for each piece (Ollama’s own API)',
    send(out) {
      out.begin('application/x-ndjson')
      for (const piece of piecesOf(text)) out.raw(`${JSON.stringify({ message: { content: piece }, done: false })}\n`)
      out.raw('{"done":true,"done_reason":"stop"}\n')
    },
    expected: { text },
  },
}
