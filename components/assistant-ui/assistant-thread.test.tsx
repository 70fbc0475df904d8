// @vitest-environment jsdom
import { useAui, useAuiState } from '@assistant-ui/react'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { Message, ReplyOutcome } from '@/lib/shared/conversation/conversation'
import type { CallActions, ThreadActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, stored, userRow } from '@/lib/client/chats/testing/rows'
import { viewOf } from '@/lib/client/state/open-conversations'
import { useReply, useVersions } from './message-scope'
import { InThread } from './testing/in-thread'

afterEach(cleanup)

const click = (name: string) => act(() => screen.getByRole('button', { name }).click())
const Do = ({ name, what }: { name: string; what: () => void }) => (
  <button type="button" onClick={what}>
    {name}
  </button>
)

function Thread() {
  const aui = useAui()
  const running = useAuiState((state) => state.thread.isRunning)
  return (
    <>
      <p>{running ? 'running' : 'idle'}</p>
      <Do name="append" what={() => aui.thread.append('from assistant-ui')} />
      <Do name="cancel" what={() => aui.thread.cancelRun()} />
      <Do name="retry" what={() => aui.thread.startRun({ parentId: null })} />
      <Do name="reload" what={() => aui.thread.message({ id: 'a1' }).reload()} />
    </>
  )
}

function Row() {
  const reply = useReply()
  const status = useAuiState((state) => state.message.status?.type)
  const position = useAuiState(({ message }) => `${message.branchNumber} of ${message.branchCount}`)
  return (
    <section>
      <output>{status}</output>
      <p>
        {position}, {reply.outcome ?? 'none'}
      </p>
      <p>{useVersions(reply.id).join(' ')}</p>
    </section>
  )
}

interface Scene {
  readonly outcome?: ReplyOutcome | null
  readonly more?: readonly Message[]
}

function setUp({ outcome = 'finished', more = [] }: Scene = {}) {
  const store = createClientStore()
  const row = replyRow('a1', 'u1', { outcome })
  store.dispatch({ type: 'view-opened', conversationId })
  const view = {
    conversation: conversationRow({ headId: 'a1' }),
    messages: [userRow('u1', null), row, ...more],
    calls: [],
    amendments: [],
    grants: [],
  }
  store.dispatch({ type: 'view-loaded', view: { ...view, activeRunId: null } })
  const thread = {
    append: vi.fn<ThreadActions['append']>(() => Promise.resolve(stored)),
    stop: vi.fn<ThreadActions['stop']>(),
    retry: vi.fn<ThreadActions['retry']>(),
    regenerate: vi.fn<ThreadActions['regenerate']>(),
    edit: vi.fn<ThreadActions['edit']>(() => Promise.resolve(stored)),
    switchBranch: vi.fn<ThreadActions['switchBranch']>(),
  }
  const path = viewOf(store.getState()).path as readonly Message[]
  render(
    <ChatProvider value={{ store, chat: thread as never, calls: {} as CallActions }}>
      <InThread row={row} path={path}>
        <Thread />
        <Row />
      </InThread>
    </ChatProvider>,
  )
  return { store, thread }
}

describe('assistant-ui’s thread over our store', () => {
  it('sends, stops, retries and regenerates with the page’s own actions', () => {
    const { store, thread } = setUp()
    click('append')
    expect(thread.append).toHaveBeenCalledExactlyOnceWith('from assistant-ui')
    click('reload')
    expect(thread.regenerate).toHaveBeenCalledExactlyOnceWith('a1')
    click('retry')
    expect(thread.retry).toHaveBeenCalledOnce()
    act(() => store.dispatch({ type: 'run-joined', conversationId, runId: 'r', replyId: 'a2' }))
    expect(screen.getByText('running')).toBeDefined()
    click('cancel')
    expect(thread.stop).toHaveBeenCalledOnce()
  })
})

describe('message scope', () => {
  it.each([
    ['finished', 'complete'],
    ['stopped', 'incomplete'],
    ['failed', 'incomplete'],
    ['length', 'incomplete'],
    ['interrupted', 'incomplete'],
    [null, 'running'],
  ] as const)('gives a reply with the stored outcome %s the status %s', (outcome, type) => {
    setUp({ outcome })
    expect(screen.getByRole('status').textContent).toBe(type)
    expect(screen.getByText(`1 of 1, ${outcome ?? 'none'}`)).toBeDefined()
  })

  it('counts the versions of its message, even of one outside the shown branch', () => {
    setUp({ more: [replyRow('a2', 'u1'), replyRow('a3', 'u1')] })
    expect(screen.getByText('1 of 3, finished')).toBeDefined()
    expect(screen.getByText('a1 a2 a3')).toBeDefined()
  })
})
