import { chunkOf, piecesOf, type Habit } from './habit'

type Send = Habit['send']
const habit = (does: string, send: Send, expected: Habit['expected']): Habit => ({ does, send, expected })

/** Text, then this chunk, then more text and the usual end. */
const beside = (does: string, chunk: unknown, expected: Partial<Habit['expected']> = {}): Habit =>
  habit(
    does,
    (out) => {
      out.words('before ')
      out.event(chunk)
      out.words('after')
      out.stop()
    },
    { text: 'before after', ...expected },
  )

const thoughts = 'I think about it. '
const thinking = (does: string, delta: (piece: string) => object): Habit =>
  habit(
    does,
    (out) => {
      for (const piece of piecesOf(thoughts)) out.delta(delta(piece))
      out.words('The answer.')
      out.stop()
    },
    { text: 'The answer.', reasoning: thoughts },
  )

/** Reasoning marks in the text stay there: the code that shows the reply reads them. */
const inWords = (does: string, text: string): Habit =>
  habit(
    does,
    (out) => {
      out.words(text)
      out.stop()
    },
    { text },
  )

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

/** What servers write into their chunks. */
export const chunkHabits: Readonly<Record<string, Habit>> = {
  'no-choices': beside('sends a chunk without choices', { id: 'x', object: 'chat.completion.chunk' }),
  'choices-null': beside('sends choices that are null', { choices: null, usage }, { usage: [10, 5] }),
  'choices-empty': beside('sends an empty list of choices (Azure)', { choices: [], prompt_filter_results: [{}] }),
  'choices-odd': beside('sends choices that are no objects', { choices: [null, 7, 'x'] }),
  'delta-null': beside('sends a delta that is null', { choices: [{ index: 0, delta: null }] }),
  'id-number': beside('has a number as id', chunkOf({ content: '' }, null, { id: 42 })),
  'created-odd': beside('has an odd time', chunkOf({ content: '' }, null, { created: '1760000000.12', model: null })),
  'role-odd': beside('has an odd role', chunkOf({ role: 'model', content: '' })),
  'not-a-number': beside(
    'writes NaN, as Python does',
    '{"choices":[{"index":0,"delta":{"content":""},"logprobs":NaN,"x":-Infinity}]}',
  ),
  'more-fields': beside(
    'has fields of its own',
    chunkOf({ content: '', obfuscation: 'xx' }, null, { service_tier: {} }),
  ),
  'unknown-object': beside('sends an event of another kind', { type: 'ping' }),
  'plain-ping': beside('sends a word that is no JSON to keep the connection', 'ping'),
  'error-empty': beside('has an error that is empty', chunkOf({ content: '' }, null, { error: {} })),
  'error-null': beside('has an error that is null', chunkOf({ content: '' }, null, { error: null })),
  'usage-last': habit(
    'sends its usage after the reason',
    (out) => {
      out.words('words')
      out.delta({}, 'stop')
      out.event({ choices: [], usage })
      out.event('[DONE]')
    },
    { text: 'words', usage: [10, 5] },
  ),
  'usage-odd': habit(
    'sends a usage that is no number',
    (out) => {
      out.words('words')
      out.delta({}, 'stop')
      out.event({ choices: [], usage: { prompt_tokens: '100', completion_tokens: null, prompt_tokens_details: null } })
      out.event('[DONE]')
    },
    { text: 'words', usage: [null, null] },
  ),
  'usage-text': habit(
    'sends a usage that is a text',
    (out) => {
      out.words('words')
      out.delta({}, 'stop', { usage: 'none' })
      out.event('[DONE]')
    },
    { text: 'words', usage: [null, null] },
  ),
  'usage-always': habit(
    'sends its usage with each chunk',
    (out) => {
      for (const piece of piecesOf('words and more')) out.delta({ content: piece }, null, { usage })
      out.delta({}, 'stop', { usage: { ...usage, completion_tokens: 9 } })
    },
    { text: 'words and more', usage: [10, 9] },
  ),
  'two-choices': habit(
    'sends two choices',
    (out) => {
      const choice = (index: number, content: string) => ({ index, delta: { content }, finish_reason: null })
      out.event({ choices: [choice(0, 'first '), choice(1, 'SECOND ')] })
      out.event({ choices: [choice(1, 'MORE')] })
      out.words('alone')
      out.stop()
    },
    { text: 'first alone' },
  ),
  parts: habit(
    'sends content as a list of parts',
    (out) => {
      out.delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'thoughts' }] }] })
      out.delta({ content: [{ type: 'text', text: 'the ' }, 'words', { type: 'image' }] })
      out.stop()
    },
    { text: 'the words', reasoning: 'thoughts' },
  ),
  'content-null': habit(
    'sends content that is null',
    (out) => {
      out.delta({ role: 'assistant', content: null })
      out.words('words')
      out.delta({ content: null }, 'stop')
    },
    { text: 'words' },
  ),
  'content-number': habit(
    'sends a digit as a number',
    (out) => {
      out.words('6 x 7 = ')
      out.delta({ content: 42 })
      out.stop()
    },
    { text: '6 x 7 = 42' },
  ),
  message: habit(
    'sends whole messages in place of deltas',
    (out) => {
      out.event({
        choices: [{ index: 0, message: { role: 'assistant', content: 'a message' }, finish_reason: 'stop' }],
      })
      out.event('[DONE]')
    },
    { text: 'a message' },
  ),
  'message-again': habit(
    'repeats the whole message in its last chunk',
    (out) => {
      out.words('only once')
      out.event({ choices: [{ index: 0, delta: {}, message: { content: 'only once' }, finish_reason: 'stop' }] })
    },
    { text: 'only once' },
  ),
  'delta-text': habit(
    'sends a delta that is a text',
    (out) => {
      for (const delta of ['the ', 'words']) out.event({ choices: { index: 0, delta } })
      out.stop()
    },
    { text: 'the words' },
  ),
  'choice-text': habit(
    'writes the text of the older completions',
    (out) => {
      for (const text of ['older ', 'form']) out.event({ choices: [{ index: 0, text, finish_reason: null }] })
      out.event({ choices: [{ index: 0, text: '', finish_reason: 'stop' }] })
    },
    { text: 'older form' },
  ),
  reasoning: thinking('sends thoughts as `reasoning`', (piece) => ({ reasoning: piece, content: '' })),
  'reasoning-content': thinking('sends thoughts as `reasoning_content`', (piece) => ({
    reasoning_content: piece,
    content: null,
  })),
  'reasoning-both': thinking('sends thoughts under both names', (piece) => ({
    reasoning: piece,
    reasoning_content: piece,
  })),
  'reasoning-details': thinking('sends thoughts as details', (piece) => ({
    content: '',
    reasoning_details: [{ type: 'reasoning.text', text: piece, index: 0 }],
  })),
  'reasoning-object': thinking('sends thoughts as an object', (piece) => ({ reasoning: { content: piece } })),
  'reasoning-only': habit(
    'only thinks',
    (out) => {
      out.words(thoughts, 'reasoning_content')
      out.stop()
    },
    { reasoning: thoughts },
  ),
  think: inWords('thinks in tags', '<think>\nI ponder\n</think>\n\nThe answer.'),
  'think-not-opened': inWords('thinks without an opening tag', 'I ponder.\n</think>\n\nThe answer.'),
  'think-not-closed': inWords('thinks without a closing tag', '<think>\nI ponder and come to no end'),
  'think-other-tag': inWords('thinks in other tags', '<seed:think>I ponder</seed:think>\nThe answer.'),
  'special-tokens': inWords('leaks its special tokens', 'The answer.<|im_end|>\n<|endoftext|>'),
  harmony: inWords(
    'leaks its channels',
    '<|channel|>analysis<|message|>I think.<|end|><|channel|>final<|message|>Yes.',
  ),
  'lost-letters': inWords('writes signs for bytes that are no text', 'The \uFFFD\uFFFD end'),
  'only-stop': habit('says nothing', (out) => out.stop(), {}),
}
