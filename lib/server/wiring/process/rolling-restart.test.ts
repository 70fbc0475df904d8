import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '@/lib/base/app-error'
import { err, ok } from '@/lib/base/result'
import { createChatHarness, type ChatHarness } from '@/lib/server/chats/testing/chat-harness'
import type { ApiAnswer } from '@/lib/client/api/api-failure'
import { readRun } from '@/lib/client/api/run-reader'
import { verdictOf } from '@/lib/client/outbox/delivery'
import type { ChatResponse } from '@/lib/shared/conversation/wire/api-types'
import type { RunEvent } from '@/lib/shared/conversation/wire/run-event'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { openTestStore } from '@/lib/server/store/testing/open-test-store'
import type { Store } from '@/lib/server/store/ports/store'

/* Two nodes on one store, with a page: what the page sees while one of them restarts. */

let store: Store
beforeAll(async () => {
  store = await openTestStore({ decodeSettings })
})
afterAll(() => store.close())

const failureOf = (error: unknown): ApiAnswer<never> => {
  if (!(error instanceof AppError)) throw error
  const { code, reason, values, message } = error
  return err({ code, reason, values, message, status: code === 'not-found' ? 404 : 503 })
}

/** Like the response of the events route: one line per event. */
function linesOf(events: AsyncGenerator): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const step = await events.next()
      if (step.done === true) return controller.close()
      for (const event of [step.value].flat()) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`))
    },
    async cancel() {
      await events.return(undefined)
    },
  })
}

/** The page's own reader behind a load balancer: a node that refused is not asked again. */
function watch(runId: string, nodes: readonly ChatHarness[]) {
  const seen: RunEvent[] = []
  const connections: string[] = []
  const refused = new Set<ChatHarness>()
  const done = readRun(
    {
      async open(after, signal) {
        const node = nodes.find((one) => !refused.has(one)) ?? nodes[0]
        if (!node) throw new Error('no node')
        try {
          return ok(linesOf(await node.service.events('ada', runId, after, signal)))
        } catch (error) {
          refused.add(node)
          return failureOf(error)
        }
      },
      wait: () => Promise.resolve(),
      schedule: () => () => {},
    },
    {
      signal: new AbortController().signal,
      onEvents: (events) => seen.push(...events),
      onPlace: () => {},
      onConnection: (connection) => connections.push(connection),
    },
  )
  return { seen, connections, done }
}

describe('a node that restarts', () => {
  it('hands over readers of other nodes’ replies without losing or repeating an event', async () => {
    const [going, staying] = [createChatHarness(store), createChatHarness(store)]
    const id = await staying.newChat()
    staying.script([{ text: 'before ' }, { pause: 5_000 }, { text: 'after' }, { finish: 'stop' }])
    const { runId } = await staying.append(id, { kind: 'user', id: 'u1', parentId: null, text: 'hi' })
    await staying.clock.pass(1_000)
    const page = watch(runId, [going, staying])
    await expect.poll(() => page.connections).toContain('live')
    await going.clock.pass(1_000)

    const drained = going.service.drain(0)
    await expect.poll(() => page.connections.slice(1)).toContain('live')
    await staying.clock.pass(5_000)
    await staying.service.settled(runId)
    await staying.clock.pass(1_000)
    expect(await page.done).toBe('ended')
    await going.clock.passUntil(drained)

    expect(page.connections.filter((one, at, all) => one !== all[at - 1])).toEqual(['live', 'reconnecting', 'live'])
    expect(page.seen.map(({ seq }) => seq)).toEqual(page.seen.map((_, at) => at + 1))
    const text = page.seen.map((event) => (event.type === 'delta' ? event.text : '')).join('')
    expect([text, page.seen.at(-1)?.type]).toEqual(['before after', 'end'])
  })

  it('refuses a new message, which the page sends again and which arrives once', async () => {
    const [going, staying] = [createChatHarness(store), createChatHarness(store)]
    const id = await staying.newChat()
    const send = async (node: ChatHarness): Promise<ApiAnswer<ChatResponse>> =>
      node.append(id, { kind: 'user', id: 'u2', parentId: null, text: 'hi' }).then(ok, failureOf)
    const drained = going.service.drain(0)
    const first = await send(going)
    // A temporary refusal: the page keeps the message and retries.
    expect(first.ok ? null : [first.error.reason, verdictOf(first.error)]).toEqual(['chat.restarting', 'later'])
    const [second, again] = [await send(staying), await send(staying)]
    expect(second.ok && again.ok && second.value.runId === again.value.runId).toBe(true)
    if (second.ok) await staying.service.settled(second.value.runId)
    expect((await staying.service.view('ada', id)).messages.filter(({ role }) => role === 'user')).toHaveLength(1)
    await going.clock.passUntil(drained)
  })

  it('serves requests while they still arrive, and exits only when everything is written', async () => {
    const [going, staying] = [createChatHarness(store), createChatHarness(store)]
    const [id, other] = [await going.newChat(), await staying.newChat()]
    going.script([{ text: 'whole' }, { finish: 'stop' }])
    staying.script([{ text: 'before ' }, { pause: 5_000 }, { text: 'after' }, { finish: 'stop' }])
    const foreign = await staying.append(other, { kind: 'user', id: 'u5', parentId: null, text: 'hi' })
    await staying.clock.pass(1_000)
    const { promise: entrance, resolve: close } = Promise.withResolvers<void>()
    let isOver = false
    const drained = going.service.drain(60_000, entrance).then(() => (isOver = true))

    const page = watch(foreign.runId, [going, staying])
    await expect.poll(() => page.connections).toEqual(['live'])
    const { runId } = await going.append(id, { kind: 'user', id: 'u4', parentId: null, text: 'hi' })
    await going.service.settled(runId)
    // This reply is written, but more requests may arrive.
    await going.clock.pass(1)
    expect([isOver, page.connections]).toEqual([false, ['live']])

    close()
    await drained
    // Readers of other nodes' replies are handed over only now.
    await expect.poll(() => page.connections.slice(1)).toContain('live')
    await staying.clock.pass(5_000)
    await staying.service.settled(foreign.runId)
    await staying.clock.pass(1_000)
    expect(await page.done).toBe('ended')
    const { messages } = await staying.service.view('ada', id)
    expect(messages.at(-1)).toMatchObject({ text: 'whole', outcome: 'finished' })
    const late = going.append(id, { kind: 'user', id: 'u6', parentId: null, text: 'hi' })
    await expect(late).rejects.toMatchObject({ reason: 'chat.restarting' })
  })

  it('does not fail a reader who arrived just before the entrance closed, but hands it over', async () => {
    const staying = createChatHarness(store)
    const { promise: entrance, resolve: close } = Promise.withResolvers<void>()
    const going: ChatHarness = createChatHarness({
      ...store,
      loadRun: async (...given) => {
        close()
        await entrance
        return store.loadRun(...given)
      },
    })
    const id = await staying.newChat()
    staying.script([{ text: 'whole' }, { pause: 5_000 }, { finish: 'stop' }])
    const { runId } = await staying.append(id, { kind: 'user', id: 'u7', parentId: null, text: 'hi' })
    await staying.clock.pass(1_000)
    const drained = going.service.drain(60_000, entrance)
    const events = await going.service.events('ada', runId, 0, new AbortController().signal)
    const seen = await Array.fromAsync(events)
    expect(seen.flat().some(({ type }) => type === 'end')).toBe(false)
    // A later reader is refused at once.
    const late = going.service.events('ada', runId, 0, new AbortController().signal)
    await expect(late).rejects.toMatchObject({ reason: 'chat.restarting-view' })
    await staying.clock.pass(6_000)
    await staying.service.settled(runId)
    await drained
  })

  it('writes the reply to a message that was being stored when the shutdown began', async () => {
    let drained: Promise<void> | undefined
    const going: ChatHarness = createChatHarness({
      ...store,
      append: (...given) => {
        drained = going.service.drain(60_000)
        return store.append(...given)
      },
    })
    const id = await going.newChat()
    going.script([{ text: 'whole' }, { finish: 'stop' }])
    await going.append(id, { kind: 'user', id: 'u3', parentId: null, text: 'hi' })
    await drained
    const { messages } = await going.service.view('ada', id)
    expect(messages.at(-1)).toMatchObject({ text: 'whole', outcome: 'finished' })
  })
})
