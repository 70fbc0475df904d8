// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { ReadableChat } from '@/lib/shared/conversation/readable/readable-chat'
import PrintChat from './print-chat'

const chat = vi.hoisted(() => ({ read: null as ReadableChat | null }))
vi.mock('@/lib/client/wiring/readable-chat.browser', () => ({ readableChatOf: () => Promise.resolve(chat.read) }))
afterEach(cleanup)

const refused = { ok: false, error: { message: 'The server cannot be reached.' } }

function setUp(answers: readonly unknown[]) {
  const exportChat = vi.fn<() => Promise<never>>()
  for (const answer of answers) exportChat.mockResolvedValueOnce(answer as never)
  const onClose = vi.fn<() => void>()
  const print = vi.fn<() => void>()
  render(<PrintChat conversationId="c1" onClose={onClose} api={{ exportChat }} print={print} />)
  return { onClose, print }
}

const readable = (texts: readonly string[]): ReadableChat => ({
  title: 'Long ago',
  createdAt: 1,
  systemPrompt: null,
  messages: texts.map((text) => ({ by: 'person', at: 1, text, files: [] })),
})

it('prints the whole chat, opens the browser’s dialog once, and closes with it', async () => {
  chat.read = readable(['the very first', 'the last'])
  const { onClose, print } = setUp([{ ok: true, value: {} }])
  expect(await screen.findByText('the very first')).toBeTruthy()
  await vi.waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  fireEvent(window, new Event('afterprint'))
  expect(onClose).toHaveBeenCalledTimes(1)
})

it('says why the chat can’t be printed, and retries', async () => {
  chat.read = readable(['the very first'])
  const { onClose, print } = setUp([refused, { ok: true, value: {} }])
  expect((await screen.findByRole('alert')).textContent).toContain('The server cannot be reached.')
  expect(print).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('the very first')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
})

it('prints no empty page', async () => {
  chat.read = readable([])
  const { onClose, print } = setUp([{ ok: true, value: {} }])
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledTimes(1))
  expect(print).not.toHaveBeenCalled()
})
