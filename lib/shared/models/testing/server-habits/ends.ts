import { chunkOf, type Habit } from './habit'

type Send = Habit['send']
const habit = (does: string, send: Send, expected: Habit['expected']): Habit => ({ does, send, expected })

const words = 'Words of a reply.'
const brokeOff = { text: words, outcome: 'failed', says: 'cut off' } as const
const oddEnd = { text: words, outcome: 'failed', says: 'ended abnormally' } as const

/** Ends with this reason. */
const reason = (name: string, expected: Partial<Habit['expected']> = {}): Habit =>
  habit(
    `ends with the reason “${name}”`,
    (out) => {
      out.words(words)
      out.stop(name)
    },
    { text: words, ...expected },
  )

const filtered = { outcome: 'failed', says: 'content filter' } as const
const odd = (name: string) => reason(name, { ...oddEnd, detail: name })

const half = { tool_calls: [{ name: 'write_file', arguments: { path: '/a.md', content: 'half of' } }] }

/** How the replies of servers end. */
export const endHabits: Readonly<Record<string, Habit>> = {
  'no-done': habit(
    'sends no [DONE]',
    (out) => {
      out.words(words)
      out.delta({}, 'stop')
    },
    { text: words },
  ),
  'no-reason': habit(
    'sends [DONE] without a finish reason',
    (out) => {
      out.words(words)
      out.event('[DONE]')
    },
    { text: words },
  ),
  'no-reason-open': habit(
    'sends [DONE] without a finish reason, and keeps the connection open',
    (out) => {
      out.words(words)
      out.event('[DONE]')
      return out.stay()
    },
    { text: words },
  ),
  'neither-end': habit('ends without a finish reason and without [DONE]', (out) => out.words(words), brokeOff),
  'done-open': habit(
    'keeps the connection open after [DONE]',
    (out) => {
      out.words(words)
      out.stop()
      return out.stay()
    },
    { text: words },
  ),
  'reason-open': habit(
    'keeps the connection open after its finish reason',
    (out) => {
      out.words(words)
      out.delta({}, 'stop')
      return out.stay()
    },
    { text: words },
  ),
  'reason-open-alive': habit(
    'keeps the connection alive after its finish reason',
    async (out) => {
      out.words(words)
      out.delta({}, 'stop')
      while (!out.response.destroyed) {
        out.raw(': alive\n\n')
        await out.wait(100)
      }
    },
    { text: words },
  ),
  'usage-late': habit(
    'sends its usage half a second after its finish reason',
    async (out) => {
      out.words(words)
      out.delta({}, 'stop')
      await out.wait(500)
      out.event({ choices: [], usage: { prompt_tokens: 8, completion_tokens: 9 } })
      return out.stay()
    },
    { text: words, usage: [8, 9] },
  ),
  'reason-dropped': habit(
    'breaks the connection after its finish reason',
    async (out) => {
      out.words(words)
      out.delta({}, 'stop')
      await out.wait(50)
      out.response.destroy()
    },
    { text: words },
  ),
  'last-open': habit(
    'ends its last event without a line end',
    (out) => {
      out.words('Words of a ')
      out.raw(`data: ${JSON.stringify(chunkOf({ content: 'reply.' }, 'stop'))}`)
    },
    { text: words },
  ),
  'last-cut': habit(
    'is cut off inside an event',
    (out) => {
      out.words(words)
      out.raw(`data: ${JSON.stringify(chunkOf({ content: 'more' }, 'stop')).slice(0, -20)}`)
    },
    brokeOff,
  ),
  dropped: habit(
    'breaks the connection in the middle',
    async (out) => {
      out.words(words)
      await out.wait(50)
      out.response.destroy()
    },
    { text: words, outcome: 'failed', says: 'was lost before the reply was complete' },
  ),
  'reason-empty': habit(
    'has an empty finish reason in each chunk',
    (out) => {
      out.delta({ content: 'Words of ' }, '')
      out.delta({ content: 'a reply.' }, '')
      out.stop()
    },
    { text: words },
  ),
  'reason-early': habit(
    'gives its finish reason before its last words',
    (out) => {
      out.delta({ content: 'Words of ' }, 'stop')
      out.delta({ content: 'a reply.' })
      out.event('[DONE]')
    },
    { text: words },
  ),
  'reason-with-words': habit(
    'gives its finish reason with its last words',
    (out) => {
      out.delta({ content: words }, 'stop')
      out.event('[DONE]')
    },
    { text: words },
  ),
  'done-quoted': habit(
    'quotes its [DONE]',
    (out) => {
      out.words(words)
      out.event('"[done]"')
      return out.stay()
    },
    { text: words },
  ),
  length: reason('length', { outcome: 'length' }),
  'max-tokens': reason('max_tokens', { outcome: 'length' }),
  'model-length': reason('model_length', { outcome: 'length' }),
  'length-in-thoughts': habit(
    'reaches its limit while it thinks',
    (out) => {
      out.words('thinking', 'reasoning_content')
      out.stop('length')
    },
    { reasoning: 'thinking', outcome: 'length' },
  ),
  eos: reason('eos'),
  'eos-token': reason('eos_token'),
  'end-turn': reason('end_turn'),
  'stop-sequence': reason('stop_sequence'),
  'upper-stop': reason('STOP'),
  'upper-complete': reason('COMPLETE'),
  'tool-use': reason('tool_use'),
  'content-filter': reason('content_filter', filtered),
  sensitive: reason('sensitive', filtered),
  'reason-error': odd('error'),
  'reason-abort': odd('abort'),
  'reason-cancelled': odd('cancelled'),
  'reason-resource': odd('insufficient_system_resource'),
  'reason-network': odd('network_error'),
  'reason-unknown': odd('who_knows'),
  'error-after-call': habit(
    'ends with an error behind a whole call',
    (out) => {
      out.words(JSON.stringify(half))
      out.stop('error')
    },
    { text: JSON.stringify(half), outcome: 'failed', says: 'ended abnormally' },
  ),
  refusal: habit(
    'lets its model refuse',
    (out) => {
      out.words('I am sorry, no.', 'refusal')
      out.stop()
    },
    { text: 'I am sorry, no.', outcome: 'failed', says: 'declined to answer' },
  ),
  'nothing-at-all': habit('answers with an empty body', (out) => out.begin('text/event-stream'), {
    outcome: 'failed',
    says: 'cut off',
  }),
  'broken-event': habit(
    'sends an event that is no JSON',
    (out) => {
      out.words(words)
      out.raw('data: {"id":"x","choices":[{"index":0,"delta":{"content":"bro\n\n')
      out.words('more words')
      out.stop()
    },
    { text: words, outcome: 'failed', says: 'invalid response' },
  ),
  'alive-comments': habit(
    'writes comments for longer than the longest silence, then words',
    async (out) => {
      for (let at = 0; at < 36; at += 1) {
        out.raw(': PROCESSING\n\n')
        await out.wait(100)
      }
      out.words(words)
      out.stop()
    },
    { text: words },
  ),
  'alive-deltas': habit(
    'writes empty deltas for longer than the longest silence, then words',
    async (out) => {
      for (let at = 0; at < 36; at += 1) {
        out.delta({ role: 'assistant', content: '' })
        await out.wait(100)
      }
      out.words(words)
      out.stop()
    },
    { text: words },
  ),
  'late-headers': habit(
    'answers late',
    async (out) => {
      await out.wait(300)
      out.words(words)
      out.stop()
    },
    { text: words },
  ),
}
