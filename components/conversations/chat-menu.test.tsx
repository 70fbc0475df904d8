// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import type { NameAnswer } from '@/lib/client/wiring/models/title.browser'
import ChatMenu from './chat-menu'

const asked = vi.hoisted(() => ({ answer: vi.fn<(signal: AbortSignal) => Promise<NameAnswer>>() }))
vi.mock('@/lib/client/wiring/models/title.browser', () => ({
  nameByModel: (_chat: unknown, signal: AbortSignal) => asked.answer(signal),
}))
afterEach(cleanup)

function open() {
  const chat = { rename: vi.fn<ChatActions['rename']>(() => Promise.resolve()) }
  const [onClose, onRename, onSettings] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()]
  const row = { id: 'c1', title: 'slow please', updatedAt: 1, running: false, waitingCalls: 0, pinned: true as const }
  render(
    <ChatProvider
      value={{
        store: createClientStore(),
        chat: chat as Partial<ChatActions> as ChatActions,
        calls: {} as Partial<CallActions> as CallActions,
      }}
    >
      <ChatMenu row={row} opener={document.body} onRename={onRename} onSettings={onSettings} onClose={onClose} />
    </ChatProvider>,
  )
  return { chat, onClose, onRename, onSettings, user: userEvent.setup() }
}

describe('the chat menu', () => {
  it('has every action on the chat, and shows its state', async () => {
    const { onSettings, onClose, user } = open()
    const items = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(items).toEqual([
      'Rename',
      'Generate a title',
      'Unpin',
      'Archive',
      'Tags…',
      'Move to project',
      'Share or export…',
      'Settings',
      'Delete',
    ])
    await user.click(screen.getByRole('menuitem', { name: 'Settings' }))
    expect(onSettings).toHaveBeenCalledOnce()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  })

  it('lets the model name the chat, and offers an undo', async () => {
    asked.answer.mockResolvedValueOnce({ title: 'A web project' })
    const { chat, onClose, user } = open()
    await user.click(screen.getByRole('menuitem', { name: 'Generate a title' }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('The new title is “A web project”'))
    expect(chat.rename).toHaveBeenCalledWith('c1', 'A web project')
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    expect(chat.rename).toHaveBeenLastCalledWith('c1', 'slow please')
    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })

  it('says why there is no name, keeps the title, and can retry', async () => {
    asked.answer.mockResolvedValueOnce({ problem: 'The model gave no name.' })
    asked.answer.mockResolvedValueOnce({ title: 'A web project' })
    const { chat, user } = open()
    await user.click(screen.getByRole('menuitem', { name: 'Generate a title' }))
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain('The title was not changed.'))
    expect(chat.rename).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(chat.rename).toHaveBeenCalledWith('c1', 'A web project'))
  })

  it('can be cancelled, and then names nothing', async () => {
    const signals: AbortSignal[] = []
    asked.answer.mockImplementationOnce(
      (signal) =>
        new Promise((resolve) => {
          signals.push(signal)
          signal.addEventListener('abort', () => resolve({ title: 'too late' }))
        }),
    )
    const { chat, onClose, user } = open()
    await user.click(screen.getByRole('menuitem', { name: 'Generate a title' }))
    await user.click(screen.getByRole('button', { name: 'Stop' }))
    expect(onClose).toHaveBeenCalledOnce()
    cleanup()
    expect(signals[0]?.aborted).toBe(true)
    await Promise.resolve()
    expect(chat.rename).not.toHaveBeenCalled()
  })
})
