import { describe, expect, it } from 'vitest'
import { err, ok } from '@/lib/base/result'
import { failed, mayRetry, type ApiAnswer, type ApiFailure } from './api-failure'
import { createNodApi, exportAddress } from './nod-api'
import { withRetry } from './api-client'

const answering = (respond: (path: string, init: RequestInit | undefined) => Response | Promise<Response>) =>
  createNodApi(async (input, init) => respond(input instanceof Request ? input.url : input.toString(), init))

const failureOf = async (asked: Promise<ApiAnswer<unknown>>): Promise<ApiFailure> => {
  const answer = await asked
  if (answer.ok) throw new Error('expected a failure')
  return answer.error
}

describe('the client’s API', () => {
  it('shows a refusal in the page’s own text for its reason', async () => {
    const error = { code: 'too-large', reason: 'server.too-large', values: { maxBytes: 1e6 }, message: 'Zu groß.' }
    const failure = await failureOf(answering(() => Response.json({ error }, { status: 413 })).view('x'))
    expect(failure).toMatchObject({ code: 'too-large', status: 413, reason: error.reason, values: error.values })
    expect(failure.message).toBe('This is larger than the limit of 1 MB per request. Shorten it.')
  })

  it.each([
    ['a reason of a newer server', { reason: 'chat.moon', values: {} }],
    ['a reason of an area of a newer server', { reason: 'moon.full', values: {} }],
    ['values that its words can’t take', { reason: 'chat.results.open', values: {} }],
    ['no reason, as servers of before', {}],
  ])('shows a refusal in the server’s own text: %s', async (_, more) => {
    const api = answering(() =>
      Response.json({ error: { code: 'conflict', ...more, message: 'No.' } }, { status: 409 }),
    )
    expect(await failureOf(api.view('x'))).toMatchObject({ code: 'conflict', status: 409, message: 'No.' })
  })

  it.each([
    ['10', 10_000],
    ['999999999', 86_400_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    ['-3', undefined],
    [null, undefined],
  ])('knows when to try again: Retry-After %s', async (header, expected) => {
    const error = { code: 'rate-limited', reason: '', values: {}, message: 'Full.' }
    const headers = header === null ? {} : { 'retry-after': header }
    const api = answering(() => Response.json({ error }, { status: 429, headers }))
    expect((await failureOf(api.view('x'))).retryAfterMs).toBe(expected)
  })

  it('takes a gateway’s error page as “server unreachable”, not as a refusal', async () => {
    const away = answering(() => Promise.reject(new TypeError('fetch failed')))
    expect((await failureOf(away.models())).code).toBe('unreachable')
    const gateway = answering(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    expect((await failureOf(gateway.models())).code).toBe('unreachable')
    const refused = answering(() => new Response('nope', { status: 403 }))
    expect(await failureOf(refused.models())).toMatchObject({ code: 'bad-answer', status: 403 })
  })

  it.each([
    [413, 'too-large', /larger than the server or its proxy accepts/],
    [429, 'rate-limited', /Wait a moment, then try again/],
    [403, 'bad-answer', /rejected this request \(403\)\. Reload the page/],
  ])('says what a proxy’s refusal means, and what to do: %s', async (status, code, message) => {
    const headers = { 'retry-after': '7' }
    const api = answering(() => new Response('<h1>No</h1>', { status, headers }))
    const failure = await failureOf(api.view('x'))
    expect(failure).toMatchObject({ code, status, retryAfterMs: 7_000 })
    expect(failure.message).toMatch(message)
  })

  it('reports a response that breaks off', async () => {
    const api = answering(() => new Response('{"conversation": {"id"', { status: 200 }))
    expect((await failureOf(api.view('x'))).message).toContain('cut off')
  })

  it('escapes ids and search text in addresses', async () => {
    const paths: string[] = []
    const api = answering((path) => {
      paths.push(path)
      return Response.json({ conversations: [] })
    })
    await api.conversations('a&b=ä')
    await api.view('../models')
    await api.messages('a', ['b', '../c'])
    expect(paths).toEqual([
      '/api/conversations?q=a%26b%3D%C3%A4',
      '/api/conversations/..%2Fmodels?last=200',
      '/api/conversations/a/messages?ids=b,..%2Fc',
    ])
  })

  it('sends amendments, releases and grants to their routes, and returns the content of the envelope', async () => {
    const asked: string[] = []
    const api = answering((path, init) => {
      asked.push(`${init?.method} ${path}`)
      return Response.json({ amendments: ['a'], call: 'c', grant: 'g' })
    })
    const at = { messageId: 'm', slot: 0 }
    expect(await api.amendCall('c1', { ...at, amendment: null })).toEqual(ok(['a']))
    const release = { kind: 'sent', note: '' } as const
    expect(await api.releaseResult('c1', { ...at, attempt: 1, release })).toEqual(ok('c'))
    expect(await api.giveGrant('c1', { ...at, id: 'g1', callHash: 'h', kind: 'tool' })).toEqual(ok('g'))
    expect(await api.revokeGrant('c1', 'g/1')).toEqual(ok('g'))
    expect(asked).toEqual([
      'PUT /api/conversations/c1/amendments',
      'PATCH /api/conversations/c1/calls',
      'POST /api/conversations/c1/grants',
      'DELETE /api/conversations/c1/grants/g%2F1',
    ])
  })

  it('tells an aborted request from one without a response', async () => {
    const given = new AbortController()
    const api = answering(() => {
      given.abort()
      return Promise.reject(new DOMException('given up', 'AbortError'))
    })
    expect((await failureOf(api.exportChat('c1', given.signal))).code).toBe('aborted')
    expect((await failureOf(api.importChat('i', {}, [], new AbortController().signal))).code).toBe('unreachable')
  })
})

describe('the log of a conversation', () => {
  it('is fetched page by page, and no page twice', async () => {
    const pages = [
      { entries: [{ seq: 1 }, { seq: 2 }], next: 2 },
      { entries: [{ seq: 3 }], next: 3 },
      { entries: [], next: 3 },
    ]
    const asked: string[] = []
    const api = answering((path) => {
      asked.push(path)
      return Response.json(pages[asked.length - 1])
    })
    expect(await api.log('a/b')).toEqual(ok([{ seq: 1 }, { seq: 2 }, { seq: 3 }]))
    const log = '/api/conversations/a%2Fb/log'
    expect(asked).toEqual([log, `${log}?after=2`, `${log}?after=3`])
    expect(exportAddress('a/b')).toBe('/api/conversations/a%2Fb/export')
  })

  it.each([
    ['{"error":{"code":"not-found","message":"This chat does not exist."}}', 404, 'This chat does not exist.'],
    ['{"ent', 200, 'The server’s response was cut off. Try again.'],
    ['{"entries":5}', 200, 'The server’s response was cut off. Try again.'],
    ['null', 200, 'The server’s response was cut off. Try again.'],
  ])('%s is refused with a sentence', async (body, status, message) => {
    const api = answering(() => new Response(body, { status }))
    expect(await failureOf(api.log('c1'))).toMatchObject({ message })
  })
})

const why = (message: string) => ({ reason: '', values: {}, message })

describe('retries', () => {
  it.each([
    ['unreachable', 0, true],
    ['unavailable', 503, true],
    ['rate-limited', 429, true],
    ['internal', 500, true],
    ['bad-answer', 200, true],
    ['bad-answer', 500, true],
    ['bad-answer', 404, false],
    ['conflict', 409, false],
    ['too-large', 413, false],
    ['not-found', 404, false],
    ['page-broke', 0, false],
  ] as const)('says for %s (%i) whether a retry may help', (code, status, may) => {
    expect(mayRetry({ code, status, ...why('A sentence.') })).toBe(may)
  })

  it('retries while it may help, reports each failure, and gives up after this many tries', async () => {
    const told: string[] = []
    const waits: number[] = []
    const options = {
      tries: 3,
      wait: async (ms: number) => void waits.push(ms),
      onRetry: ({ code }: ApiFailure) => void told.push(code),
    }
    const away = () => Promise.resolve(failed('unreachable', 0, why('Away.')))
    expect((await failureOf(withRetry(away, options))).code).toBe('unreachable')
    expect([told, waits]).toEqual([
      ['unreachable', 'unreachable'],
      [500, 1000],
    ])
    waits.length = 0
    const full = () =>
      Promise.resolve(err({ code: 'unavailable', status: 503, ...why('Full.'), retryAfterMs: 700 } as const))
    await withRetry(full, { tries: 3, wait: options.wait })
    expect(waits).toEqual([700, 1000])
    const refused = () => Promise.resolve(failed('conflict', 409, why('No.')))
    expect((await failureOf(withRetry(refused, options))).code).toBe('conflict')
    expect(told).toHaveLength(2)
  })
})
