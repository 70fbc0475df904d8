import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isTurnLoaded } from '@/lib/shared/conversation/outline'
import { branchesOf, treeOf, treePathTo, loadedMessagesOf, isHere } from '@/lib/shared/conversation/message-tree'
import { createOlderMessages } from './older-messages'
import { openClientPage, until } from '../chats/testing/client-page'
import { createFakeServer, unreachable } from '../chats/testing/fake-server'
import { replyRow, userRow } from '../chats/testing/rows'

const chat = 'c1'

/** A page that shows a chat of `turns` questions and answers, with `page` messages per response. */
async function openLong(turns: number, page: number) {
  const server = createFakeServer({ page })
  server.begin(chat)
  const found = server.conversations.get(chat)
  if (!found) throw new Error('no chat')
  for (let turn = 0; turn < turns; turn += 1) {
    const before = found.messages.at(-1)?.id ?? null
    found.messages.push(userRow(`u${turn}`, before, { conversationId: chat }))
    found.messages.push(replyRow(`r${turn}`, `u${turn}`, { conversationId: chat }))
  }
  found.row = { ...found.row, headId: found.messages.at(-1)?.id ?? null, updatedAt: 5 }
  const made = openClientPage(server)
  const older = createOlderMessages({ store: made.store, messages: (id, ids) => server.api.messages(id, ids) })
  made.actions.open(chat)
  await until(() => expect(made.view().phase).toBe('ready'))
  const absent = () => made.view().path.filter((row) => !isHere(row))
  /** Scrolls up to the first message. */
  const toTop = async () => {
    older.look(
      made
        .view()
        .path.toReversed()
        .map(({ id }) => id),
    )
    await until(() => expect(absent()).toEqual([]))
  }
  return { ...made, found, older, absent, toTop }
}

describe('a long chat', () => {
  it('opens with its end, knows all of its message ids, and loads what is viewed', async () => {
    const { view, older, absent, server, found } = await openLong(40, 10)
    expect(view().path).toHaveLength(80)
    expect(loadedMessagesOf(view().path)).toHaveLength(10)
    expect(view().tree.has('u0')).toBe(true)
    older.look(['r20', 'u20', 'r19'])
    await until(() => expect(view().tree.get('r19')).toMatchObject({ text: 'text of r19' }))
    expect(absent()).toHaveLength(67)
    expect(server.calls.filter((name) => name === 'messages')).toHaveLength(1)
    expect(found.messages).toHaveLength(80)
  })

  it('forgets a request that was scrolled past', async () => {
    const { view, older, server } = await openLong(40, 10)
    older.look(['u0'])
    older.look(['u5'])
    older.look(['u7'])
    await until(() => expect(isHere(view().tree.get('u7'))).toBe(true))
    expect(isHere(view().tree.get('u5'))).toBe(false)
    expect(server.calls.filter((name) => name === 'messages')).toHaveLength(2)
  })

  it('says why older messages don’t load, and retries on request, or once the server is back', async () => {
    const { view, older, server, chat: controller, store } = await openLong(40, 10)
    server.failNext('messages', unreachable(), unreachable())
    const heard: (string | null)[] = []
    onTestFinished(older.subscribe(() => heard.push(older.status().problem)))
    older.look(['u3'])
    await until(() => expect(older.status()).toEqual({ loading: false, problem: 'The server cannot be reached.' }))
    older.look(['u3', 'u2'])
    expect(server.calls.filter((name) => name === 'messages')).toHaveLength(1)
    older.retry()
    await until(() => expect(heard.filter((why) => why !== null)).toHaveLength(2))
    store.dispatch({ type: 'online-changed', online: false })
    controller.refresh()
    await until(() => expect(isHere(view().tree.get('u2'))).toBe(true))
    expect(older.status().problem).toBeNull()
  })

  it('asks once for a message that the server does not return', async () => {
    const { view, older, server, found } = await openLong(40, 10)
    found.messages = found.messages.filter(({ id }) => id !== 'u9')
    older.look(['u9', 'u8'])
    await until(() => expect(isHere(view().tree.get('u8'))).toBe(true))
    older.look(['u9'])
    expect(server.calls.filter((name) => name === 'messages')).toHaveLength(1)
  })

  it('loads the whole turn before anything in it is counted', async () => {
    const { view, found, store, chat: controller } = await openLong(3, 4)
    // Twenty rounds of results since the last user message.
    for (let round = 0; round < 20; round += 1) {
      const before = found.messages.at(-1)?.id ?? null
      found.messages.push(userRow(`x${round}`, before, { conversationId: chat, text: '' }))
      found.messages.push(replyRow(`y${round}`, `x${round}`, { conversationId: chat }))
    }
    found.row = { ...found.row, headId: 'y19', updatedAt: 9 }
    controller.changedElsewhere(chat)
    const whole: boolean[] = []
    onTestFinished(store.subscribe(() => whole.push(isTurnLoaded(view().path))))
    await until(() => expect(view().path).toHaveLength(46))
    await until(() => expect(isTurnLoaded(view().path)).toBe(true))
    expect(whole).toContain(false)
    expect(isHere(view().tree.get('u0'))).toBe(false)
  })

  it('reloads messages that were loaded before the chat was reloaded', async () => {
    const { view, older, found, toTop, chat: controller, server } = await openLong(20, 10)
    await toTop()
    older.look([])
    found.row = { ...found.row, updatedAt: 77, title: 'another' }
    controller.changedElsewhere(chat)
    await until(() => expect(view().conversation?.title).toBe('another'))
    expect(view().path.every(isHere)).toBe(true)
    expect(view().aged.size).toBe(30)
    const before = server.calls.length
    older.look(['u0'])
    await until(() => expect(view().aged.has('u0')).toBe(false))
    expect(server.calls.length).toBeGreaterThan(before)
  })
})

