import { describe, expect, it } from 'vitest'
import { ApiFailure } from '@/lib/client/api'
import { createCallServer, type CallApi } from './call-server'

const failing = (error: unknown): CallApi =>
  ({
    async finishCall() {
      throw error
    },
    view: async () => ({ calls: [], amendments: [], grants: [] }),
  }) as unknown as CallApi

const nothingPosted = () => Promise.reject(new Error('nothing is posted here'))

const finish = (api: CallApi) =>
  createCallServer(api, nothingPosted).finish('c', {
    messageId: 'm',
    slot: 0,
    attempt: 1,
    runnerId: 'r',
    outcome: { status: 'completed', result: 1, durationMs: 1, console: [], displays: [] },
  })

describe('createCallServer', () => {
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
  ] as const)('says of %s (%i) whether asking again can help', async (code, status, retryable) => {
    const answer = await finish(failing(new ApiFailure(code, status, 'A sentence.')))
    expect(answer).toEqual({ ok: false, error: { code, message: 'A sentence.', retryable } })
  })

  it('never asks again for a failure of our own, and never rejects', async () => {
    const answer = await finish(failing(new TypeError('x is undefined')))
    expect(answer).toMatchObject({ ok: false, error: { code: 'internal', retryable: false } })
  })

  it('gives the rows of a conversation', async () => {
    const rows = { calls: [], amendments: [], grants: [] }
    expect(await createCallServer(failing(null), nothingPosted).loadRows('c')).toEqual({ ok: true, value: rows })
  })
})
