import type { Habit } from './habit'

type Send = Habit['send']
const failing = (does: string, send: Send, expected: Omit<Habit['expected'], 'outcome'>): Habit => ({
  does,
  send,
  expected: { outcome: 'failed', ...expected },
})

/** Text, then this. */
const midway = (does: string, send: Send, expected: Omit<Habit['expected'], 'outcome'>): Habit =>
  failing(
    does,
    (out, asked) => {
      out.words('some words')
      return send(out, asked)
    },
    { text: 'some words', ...expected },
  )

const refusing = (
  does: string,
  status: number,
  body: unknown,
  [says, detail]: readonly [string, string?],
  headers: Readonly<Record<string, string>> = {},
): Habit => failing(does, (out) => out.answer(status, body, headers), { says, detail: detail ?? `status ${status}` })

const page = (title: string) => `<!DOCTYPE html><html><head><title>${title}</title></head><body>${title}</body></html>`
const error = (message: string, beside: object = {}) => ({ error: { message, ...beside } })

const tooLong = 'is too long'
const crashed = 'failed while'

/** How servers report errors. */
export const errorHabits: Readonly<Record<string, Habit>> = {
  'error-first': failing(
    'sends an error as its first event',
    (out) => {
      out.event(error('Error rendering prompt with jinja template', { type: 'invalid_request_error', code: 400 }))
      out.event('[DONE]')
    },
    { says: 'rejected the request', detail: 'jinja' },
  ),
  'error-midway': midway(
    'sends an error in a chunk',
    (out) => {
      out.event({
        error: { code: 502, message: 'Provider disconnected', metadata: { raw: 'upstream died' } },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      })
      out.event('[DONE]')
    },
    { says: crashed, detail: 'upstream died' },
  ),
  'error-event': midway(
    'sends an event that is called error',
    (out) => out.raw('event: error\ndata: {"error":{"message":"The model has crashed (Exit code: 1844)"}}\n\n'),
    { says: crashed, detail: 'Exit code' },
  ),
  'error-event-words': midway(
    'sends an error event that holds words alone',
    (out) => out.raw('event: error\ndata: out of memory\n\n'),
    { says: crashed, detail: 'out of memory' },
  ),
  'error-text': midway('sends an error as a text', (out) => out.event({ error: 'llama runner has terminated' }), {
    says: crashed,
    detail: 'llama runner has terminated',
  }),
  'error-line': midway(
    'writes a line that begins with error',
    (out) => out.raw('error: {"code":500,"message":"failed to decode"}\n\n'),
    { says: crashed, detail: 'failed to decode' },
  ),
  'error-object': midway(
    'sends its error as the event',
    (out) => out.event({ object: 'error', message: 'no GPU', code: 500 }),
    {
      says: crashed,
      detail: 'no GPU',
    },
  ),
  'error-json': failing('answers 200 with an error', (out) => out.answer(200, error('The engine is dead')), {
    says: crashed,
    detail: 'The engine is dead',
  }),
  'plain-words-after': midway('ends with plain words', (out) => out.raw('Internal Server Error'), {
    says: 'cut off',
    detail: 'Internal Server Error',
  }),
  'page-200': failing('answers 200 with a web page', (out) => out.answer(200, page('Sign in to the gateway')), {
    says: 'a web page',
    detail: 'Sign in to the gateway',
  }),
  'plain-200': failing(
    'answers 200 with plain words',
    (out) => {
      out.begin('text/plain')
      out.raw('upstream connect error')
    },
    { says: 'invalid response', detail: 'upstream connect error' },
  ),
  'page-502': refusing('answers 502 with a web page', 502, page('502 Bad Gateway'), [crashed]),
  'too-many': refusing('limits requests', 429, error('Rate limit reached', { code: 'rate_limit_exceeded' }), ['17 s'], {
    'retry-after': '17',
  }),
  quota: refusing('has no quota left', 429, error('You exceeded your current quota', { code: 'insufficient_quota' }), [
    'no credit left',
  ]),
  'no-credit': refusing('has no credit left', 402, error('Insufficient credits.', { code: 402 }), ['no credit left']),
  moderated: refusing('moderates', 403, error('Input was flagged by moderation', { metadata: { reasons: ['x'] } }), [
    'moderation',
  ]),
  region: refusing('serves no such region', 403, error('Country, region, or territory not supported'), ['region']),
  'forbidden-model': refusing('lets a model be used by some alone', 403, error('This model is for partners'), [
    'rejected the request',
    'partners',
  ]),
  'forbidden-key': refusing('refuses a key with 403', 403, error('Your API key has no access'), ['rejected the key']),
  'wrong-key': refusing('refuses a key with a page', 401, page('401 Authorization Required'), ['rejected the key']),
  'no-model': refusing('does not have the model', 404, error('model "m" not found, try pulling it first'), [
    'There is no model',
  ]),
  'no-model-openrouter': refusing('has no endpoint for the model', 404, error('No endpoints found for a/b.'), [
    'There is no model',
  ]),
  'no-endpoint': refusing('does not know the address', 404, { error: 'Unexpected endpoint or method. (POST /v1)' }, [
    'has no chat API',
  ]),
  'no-route': refusing('does not know the path', 404, { detail: 'Not Found' }, ['has no chat API']),
  'no-page': refusing('has no such page', 404, page('404 Not Found'), ['has no chat API']),
  'no-method': refusing('takes no POST there', 405, { detail: 'Method Not Allowed' }, ['has no chat API']),
  'too-long-vllm': refusing(
    'knows a prompt as too long (vLLM)',
    400,
    error("This model's maximum context length is 4096"),
    [tooLong],
  ),
  'too-long-llama': refusing(
    'knows a prompt as too long (llama.cpp)',
    400,
    error('exceeds the available context size'),
    [tooLong],
  ),
  'too-long-list': refusing(
    'answers with a list of errors (Google)',
    400,
    [error('The input token count (1200000) exceeds the maximum number of tokens allowed', { code: 400 })],
    [tooLong],
  ),
  'too-long-event': failing(
    'knows a prompt as too long inside the stream (LM Studio)',
    (out) =>
      out.raw('event: error\ndata: {"error":{"message":"model is loaded with context length of only 4096"}}\n\n'),
    { says: tooLong, detail: '4096' },
  ),
  'no-usage-asked': {
    does: 'refuses to be asked for its usage',
    send(out, { stream_options: asked }) {
      if (asked !== undefined) return out.answer(400, error('Unrecognized request argument supplied: stream_options'))
      out.words('without it')
      out.stop()
    },
    expected: { text: 'without it' },
  },
  'no-usage-asked-422': {
    does: 'validates the request, and knows no stream_options',
    send(out, { stream_options: asked }) {
      const detail = [{ loc: ['body', 'stream_options'], msg: 'extra fields not permitted' }]
      if (asked !== undefined) return out.answer(422, { detail })
      out.words('without it')
      out.stop()
    },
    expected: { text: 'without it' },
  },
  loading: {
    does: 'loads its model first',
    send(out) {
      if (out.before === 0) return out.answer(503, error('Loading model', { code: 503, type: 'unavailable_error' }))
      out.words('it is loaded now')
      out.stop()
    },
    expected: { text: 'it is loaded now' },
  },
  'refusal-open': failing(
    'keeps the connection open behind a refusal',
    (out) => {
      out.answer(401, error('Invalid API key'))
      return out.stay()
    },
    { says: 'rejected the key', detail: 'Invalid API key' },
  ),
  'refusal-endless': failing(
    'refuses with a body that never ends',
    async (out) => {
      out.answer(500, 'boom '.repeat(10_000))
      while (!out.response.destroyed) {
        out.raw('boom '.repeat(10_000))
        await out.wait(5)
      }
    },
    { says: crashed, detail: 'boom' },
  ),
  'other-protocol': failing(
    'speaks another protocol',
    (out) => {
      out.event({ type: 'content_block_delta', delta: { text: 'lost?' } })
      out.event('[DONE]')
    },
    { says: 'invalid response', detail: 'lost?' },
  ),
  unavailable: refusing('is overloaded', 503, error('overloaded'), [crashed]),
}
