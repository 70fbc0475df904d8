import { chunkOf, type Habit } from './habit'

type Send = Habit['send']
const habit = (does: string, send: Send, expected: Habit['expected']): Habit => ({ does, send, expected })

const text = 'Words of a rarer server: 好 😀.'

/** Text, then this and nothing more. */
const midway = (does: string, send: Send, says: string, detail?: string): Habit =>
  habit(
    does,
    (out, asked) => {
      out.words('some words')
      return send(out, asked)
    },
    { text: 'some words', outcome: 'failed', says, ...(detail !== undefined && { detail }) },
  )

const refusing = (
  does: string,
  status: number,
  body: unknown,
  [says, detail]: readonly [string, string?],
  headers: Readonly<Record<string, string>> = {},
): Habit =>
  habit(does, (out) => out.answer(status, body, headers), {
    outcome: 'failed',
    says,
    ...(detail !== undefined && { detail }),
  })

const crashed = 'failed while'
const page = '<html><head><title>503 Service Unavailable</title></head><body>back soon</body></html>'

/** Errors that are seen less often. */
export const rarerErrorHabits: Readonly<Record<string, Habit>> = {
  'r-error-code-string': midway(
    'sends an error with a status as text',
    (out) => out.event({ error: { code: '429', message: 'Rate limit reached' } }),
    'too many requests',
    'Rate limit reached',
  ),
  'r-error-in-choice': midway(
    'puts its error into the choice',
    (out) =>
      out.event({
        choices: [{ index: 0, delta: {}, finish_reason: 'error', error: { code: 502, message: 'upstream died' } }],
      }),
    crashed,
    'upstream died',
  ),
  'r-error-in-delta': midway(
    'puts its error into the delta',
    (out) => out.event({ choices: [{ index: 0, delta: { error: 'upstream died' }, finish_reason: 'error' }] }),
    crashed,
    'upstream died',
  ),
  'r-error-anthropic': midway(
    'sends an error as Anthropic does',
    (out) =>
      out.raw('event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'),
    crashed,
    'Overloaded',
  ),
  'r-error-fastapi': midway(
    'sends FastAPI’s detail in the stream',
    (out) => out.event({ detail: 'CUDA out of memory' }),
    crashed,
    'CUDA out of memory',
  ),
  'r-error-code-message': midway(
    'sends a code and a message (Chinese gateways)',
    (out) => out.event({ code: 1302, message: '您的账户已达到速率限制' }),
    'too many requests',
    '速率限制',
  ),
  'r-error-success-false': midway(
    'sends success false',
    (out) => out.event({ success: false, msg: 'no capacity' }),
    crashed,
    'no capacity',
  ),
  'r-error-base-resp': midway(
    'sends MiniMax’s base_resp',
    (out) => out.event({ choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }),
    'no credit',
    'insufficient balance',
  ),
  'r-error-python': midway(
    'sends the text of a Python exception as a line',
    (out) => out.raw('Traceback (most recent call last):\n  File "a.py", line 1\nRuntimeError: CUDA error\n'),
    'cut off',
    'CUDA error',
  ),
  'r-error-page-midway': midway(
    'ends with a web page in the stream',
    (out) => out.raw(`\n${page}`),
    'cut off',
    'Service Unavailable',
  ),
  'r-200-detail': habit('answers 200 with a detail', (out) => out.answer(200, { detail: 'Model not loaded' }), {
    outcome: 'failed',
    says: crashed,
    detail: 'Model not loaded',
  }),
  'r-200-status': habit(
    'answers 200 with a status inside',
    (out) => out.answer(200, { status: 'error', code: 500, message: 'no worker' }),
    { outcome: 'failed', says: crashed, detail: 'no worker' },
  ),
  'r-200-xml': habit(
    'answers 200 with XML',
    (out) => {
      out.begin('application/xml')
      out.raw('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>')
    },
    { outcome: 'failed', says: 'web page' },
  ),
  'r-200-empty-json': habit('answers 200 with an empty object', (out) => out.answer(200, {}), {
    outcome: 'failed',
    says: 'invalid response',
  }),
  'r-429-date': refusing('limits requests until a date', 429, { error: { message: 'slow down' } }, ['in 5'], {
    'retry-after': new Date(Date.now() + 55 * 60_000).toUTCString(),
  }),
  'r-429-ms': refusing('limits requests for milliseconds', 429, { error: { message: 'slow down' } }, ['in 3 s'], {
    'retry-after-ms': '2500',
  }),
  'r-429-reset': refusing('limits requests and names no time', 429, '', ['later']),
  'r-429-words': refusing(
    'limits requests and names the time in words',
    429,
    { error: { message: 'Rate limit reached. Please try again in 7.66s.' } },
    ['in 8 s'],
  ),
  'r-503-page': refusing('is down, with a page', 503, page, [crashed, 'Service Unavailable']),
  'r-503-after': refusing('is down for a time', 503, page, [crashed], { 'retry-after': '120' }),
  'r-500-empty': refusing('fails without a word', 500, '', [crashed]),
  'r-520': refusing('fails as Cloudflare does', 520, 'error code: 520', [crashed, '520']),
  'r-524': refusing('times out as Cloudflare does', 524, 'error code: 524', ['sent nothing for too long']),
  'r-413': refusing('finds the request too large', 413, '<h1>413 Request Entity Too Large</h1>', ['too l']),
  'r-401-detail': refusing('wants a key', 401, { detail: 'Not authenticated' }, ['rejected the key']),
  'r-407': refusing('is behind a proxy that wants a password', 407, page, ['could not be reached']),
  'r-400-words': refusing('refuses with plain words', 400, 'model is required', [
    'rejected the request',
    'model is required',
  ]),
  'r-400-nested': refusing(
    'refuses with an error in a text in an error',
    400,
    {
      error: { message: JSON.stringify({ error: { message: "This model's maximum context length is 8192 tokens" } }) },
    },
    ['too long'],
  ),
  'r-400-zh': refusing('refuses in Chinese', 400, { error: { message: '输入长度超过模型上下文长度限制' } }, [
    'too long',
  ]),
  'r-402-zh': refusing('has no balance, in Chinese', 403, { error: { message: '账户余额不足' } }, ['no credit']),
  'r-418': refusing('refuses with a status that nobody knows', 418, 'teapot', ['rejected the request', 'teapot']),
  'r-redirect': habit(
    'redirects to itself once',
    (out) => {
      if (out.before === 0) {
        out.response.writeHead(307, { location: '/v1/chat/completions' })
        return
      }
      out.words(text)
      out.stop()
    },
    { text },
  ),
  'r-redirect-loop': habit(
    'redirects to itself for ever',
    (out) => void out.response.writeHead(307, { location: '/v1/chat/completions' }),
    // A loop on a slow machine takes longer than the longest silence.
    { outcome: 'failed', says: 'Nothing ran' },
  ),
  'r-redirect-302': habit(
    'redirects to a page to sign in',
    (out) => void out.response.writeHead(302, { location: '/sign-in' }),
    // A browser follows no redirect, and does not learn that there was one.
    { outcome: 'failed', says: 'Nothing ran' },
  ),
  'r-slow-header': habit(
    'sends its first byte late, in the middle of a letter',
    async (out) => {
      const bytes = new TextEncoder().encode(`data: ${JSON.stringify(chunkOf({ content: text }))}\n\n`)
      await out.wait(500)
      const at = bytes.indexOf(0xe5) + 1
      out.raw(bytes.slice(0, at))
      await out.wait(200)
      out.raw(bytes.slice(at))
      out.stop()
    },
    { text },
  ),
  'r-letter-cut': habit(
    'breaks off in the middle of a letter, after its finish reason',
    (out) => {
      out.words(text)
      out.delta({}, 'stop')
      out.raw(new Uint8Array([0x64, 0x61, 0x74, 0x61, 0x3a, 0xe5, 0xa5]))
    },
    { text },
  ),
}
