import { chunkOf, type Habit } from './habit'

type Send = Habit['send']
const habit = (does: string, send: Send, expected: Habit['expected']): Habit => ({ does, send, expected })

const text = 'Words of a rarer server: 好 😀.'

const path = '{"path":"/"}'
const listed = 'list_directory({"path":"/"})'
const both = [listed, 'list_directory({"path":"/b"})']
const call = (more: object = {}, of: object = {}) => ({
  index: 0,
  id: 'call_a',
  type: 'function',
  function: { name: 'list_directory', arguments: path, ...of },
  ...more,
})
const calling = (does: string, deltas: readonly object[], expected: Habit['expected'] = {}): Habit =>
  habit(
    does,
    (out) => {
      for (const delta of deltas) out.delta(delta)
      out.stop('tool_calls')
    },
    { calls: [listed], ...expected },
  )
const second = (more: object = {}) => call({ id: 'call_b', index: 1, ...more }, { arguments: '{"path":"/b"}' })

/** Native calls in forms that are seen less often. */
export const rarerNativeHabits: Readonly<Record<string, Habit>> = {
  'n-again-at-end': habit(
    'repeats a whole call in its last message',
    (out) => {
      out.delta({ tool_calls: [call()] })
      out.event({ choices: [{ index: 0, delta: {}, message: { tool_calls: [call()] }, finish_reason: 'tool_calls' }] })
    },
    { calls: [listed] },
  ),
  'n-empty-first': calling('begins the arguments with an empty text', [
    { tool_calls: [call({}, { arguments: '' })] },
    { tool_calls: [{ index: 0, function: { arguments: path } }] },
    { tool_calls: [{ index: 0, function: { arguments: '' } }] },
  ]),
  'n-new-ids': calling('gives each piece of a call another id', [
    { tool_calls: [call({ id: 'x1' }, { arguments: '{"pa' })] },
    { tool_calls: [{ index: 0, id: 'x2', function: { name: null, arguments: 'th":' } }] },
    { tool_calls: [{ index: 0, id: 'x3', function: { name: '', arguments: '"/"}' } }] },
  ]),
  'n-interleaved': calling(
    'writes two calls in turns',
    [
      { tool_calls: [call({}, { arguments: '{"pa' }), call({ id: 'call_b', index: 1 }, { arguments: '{"path"' })] },
      { tool_calls: [{ index: 1, function: { arguments: ':"/b"}' } }] },
      { tool_calls: [{ index: 0, function: { arguments: 'th":"/"}' } }] },
    ],
    { calls: both },
  ),
  'n-two-bare': calling(
    'sends two calls without index and id in one piece',
    [{ tool_calls: [call({ index: undefined, id: undefined }), second({ index: undefined, id: undefined })] }],
    { calls: both },
  ),
  'n-two-bare-apart': calling(
    'sends two calls without index and id in two pieces',
    [
      { tool_calls: [call({ index: undefined, id: undefined })] },
      { tool_calls: [second({ index: undefined, id: undefined })] },
    ],
    { calls: both },
  ),
  'n-map': calling('sends its calls as a map', [{ tool_calls: { 0: call(), 1: second() } }], { calls: both }),
  'n-function-text': calling('gives the name as the function', [
    { tool_calls: [{ index: 0, id: 'a', function: 'list_directory', arguments: { path: '/' } }] },
  ]),
  'n-input': calling('calls the arguments input', [
    { tool_calls: [{ index: 0, id: 'a', name: 'list_directory', input: { path: '/' } }] },
  ]),
  'n-tool-use': calling('sends a call as a part of the content (Anthropic)', [
    {
      content: [
        { type: 'text', text: '' },
        { type: 'tool_use', id: 'a', name: 'list_directory', input: { path: '/' } },
      ],
    },
  ]),
  'n-twice-json': calling('encodes the arguments twice', [
    { tool_calls: [call({}, { arguments: JSON.stringify(path) })] },
  ]),
  'n-spaces': calling('writes blanks around the arguments', [
    { tool_calls: [call({}, { arguments: ` \n${path}\n ` })] },
  ]),
  'n-ollama': habit(
    'writes calls in Ollama’s lines',
    (out) => {
      out.begin('application/x-ndjson')
      const one = (folder: string) => ({ function: { name: 'list_directory', arguments: { path: folder } } })
      out.raw(`${JSON.stringify({ message: { content: '', tool_calls: [one('/')] }, done: false })}\n`)
      out.raw(`${JSON.stringify({ message: { content: '', tool_calls: [one('/b')] }, done: false })}\n`)
      out.raw('{"message":{"content":""},"done":true,"done_reason":"stop"}\n')
    },
    { calls: both },
  ),
  'n-no-calls': habit(
    'says tool_calls and calls nothing',
    (out) => {
      out.words(text)
      out.stop('tool_calls')
    },
    { text },
  ),
  'n-empty-list': calling('sends empty lists of calls', [
    { tool_calls: [] },
    { tool_calls: null },
    { tool_calls: [call()] },
    { tool_calls: [] },
  ]),
  'n-null-entries': calling('sends lists with null', [{ tool_calls: [null, call()] }]),
  'n-wrapped': habit(
    'wraps a call in data',
    (out) => {
      out.event({ code: 0, message: 'success', data: chunkOf({ tool_calls: [call()] }) })
      out.event({ code: 0, message: 'success', data: chunkOf({}, 'tool_calls') })
    },
    { calls: [listed] },
  ),
  'n-tool-name-prefix': calling('puts a namespace before the name', [
    { tool_calls: [call({}, { name: 'functions.list_directory' })] },
  ]),
  'n-error-then-stop': habit(
    'says error behind a call, and stop after it',
    (out) => {
      out.delta({ tool_calls: [call()] }, 'error')
      out.delta({}, 'stop')
      out.event('[DONE]')
    },
    { outcome: 'failed', says: 'ended abnormally', calls: [] },
  ),
  'n-length-object': habit(
    'cuts a call at a limit that it calls otherwise',
    (out) => {
      out.delta({ tool_calls: [call()] })
      out.event({ choices: [{ index: 0, delta: {}, finish_reason: { type: 'length' } }] })
    },
    { outcome: 'length', calls: [] },
  ),
}
