import { expect, it } from 'vitest'
import { err } from '@/lib/base/result'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { randomOf } from './testing/faults/random'
import { openPages, until } from './testing/browser-pages'
import { unreachable } from './testing/fake-server'
import { callRow } from './testing/rows'

const aCall = toolContextBuilder
  .get('JSON_Strict')
  .formatCalls([{ name: 'write_file', arguments: { path: '/a', content: 'b' } }])

type Page = ReturnType<ReturnType<typeof openPages>['open']>

/** A chat whose first reply is being written as `run-1`. */
async function started() {
  const world = openPages({ hearing: true })
  const page = world.open()
  void page.actions.append('first')
  await until(() => expect(page.view().run?.seq).toBe(1))
  return { ...world, page }
}

const said = (page: Page) => page.words().filter((text) => text !== '' && text !== aCall)
const runs = (page: Page, runId: string) => until(() => expect(page.view().run?.runId).toBe(runId))
const idOf = (page: Page, text: string) =>
  page.store.getState().outbox.find(({ entry }) => entry.text === text)?.entry.id ?? ''
const idle = (page: Page) =>
  until(() => {
    expect(page.view().run).toBeNull()
    expect(page.store.getState().outbox.every(({ sending }) => !sending)).toBe(true)
  })

it('keeps messages sent during a reply in order, and sends one after each reply', async () => {
  const { server, page } = await started()
  expect(await page.actions.append('second')).toMatchObject({ status: 'stored' })
  expect(await page.actions.append('third')).toMatchObject({ status: 'stored' })
  expect(page.waiting()).toEqual(['second', 'third'])
  expect(server.calls.filter((name) => name === 'chat')).toHaveLength(1)
  server.end('run-1')
  await runs(page, 'run-2')
  expect(page.waiting()).toEqual(['third'])
  server.end('run-2')
  await runs(page, 'run-3')
  server.end('run-3')
  await idle(page)
  expect(said(page)).toEqual(['first', 'second', 'third'])
  expect(page.waiting()).toEqual([])
})

it('sends nothing while calls wait for a decision, and continues without them when told to', async () => {
  const { server, page } = await started()
  await page.actions.append('second')
  server.write('run-1', aCall)
  server.end('run-1')
  await idle(page)
  expect(page.waiting()).toEqual(['second'])
  // Refreshing the page is no decision.
  page.chat.refresh()
  await idle(page)
  expect(page.waiting()).toEqual(['second'])
  expect(await page.actions.append('third')).toMatchObject({ status: 'stored' })
  expect(page.waiting()).toEqual(['second', 'third'])
  expect(await page.actions.sendNow(idOf(page, 'second'))).toBe(true)
  await runs(page, 'run-2')
  expect(page.waiting()).toEqual(['third'])
})

it('waits while a call runs in this page, even with no other message waiting', async () => {
  const { server, page } = await started()
  server.write('run-1', aCall)
  server.end('run-1')
  await idle(page)
  const key = `${page.view().path.at(-1)?.id ?? ''}:0` as const
  const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null }
  page.store.dispatch({ type: 'call-live', key, live })
  await page.actions.append('second')
  await idle(page)
  expect(page.waiting()).toEqual(['second'])
})

it('is sent as soon as a stop is stored, if the user writes it after the stop', async () => {
  const { server, page } = await started()
  server.write('run-1', aCall)
  server.end('run-1')
  await idle(page)
  const key = `${page.view().path.at(-1)?.id ?? ''}:0` as const
  const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null }
  page.store.dispatch({ type: 'call-live', key, live })
  const outcome = { status: 'cancelled', result: null, durationMs: 1, console: [], displays: [] } as const
  page.store.dispatch({ type: 'call-live', key, live: { ...live, outcome } })
  await page.actions.append('second')
  await idle(page)
  expect(page.waiting()).toEqual(['second'])
  page.store.dispatch({ type: 'call-live', key, live: null })
  await runs(page, 'run-2')
  expect(said(page)).toEqual(['first', 'second'])
  expect(page.waiting()).toEqual([])
})

