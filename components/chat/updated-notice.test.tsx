// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { PageIsOld } from '@/components/ui/page/part-failure'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { callKey } from '@/lib/client/state/state'
import { conversationId, conversationRow, replyRow } from '@/lib/client/chats/testing/rows'
import { createClientStore } from '@/lib/client/state/store'
import { ChatProvider } from '@/components/context/chat-context'
import Notices from './notices'

afterEach(cleanup)

function setUp(isOld: boolean) {
  const store = createClientStore()
  const value = {
    store,
    chat: {} as Partial<ChatActions> as ChatActions,
    calls: {} as Partial<CallActions> as CallActions,
  }
  render(
    <PageIsOld value={isOld}>
      <ChatProvider value={value}>
        <Notices />
      </ChatProvider>
    </PageIsOld>,
  )
  return store
}
const said = () => screen.queryByText(/Nod was updated/)?.textContent ?? ''

it('shows nothing if the page has the server’s version', () => {
  setUp(false)
  expect(said()).toBe('')
})

it('offers a reload of an older page, and stays closed once dismissed', () => {
  setUp(true)
  expect(said()).toContain('kept')
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(said()).toBe('')
})

it('warns that a reload would stop a running call', () => {
  const store = setUp(true)
  expect(said()).not.toContain('stopped')
  const rows = { calls: [], amendments: [], grants: [], activeRunId: null }
  act(() => {
    store.dispatch({ type: 'view-opened', conversationId })
    const messages = [replyRow('a1', null)]
    store.dispatch({ type: 'view-loaded', view: { ...rows, conversation: conversationRow(), messages } })
  })
  const live = { startedAt: 0, attempt: 1, events: [], outcome: null, problem: null }
  act(() => store.dispatch({ type: 'call-live', key: callKey('a1', 0), live }))
  expect(said()).toContain('the call running in this page stops')
  // The call keeps running while another chat is open.
  act(() => store.dispatch({ type: 'view-opened', conversationId: 'another' }))
  expect(said()).toContain('the call running in this page stops')
})
