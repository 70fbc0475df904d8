// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow } from '@/lib/client/chats/testing/rows'
import { ChatProvider } from '@/components/context/chat-context'
import Notices from './notices'

vi.mock('@/lib/client/wiring/browser', () => ({ isSecurePage: () => true }))
afterEach(cleanup)

it('never shows the offline banner and Retry together, but always shows errors that can’t be retried', () => {
  const store = createClientStore()
  store.dispatch({ type: 'view-new', conversation: conversationRow() })
  const chat = { retry: () => {}, dismissProblem: () => {} } as Partial<ChatActions> as ChatActions
  render(
    <ChatProvider value={{ store, chat, calls: {} as CallActions }}>
      <InThread>
        <Notices />
      </InThread>
    </ChatProvider>,
  )
  const raise = (canRetry: boolean) => {
    const problem = { message: 'It failed.', canRetry }
    act(() => store.dispatch({ type: 'problem-raised', conversationId, problem }))
  }
  const offline = () => screen.queryByText(/The server cannot be reached. What you type or send is saved/)
  raise(true)
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
  act(() => store.dispatch({ type: 'online-changed', online: false }))
  expect(offline()).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
  raise(false)
  expect(screen.getByText('It failed.')).toBeTruthy()
  raise(true)
  act(() => store.dispatch({ type: 'online-changed', online: true }))
  expect(offline()).toBeNull()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
})
