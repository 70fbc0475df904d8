import { APICallError, LoadAPIKeyError } from '@ai-sdk/provider'
import { RetryError } from 'ai'
import { describe, expect, it } from 'vitest'
import { describeFailure, describeListingFailure } from './failure'
import { ListingError } from './model'
import { readFailure } from './read-failure'

const model = { label: 'qwen3:8b', providerLabel: 'Ollama' }

const apiError = (statusCode: number | undefined, body: string, extra: { cause?: unknown; retryAfter?: string } = {}) =>
  new APICallError({
    message:
      statusCode === undefined ? 'Cannot connect to API: connect ECONNREFUSED 127.0.0.1:11434' : `answer ${statusCode}`,
    url: 'https://secret-host/v1/chat/completions?key=sk-secret-in-url',
    requestBodyValues: { messages: ['the whole chat'] },
    ...(statusCode === undefined ? {} : { statusCode }),
    responseBody: body,
    ...(extra.cause === undefined ? {} : { cause: extra.cause }),
    ...(extra.retryAfter === undefined ? {} : { responseHeaders: { 'retry-after': extra.retryAfter } }),
  })

const network = (code: string) => Object.assign(new Error(`connect ${code}`), { code })

describe('the sentence', () => {
  it('names the model, says what is safe and gives the way out', () => {
    const refused = apiError(undefined, '', { cause: network('ECONNREFUSED') })
    expect(describeFailure(refused, model, false)).toMatchObject({
      code: 'unreachable',
      message:
        'The model stopped responding. qwen3:8b at Ollama could not be reached. Nothing ran. Check that Ollama is running, then retry.',
    })
    expect(describeFailure(refused, model).message).toBe(
      'The connection to qwen3:8b at Ollama was lost before the reply was complete. The text so far is kept above. ' +
        'Nothing ran. Check that Ollama is running, then retry.',
    )
  })

  it('says that the demo simulates a failure, and does not mention a key', () => {
    const demo = { label: 'Demo (a script)', providerLabel: 'Nod', simulated: true }
    const { code, message } = describeFailure(apiError(401, '{}'), demo, false)
    expect(code).toBe('unauthorised')
    expect(message).toMatch(
      /^The demo simulates a failure because you asked for it\. Nothing ran\. A real failure shows: .*rejected the key/,
    )
    expect(message).not.toMatch(/Demo \(a script\)|Nod refused/)
    expect(describeFailure(new TypeError('x is not a function'), demo).message).not.toContain('you asked for it')
  })

  it('says how long to wait', () => {
    expect(describeFailure(apiError(429, '{}', { retryAfter: '20' }), model).message).toContain('Retry in 20 s, or')
    expect(describeFailure(apiError(429, '{}', { retryAfter: '600' }), model).message).toContain('Retry in 10 min')
    expect(describeFailure(apiError(429, '{}'), model).message).toContain('Retry later')
  })
})

describe('a model that does not support tools', () => {
  it.each([
    ['Ollama', apiError(400, '{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools"}}')],
    ['OpenRouter', apiError(404, '{"error":{"message":"No endpoints found that support tool use.","code":404}}')],
    ['vLLM', apiError(400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set')],
    ['llama.cpp', apiError(500, '{"error":{"code":500,"message":"tools param requires --jinja flag"}}')],
    ['Groq', apiError(400, '`tool calling` is not supported with this model')],
    ['Mistral', apiError(400, 'Function calling is not enabled for this model')],
    ['DeepSeek', apiError(400, 'deepseek-reasoner does not support Function Calling')],
    ['an error inside the stream', { message: 'this model does not support tool calling', code: 400 }],
  ])('%s: the way out is another strategy', (_name, error) => {
    const { code, message } = describeFailure(error, model, false)
    expect(code).toBe('refused')
    expect(message).toBe(
      'qwen3:8b at Ollama does not support native tool calls. Nothing ran. Choose another call format for this chat, such as JSON_Strict, ' +
        'then retry, or choose another model.',
    )
  })

  it('is not every refusal that mentions tools', () => {
    for (const words of ['tools[0].function.name is invalid', 'tool_call_id is not known', 'model not found']) {
      expect(describeFailure(apiError(400, words), model).message).not.toContain('native')
    }
  })
})

describe('the kind', () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['401', apiError(401, '{"error":{"message":"Incorrect API key provided: sk-abcdefghijkl"}}'), 'unauthorised'],
    ['403', apiError(403, 'forbidden'), 'refused'],
    ['403 about a key', apiError(403, 'Invalid API key'), 'unauthorised'],
    ['402', apiError(402, 'Payment required'), 'rate-limited'],
    ['no key at all', new LoadAPIKeyError({ message: 'OpenAI API key is missing.' }), 'unauthorised'],
    ['404', apiError(404, 'model "x" not found, try pulling it first'), 'not-found'],
    ['429', apiError(429, 'slow down'), 'rate-limited'],
    ['500', apiError(500, 'boom'), 'server-error'],
    [
      '503 inside a retry',
      new RetryError({
        message: 'Failed after 3 attempts',
        reason: 'maxRetriesExceeded',
        errors: [apiError(503, 'overloaded')],
      }),
      'server-error',
    ],
    ['400', apiError(400, 'bad field'), 'refused'],
    ['504', apiError(504, 'gateway timeout'), 'stalled'],
    ['vLLM, too long', apiError(400, "This model's maximum context length is 4096 tokens."), 'too-long'],
    ['Anthropic, too long', apiError(400, 'prompt is too long: 210000 tokens > 200000 maximum'), 'too-long'],
    ['Google, too long', apiError(400, 'The input token count (1200000) exceeds the maximum'), 'too-long'],
    ['llama.cpp, too long', { message: 'the request exceeds the available context size' }, 'too-long'],
    [
      'connection refused',
      Object.assign(new TypeError('fetch failed'), { cause: network('ECONNREFUSED') }),
      'unreachable',
    ],
    ['unknown host', Object.assign(new TypeError('fetch failed'), { cause: network('ENOTFOUND') }), 'unreachable'],
    [
      'dropped mid-stream',
      Object.assign(new TypeError('terminated'), { cause: network('UND_ERR_SOCKET') }),
      'unreachable',
    ],
    ['our watch', Object.assign(new Error('nothing came for 60 s'), { name: 'StalledError' }), 'stalled'],
    ['a timeout signal', new DOMException('The operation timed out.', 'TimeoutError'), 'stalled'],
    ['an error event with a status', { message: 'upstream overloaded', code: 502 }, 'server-error'],
    ['an error event of Anthropic', { type: 'overloaded_error', message: 'Overloaded' }, 'server-error'],
    ['not JSON', new SyntaxError('Unexpected token <'), 'bad-response'],
    ['a string', 'something odd', 'unknown'],
    ['nothing', undefined, 'unknown'],
    ['null', null, 'unknown'],
  ]
  it.each(cases)('of %s', (_name, error, code) => {
    const failure = describeFailure(error, model)
    expect(failure.code).toBe(code)
    expect(failure.message).toMatch(/Nothing ran\. .*\.$/)
    expect(failure.message).toMatch(/qwen3:8b|Ollama/)
  })

  it('survives errors that contain themselves', () => {
    const error = new Error('round') as Error & { cause?: unknown }
    error.cause = error
    expect(readFailure(error)).toMatchObject({ code: 'unknown', detail: 'round' })
  })
})

