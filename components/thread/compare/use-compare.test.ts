import { describe, expect, it } from 'vitest'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import { treeOf } from '@/lib/shared/conversation/message-tree'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow } from '@/lib/client/chats/testing/rows'
import type { ReplyChoice } from '@/lib/shared/conversation/wire/api-types'
import { createSideQueue, sidesOf } from './use-compare'

const idsOf = (rows: readonly ChatRow[], replyId: string) =>
  sidesOf({ tree: treeOf(rows) }, replyId).map(({ replies }) => replies.map(({ message }) => message.id))

describe('the sides of a comparison', () => {
  const asked = userRow('u1', null, { text: 'a question' })

  it('are the versions of one reply, oldest first, each with the replies that followed its calls', () => {
    const rows = [
      asked,
      replyRow('a1', 'u1'),
      userRow('r1', 'a1', { text: '' }),
      replyRow('a2', 'r1'),
      userRow('u2', 'a2', { text: 'the next question' }),
      replyRow('a3', 'u2'),
      replyRow('b1', 'u1'),
    ]
    expect(idsOf(rows, 'a1')).toEqual([['a1', 'a2'], ['b1']])
  })

  it('are three at most: the first one, and the latest ones', () => {
    const rows = [asked, ...['a', 'b', 'c', 'd'].map((id) => replyRow(id, 'u1'))]
    expect(idsOf(rows, 'a')).toEqual([['a'], ['c'], ['d']])
    expect(idsOf(rows, 'c')).toEqual([['b'], ['c'], ['d']])
  })

  it('leave out deleted replies and those not loaded', () => {
    const absent = { id: 'c', parentId: 'u1', role: 'assistant', said: false, size: 1, absent: true } as const
    expect(idsOf([asked, replyRow('a', 'u1'), replyRow('b', 'u1', { deleted: true }), absent], 'a')).toEqual([['a']])
    expect(idsOf([asked], 'gone')).toEqual([])
  })
})

describe('requested sides', () => {
  const choice = (model: string): ReplyChoice => ({ model, strategy: 'XML_Tag' })
  const setUp = () => {
    const store = createClientStore()
    store.dispatch({ type: 'view-opened', conversationId })
    const load = (ids: readonly string[], activeRunId: string | null = null) => {
      const messages = [userRow('u1', null), ...ids.map((id) => replyRow(id, 'u1'))]
      const conversation = conversationRow({ headId: ids.at(-1) ?? null })
      const rest = { calls: [], amendments: [], grants: [] }
      store.dispatch({ type: 'view-loaded', view: { ...rest, conversation, messages, activeRunId } })
    }
    load(['a'])
    const asked: string[] = []
    const send = (message = null) => store.dispatch({ type: 'send-started', conversationId, message, headId: 'u1' })
    const queue = createSideQueue(store, 'a', ({ model }) => {
      asked.push(model)
      send()
    })
    const end = queue.subscribe(() => {})
    const written = async (ids: readonly string[]) => {
      store.dispatch({ type: 'send-failed', conversationId, messageId: null, problem: null })
      load(ids)
      await Promise.resolve()
    }
    return { store, queue, asked, written, end }
  }

  it('are written one after the other', async () => {
    const { queue, asked, written } = setUp()
    queue.ask(choice('one'))
    queue.ask(choice('two'))
    expect(asked).toEqual(['one'])
    expect(queue.get().sides).toHaveLength(2)
    await written(['a', 'b'])
    expect(asked).toEqual(['one', 'two'])
    await written(['a', 'b', 'c'])
    expect(queue.get()).toEqual({ sides: [], problem: null })
  })

  it('stop with the server’s error when one is refused', async () => {
    const { store, queue, asked } = setUp()
    queue.ask(choice('one'))
    queue.ask(choice('two'))
    const problem = { message: 'Too many replies are being written.', canRetry: true }
    store.dispatch({ type: 'send-failed', conversationId, messageId: null, problem })
    await Promise.resolve()
    expect(queue.get()).toEqual({ sides: [], problem: problem.message })
    expect(asked).toEqual(['one'])
  })

  it('are dropped when nobody listens', async () => {
    const { queue, asked, written, end } = setUp()
    queue.ask(choice('one'))
    queue.ask(choice('two'))
    end()
    await written(['a', 'b'])
    expect(asked).toEqual(['one'])
  })
})
