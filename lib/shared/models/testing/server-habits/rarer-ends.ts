import { chunkOf, type Habit } from './habit'

type Send = Habit['send']
const habit = (does: string, send: Send, expected: Habit['expected']): Habit => ({ does, send, expected })

const text = 'Words of a rarer server: 好 😀.'

/** Ends of replies that are seen less often. */
export const rarerEndHabits: Readonly<Record<string, Habit>> = {
  'r-done-spaces': habit(
    'writes blanks around [DONE]',
    (out) => {
      out.words(text)
      out.raw('data:    [DONE]   \n\n')
      return out.stay()
    },
    { text },
  ),
  'r-done-lower': habit(
    'writes [done] in an event named done',
    (out) => {
      out.words(text)
      out.raw('event: done\ndata: [done]\n\n')
      return out.stay()
    },
    { text },
  ),
  'r-done-bare': habit(
    'writes [DONE] without data',
    (out) => {
      out.words(text)
      out.raw('[DONE]\n\n')
      return out.stay()
    },
    { text },
  ),
  'r-done-object': habit(
    'ends with an object that says done',
    (out) => {
      out.words(text)
      out.raw('event: done\ndata: {"done":true}\n\n')
    },
    { text },
  ),
  'r-garbage': habit(
    'writes garbage after [DONE]',
    (out) => {
      out.words(text)
      out.stop()
      out.raw('data: {"error":"too late"}\n\n<html>{{{')
    },
    { text },
  ),
  'r-two-done': habit(
    'ends twice',
    (out) => {
      out.words(text)
      out.stop()
      out.stop()
    },
    { text },
  ),
  'r-two-reasons': habit(
    'says stop first, and length after it',
    (out) => {
      out.words(text)
      out.delta({}, 'stop')
      out.delta({}, 'length')
      out.event('[DONE]')
    },
    { text, outcome: 'length' },
  ),
  'r-length-then-stop': habit(
    'says length first, and stop after it',
    (out) => {
      out.words(text)
      out.delta({}, 'length')
      out.delta({}, 'stop')
      out.event('[DONE]')
    },
    { text, outcome: 'length' },
  ),
  'r-error-then-stop': habit(
    'says error first, and stop after it',
    (out) => {
      out.words(text)
      out.delta({}, 'error')
      out.delta({}, 'stop')
      out.event('[DONE]')
    },
    { text, outcome: 'failed', says: 'ended abnormally' },
  ),
  'r-null-text': habit(
    'writes the reason null as a text',
    (out) => {
      out.delta({ content: 'one ' }, 'null')
      out.delta({ content: 'two' }, 'null')
      out.stop()
    },
    { text: 'one two' },
  ),
  'r-none-text': habit(
    'writes the reason None as a text, and no other',
    (out) => {
      out.delta({ content: 'one ' }, 'None')
      out.delta({ content: 'two' }, 'None')
      out.event('[DONE]')
    },
    { text: 'one two' },
  ),
  'r-reason-object': habit(
    'gives its reason as an object (TGI)',
    (out) => {
      out.words(text)
      out.event({ choices: [{ index: 0, delta: {}, finish_reason: { type: 'length' } }] })
      out.event('[DONE]')
    },
    { text, outcome: 'length' },
  ),
  'r-native-reason': habit(
    'gives a second reason of its model (OpenRouter)',
    (out) => {
      out.words(text)
      out.event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: 'STOP' }] })
      out.event('[DONE]')
    },
    { text },
  ),
  'r-stop-reason': habit(
    'calls its finish reason stop_reason',
    (out) => {
      out.words(text)
      out.event({ choices: [{ index: 0, delta: {}, stop_reason: 'max_tokens' }] })
    },
    { text, outcome: 'length' },
  ),
  'r-vllm-stop-reason': habit(
    'gives a stop reason beside the finish reason (vLLM)',
    (out) => {
      out.words(text)
      out.event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop', stop_reason: 128_009 }] })
      out.event('[DONE]')
    },
    { text },
  ),
  'r-reason-camel': habit(
    'writes finishReason',
    (out) => {
      out.words(text)
      out.event({ choices: [{ index: 0, delta: {}, finishReason: 'STOP' }] })
    },
    { text },
  ),
  'r-reason-in-delta': habit(
    'puts its finish reason into the delta',
    (out) => {
      out.words(text)
      out.event({ choices: [{ index: 0, delta: { content: '', finish_reason: 'stop' } }] })
    },
    { text },
  ),
  'r-reason-beside': habit(
    'puts its finish reason beside the choices',
    (out) => {
      out.words(text)
      out.event({ choices: [{ index: 0, delta: {} }], finish_reason: 'stop' })
    },
    { text },
  ),
  'r-last-again': habit(
    'repeats its last chunk',
    (out) => {
      out.words('only ')
      out.delta({ content: 'once' }, 'stop')
      out.event({ ...chunkOf({}, 'stop'), usage: { prompt_tokens: 1, completion_tokens: 2 } })
      out.event('[DONE]')
    },
    { text: 'only once', usage: [1, 2] },
  ),
}