describe('the exact reason', () => {
  it.each([
    [402, 'pay', 'no-credit'],
    [429, '{"error":{"code":"insufficient_quota"}}', 'no-credit'],
    [400, 'Your credit balance is too low to access the API', 'no-credit'],
    [403, 'This content was flagged', 'moderated'],
    [403, '{"error":{"code":"unsupported_country_region_territory","message":"Country not supported"}}', 'region'],
    [403, 'Your credentials have expired', 'unauthorised'],
    [403, 'Access denied', 'refused'],
    [403, '', 'refused'],
    [404, '{"detail":"Not Found"}', 'wrong-address'],
    [404, '404 page not found', 'wrong-address'],
    [404, 'Cannot POST /v1/v1/chat/completions', 'wrong-address'],
    [404, '{"error":{"code":"404","message":"Resource not found"}}', 'wrong-address'],
    [404, 'The model `x` does not exist or you do not have access to it.', 'not-found'],
    [404, 'No endpoints found for a/b.', 'not-found'],
    [404, 'The API deployment for this resource does not exist.', 'not-found'],
    [405, '', 'wrong-address'],
    [503, '{"error":{"message":"Loading model"}}', 'loading'],
    [503, 'Model a/b is currently loading', 'loading'],
    [503, 'overloaded', 'server-error'],
  ] as const)('%s with “%s” is %s', (status, words, reason) => {
    expect(readFailure(apiError(status, words)).reason).toBe(reason)
  })

  it('is a temporary limit if the server says when to try again', () => {
    const error = apiError(429, 'You exceeded your current quota', { retryAfter: '30' })
    expect(readFailure(error).reason).toBe('rate-limited')
  })
})

describe('the detail', () => {
  it('contains status and the server’s words, no request, no address, no key', () => {
    const body = [
      'Incorrect API key provided: sk-proj-abcdefgh12345.',
      'Authorization: Bearer abc.def-123456',
      '"api_key": "hunter2hunter2"',
      'AIzaSyA1234567890abcdefghij',
      'https://x/y?key=verysecret&z=1',
      'http://me:hunter2@host/',
    ].join('\n')
    const { detail } = describeFailure(apiError(401, body), model)
    expect(detail).toContain('status 401')
    expect(detail).toContain('Incorrect API key provided')
    for (const secret of ['sk-proj', 'abc.def', 'hunter2', 'AIzaSy', 'verysecret', 'secret-host', 'the whole chat']) {
      expect(detail).not.toContain(secret)
    }
  })

  it('is cut at 2 kB between characters', () => {
    const { detail } = describeFailure(apiError(500, '日'.repeat(3_000)), model)
    expect(new TextEncoder().encode(detail).length).toBeLessThanOrEqual(2_048)
    expect(detail).toMatch(/日…$/)
  })
})

describe('a list that could not be loaded', () => {
  it.each([
    [new ListingError(401), 'Lab rejected this server’s key, so its models are missing.'],
    [new ListingError(404), 'Lab did not return a list of models. Name the models in the configuration instead.'],
    [
      new SyntaxError('Unexpected token'),
      'Lab did not return a list of models. Name the models in the configuration instead.',
    ],
    [new ListingError(500), 'Lab could not list its models (status 500).'],
    [new DOMException('timed out', 'TimeoutError'), 'Lab cannot be reached, so its models are missing.'],
  ])('%s', (error, sentence) => {
    expect(describeListingFailure(error, 'Lab').message).toBe(sentence)
  })
})
