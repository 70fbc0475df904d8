// @vitest-environment jsdom
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { EditingProvider } from '@/components/assistant-ui/editing-context'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { ChatProvider } from '@/components/context/chat-context'
import { loadWaiting } from '@/components/context/use-waiting'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { createClientStore } from '@/lib/client/state/store'
import type { WaitingMessage } from '@/lib/client/state/state'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { AssistantMessage } from '@/lib/shared/conversation/conversation'
import { WaitingMessages } from './waiting-messages'

afterEach(cleanup)

const aCall = toolContextBuilder
  .get('JSON_Strict')
  .formatCalls([{ name: 'write_file', arguments: { path: '/a', content: 'b' } }])

const queued = (id: string, entry: Partial<WaitingMessage['entry']> = {}): WaitingMessage => ({
  entry: {
    version: 1,
    id,
    conversationId,
    parentId: 'a1',
    text: `words of ${id}`,
    createdAt: 1,
    after: 'turn',
    refusal: null,
    ...entry,
  },
  kept: true,
  sending: false,
})

/** `reply`: the chat's last message; by default it is in progress. */
async function setUp(reply: Partial<AssistantMessage> | null, ...outbox: WaitingMessage[]) {
  await loadWaiting()
  const store = createClientStore()
  store.dispatch({ type: 'view-opened', conversationId })
  const messages = [userRow('u1', null), replyRow('a1', 'u1', reply ?? { text: '', outcome: null })]
  const conversation = conversationRow({ headId: 'a1' })
  const rows = { conversation, messages, calls: [], amendments: [], grants: [] }
  store.dispatch({ type: 'view-loaded', view: { ...rows, activeRunId: reply ? null : 'r1' } })
  if (!reply) store.dispatch({ type: 'run-joined', conversationId, runId: 'r1', replyId: 'a1' })
  store.dispatch({ type: 'outbox-changed', outbox })
  const done = () => Promise.resolve(true)
  const chat = {
    rewriteWaiting: vi.fn<ChatActions['rewriteWaiting']>(done),
    discardWaiting: vi.fn<ChatActions['discardWaiting']>(done),
    holdWaiting: vi.fn<ChatActions['holdWaiting']>(done),
    sendNow: vi.fn<ChatActions['sendNow']>(done),
  }
  render(
    <ChatProvider value={{ store, chat: chat as Partial<ChatActions> as ChatActions, calls: {} as CallActions }}>
      <EditingProvider>
        <InThread>
          <WaitingMessages />
        </InThread>
      </EditingProvider>
    </ChatProvider>,
  )
  return { store, ...chat }
}

const shown = () => screen.getAllByRole('article', { name: 'Queued message' })
const why = (at = 0) => within(shown()[at] as HTMLElement).getByRole('status').textContent

it('shows the order of queued messages, with the actions on each', async () => {
  const { sendNow, discardWaiting } = await setUp(null, queued('q1'), queued('q2'))
  expect(shown().map((one) => within(one).getByRole('status').textContent)).toEqual([
    'Sends next',
    'Sends after the message above',
  ])
  const [, second] = shown() as [HTMLElement, HTMLElement]
  await userEvent.click(within(second).getByRole('button', { name: 'Send now' }))
  expect(sendNow).toHaveBeenCalledExactlyOnceWith('q2')
  await userEvent.click(within(second).getByRole('button', { name: 'Remove' }))
  expect(discardWaiting).toHaveBeenCalledExactlyOnceWith('q2')
})

it.each<[string, Partial<AssistantMessage>, Partial<WaitingMessage['entry']>, string]>([
  ['calls wait for a decision', { text: aCall }, {}, 'Sends after your decision'],
  ['the reply was stopped', { outcome: 'stopped' }, {}, 'Waits because you stopped the reply'],
  ['the reply failed', { outcome: 'failed' }, {}, 'Waits because the reply failed'],
  ['the turn is over', { text: 'done' }, {}, 'Sends next'],
  ['it is sent now', { text: aCall }, { after: 'reply' }, 'Sends next'],
  ['it is edited, maybe in another tab', { text: 'done' }, { after: 'edit' }, 'Waits until you finish editing'],
])('says so when %s', async (_, reply, entry, words) => {
  await setUp(reply, queued('q1', entry))
  expect(why()).toBe(words)
})

it('says that the server can’t be reached, and that the browser stores nothing', async () => {
  const { store } = await setUp({ text: 'done' }, { ...queued('q1'), kept: false })
  act(() => store.dispatch({ type: 'online-changed', online: false }))
  expect(why()).toContain('cannot be reached. Sends automatically.')
  expect(why()).toContain('Keep the page open until it is sent')
})

it('is held while it is edited, even during a reply, and released however the editor ends', async () => {
  const { holdWaiting, rewriteWaiting } = await setUp(null, queued('q1'))
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  expect(holdWaiting).toHaveBeenLastCalledWith('q1', true)
  await userEvent.type(screen.getByRole('textbox', { name: 'Edited message' }), ' now')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(rewriteWaiting).toHaveBeenCalledExactlyOnceWith('q1', 'words of q1 now')
  expect(holdWaiting).toHaveBeenLastCalledWith('q1', false)
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  await userEvent.keyboard('{Escape}')
  expect(rewriteWaiting).toHaveBeenCalledOnce()
  expect(holdWaiting).toHaveBeenLastCalledWith('q1', false)
})

it('shows why the server refused it, like any unsent message', async () => {
  await setUp({ text: 'done' }, queued('q1', { refusal: 'It is too long.' }))
  expect(screen.getByRole('article', { name: 'You, not sent yet' }).textContent).toContain('Not sent. It is too long.')
})
