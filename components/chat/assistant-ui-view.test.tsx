// @vitest-environment jsdom
import { useAui, useAuiState } from '@assistant-ui/react'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ReplyOutcome } from '@/lib/chat/conversation'
import type { CallActions, ChatActions } from '@/lib/client/actions'
import { createClientStore } from '@/lib/client/store'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/testing/rows'
import { AssistantUiView, MessageScope, useReplyIsComplete } from './assistant-ui-view'
import { ChatProvider } from './chat-context'

afterEach(cleanup)

const Status = () => <output>{useReplyIsComplete() ? 'complete' : 'not complete'}</output>

function Thread() {
  const aui = useAui()
  const running = useAuiState((state) => state.thread.isRunning)
  return (
    <>
      <p>{running ? 'running' : 'idle'}</p>
      <button type="button" onClick={() => aui.thread.append('from outside')}>
        append
      </button>
      <button type="button" onClick={() => aui.thread.cancelRun()}>
        cancel
      </button>
    </>
  )
}

function setUp(outcome: ReplyOutcome | null) {
  const store = createClientStore()
  const reply = replyRow('a1', 'u1', { outcome })
  store.dispatch({ type: 'view-opened', conversationId })
  const view = {
    conversation: conversationRow({ headId: 'a1' }),
    messages: [userRow('u1', null), reply],
    calls: [],
    amendments: [],
    grants: [],
  }
  store.dispatch({ type: 'view-loaded', view: { ...view, activeRunId: null } })
  const send = vi.fn<ChatActions['send']>(() => true)
  const stop = vi.fn<ChatActions['stop']>()
  const chat = { send, stop } as Partial<ChatActions> as ChatActions
  const value = { store, chat, calls: {} as Partial<CallActions> as CallActions }
  render(
    <ChatProvider value={value}>
      <AssistantUiView>
        <Thread />
        <MessageScope message={reply} index={1} isLast>
          <Status />
        </MessageScope>
      </AssistantUiView>
    </ChatProvider>,
  )
  return { store, send, stop }
}

describe('assistant-ui over our store', () => {
  it.each([
    ['finished', 'complete'],
    ['stopped', 'not complete'],
    ['failed', 'not complete'],
    ['length', 'not complete'],
    ['interrupted', 'not complete'],
    [null, 'not complete'],
  ] as const)('a reply whose stored outcome is %s is %s', (outcome, words) => {
    setUp(outcome)
    expect(screen.getByRole('status').textContent).toBe(words)
  })

  it('appends through our own send', () => {
    const { send } = setUp('finished')
    act(() => screen.getByRole('button', { name: 'append' }).click())
    expect(send).toHaveBeenCalledExactlyOnceWith('from outside')
  })

  it('knows that a reply is written and stops it through our own stop', () => {
    const { store, stop } = setUp('finished')
    act(() => store.dispatch({ type: 'run-joined', conversationId, runId: 'r', replyId: 'a2' }))
    expect(screen.getByText('running')).toBeDefined()
    act(() => screen.getByRole('button', { name: 'cancel' }).click())
    expect(stop).toHaveBeenCalledOnce()
  })
})
