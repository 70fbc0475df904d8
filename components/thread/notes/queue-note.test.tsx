// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { ReplyComing } from '../scroll/absent-row'
import { StreamingBody } from '../streaming-body'

afterEach(cleanup)

it('shows a waiting reply’s place in the queue, live, and then its usual text', async () => {
  const store = createClientStore()
  const reply = replyRow('a2', 'u1', { text: '', outcome: null })
  const view = { conversation: conversationRow(), calls: [], amendments: [], grants: [], activeRunId: 'run-a2' }
  store.dispatch({ type: 'view-opened', conversationId })
  store.dispatch({ type: 'view-loaded', view: { ...view, messages: [userRow('u1', null), reply] } })
  store.dispatch({ type: 'run-joined', conversationId, runId: 'run-a2', replyId: 'a2' })
  render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls: {} as CallActions }}>
      <StreamingBody message={reply} />
    </ChatProvider>,
  )
  const stands = (place: number | null) => act(() => store.dispatch({ type: 'run-queued', runId: 'run-a2', place }))
  expect(screen.getByText('Waiting for the first words…')).toBeDefined()
  stands(3)
  expect((await screen.findByRole('status')).textContent).toBe('Waiting: 3rd in the queue.')
  stands(1)
  expect(screen.getByRole('status').textContent).toBe('Waiting: 1st in the queue.')
  stands(0)
  expect(screen.getByRole('status').textContent).toBe('Waiting in the queue.')
  stands(null)
  expect(screen.getByText('Waiting for the first words…')).toBeDefined()
  expect(screen.queryByRole('status')).toBeNull()
  act(() => store.dispatch({ type: 'run-queued', runId: 'run-a2', place: null, isAlive: true }))
  expect(screen.getByText('The model’s server responded. Waiting for the first words…')).toBeDefined()
})

it.each([
  ['nothing', { text: '', reasoning: '' }, /^Waiting for the first words…$/],
  ['blanks', { text: '\n ', reasoning: '\n' }, /^Waiting for the first words…$/],
  ['a token that shows nothing', { text: '<|im_end|>', reasoning: '' }, /^Waiting for the first words…$/],
  ['thoughts', { text: '', reasoning: 'Let me see.' }, /^Thinking/],
  ['thoughts in the text', { text: '<think>Let me see.', reasoning: '' }, /^Thinking/],
  ['letters that may begin a call', { text: 'Hello', reasoning: '' }, /^Reading the first words…$/],
  ['words', { text: 'Sure, I look.', reasoning: '' }, /^Sure, I look\.$/],
])('says what has arrived of a reply: %s', (_, arrived, shown) => {
  const store = createClientStore()
  store.dispatch({ type: 'view-opened', conversationId })
  const { container } = render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls: {} as CallActions }}>
      <StreamingBody message={replyRow('a2', 'u1', { ...arrived, outcome: null })} />
    </ChatProvider>,
  )
  expect(container.textContent.trim()).toMatch(shown)
})

it.each([
  ['', '', 'Waiting for the first words…'],
  ['Hello', '', 'Loading the reply…'],
  ['', 'Let me see.', 'Loading the reply…'],
])('does not wait for text that arrived before the page could read it', (text, reasoning, words) => {
  render(<ReplyComing message={replyRow('a2', 'u1', { text, reasoning, outcome: null })} />)
  expect(screen.getByText(words)).toBeDefined()
})
