import { expect, it, vi } from 'vitest'
import { ok } from '@/lib/base/result'
import { failed, type ApiAnswer } from '@/lib/client/api/api-failure'
import type { NodApi } from '@/lib/client/api/nod-api'
import type { ConversationExport } from '@/lib/shared/conversation/wire/api-types'
import type { Conversation } from '@/lib/shared/conversation/conversation'
import { takeChats, type ForeignRequest, type ForeignWorkerPort, type FoundChat } from './take-chats'

const found = (number: number): FoundChat => ({
  number,
  id: `chatgpt-${number}`,
  source: 'chatgpt',
  title: '',
  updatedAt: 0,
  messages: 1,
  skipped: {},
})

/** A worker that returns the requested chats, one by one. */
function workerOf(): ForeignWorkerPort & { readonly asked: ForeignRequest[] } {
  const left: number[] = []
  const asked: ForeignRequest[] = []
  const worker: ForeignWorkerPort & { readonly asked: ForeignRequest[] } = {
    asked,
    onmessage: null,
    onerror: null,
    terminate: () => undefined,
    postMessage(ask) {
      asked.push(ask)
      if (ask.kind === 'take') left.push(...ask.numbers)
      const number = left.shift()
      worker.onmessage?.({
        data:
          number === undefined
            ? { kind: 'taken' }
            : { kind: 'chat', number, id: `chatgpt-${number}`, exported: {} as ConversationExport },
      })
    },
  }
  return worker
}

const refusal = (code: Parameters<typeof failed>[0], message: string) =>
  failed(code, 400, { reason: 'x', values: {}, message })
const stored: ApiAnswer<Conversation> = ok({} as Conversation)

async function take(answers: readonly ApiAnswer<Conversation>[], chosen = [0, 1, 2], stopAfter = Infinity) {
  const controller = new AbortController()
  const answered = answers.values()
  let calls = 0
  const importChat = vi.fn<NodApi['importChat']>(() => {
    calls += 1
    if (calls >= stopAfter) controller.abort()
    return Promise.resolve(answered.next().value ?? stored)
  })
  const waits: number[] = []
  const taken = await takeChats(new Blob(), chosen.map(found), {
    worker: workerOf(),
    api: { importChat },
    signal: controller.signal,
    onProgress: () => undefined,
    onWait: (ms) => waits.push(ms),
    wait: () => Promise.resolve(),
  })
  return { taken, waits, ids: importChat.mock.calls.map(([id]) => id) }
}

it('stores them one by one, names refused ones, and continues', async () => {
  const { taken, ids } = await take([stored, refusal('bad-request', 'Too long.')])
  expect(taken).toEqual({ taken: [0, 2], refused: [{ number: 1, why: 'Too long.' }], ended: null })
  expect(ids).toEqual(['chatgpt-0', 'chatgpt-1', 'chatgpt-2'])
})

it('waits when the server asks for it, and sends the same again', async () => {
  const busy = refusal('rate-limited', 'Wait.')
  if (busy.ok) throw new Error('no refusal')
  const later: ApiAnswer<never> = { ok: false, error: { ...busy.error, retryAfterMs: 7_000 } }
  const { taken, waits, ids } = await take([later, refusal('unreachable', 'Away.')])
  expect(taken.taken).toEqual([0, 1, 2])
  expect(waits).toEqual([7_000, 2_000])
  expect(ids.slice(0, 3)).toEqual(['chatgpt-0', 'chatgpt-0', 'chatgpt-0'])
})

it('ends and says why if there is no space left, or the server stays away', async () => {
  expect((await take([stored, refusal('storage-full', 'Full.')])).taken).toEqual({
    taken: [0],
    refused: [],
    ended: { why: 'Full.' },
  })
  const away = Array.from({ length: 40 }, () => refusal('unreachable', 'Away.'))
  expect((await take(away)).taken).toEqual({ taken: [], refused: [], ended: { why: 'Away.' } })
})

it('stops on abort', async () => {
  expect((await take([], [0, 1, 2], 2)).taken).toEqual({ taken: [0], refused: [], ended: 'stopped' })
})
