import type { Habit } from './habit'

type Send = Habit['send']

const listed = 'list_directory({"path":"/"})'
const habit = (does: string, send: Send, expected: Habit['expected'] = {}): Habit => ({
  does,
  send,
  expected: { calls: [listed], ...expected },
})

const path = '{"path":"/"}'
const call = (beside: object = {}, of: object = {}) => ({
  tool_calls: [
    {
      index: 0,
      id: 'call_a',
      type: 'function',
      function: { name: 'list_directory', arguments: path, ...of },
      ...beside,
    },
  ],
})
const more = (args: unknown, beside: object = {}) => ({
  tool_calls: [{ index: 0, function: { arguments: args }, ...beside }],
})

/** One delta with a call, and the usual end. */
const once = (does: string, delta: object, expected?: Habit['expected']): Habit =>
  habit(
    does,
    (out) => {
      out.delta(delta)
      out.stop('tool_calls')
    },
    expected,
  )

const inPieces = (does: string, deltas: readonly object[], expected?: Habit['expected']): Habit =>
  habit(
    does,
    (out) => {
      for (const delta of deltas) out.delta(delta)
      out.stop('tool_calls')
    },
    expected,
  )

/** How servers send native calls. `text` is the prose around them. */
export const nativeHabits: Readonly<Record<string, Habit>> = {
  'call-usual': inPieces('splits the arguments', [call({}, { arguments: '' }), more('{"pa'), more('th":"/"}')]),
  'call-no-id': once('gives no id', call({ id: undefined })),
  'call-empty-id': once('gives an empty id', call({ id: '' })),
  'call-number-id': once('gives a number as id', call({ id: 7 })),
  'call-no-index': once('gives no index', call({ index: undefined })),
  'call-text-index': once('gives a text as index', call({ index: '0' })),
  'call-odd-index': inPieces('begins with another index', [
    call({ index: 3 }, { arguments: '' }),
    more(path, { index: 3, id: null }),
  ]),
  'call-name-again': inPieces(
    'repeats id and name',
    ['{"pa', 'th":', '"/"}'].map((args) => call({}, { arguments: args })),
  ),
  'call-name-late': inPieces('gives the name late', [
    { tool_calls: [{ index: 0, id: 'call_a', function: { arguments: '{"path":' } }] },
    call({}, { arguments: '"/"}' }),
  ]),
  'call-object': once('sends arguments as an object', call({}, { arguments: { path: '/' } })),
  'call-null': inPieces('sends arguments that are null first', [call({}, { arguments: null }), more(path)]),
  'call-flat': once('puts name and arguments beside the id', {
    tool_calls: [{ index: 0, id: 'call_a', name: 'list_directory', arguments: path }],
  }),
  'call-single': once('sends one call without a list', { tool_calls: call().tool_calls[0] }),
  'call-function-call': habit('uses the older function_call', (out) => {
    out.delta({ function_call: { name: 'list_directory', arguments: '' } })
    out.delta({ function_call: { arguments: path } })
    out.stop('function_call')
  }),
  'call-stop': habit('ends a call with the reason stop', (out) => {
    out.delta(call())
    out.stop()
  }),
  'call-done-alone': habit('ends a call with [DONE] alone', (out) => {
    out.delta(call())
    out.event('[DONE]')
  }),
  'call-with-null-content': once('sends null as the content beside a call', { content: null, ...call() }),
  'call-message': habit('answers with one JSON that holds a call', (out) => {
    const message = { role: 'assistant', content: null, tool_calls: [{ ...call().tool_calls[0], index: undefined }] }
    out.answer(200, { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })
  }),
  'calls-same-index': inPieces(
    'gives two calls the same index',
    [call(), call({ id: 'call_b' }, { arguments: '{"path":"/b"}' })],
    { calls: [listed, 'list_directory({"path":"/b"})'] },
  ),
  'calls-same-id': inPieces(
    'gives two calls the same id',
    [call(), call({ index: 1 }, { arguments: '{"path":"/b"}' })],
    { calls: [listed, 'list_directory({"path":"/b"})'] },
  ),
  'call-and-words': habit(
    'writes words around a call',
    (out) => {
      out.words('I will look.\n')
      out.delta(call())
      out.words('Words after it.')
      out.stop('tool_calls')
    },
    { text: 'I will look.\nWords after it.', calls: [listed] },
  ),
  'call-cut': habit(
    'cuts a call at its limit',
    (out) => {
      out.delta(call({}, { name: 'write_file', arguments: '{"path":"/a.txt","content":"half' }))
      out.stop('length')
    },
    { outcome: 'length', calls: [] },
  ),
  'call-broken-off': habit('breaks off behind a call that is whole', (out) => out.delta(call()), {
    outcome: 'failed',
    says: 'cut off',
    calls: [],
  }),
  'call-error': habit(
    'ends with an error behind a call that is whole',
    (out) => {
      out.delta(call())
      out.stop('error')
    },
    { outcome: 'failed', says: 'ended abnormally', calls: [] },
  ),
  'call-cumulative': inPieces(
    'repeats all arguments in each piece',
    ['{"pa', '{"path":', path].map((args) => call({}, { arguments: args })),
    { calls: [] },
  ),
  'call-no-arguments': once('sends empty arguments', call({}, { arguments: '' }), { calls: [] }),
  'call-no-name': once('names no tool', call({}, { name: undefined }), { calls: [] }),
}
