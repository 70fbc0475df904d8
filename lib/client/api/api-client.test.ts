import { describe, expect, it } from 'vitest'
import { createNodApi, type NodApi } from './nod-api'

const body = {} as never
/** The requests that record decisions on a call. */
const acts = {
  decideCall: (api, id) => api.decideCall(id, body),
  finishCall: (api, id) => api.finishCall(id, body),
  stopCall: (api, id) => api.stopCall(id, body),
  explainDenial: (api, id) => api.explainDenial(id, body),
  amendCall: (api, id) => api.amendCall(id, body),
  releaseResult: (api, id) => api.releaseResult(id, body),
} satisfies Partial<Record<keyof NodApi, (api: NodApi, id: string) => Promise<unknown>>>
const append = { kind: 'user', id: 'u', parentId: null, text: 'hi' } as const

/** A server that lists the requests it receives. Requests about calls arrive when the test lets them. */
function slowServer() {
  const arrived: string[] = []
  let letThrough = () => {}
  let timeOut = () => {}
  const held = new Promise<void>((resolve) => (letThrough = resolve))
  const waited = new Promise<void>((resolve) => (timeOut = resolve))
  const api = createNodApi(
    async (input) => {
      const [, , name, id] = (input as string).split('/')
      if (name !== 'chat') await held
      arrived.push(name === 'chat' ? 'chat' : `calls ${id ?? ''}`)
      return Response.json({})
    },
    { wait: () => waited },
  )
  const chat = (conversationId: string) => api.chat({ conversationId, append })
  return { api, chat, arrived, letThrough, timeOut }
}

describe('a message that is sent after a request about a call', () => {
  it.each(Object.entries(acts))('arrives after it: %s', async (_, act) => {
    const { api, chat, arrived, letThrough } = slowServer()
    const done = act(api, 'c1')
    const sent = chat('c1')
    await new Promise((resolve) => setTimeout(resolve))
    expect(arrived).toEqual([])
    letThrough()
    await Promise.all([done, sent])
    expect(arrived).toEqual(['calls c1', 'chat'])
    await chat('c1')
    expect(arrived).toHaveLength(3)
  })

  it('does not wait for requests of another chat', async () => {
    const { api, chat, arrived } = slowServer()
    void acts.stopCall(api, 'c1')
    await chat('c2')
    expect(arrived).toEqual(['chat'])
  })

  it('is sent after a time limit when the network hangs', async () => {
    const { api, chat, arrived, timeOut } = slowServer()
    void acts.finishCall(api, 'c1')
    const sent = chat('c1')
    timeOut()
    await sent
    expect(arrived).toEqual(['chat'])
  })
})
