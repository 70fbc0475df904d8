// @vitest-environment jsdom
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { unreachable } from '@/lib/client/api/api-failure'
import type { nodApi } from '@/lib/client/wiring/nod-api.browser'
import { outlineOf, type Outline } from '@/lib/shared/conversation/outline'
import { createClientStore } from '@/lib/client/state/store'
import CompareDialog from './compare-dialog'

vi.mock('@/components/tool-call/tool-call-renderer', async () => {
  const { useReply } = await import('@/components/assistant-ui/message-scope')
  const ToolCallRenderer = () => (
    <div data-call-card="waiting">
      <button>{`Run ${useReply().text}`}</button>
    </div>
  )
  return { ToolCallRenderer, useEmptyReply: () => null }
})
beforeAll(() => {
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true
  }
  HTMLDialogElement.prototype.close ??= function (this: HTMLDialogElement) {
    this.open = false
  }
})
afterEach(cleanup)

const server = vi.hoisted(() => ({ messages: vi.fn<typeof nodApi.messages>() }))
vi.mock('@/lib/client/wiring/nod-api.browser', () => ({ nodApi: server }))

function setUp(without?: string, outline?: Outline) {
  const store = createClientStore()
  store.dispatch({ type: 'view-opened', conversationId })
  const messages = [
    userRow('u1', null, { text: 'a question' }),
    replyRow('a', 'u1', { text: 'one', model: 'm/one', strategy: 'JSON_Strict' }),
    replyRow('b', 'u1', { text: 'two', model: 'm/two', strategy: 'XML_Tag' }),
  ].filter(({ id }) => id !== without)
  const rest = { calls: [], amendments: [], grants: [], activeRunId: null }
  store.dispatch({
    type: 'view-loaded',
    view: { ...rest, messages, ...(outline && { outline }), conversation: conversationRow({ headId: 'a' }) },
  })
  const info = (id: string) => ({ id, label: id, simulated: false })
  const models = { models: [info('m/one'), info('m/two')], defaultModel: 'm/one', problems: [] }
  store.dispatch({ type: 'models-loaded', models: models as never })
  const chat = {
    writeBeside: vi.fn<ChatActions['writeBeside']>(() => new Promise(() => {})),
    stop: vi.fn<ChatActions['stop']>(),
    switchBranch: vi.fn<ChatActions['switchBranch']>(),
    updateSettings: vi.fn<ChatActions['updateSettings']>(() => Promise.resolve(null)),
  }
  const onClose = vi.fn<() => void>()
  render(
    <ChatProvider value={{ store, chat: chat as Partial<ChatActions> as ChatActions, calls: {} as CallActions }}>
      <InThread>
        <CompareDialog replyId="a" onClose={onClose} />
      </InThread>
    </ChatProvider>,
  )
  const side = (number: number) => within(screen.getByRole('region', { name: `Reply ${number}`, hidden: true }))
  return { store, chat, onClose, side, user: userEvent.setup() }
}

it('continues with a side, with its model and format', async () => {
  const { chat, onClose, side, user } = setUp()
  expect(side(1).getByText('JSON_Strict')).toBeTruthy()
  await user.click(side(2).getByText('Continue with this reply'))
  expect(chat.switchBranch).toHaveBeenCalledExactlyOnceWith('b')
  expect(chat.updateSettings.mock.lastCall?.[0]).toMatchObject({ model: 'm/two', strategy: 'XML_Tag' })
  expect(onClose).toHaveBeenCalledOnce()
})

it('shows a side’s branch before one of its calls is decided, and keeps it when the dialog closes', async () => {
  const { chat, onClose, side, user } = setUp()
  await user.click(side(2).getByText('Run two'))
  expect(chat.switchBranch).toHaveBeenCalledWith('b')
  chat.switchBranch.mockClear()
  await user.click(screen.getByLabelText('Close'))
  expect(chat.switchBranch).not.toHaveBeenCalled()
  expect(onClose).toHaveBeenCalledOnce()
})

it('requests sides at the same time, with the chosen model and format; one is refused, one begins', async () => {
  const { chat, side, user } = setUp('b')
  await user.selectOptions(screen.getByLabelText('Model of the next reply'), 'm/one')
  await user.selectOptions(screen.getByLabelText('Call format of the next reply'), 'Native')
  chat.writeBeside.mockResolvedValueOnce({ ok: false, error: 'Too many replies are being written.' })
  await user.click(screen.getByText('Add reply'))
  expect((await screen.findByRole('alert', { hidden: true })).textContent).toBe('Too many replies are being written.')
  await user.click(screen.getByText('Add reply'))
  await user.click(screen.getByText('Add reply'))
  expect(chat.writeBeside.mock.calls).toEqual(
    Array.from({ length: 3 }, () => ['a', { model: 'm/one', strategy: 'Native' }]),
  )
  expect(side(3).getByText('Starting…')).toBeTruthy()
  // No more than three fit.
  expect(screen.queryByText('Add reply')).toBeNull()
  expect(side(1).getByText<HTMLButtonElement>('Continue with this reply').disabled).toBe(true)
})

it('stops one side, or all', async () => {
  const { store, chat, side, user } = setUp()
  await act(async () => {
    for (const id of ['a', 'b']) {
      store.dispatch({ type: 'run-joined', conversationId, runId: `run-${id}`, replyId: id, isSide: true })
      store.dispatch({ type: 'run-queued', runId: `run-${id}`, place: id === 'b' ? 2 : null })
    }
  })
  expect(side(2).getByText('Waiting: 2nd in the queue.')).toBeTruthy()
  await user.click(side(2).getByText('Stop this reply'))
  await user.click(screen.getByText('Stop all'))
  expect(chat.stop.mock.calls).toEqual([['run-b'], []])
})

it('loads the versions that the page does not have; if it cannot, it says why and tries again', async () => {
  server.messages.mockResolvedValueOnce(unreachable())
  const outline = outlineOf(
    (['u', 'a', 'a'] as const).map((kind, at) => {
      const id = ['u1', 'a', 'b'][at] ?? ''
      return { id, parentId: at === 0 ? null : 'u1', kind, size: 1 }
    }),
  )
  const { side, user } = setUp('b', outline)
  expect((await screen.findByRole('alert', { hidden: true })).textContent).toContain(
    'The older messages are not shown.',
  )
  expect(screen.queryByRole('region', { name: 'Reply 2', hidden: true })).toBeNull()
  const messages = [replyRow('b', 'u1', { text: 'two', strategy: 'XML_Tag' })]
  server.messages.mockResolvedValueOnce({ ok: true, value: { messages, calls: [], amendments: [], grants: [] } })
  await user.click(screen.getByText('Try again'))
  await screen.findByRole('region', { name: 'Reply 2', hidden: true })
  expect(side(2).getByText('XML_Tag')).toBeTruthy()
  expect(server.messages.mock.calls).toEqual([
    [conversationId, ['b']],
    [conversationId, ['b']],
  ])
  expect(screen.queryByRole('alert', { hidden: true })).toBeNull()
})
