// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationRow } from '@/lib/client/chats/testing/rows'
import { ImportedNote } from '../scroll/absent-row'

afterEach(cleanup)

it('says that nothing proves an imported chat, and nothing in other chats', () => {
  const store = createClientStore()
  render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls: {} as CallActions }}>
      <ImportedNote />
    </ChatProvider>,
  )
  act(() => store.dispatch({ type: 'view-new', conversation: conversationRow() }))
  expect(screen.queryByText(/imported/)).toBeNull()
  const importedAt = Date.UTC(2026, 10, 22, 12)
  act(() => store.dispatch({ type: 'view-new', conversation: conversationRow({ importedAt }) }))
  expect(screen.getByText(/This chat was imported from a file on November 22, 2026\./)).toBeTruthy()
})