it.each(['completed', 'error', 'cancelled'] as const)(
  'waits until the outcome (%s) of a call that an earlier message passed is stored',
  async (status) => {
    const { server, page } = await started()
    server.write('run-1', aCall)
    server.end('run-1')
    await idle(page)
    const key = `${page.view().path.at(-1)?.id ?? ''}:0` as const
    await page.actions.append('second')
    await runs(page, 'run-2')
    const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null }
    page.store.dispatch({ type: 'call-live', key, live })
    server.end('run-2')
    await idle(page)
    const outcome = { status, result: null, durationMs: 1, console: [], displays: [] }
    page.store.dispatch({ type: 'call-live', key, live: { ...live, outcome } })
    await page.actions.append('third')
    await idle(page)
    expect(page.waiting()).toEqual(['third'])
    page.store.dispatch({ type: 'call-live', key, live: null })
    await runs(page, 'run-3')
    expect(said(page)).toEqual(['first', 'second', 'third'])
  },
)

it('does not wait for an earlier call that still runs, or whose outcome can’t be stored', async () => {
  const { server, page } = await started()
  server.write('run-1', aCall)
  server.end('run-1')
  await idle(page)
  const key = `${page.view().path.at(-1)?.id ?? ''}:0` as const
  await page.actions.append('second')
  await runs(page, 'run-2')
  server.end('run-2')
  await idle(page)
  const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null }
  page.store.dispatch({ type: 'call-live', key, live })
  await page.actions.append('third')
  await runs(page, 'run-3')
  server.end('run-3')
  await idle(page)
  const outcome = { status: 'completed', result: null, durationMs: 1, console: [], displays: [] } as const
  page.store.dispatch({ type: 'call-live', key, live: { ...live, outcome, problem: 'The server is away.' } })
  await page.actions.append('fourth')
  await runs(page, 'run-4')
  expect(said(page)).toEqual(['first', 'second', 'third', 'fourth'])
})

it('is not sent before the server has answered a Run, even if it does not wait for the call', async () => {
  const { server, page } = await started()
  server.write('run-1', aCall)
  server.end('run-1')
  await idle(page)
  const messageId = page.view().path.at(-1)?.id ?? ''
  const live = { startedAt: 1, attempt: 1, events: [], outcome: null, problem: null }
  page.store.dispatch({ type: 'call-live', key: `${messageId}:0`, live })
  await page.actions.append('second')
  expect(await page.actions.sendNow(idOf(page, 'second'))).toBe(true)
  await idle(page)
  expect(page.waiting()).toEqual(['second'])
  page.store.dispatch({ type: 'call-recorded', call: callRow(messageId, 0) })
  await runs(page, 'run-2')
  expect(said(page)).toEqual(['first', 'second'])
})

it.each(['stopped', 'failed', 'interrupted'] as const)(
  'waits for the user after a reply that was %s, and is sent with the next message',
  async (outcome) => {
    const { server, page } = await started()
    await page.actions.append('second')
    server.end('run-1', outcome)
    await idle(page)
    expect(page.waiting()).toEqual(['second'])
    await page.actions.append('third')
    await runs(page, 'run-2')
    server.end('run-2')
    await runs(page, 'run-3')
    expect(said(page)).toEqual(['first', 'second', 'third'])
  },
)

it('is sent after a regenerated reply', async () => {
  const { server, page } = await started()
  await page.actions.append('second')
  server.end('run-1', 'failed')
  await idle(page)
  page.actions.retry()
  await runs(page, 'run-2')
  server.end('run-2')
  await runs(page, 'run-3')
  expect(page.waiting()).toEqual([])
  expect(said(page)).toEqual(['first', 'second'])
})

