// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions } from '@/lib/client/chats/actions'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { viewOf } from '@/lib/client/state/open-conversations'
import { createClientStore } from '@/lib/client/state/store'
import type { Message } from '@/lib/shared/conversation/conversation'
import { withoutContent } from '@/lib/shared/conversation/deleted-message'
import MessageActions from './message-actions'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

/** Two turns; the first answer has two replies, because it made a call. */
const rows: readonly Message[] = [
  userRow('u1', null, { text: 'a question' }),
  replyRow('a1', 'u1', { text: 'Look: a call.' }),
  userRow('r1', 'a1', { text: '' }),
  replyRow('a2', 'r1', { text: 'An answer.' }),
  userRow('u2', 'a2', { text: 'another' }),
  replyRow('a3', 'u2', { text: 'Yes.' }),
]

function setUp(shown: string, answer: (ids: readonly string[]) => Response) {
  const store = createClientStore()
  store.dispatch({ type: 'view-opened', conversationId })
  const view = { messages: rows, calls: [], amendments: [], grants: [], activeRunId: null }
  store.dispatch({ type: 'view-loaded', view: { ...view, conversation: conversationRow({ headId: 'a3' }) } })
  const sent: { readonly ids: readonly string[]; readonly deleted: boolean }[] = []
  vi.stubGlobal('fetch', (_path: string, { body }: { readonly body: string }) => {
    sent.push(JSON.parse(body) as (typeof sent)[number])
    return Promise.resolve(answer(sent.at(-1)?.ids ?? []))
  })
  const message = rows.find(({ id }) => id === shown)
  if (!message) throw new Error('made above')
  const chat = { updateMarks: vi.fn<() => void>(), open: vi.fn<() => void>() }
  render(
    <ChatProvider value={{ store, chat: chat as never, calls: {} as CallActions }}>
      <MessageActions message={message} />
    </ChatProvider>,
  )
  return { store, sent, user: userEvent.setup() }
}

const asDeleted = (ids: readonly string[]) => {
  const messages = rows.filter(({ id }) => ids.includes(id)).map(withoutContent)
  return Response.json({ messages, calls: [], amendments: [], grants: [], headId: 'a3' })
}

it.each([
  ['u1', ['u1']],
  ['a2', ['a2', 'a1']],
  ['a3', ['a3']],
])('deletes %s with the replies before it in the same turn', async (shown, ids) => {
  const { store, sent, user } = setUp(shown, asDeleted)
  await user.click(screen.getByRole('button', { name: 'Message actions' }))
  await user.keyboard('{End}{Enter}')
  await vi.waitFor(() =>
    expect(viewOf(store.getState()).path.flatMap((row) => (row.deleted ? [row.id] : []))).toEqual(ids.toSorted()),
  )
  expect(sent).toEqual([{ ids, deleted: true }])
})

it('says why a message was not deleted', async () => {
  const error = { code: 'unavailable', message: 'The database is away.' }
  const { store, user } = setUp('a3', () => Response.json({ error }, { status: 503 }))
  await user.click(screen.getByRole('button', { name: 'Message actions' }))
  await user.click(screen.getByRole('menuitem', { name: 'Delete' }))
  await vi.waitFor(() => expect(viewOf(store.getState()).problem?.message).toMatch(/\w\.$/))
  expect(viewOf(store.getState()).path.some((row) => row.deleted)).toBe(false)
})

it('offers nothing that would break a reply in progress', async () => {
  const { store, sent, user } = setUp('a3', asDeleted)
  store.dispatch({ type: 'run-joined', conversationId, runId: 'run', replyId: 'a3' })
  await user.click(screen.getByRole('button', { name: 'Message actions' }))
  await user.click(screen.getByRole('menuitem', { name: /^Delete/ }))
  expect(sent).toEqual([])
})
