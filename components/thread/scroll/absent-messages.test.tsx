// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { ChatActions, CallActions } from '@/lib/client/chats/actions'
import { createOlderMessages, type OlderMessagesPorts } from '@/lib/client/state/older-messages'
import { failed } from '@/lib/client/api/api-failure'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { makeRefusal } from '@/lib/i18n/t'
import { kindOf, outlineOf } from '@/lib/shared/conversation/outline'
import { OlderNote } from './absent-row'
import { useScrollAnchor } from './use-jumping'
import { useConversation } from '@/components/context/chat-context'
import { ok } from '@/lib/base/result'

const made = vi.hoisted(() => ({ older: null as ReturnType<typeof createOlderMessages> | null }))
vi.mock('@/lib/client/wiring/older-messages.browser', () => ({ olderMessages: () => made.older }))
afterEach(cleanup)

const rows = [userRow('u1', null), replyRow('r1', 'u1'), userRow('u2', 'r1'), replyRow('r2', 'u2')]

function setUp(messages: OlderMessagesPorts['messages']) {
  const store = createClientStore()
  made.older = createOlderMessages({ store, messages })
  store.dispatch({ type: 'view-opened', conversationId })
  const outline = outlineOf(rows.map((row) => ({ id: row.id, parentId: row.parentId, kind: kindOf(row), size: 9 })))
  const view = { messages: rows.slice(2), outline, calls: [], amendments: [], grants: [], activeRunId: null }
  store.dispatch({ type: 'view-loaded', view: { ...view, conversation: conversationRow({ headId: 'r2' }) } })
  const Rows = () => {
    const lacking = useScrollAnchor(useConversation(({ path }) => path))
    return lacking ? <OlderNote /> : <p>all here</p>
  }
  render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls: {} as CallActions }}>
      <Rows />
    </ChatProvider>,
  )
}

it('says that older messages are loading, or why they fail, and retries on request', async () => {
  const answers = [failed('unreachable', 0, makeRefusal('client.unreachable'))]
  const messages = vi.fn<OlderMessagesPorts['messages']>((_, ids) => {
    const page = { messages: rows.filter(({ id }) => ids.includes(id)), calls: [], amendments: [], grants: [] }
    return Promise.resolve(answers.shift() ?? ok(page))
  })
  setUp(messages)
  expect(screen.getByRole('status').textContent).toContain('Older messages are loading')
  expect((await screen.findByRole('alert')).textContent).toContain('The server cannot be reached.')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('all here')).toBeDefined()
  expect(messages.mock.calls.map(([id, ids]) => [id, ids])).toEqual([
    [conversationId, ['u1', 'r1']],
    [conversationId, ['u1', 'r1']],
  ])
})
