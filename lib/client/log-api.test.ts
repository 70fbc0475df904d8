import { expect, test } from 'vitest'
import { createLogApi, exportAddress } from './log-api'

const answering = (body: string, status = 200) => {
  const asked: string[] = []
  const api = createLogApi(async (input) => {
    asked.push(typeof input === 'string' ? input : 'another kind of request')
    return new Response(body, { status })
  })
  return { api, asked }
}

test('asks for the log of one conversation', async () => {
  const { api, asked } = answering('{"entries":[{"seq":1}]}')
  expect(await api.entries('a/b')).toEqual([{ seq: 1 }])
  expect(asked).toEqual(['/api/conversations/a%2Fb/log'])
  expect(exportAddress('a/b')).toBe('/api/conversations/a%2Fb/export')
})

test('asks for every page, and for none twice', async () => {
  const pages = [
    { entries: [{ seq: 1 }, { seq: 2 }], next: 2 },
    { entries: [{ seq: 3 }], next: 3 },
    { entries: [], next: 3 },
  ]
  const asked: string[] = []
  const api = createLogApi(async (input) => {
    asked.push(typeof input === 'string' ? input : 'another kind of request')
    return Response.json(pages[asked.length - 1])
  })
  expect((await api.entries('c')).map(({ seq }) => seq)).toEqual([1, 2, 3])
  expect(asked).toEqual(
    [2, 3].reduce((all, after) => [...all, `/api/conversations/c/log?after=${after}`], ['/api/conversations/c/log']),
  )
})

test.each([
  ['{"error":{"code":"not-found","message":"There is no such chat."}}', 404, 'There is no such chat.'],
  ['{"ent', 200, 'The server’s answer broke off. Try again.'],
  ['{"entries":5}', 200, 'The server’s answer broke off. Try again.'],
])('%s is refused with a sentence', async (body, status, message) => {
  await expect(answering(body, status).api.entries('c1')).rejects.toMatchObject({ name: 'ApiFailure', message })
})

test('no answer is told as such', async () => {
  const api = createLogApi(() => Promise.reject(new TypeError('fetch failed')))
  await expect(api.entries('c1')).rejects.toMatchObject({ code: 'unreachable' })
})
