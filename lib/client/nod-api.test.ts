import { describe, expect, it } from 'vitest'
import { ApiFailure, createClientApi, sentenceOf } from './api'

const answering = (respond: (path: string, init: RequestInit | undefined) => Response | Promise<Response>) =>
  createClientApi(async (input, init) => respond(input instanceof Request ? input.url : input.toString(), init))

const failureOf = async (promise: Promise<unknown>): Promise<ApiFailure> => {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiFailure)) throw new Error('expected an ApiFailure')
  return error
}

describe('the client’s API', () => {
  it('gives the server’s own sentence and code', async () => {
    const api = answering(() =>
      Response.json({ error: { code: 'too-large', message: 'At most 1 MB.' } }, { status: 413 }),
    )
    expect(await failureOf(api.view('x'))).toMatchObject({ code: 'too-large', status: 413, message: 'At most 1 MB.' })
  })

  it('tells no answer from a refusal: a gateway’s error page means that the server is away', async () => {
    const away = answering(() => Promise.reject(new TypeError('fetch failed')))
    expect((await failureOf(away.models())).code).toBe('unreachable')
    const gateway = answering(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    expect((await failureOf(gateway.models())).code).toBe('unreachable')
    const refused = answering(() => new Response('nope', { status: 403 }))
    expect(await failureOf(refused.models())).toMatchObject({ code: 'bad-answer', status: 403 })
  })

  it('says so when an answer breaks off', async () => {
    const api = answering(() => new Response('{"conversation": {"id"', { status: 200 }))
    expect((await failureOf(api.view('x'))).message).toContain('broke off')
  })

  it('escapes ids and questions in addresses', async () => {
    const paths: string[] = []
    const api = answering((path) => {
      paths.push(path)
      return Response.json({ conversations: [] })
    })
    await api.conversations('a&b=ä')
    await api.view('../models')
    expect(paths).toEqual(['/api/conversations?q=a%26b%3D%C3%A4', '/api/conversations/..%2Fmodels'])
  })

  it('takes amendments, releases and grants to their routes, and gives what is in the envelope', async () => {
    const asked: string[] = []
    const api = answering((path, init) => {
      asked.push(`${init?.method} ${path}`)
      return Response.json({ amendments: ['a'], call: 'c', grant: 'g' })
    })
    const at = { messageId: 'm', slot: 0 }
    expect(await api.amendCall('c1', { ...at, amendment: null })).toEqual(['a'])
    const release = { kind: 'sent', note: '' } as const
    expect(await api.releaseResult('c1', { ...at, attempt: 1, release })).toBe('c')
    expect(await api.giveGrant('c1', { ...at, id: 'g1', callHash: 'h', kind: 'tool' })).toBe('g')
    expect(await api.revokeGrant('c1', 'g/1')).toBe('g')
    expect(asked).toEqual([
      'PUT /api/conversations/c1/amendments',
      'PATCH /api/conversations/c1/calls',
      'POST /api/conversations/c1/grants',
      'DELETE /api/conversations/c1/grants/g%2F1',
    ])
  })

  it('never shows the inner workings of a mistake of ours', () => {
    expect(sentenceOf(new TypeError('x is not a function'))).not.toContain('function')
  })
})
