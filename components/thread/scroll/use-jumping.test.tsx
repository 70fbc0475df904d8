// @vitest-environment jsdom
import { act, cleanup, render, waitFor } from '@testing-library/react'
import { useEffect, useRef, useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { jumpTo } from '@/components/context/show-in-page'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { viewOf } from '@/lib/client/state/open-conversations'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import type { ChatRow } from '@/lib/shared/conversation/message-tree'
import { useJumping, type ScrollToMessage } from './use-jumping'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** A thread of two branches: `u1 a1` is shown, `u2` is not. */
function setUp() {
  const store = createClientStore()
  const brought: number[] = []
  const seen: { elsewhere: string | null } = { elsewhere: null }
  store.dispatch({ type: 'view-opened', conversationId })
  store.dispatch({
    type: 'view-loaded',
    view: {
      conversation: conversationRow({ headId: 'a1' }),
      messages: [userRow('u1', null), replyRow('a1', 'u1'), userRow('u2', null)],
      calls: [],
      amendments: [],
      grants: [],
      activeRunId: null,
    },
  })
  const view = () => viewOf(store.getState())

  function Rows({ scroller, path }: { scroller: HTMLElement; path: readonly ChatRow[] }) {
    const [shown, setShown] = useState<readonly string[]>(['a1'])
    const scrollToMessage = useRef<ScrollToMessage>(null)
    const wanted = useJumping(scroller, path, scrollToMessage)
    useEffect(() => {
      seen.elsewhere = wanted?.messageId ?? null
    })
    return (
      <div
        ref={() => {
          scrollToMessage.current = (index) => {
            brought.push(index)
            setShown(path.map(({ id }) => id))
          }
        }}
      >
        {shown.map((id) => (
          <p key={id} data-message={id}>
            {id}
          </p>
        ))}
      </div>
    )
  }
  function Thread() {
    const [scroller, setScroller] = useState<HTMLElement | null>(null)
    return <div ref={setScroller}>{scroller ? <Rows scroller={scroller} path={view().path} /> : null}</div>
  }
  const value = {
    store,
    chat: {} as Partial<ChatActions> as ChatActions,
    calls: {} as Partial<CallActions> as CallActions,
  }
  const { container } = render(
    <ChatProvider value={value}>
      <Thread />
    </ChatProvider>,
  )
  const found = () => container.querySelector('[data-found]')
  return { brought, found, view, elsewhere: () => seen.elsewhere, dispatch: store.dispatch }
}

describe('a jump to a message', () => {
  it('renders a message that is not in the page, marks it, and focuses it', async () => {
    const { brought, found } = setUp()
    // The target position; jsdom has no layout.
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
      return new DOMRect(0, this.dataset['message'] === undefined ? 0 : 64, 100, 20)
    })
    act(() => jumpTo({ conversationId, messageId: 'u1' }))
    await waitFor(() => expect(found()?.textContent).toBe('u1'))
    expect(brought).toEqual([0])
    expect(document.activeElement).toBe(found())
  })

  it('shows its branch first', () => {
    const { elsewhere, view } = setUp()
    act(() => jumpTo({ conversationId, messageId: 'u2' }))
    expect(elsewhere()).toBe('u2')
    expect(view().problem).toBeNull()
  })

  it('waits a moment for a reply to end before it says that another branch can’t be shown now', () => {
    vi.useFakeTimers()
    try {
      const { elsewhere, view, dispatch } = setUp()
      const runId = 'run-9'
      const busy = { type: 'run-joined', conversationId, runId, replyId: 'a1' } as const
      act(() => dispatch(busy))
      act(() => jumpTo({ conversationId, messageId: 'u2' }))
      expect([elsewhere(), view().problem]).toEqual([null, null])
      act(() => dispatch({ type: 'run-lost', runId }))
      expect(elsewhere()).toBe('u2')
      act(() => dispatch(busy))
      act(() => void vi.runOnlyPendingTimers())
      expect(elsewhere()).toBeNull()
      expect(view().problem?.message).toContain('Stop the reply, or wait until it ends')
    } finally {
      vi.useRealTimers()
    }
  })

  it('says that the message is gone, and ignores jumps in other chats', () => {
    const { elsewhere, view, found } = setUp()
    act(() => jumpTo({ conversationId: 'another', messageId: 'u1' }))
    expect([found(), view().problem]).toEqual([null, null])
    act(() => jumpTo({ conversationId, messageId: 'gone' }))
    expect(elsewhere()).toBeNull()
    expect(view().problem?.message).toBe('This message is no longer in this chat.')
  })
})