type Deed = 'write' | 'edit' | 'regenerate' | 'branch' | 'back' | 'reload' | 'scroll' | 'top'
const deeds = fc.array(
  fc.record({
    what: fc.constantFrom<Deed>('write', 'edit', 'regenerate', 'branch', 'back', 'reload', 'scroll', 'top'),
    at: fc.nat(),
  }),
  { minLength: 1, maxLength: 8 },
)

it('shows the same chat for any page size and any actions', async () => {
  let branched = 0
  let lacking = 0
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 7 }),
      fc.integer({ min: 1, max: 12 }),
      deeds,
      async (page, turns, all) => {
        const { view, found, actions, server, older, absent, toTop, chat: controller } = await openLong(turns, page)
        const pick = <T>(rows: readonly T[], at: number): T | undefined => rows[at % Math.max(1, rows.length)]
        /** All pending work ends, and the branch matches the server's. */
        const rest = async () => {
          await until(() => expect(view().sending).toBe(false))
          if (found.runId) server.end(found.runId)
          await until(() => expect(view().run).toBeNull())
          await until(() => expect(view().path.at(-1)?.id ?? null).toBe(found.row.headId))
        }
        for (const { what, at } of all) {
          const rows = view().path
          const asked = loadedMessagesOf(rows).filter((row) => row.role === 'user')
          if (what === 'write') void actions.append(`word ${at}`)
          else if (what === 'edit') void actions.edit(pick(asked, at)?.id ?? '', `other ${at}`)
          else if (what === 'regenerate')
            actions.regenerate(
              pick(
                rows.filter(({ role }) => role === 'assistant'),
                at,
              )?.id ?? '',
            )
          else if (what === 'branch') actions.switchBranch(pick([...branchesOf(view().tree).values()].flat(), at) ?? '')
          else if (what === 'back') actions.goBackTo(pick(rows, at)?.id ?? null)
          else if (what === 'reload') controller.changedElsewhere(chat)
          else if (what === 'scroll') older.look(pick(rows, at) ? [pick(rows, at)?.id ?? ''] : [])
          else await toTop()
          await rest()
          lacking += absent().length > 0 ? 1 : 0
          const tree = treeOf(found.messages)
          expect([...view().tree.keys()]).toEqual([...tree.keys()])
          expect(view().path.map(({ id }) => id)).toEqual(treePathTo(tree, found.row.headId).map(({ id }) => id))
          expect([...branchesOf(view().tree)]).toEqual([...branchesOf(tree)])
          branched += branchesOf(tree).size > 0 ? 1 : 0
          // The loaded rows equal the server's.
          for (const row of view().tree.values())
            if (isHere(row)) expect(row).toMatchObject({ text: tree.get(row.id)?.text })
        }
        await toTop()
        expect(view().path).toEqual(treePathTo(treeOf(found.messages), found.row.headId))
      },
    ),
    { numRuns: 40 },
  )
  expect(branched).toBeGreaterThan(30)
  expect(lacking).toBeGreaterThan(30)
})
