import { describe, expect, it, vi } from 'vitest'
import { ok } from '@/lib/base/result'
import type { ChatRequest, ChatResponse, ModelsResponse } from '@/lib/shared/conversation/wire/api-types'
import { createNodApi, type LocalModels } from './nod-api'

const body: ChatRequest = { conversationId: 'c', append: { kind: 'user', id: 'u', parentId: null, text: 'hi' } }
const model = 'browser/ollama:m'
const refusal = { code: 'unknown-model', reason: 'chat.tab-model', values: { model }, message: 'elsewhere' } as const
const listed: ModelsResponse = { models: [], defaultModel: 'demo/demo', problems: [] }
const info = { id: model, label: 'm', providerLabel: 'Ollama', contextTokens: null, simulated: false }

function page({ known = '', own = false, refused = false, broken = false } = {}) {
  const asked: string[] = []
  const here = {
    chat: vi.fn<LocalModels['chat']>(() => Promise.resolve(ok({ runId: 'here' } as ChatResponse))),
    stop: vi.fn<LocalModels['stop']>(),
    list: () => Promise.resolve([info]),
  } satisfies LocalModels
  const load = vi.fn<() => Promise<LocalModels>>(() =>
    broken ? Promise.reject(new Error('not loaded')) : Promise.resolve<LocalModels>(here),
  )
  const api = createNodApi(
    (input) => {
      asked.push(input as string)
      if (input === '/api/models') return Promise.resolve(Response.json(listed))
      if (input !== '/api/chat') return Promise.resolve(new Response(null, { status: 204 }))
      return Promise.resolve(
        refused ? Response.json({ error: refusal }, { status: 400 }) : Response.json({ runId: 's' }),
      )
    },
    { browserModels: { modelOf: () => known, hasOwn: () => own, load } },
  )
  return { api, asked, here, load }
}

describe('a page whose replies may be written by a browser model', () => {
  it('asks only the server as long as the browser has no models', async () => {
    const { api, asked, load } = page({ known: 'demo/demo' })
    expect(await api.chat(body)).toEqual(ok({ runId: 's' }))
    expect(await api.models()).toEqual(ok(listed))
    await api.stopRun('r')
    expect(asked).toEqual(['/api/chat', '/api/models', '/api/runs/r/stop'])
    expect(load).not.toHaveBeenCalled()
  })

  it('writes with a browser model that the page knows', async () => {
    const { api, asked } = page({ known: model })
    expect(await api.chat(body)).toMatchObject({ value: { runId: 'here' } })
    expect(asked).toEqual([])
  })

  it('writes with a browser model that the server names, and stops it there too', async () => {
    const { api, asked, here } = page({ refused: true })
    expect(await api.chat(body)).toMatchObject({ value: { runId: 'here' } })
    expect(here.chat).toHaveBeenCalledWith(body, model, expect.any(Function))
    await api.stopRun('here')
    expect(here.stop.mock.calls).toEqual([['here']])
    expect(asked).toEqual(['/api/chat', '/api/runs/here/stop'])
  })

  it('returns the server’s answer when the code for browser models does not load', async () => {
    const { api } = page({ refused: true, broken: true })
    expect(await api.chat(body)).toMatchObject({ ok: false, error: { reason: refusal.reason } })
    expect(await page({ own: true, broken: true }).api.models()).toEqual(ok(listed))
  })

  it('lists the browser’s models after those of the server', async () => {
    expect(await page({ own: true }).api.models()).toMatchObject({ value: { models: [info] } })
  })
})
