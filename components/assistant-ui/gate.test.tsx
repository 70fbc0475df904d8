// @vitest-environment jsdom
import { MessageProvider, type MessageStatus } from '@assistant-ui/react'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { ChatProvider, AnswerProvider } from '@/components/context/chat-context'
import { preloadCards, ToolCallRenderer } from '@/components/tool-call/tool-call-renderer'
import type { ReplyOutcome } from '@/lib/shared/conversation/conversation'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { InThread } from './testing/in-thread'
import { threadMessageOf } from './message-scope'

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
beforeAll(preloadCards)
afterEach(cleanup)

const call = { name: 'list_directory', arguments: { path: '/' } }

/** Renders a message whose status differs from its stored outcome. */
function show(outcome: ReplyOutcome | null, status: MessageStatus) {
  const text = toolContextBuilder.get('XML_Tag').formatCalls([call])
  const stored = replyRow('a1', 'u1', { text, strategy: 'XML_Tag', outcome })
  const store = createClientStore()
  store.dispatch({ type: 'view-opened', conversationId })
  const rows = { messages: [userRow('u1', null), stored], calls: [], amendments: [], grants: [] }
  const view = { ...rows, conversation: conversationRow({ headId: 'a1' }), activeRunId: null }
  store.dispatch({ type: 'view-loaded', view })
  const calls = { look: () => {}, watchRunner: () => () => {} } as Partial<CallActions> as CallActions
  const message = { ...threadMessageOf(stored), status } as ReturnType<typeof threadMessageOf>
  render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls }}>
      <AnswerProvider value={() => Promise.resolve(null)}>
        <InThread>
          <MessageProvider message={message} index={1}>
            <ToolCallRenderer />
          </MessageProvider>
        </InThread>
      </AnswerProvider>
    </ChatProvider>,
  )
  return screen.queryByRole('button', { name: 'Run' })
}

it('offers to run a call once the message status is complete, whatever the stored outcome', () => {
  for (const outcome of ['finished', 'stopped', 'interrupted'] as const) {
    expect(show(outcome, { type: 'complete', reason: 'stop' })).not.toBeNull()
    cleanup()
  }
})

it.each<MessageStatus>([
  { type: 'running' },
  { type: 'incomplete', reason: 'cancelled' },
  { type: 'incomplete', reason: 'length' },
  { type: 'incomplete', reason: 'error' },
  { type: 'incomplete', reason: 'other' },
  { type: 'incomplete', reason: 'content-filter' },
  { type: 'requires-action', reason: 'tool-calls' },
])('offers nothing to run in a message with status %o, even if its stored reply finished', (status) => {
  expect(show('finished', status)).toBeNull()
})