it('stops the reply and is sent before the others on “send now”', async () => {
  const { server, page } = await started()
  await page.actions.append('second')
  await page.actions.append('third')
  expect(await page.actions.sendNow(idOf(page, 'third'))).toBe(true)
  await runs(page, 'run-2')
  expect(server.calls).toContain('stopRun')
  expect(said(page)).toEqual(['first', 'third'])
  expect(page.waiting()).toEqual(['second'])
  server.end('run-2')
  await runs(page, 'run-3')
  expect(said(page)).toEqual(['first', 'third', 'second'])
})

it('stays the same message after an edit, is not sent during it, and can be removed', async () => {
  const { server, page } = await started()
  await page.actions.append('second')
  await page.actions.append('third')
  const id = idOf(page, 'second')
  expect(await page.actions.holdWaiting(id, true)).toBe(true)
  server.end('run-1')
  await idle(page)
  expect(page.waiting()).toEqual(['second', 'third'])
  expect(await page.actions.discardWaiting(idOf(page, 'third'))).toBe(true)
  expect(await page.actions.rewriteWaiting(id, 'other words')).toBe(true)
  await runs(page, 'run-2')
  expect(said(page)).toEqual(['first', 'other words'])
  expect(page.view().tree.has(id)).toBe(true)
  expect(await page.actions.rewriteWaiting(id, 'too late')).toBe(false)
})

it('survives a reload, is seen by a second tab, and is sent by one of them', async () => {
  const { server, page, open } = await started()
  await page.actions.append('second')
  const reloaded = open(page.address.path)
  const other = open(page.address.path)
  await until(() => expect(other.view().run?.runId).toBe('run-1'))
  await until(() => expect(reloaded.view().run?.runId).toBe('run-1'))
  expect(other.waiting()).toEqual(['second'])
  server.end('run-1')
  await until(() => expect(server.conversations.get(page.view().id)?.messages).toHaveLength(4))
  for (const tab of [page, reloaded, other]) await until(() => expect(tab.waiting()).toEqual([]))
  server.end('run-2')
  for (const tab of [page, reloaded, other]) await until(() => expect(said(tab)).toEqual(['first', 'second']))
})

it('skips no calls that another device’s reply brought while it was being sent', async () => {
  const { server, page } = await started()
  await page.actions.append('second')
  const { chat } = server.api
  const conversationId = page.view().id
  let isMet = false
  Object.assign(server.api, {
    chat: async (request: Parameters<typeof chat>[0]) => {
      if (!isMet) {
        isMet = true
        // Another device was faster, and its reply ends with a call.
        const parentId = server.conversations.get(conversationId)?.row.headId ?? null
        await chat({ conversationId, append: { kind: 'user', id: 'elsewhere', parentId, text: 'elsewhere' } })
        server.write('run-2', aCall)
        server.end('run-2')
      }
      return chat(request)
    },
  })
  server.end('run-1')
  await until(() => expect(said(page)).toEqual(['first', 'elsewhere']))
  await idle(page)
  page.chat.refresh()
  await idle(page)
  expect(page.waiting()).toEqual(['second'])
  expect(await page.actions.sendNow(idOf(page, 'second'))).toBe(true)
  await runs(page, 'run-3')
  expect(said(page)).toEqual(['first', 'elsewhere', 'second'])
  // It was meant to follow any new end, so no problem is shown.
  expect(page.view().problem).toBeNull()
})

it('lines up behind a message that waits for the network, and neither is lost', async () => {
  const { server, open, offline } = openPages()
  const page = open()
  offline('chat')
  void page.actions.append('first')
  await until(() => expect(page.view().sending).toBe(false))
  expect(await page.actions.append('second')).toMatchObject({ status: 'stored' })
  expect(page.waiting()).toEqual(['first', 'second'])
  page.actions.sendWaiting()
  await runs(page, 'run-1')
  server.end('run-1')
  await runs(page, 'run-2')
  expect(said(page)).toEqual(['first', 'second'])
})

