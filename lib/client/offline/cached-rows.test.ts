import { beforeEach, describe, expect, it } from 'vitest'
import { whoHeader } from '@/lib/shared/conversation/wire/addresses'
import { createCachedRows } from './cached-pages'
import { cacheNames } from './offline-caches'
import { memoryCaches } from './testing/memory-caches'

type Reply = Response | 'nobody'

const list = 'https://nod.test/api/conversations'
const chat = (id: string) => `${list}/${id}?last=200`
let caches: CacheStorage
let reply: (url: string) => Reply
let behind: Promise<unknown>[]
let owner: string | null

const make = () =>
  createCachedRows({
    caches,
    names: cacheNames(''),
    owner: () => Promise.resolve(owner),
    now: () => 1_000,
    later: (work) => void behind.push(work),
    fetch(request) {
      const answer = reply(request.url)
      return answer === 'nobody' ? Promise.reject(new TypeError('no network')) : Promise.resolve(answer)
    },
  })
const ask = async (rows: ReturnType<typeof make>, url: string, who = '') => {
  const headers: HeadersInit = who === '' ? {} : { [whoHeader]: who }
  const answer = await rows.answer(new Request(url, { headers }))
  await Promise.all(behind)
  return answer
}
const says =
  (body: object, status = 200) =>
  () =>
    Response.json(body, { status })
const nobody = () => 'nobody' as const

beforeEach(() => {
  caches = memoryCaches()
  behind = []
  owner = ''
})

describe('cached rows', () => {
  it('are the last responses with their time, while the server does not answer', async () => {
    const rows = make()
    reply = says({ conversations: [1] })
    expect(await (await ask(rows, list)).json()).toEqual({ conversations: [1] })
    reply = nobody
    expect(await (await ask(rows, list)).json()).toEqual({ conversations: [1], keptAt: 1_000 })
    reply = says({}, 502)
    expect(await (await ask(rows, list)).json()).toMatchObject({ keptAt: 1_000 })
    reply = says({ conversations: [2] })
    expect(await (await ask(rows, list)).json()).toEqual({ conversations: [2] })
  })

  it('fail as the network does if there are none', async () => {
    const rows = make()
    reply = nobody
    await expect(ask(rows, list)).rejects.toThrow('no network')
    reply = says({ error: {} }, 503)
    expect((await ask(rows, list)).status).toBe(503)
  })

  it('are the owner’s only: neither stored for nor given to a request with another name', async () => {
    const rows = make()
    owner = 'ann'
    reply = says({ of: 'ann' })
    await ask(rows, list, 'ann')
    reply = nobody
    await expect(ask(rows, list, 'bob')).rejects.toThrow('no network')
    await expect(ask(rows, list)).rejects.toThrow('no network')
    expect(await (await ask(rows, list, 'ann')).json()).toMatchObject({ of: 'ann' })
    owner = null
    await expect(ask(rows, list, 'ann')).rejects.toThrow('no network')
  })

  it('are given to nobody else if there are no cached pages: they name their owner', async () => {
    const rows = make()
    owner = 'ann'
    reply = says({ of: 'ann' })
    await ask(rows, list, 'ann')
    for (const [next, who] of [
      ['', ''],
      ['bob', 'bob'],
    ] as const) {
      owner = next
      reply = nobody
      await expect(ask(rows, list, who)).rejects.toThrow('no network')
    }
  })

  it('are not stored for a user who signed out while the response was on its way', async () => {
    const rows = make()
    owner = 'ann'
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    reply = () => new Response(readable, { headers: { 'content-type': 'application/json' } })
    const asked = await rows.answer(new Request(list, { headers: { [whoHeader]: 'ann' } }))
    owner = null
    await caches.delete(cacheNames('').rows)
    const writer = writable.getWriter()
    void writer.write(new TextEncoder().encode('{"of":"ann"}')).then(() => writer.close())
    expect(await asked.json()).toEqual({ of: 'ann' })
    await Promise.all(behind)
    expect(await (await caches.open(cacheNames('').rows)).keys()).toEqual([])
  })

  it('are deleted with the session, and a chat’s with the chat', async () => {
    const rows = make()
    reply = says({ here: true })
    await ask(rows, list)
    await ask(rows, chat('a'))
    reply = says({}, 404)
    await ask(rows, chat('a'))
    reply = nobody
    await expect(ask(rows, chat('a'))).rejects.toThrow('no network')
    await ask(rows, list)
    reply = says({}, 401)
    await ask(rows, chat('b'))
    reply = nobody
    await expect(ask(rows, list)).rejects.toThrow('no network')
  })

  it('are deleted by the chat’s address, whatever the query', async () => {
    const rows = make()
    reply = says({ here: true })
    await ask(rows, chat('a'))
    await rows.drop(`${list}/a`)
    reply = nobody
    await expect(ask(rows, chat('a'))).rejects.toThrow('no network')
  })

  it('are limited to this many, the newest, and leave out those that are too large', async () => {
    const rows = make()
    reply = says({ here: true })
    await ask(rows, list)
    for (let index = 0; index < 70; index += 1) {
      await ask(rows, chat(`c${index}`))
      await ask(rows, list)
    }
    expect(await (await caches.open(cacheNames('').rows)).keys()).toHaveLength(60)
    reply = says({ words: 'x'.repeat(4_000_001) })
    await ask(rows, chat('large'))
    reply = nobody
    await expect(ask(rows, chat('large'))).rejects.toThrow('no network')
    expect((await ask(rows, list)).status).toBe(200)
    expect((await ask(rows, chat('c69'))).status).toBe(200)
  })
})
