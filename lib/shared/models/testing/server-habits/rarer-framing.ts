import type { Transform } from 'node:stream'
import { createDeflate, createGzip } from 'node:zlib'
import { chunkOf, piecesOf, type Habit, type HabitOut } from './habit'

type Send = Habit['send']
const habit = (does: string, send: Send, expected: Habit['expected']): Habit => ({ does, send, expected })

const text = 'Words of a rarer server: 好 😀.'

/** Text in the usual chunks, then this, then the usual end. */
const beside = (does: string, send: Send, expected: Partial<Habit['expected']> = {}): Habit =>
  habit(
    does,
    async (out, asked) => {
      out.words('before ')
      await send(out, asked)
      out.words('after')
      out.stop()
    },
    { text: 'before after', ...expected },
  )

/** A whole reply through a packer. */
async function packInto(out: HabitOut, packed: Transform): Promise<void> {
  const all = new Promise<void>((resolve) => packed.on('end', resolve))
  packed.pipe(out.response, { end: false })
  packed.end(`data: ${JSON.stringify(chunkOf({ content: text }, 'stop'))}\n\ndata: [DONE]\n\n`)
  await all
}

/** Event syntax that is seen less often: of gateways and proxies. */
export const rarerFramingHabits: Readonly<Record<string, Habit>> = {
  'r-comment-inside': beside('writes comments between the lines of one event', (out) =>
    out.raw(`data: {"choices":[{"index":0,\n: ping\ndata: "delta":{"content":""}}]}\n\n`),
  ),
  'r-empty-lines': beside('sends empty lines to keep the connection', (out) => out.raw('\n\n\n\r\n\r\n')),
  'r-spaces': beside('sends blanks to keep the connection', (out) => out.raw('   \n \n\n')),
  'r-empty-data': beside('sends events with empty data', (out) => out.raw('data:\n\ndata: \n\ndata\n\n')),
  'r-ping-event': beside('sends ping events (Anthropic)', (out) => out.raw('event: ping\ndata: {"type":"ping"}\n\n')),
  'r-heartbeat': beside('sends heartbeats with JSON words', (out) => out.raw('event: heartbeat\ndata: "alive"\n\n')),
  'r-null-data': beside('sends null, true and numbers as data', (out) =>
    out.raw('data: null\n\ndata: true\n\ndata: 1\n\n'),
  ),
  'r-empty-object': beside('sends empty objects and lists as data', (out) => out.raw('data: {}\n\ndata: []\n\n')),
  'r-list-data': habit(
    'sends several chunks as a list in one event',
    (out) => {
      out.event([chunkOf({ content: 'one ' }), chunkOf({ content: 'two' })])
      out.stop()
    },
    { text: 'one two' },
  ),
  'r-two-objects': habit(
    'writes two objects in one line of data',
    (out) => {
      out.raw(`data: ${JSON.stringify(chunkOf({ content: 'one ' }))}${JSON.stringify(chunkOf({ content: 'two' }))}\n\n`)
      out.stop()
    },
    { text: 'one two' },
  ),
  'r-two-data': habit(
    'writes two data fields in one line',
    (out) => {
      out.raw(
        `data: ${JSON.stringify(chunkOf({ content: 'one ' }))} data: ${JSON.stringify(chunkOf({ content: 'two' }))}\n\n`,
      )
      out.stop()
    },
    { text: 'one two' },
  ),
  'r-upper-field': habit(
    'writes the names of fields in capitals',
    (out) => {
      for (const piece of piecesOf(text)) out.raw(`Data: ${JSON.stringify(chunkOf({ content: piece }))}\n\n`)
      out.raw(`DATA: ${JSON.stringify(chunkOf({}, 'stop'))}\n\nDATA: [DONE]\n\n`)
    },
    { text },
  ),
  'r-space-colon': habit(
    'writes a blank before the colon',
    (out) => {
      for (const piece of piecesOf(text)) out.raw(`data : ${JSON.stringify(chunkOf({ content: piece }))}\n\n`)
      out.raw(`data : ${JSON.stringify(chunkOf({}, 'stop'))}\n\ndata : [DONE]\n\n`)
    },
    { text },
  ),
  'r-data-data': habit(
    'is wrapped by a proxy that writes data twice',
    (out) => {
      for (const piece of piecesOf(text)) out.raw(`data: data: ${JSON.stringify(chunkOf({ content: piece }))}\n\n`)
      out.raw(`data: data: ${JSON.stringify(chunkOf({}, 'stop'))}\n\ndata: data: [DONE]\n\n`)
    },
    { text },
  ),
  'r-tab': habit(
    'writes tabs around its data',
    (out) => {
      for (const piece of piecesOf(text)) out.raw(`data:\t${JSON.stringify(chunkOf({ content: piece }))}\t\n\n`)
      out.raw(`data:\t${JSON.stringify(chunkOf({}, 'stop'))}\t\n\ndata:\t[DONE]\t\n\n`)
    },
    { text },
  ),
  'r-bom-each': habit(
    'writes a byte order mark before each event',
    (out) => {
      for (const piece of piecesOf(text)) out.raw(`\uFEFFdata: ${JSON.stringify(chunkOf({ content: piece }))}\n\n`)
      out.stop()
    },
    { text },
  ),
  'r-zeros': beside('writes zero bytes between events', (out) => out.raw('\0\0\n\n')),
  'r-separators': habit(
    'writes line separators of Unicode in its JSON',
    (out) => {
      out.raw(`data: {"choices":[{"index":0,"delta":{"content":"a\u2028b\u2029c\u0085d"}}]}\n\n`)
      out.stop()
    },
    { text: 'a\u2028b\u2029c\u0085d' },
  ),
  'r-raw-newline': habit(
    'writes a line break that is not escaped inside of its JSON',
    (out) => {
      out.raw(`data: {"choices":[{"index":0,"delta":{"content":"a`)
      out.raw(`\nb"}}]}\n\n`)
      out.stop()
    },
    { text: 'a\nb' },
  ),
  'r-raw-tab': habit(
    'writes tabs that are not escaped inside of its JSON',
    (out) => {
      out.raw(`data: {"choices":[{"index":0,"delta":{"content":"a\tb"}}]}\n\n`)
      out.stop()
    },
    { text: 'a\tb' },
  ),
  'r-python': habit(
    'writes its chunks as Python does',
    (out) => {
      out.raw(`data: {'choices': [{'index': 0, 'delta': {'content': "it's "}, 'finish_reason': None}]}\n\n`)
      out.raw(`data: {'choices': [{'index': 0, 'delta': {'content': 'fine'}, 'finish_reason': None}]}\n\n`)
      out.stop()
    },
    { outcome: 'failed', says: 'invalid response' },
  ),
  'r-double-json': habit(
    'encodes each chunk twice',
    (out) => {
      for (const piece of piecesOf(text)) out.event(JSON.stringify(JSON.stringify(chunkOf({ content: piece }))))
      out.stop()
    },
    { text },
  ),
  'r-base64': habit(
    'sends its stream as one gzip body without saying so',
    async (out) => {
      out.begin('text/event-stream')
      await packInto(out, createGzip())
    },
    { outcome: 'failed', says: 'invalid response' },
  ),
  'r-deflate': habit(
    'packs its stream with deflate',
    async (out) => {
      out.begin('text/event-stream', { 'content-encoding': 'deflate' })
      await packInto(out, createDeflate())
    },
    { text },
  ),
  'r-no-type': habit(
    'names no content type',
    (out) => {
      out.response.writeHead(200)
      out.words(text)
      out.stop()
    },
    { text },
  ),
  'r-json-type': habit(
    'calls its stream application/json',
    (out) => {
      out.begin('application/json')
      out.words(text)
      out.stop()
    },
    { text },
  ),
  'r-json-array': habit(
    'streams a JSON list of chunks (Gemini without SSE)',
    (out) => {
      out.begin('application/json')
      out.raw('[')
      piecesOf(text).forEach((piece, at) =>
        out.raw(`${at === 0 ? '' : ',\n'}${JSON.stringify(chunkOf({ content: piece }), null, 2)}`),
      )
      out.raw(`,\n${JSON.stringify(chunkOf({}, 'stop'))}\n]\n`)
    },
    { text },
  ),
  'r-201': habit(
    'answers with status 201',
    (out) => {
      out.response.writeHead(201, { 'content-type': 'text/event-stream' })
      out.words(text)
      out.stop()
    },
    { text },
  ),
  'r-204': habit('answers 204 without a body', (out) => void out.response.writeHead(204), {
    outcome: 'failed',
    says: 'invalid response',
  }),
}
