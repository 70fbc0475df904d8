import { describe, expect, it } from 'vitest'
import { ok } from '@/lib/base/result'
import { callActsFirst } from './order-calls-first'
import type { NodApi } from './nod-api'

const acts = ['decideCall', 'finishCall', 'stopCall', 'explainDenial', 'amendCall', 'releaseResult'] as const
type Act = (typeof acts)[number]

/** A server that notes what arrives in which order; what is done with calls arrives when the test lets it. */
function slowServer() {
  const arrived: string[] = []
  let letThrough = () => {}
  let giveUp = () => {}
  const held = new Promise<void>((resolve) => (letThrough = resolve))
  const waited = new Promise<void>((resolve) => (giveUp = resolve))
  const act = (name: Act) => async (id: string) => {
    await held
    arrived.push(`${name} ${id}`)
    return ok(null)
  }
  const server = {
    ...Object.fromEntries(acts.map((name) => [name, act(name)])),
    chat: ({ conversationId }: { conversationId: string }) => {
      arrived.push(`chat ${conversationId}`)
      return Promise.resolve(ok(null))
    },
  } as unknown as NodApi
  const api = callActsFirst(server, () => waited) as unknown as Record<Act, (id: string) => Promise<unknown>> &
    Record<'chat', (body: { conversationId: string }) => Promise<unknown>>
  return { api, arrived, letThrough, giveUp }
}

describe('words that are sent after something was done with a call', () => {
  it.each(acts)('arrive behind it: %s', async (name) => {
    const { api, arrived, letThrough } = slowServer()
    const done = api[name]('c1')
    const sent = api.chat({ conversationId: 'c1' })
    await Promise.resolve()
    expect(arrived).toEqual([])
    letThrough()
    await Promise.all([done, sent])
    expect(arrived).toEqual([`${name} c1`, 'chat c1'])
    await api.chat({ conversationId: 'c1' })
    expect(arrived).toHaveLength(3)
  })

  it('wait for no other chat', async () => {
    const { api, arrived } = slowServer()
    void api.stopCall('c1')
    await api.chat({ conversationId: 'c2' })
    expect(arrived).toEqual(['chat c2'])
  })

  it('go all the same when the network hangs', async () => {
    const { api, arrived, giveUp } = slowServer()
    void api.finishCall('c1')
    const sent = api.chat({ conversationId: 'c1' })
    giveUp()
    await sent
    expect(arrived).toEqual(['chat c1'])
  })
})
