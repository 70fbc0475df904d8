import { expect, it, vi } from 'vitest'
import type { ChatResponse, ResultsAppend } from '@/lib/shared/conversation/wire/api-types'
import { chatResponse } from '@/lib/shared/conversation/testing/chat-response'
import { createResultsPort, type ResultsToSend } from './results-port'
import { ok } from '@/lib/base/result'
import { unreachable, type ApiAnswer } from './api-failure'

const append = (id: string): ResultsAppend => ({ kind: 'tool-results', id, parentId: `reply of ${id}` })
const answerTo = (id: string) => ok(chatResponse({ runId: `run ${id}`, replyId: 'a2' }))

function setUp() {
  const send = vi.fn<(conversationId: string, append: ResultsAppend) => Promise<ApiAnswer<ChatResponse>>>((_, { id }) =>
    Promise.resolve(answerTo(id)),
  )
  const door = createResultsPort(send)
  const said: ResultsToSend[] = []
  /** A thread that takes what is said at once, as `append` does. */
  const say = (results: ResultsToSend) => {
    said.push(results)
    door.deliver(results)
  }
  return { door, send, said, say }
}

it('says results in the thread, under their id and for their conversation, and gives the server’s answer', async () => {
  const { door, send, said, say } = setUp()
  door.connect(say)
  await expect(door.post('c1', append('r1'))).resolves.toEqual(answerTo('r1'))
  expect(said).toEqual([{ kind: 'tool-results', conversationId: 'c1', append: append('r1') }])
  expect(send.mock.calls).toEqual([['c1', append('r1')]])
})

it('waits for the thread, and says then what was posted, in order and once', async () => {
  const { door, send, said, say } = setUp()
  const posted = [door.post('c1', append('r1')), door.post('c2', append('r2'))]
  await Promise.resolve()
  expect(send).not.toHaveBeenCalled()
  door.connect(say)()
  door.connect(say)
  await expect(Promise.all(posted)).resolves.toEqual([answerTo('r1'), answerTo('r2')])
  expect(said.map(({ conversationId }) => conversationId)).toEqual(['c1', 'c2'])
})

it('keeps what a thread that goes away did not take for the next one', async () => {
  const { door, send, say } = setUp()
  const leave = door.connect(() => {})
  const posted = door.post('c1', append('r1'))
  leave()
  expect(send).not.toHaveBeenCalled()
  door.connect(say)
  // The old one leaving late takes nothing from the new one.
  leave()
  await expect(posted).resolves.toEqual(answerTo('r1'))
  await expect(door.post('c1', append('r2'))).resolves.toEqual(answerTo('r2'))
})

it('gives the server’s answer, and says when the thread breaks', async () => {
  const { door, send, say } = setUp()
  const leave = door.connect(say)
  send.mockResolvedValue(unreachable())
  await expect(door.post('c1', append('r1'))).resolves.toEqual(unreachable())
  leave()
  const said = vi.spyOn(console, 'error').mockReturnValue()
  door.connect(() => {
    throw new Error('broken thread')
  })
  await expect(door.post('c1', append('r2'))).resolves.toMatchObject({ ok: false, error: { code: 'page-broke' } })
  expect(said).toHaveBeenCalledOnce()
  said.mockRestore()
})

it('sends nothing that was not posted', () => {
  const { door, send } = setUp()
  door.deliver({ kind: 'tool-results', conversationId: 'c1', append: append('r1') })
  expect(send).not.toHaveBeenCalled()
})
