import { describe, expect, it, vi } from 'vitest'
import { err, ok } from '@/lib/base/result'
import type { ChatRequest, ChatResponse, ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import type { ApiAnswer } from '../api/api-failure'
import type { NodApi } from '../api/nod-api'
import { browserModelApi, type LocalModels } from './browser-model-api'

const body: ChatRequest = { conversationId: 'c', append: { kind: 'user', id: 'u', parentId: null, text: 'hi' } }
const model = 'browser/ollama:m'
const refusal = err({
  code: 'unknown-model',
  status: 400,
  reason: 'chat.tab-model',
  values: { model },
  message: 'elsewhere',
} as const)
const listed = ok<ModelsResponse>({ models: [], defaultModel: 'demo/demo', problems: [] })
const info = { id: model, label: 'm', providerLabel: 'Ollama', contextTokens: null, simulated: false }

const accepted: ApiAnswer<ChatResponse> = ok({} as ChatResponse)

function page({ known = '', own = false, answer = accepted, broken = false } = {}) {
  const chat = vi.fn<NodApi['chat']>(() => Promise.resolve(answer))
  const stopRun = vi.fn<NodApi['stopRun']>(() => Promise.resolve(ok(null)))
  const here = {
    chat: vi.fn<LocalModels['chat']>(() => Promise.resolve(ok({ runId: 'here' } as ChatResponse))),
    stop: vi.fn<LocalModels['stop']>(),
    settled: () => Promise.resolve(true),
    exactOf: () => null,
    list: () => Promise.resolve([info]),
  } satisfies LocalModels
  const load = vi.fn<() => Promise<LocalModels>>(() =>
    broken ? Promise.reject(new Error('not loaded')) : Promise.resolve<LocalModels>(here),
  )
  const server = { chat, stopRun, models: () => Promise.resolve(listed) } as unknown as NodApi
  return { api: browserModelApi(server, { modelOf: () => known, hasOwn: () => own, load }), chat, here, load, stopRun }
}

describe('a chat whose replies may be written here', () => {
  it('is the server’s alone as long as nothing is the browser’s own', async () => {
    const { api, chat, load } = page({ known: 'demo/demo' })
    await api.chat(body)
    expect(await api.models()).toEqual(listed)
    await api.stopRun('r')
    expect(chat).toHaveBeenCalledOnce()
    expect(load).not.toHaveBeenCalled()
  })

  it('is written here by a model of the browser, whether the page knew of it or the server said so', async () => {
    const known = page({ known: model })
    expect(await known.api.chat(body)).toMatchObject({ value: { runId: 'here' } })
    expect(known.chat).not.toHaveBeenCalled()
    const told = page({ answer: refusal })
    expect(await told.api.chat(body)).toMatchObject({ value: { runId: 'here' } })
    expect(told.here.chat).toHaveBeenCalledWith(body, model, told.chat)
    await told.api.stopRun('here')
    expect([told.here.stop.mock.calls, told.stopRun.mock.calls]).toEqual([[['here']], [['here']]])
  })

  it('keeps the server’s word where the part that writes does not load', async () => {
    const { api } = page({ answer: refusal, broken: true })
    expect(await api.chat(body)).toEqual(refusal)
    expect(await page({ own: true, broken: true }).api.models()).toEqual(listed)
  })

  it('has the browser’s models beside those of the server', async () => {
    expect(await page({ own: true }).api.models()).toMatchObject({ value: { models: [info] } })
  })
})