it('begins its chat itself when the message before it is discarded', async () => {
  const { server, open } = openPages()
  const page = open()
  const { chat } = server.api
  Object.assign(server.api, { chat: () => Promise.resolve(err(unreachable().failure)) })
  void page.actions.append('first')
  await until(() => expect(page.view().sending).toBe(false))
  await page.actions.append('second')
  await idle(page)
  expect(await page.actions.discardWaiting(idOf(page, 'first'))).toBe(true)
  await idle(page)
  expect(page.waiting()).toEqual(['second'])
  Object.assign(server.api, { chat })
  const next = open(page.address.path)
  await until(() => expect(next.waiting()).toEqual([]))
  expect([...server.conversations.values()].map(({ messages }) => messages[0]?.text)).toEqual(['second'])
})

it('is sent after its chat is left, once the turn there is over', async () => {
  const { server, page } = await started()
  const { id } = page.view()
  await page.actions.append('second')
  page.actions.newChat()
  server.write('run-1', aCall)
  server.end('run-1')
  const look = async () => {
    page.clock.now += 20_000
    const due = page.timers.splice(0)
    for (const { go } of due) go()
    await until(() => expect(page.timers).not.toHaveLength(0))
  }
  await until(() => expect(page.timers).not.toHaveLength(0))
  await look()
  await look()
  expect(page.waiting()).toEqual(['second'])
  const chat = server.conversations.get(id)
  if (chat) chat.messages = chat.messages.map((row) => ({ ...row, text: row.text === aCall ? 'ok' : row.text }))
  page.clock.now += 20_000
  for (const { go } of page.timers.splice(0)) go()
  await until(() => expect(page.waiting()).toEqual([]))
  expect(server.conversations.get(id)?.messages.map(({ text }) => text)).toEqual(['first', 'ok', 'second', ''])
})

it('sends every message once and in the shown order, whatever is done to the queue', async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = randomOf(seed)
    const below = (limit: number) => Math.floor(random() * limit)
    const { server, page, open } = await started()
    const tabs = [page, open(page.address.path)]
    await runs(tabs[1] as Page, 'run-1')
    /** The messages to be sent, in order; the model of the queue. */
    let queue: string[] = []
    const expected = ['first']
    let run = 1
    let words = 0
    const step = async (tab: Page) => {
      const at = below(queue.length)
      const picked = queue[at]
      const deed = below(6)
      if (deed < 2) {
        const word = `w${(words += 1)}`
        await tab.actions.append(word)
        queue.push(word)
      } else if (deed === 2 && picked !== undefined) {
        expect(await tab.actions.discardWaiting(idOf(tab, picked))).toBe(true)
        queue = queue.filter((word) => word !== picked)
      } else if (deed === 3 && picked !== undefined) {
        const word = `w${(words += 1)}`
        expect(await tab.actions.rewriteWaiting(idOf(tab, picked), word)).toBe(true)
        queue[at] = word
      } else if (deed === 4 && picked !== undefined) {
        expect(await tab.actions.sendNow(idOf(tab, picked))).toBe(true)
        expected.push(picked)
        queue = queue.filter((word) => word !== picked)
        run += 1
      } else if (deed === 5) {
        server.end(`run-${run}`)
        const next = queue.shift()
        if (next === undefined) return false
        expected.push(next)
        run += 1
      }
      for (const one of tabs) {
        await runs(one, `run-${run}`)
        await until(() => expect(one.waiting(), `seed ${seed}`).toEqual(queue))
      }
      return true
    }
    for (let count = 0; count < 14; count += 1) if (!(await step(tabs[below(2)] as Page))) break
    expect(said(page), `seed ${seed}`).toEqual(expected)
    expect(server.calls.filter((name) => name === 'chat').length).toBeGreaterThanOrEqual(expected.length)
  }
})
