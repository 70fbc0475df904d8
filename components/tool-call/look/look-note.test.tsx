// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { openCallLinks } from '@/lib/client/wiring/looks.browser'
import CallLinkNote from './look-note'

afterEach(() => {
  cleanup()
  openCallLinks.end('m1', 0)
})

function open(isOver: boolean, waits = true) {
  openCallLinks.add('m1', 0, 'c~m~0~x~mark')
  const calls = { hearOfLook: vi.fn<CallActions['hearOfLook']>(() => Promise.resolve(isOver)) }
  const value = {
    store: createClientStore(),
    chat: {} as ChatActions,
    calls: calls as unknown as CallActions,
  }
  render(
    <ChatProvider value={value}>
      <CallLinkNote messageId="m1" slot={0} token="c~m~0~x~mark" waits={waits} />
    </ChatProvider>,
  )
  return calls
}

it('shows the link while the call waits, and keeps it until there is an answer', async () => {
  const { hearOfLook } = open(false)
  const link = screen.getByRole<HTMLInputElement>('textbox', { name: 'Link for another device' })
  expect(link.value).toMatch(/\/look\/c~m~0~x~mark$/)
  await waitFor(() => expect(hearOfLook).toHaveBeenCalledWith('m1', 0))
  expect(openCallLinks.get('m1', 0)).toBe('c~m~0~x~mark')
})

it('removes the link once the call was decided', async () => {
  open(true, false)
  expect(screen.queryByRole('textbox')).toBeNull()
  await waitFor(() => expect(openCallLinks.get('m1', 0)).toBeNull())
})
