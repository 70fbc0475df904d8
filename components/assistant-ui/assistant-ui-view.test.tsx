// @vitest-environment jsdom
import { useActionBarReload, useBranchPickerNext, useBranchPickerPrevious } from '@assistant-ui/core/react'
import { useAui, useAuiState } from '@assistant-ui/react'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { glob, readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import type { AttachmentToSend } from '@/lib/shared/conversation/wire/api-types'
import { chatResponse } from '@/lib/shared/conversation/testing/chat-response'
import type { Message, ReplyOutcome } from '@/lib/shared/conversation/conversation'
import type { CallActions, ThreadActions } from '@/lib/client/chats/actions'
import { createResultsPort, type ResultsPort } from '@/lib/client/api/results-port'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { AssistantUiView, ThreadPart } from './assistant-ui-view'
import { MessageScope } from './message-scope'
import { appendText } from './append-text'
import { InThread, noResults } from './testing/in-thread'
import { useThread } from './thread-runtime-ref'
import { useGoToBranch } from './use-go-to-branch'
import { useReply } from './use-reply'
import { viewOf } from '@/lib/client/state/open-conversations'
import { ok } from '@/lib/base/result'

afterEach(() => {
  cleanup()
  taken.mockReset()
})

const click = (name: string) => act(() => screen.getByRole('button', { name }).click())
const Do = ({ name, what, off = false }: { name: string; what: () => void; off?: boolean }) => (
  <button type="button" disabled={off} onClick={what}>
    {name}
  </button>
)
const attached: AttachmentToSend = { path: '/a.md', mediaType: 'text/markdown', size: 1, head: '', isImage: false }
const append = { kind: 'tool-results', id: 'r1', parentId: 'a1' } as const
const answer = chatResponse({ runId: 'run', replyId: 'a2' })
const taken = vi.fn<(taken: boolean) => void>()

function Thread() {
  const aui = useAui()
  const running = useAuiState((state) => state.thread.isRunning)
  return (
    <>
      <p>{running ? 'running' : 'idle'}</p>
      <Do name="append" what={() => aui.thread.append('from outside')} />
      <Do name="say" what={() => taken(appendText(aui, 'typed', [attached]))} />
      <Do name="cancel" what={() => aui.thread.cancelRun()} />
      <Do name="retry" what={() => aui.thread.startRun({ parentId: null })} />
      <Do name="reload by the thread" what={() => aui.thread.message({ id: 'a1' }).reload()} />
    </>
  )
}

function Row() {
  const { previous, disabled: isFirst } = useBranchPickerPrevious()
  const { next, disabled: isLast } = useBranchPickerNext()
  const { reload, disabled: noReload } = useActionBarReload()
  const reply = useReply()
  const status = useAuiState((state) => state.message.status?.type)
  const go = useGoToBranch()
  const place = useAuiState(({ message }) => `${message.branchNumber} of ${message.branchCount}`)
  return (
    <section>
      <output>{status}</output>
      <p>
        {place}, {reply.outcome ?? 'none'}
      </p>
      <Do name="previous" off={isFirst} what={previous} />
      <Do name="next" off={isLast} what={next} />
      <Do name="reload" off={noReload} what={reload} />
      <Do name="go there" what={go} />
    </section>
  )
}

interface Scene {
  readonly outcome?: ReplyOutcome | null
  readonly results?: ResultsPort
  readonly more?: readonly Message[]
}

function setUp({ outcome = 'finished', results = noResults, more = [] }: Scene = {}) {
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
    send: vi.fn<ThreadActions['send']>(() => true),
    stop: vi.fn<ThreadActions['stop']>(),
    retry: vi.fn<ThreadActions['retry']>(),
    regenerate: vi.fn<ThreadActions['regenerate']>(),
    edit: vi.fn<ThreadActions['edit']>(() => true),
    switchBranch: vi.fn<ThreadActions['switchBranch']>(),
  }
  const value = { store, chat: thread as never, calls: {} as CallActions }
  const { path } = viewOf(store.getState())
  const last = path.at(-1)
  render(
    <ChatProvider value={value}>
      <InThread results={results}>
        <MessageScope message={row} index={path.indexOf(row)} isLast={row === last}>
          <Thread />
          <Row />
        </MessageScope>
      </InThread>
    </ChatProvider>,
  )
  return { store, thread }
}

describe('assistant-ui over our store', () => {
  it('what is said goes in by append, with its files, and the one who said it hears whether it was taken', () => {
    const { thread } = setUp()
    click('append')
    expect(thread.send).toHaveBeenCalledExactlyOnceWith('from outside', [])
    click('say')
    expect(thread.send).toHaveBeenLastCalledWith('typed', [attached])
    thread.send.mockReturnValue(false)
    click('say')
    expect(taken.mock.calls).toEqual([[true], [false]])
  })

  it('knows that a reply is written, stops it, and tries again', () => {
    const { store, thread } = setUp()
    act(() => store.dispatch({ type: 'run-joined', conversationId, runId: 'r', replyId: 'a2' }))
    expect(screen.getByText('running')).toBeDefined()
    click('cancel')
    expect(thread.stop).toHaveBeenCalledOnce()
    click('retry')
    expect(thread.retry).toHaveBeenCalledOnce()
  })

  it('results go in by append too, to their own conversation, whichever is open', async () => {
    const send = vi.fn<Parameters<typeof createResultsPort>[0]>(() => Promise.resolve(ok(answer)))
    const results = createResultsPort(send)
    const { thread } = setUp({ results })
    await expect(results.post('another chat', append)).resolves.toEqual(ok(answer))
    expect(send).toHaveBeenCalledExactlyOnceWith('another chat', append)
    expect(thread.send).not.toHaveBeenCalled()
  })

  it('results that were posted before the page had its thread go in with it, once', async () => {
    const send = vi.fn<Parameters<typeof createResultsPort>[0]>(() => Promise.resolve(ok(answer)))
    const results = createResultsPort(send)
    const posted = results.post(conversationId, append)
    expect(send).not.toHaveBeenCalled()
    setUp({ results })
    await expect(posted).resolves.toEqual(ok(answer))
    expect(send).toHaveBeenCalledOnce()
  })
})

describe('an empty chat', () => {
  function Starter() {
    const page = useThread()
    return <Do name="start" what={() => page.append('from a starter')} />
  }
  function open() {
    const store = createClientStore()
    const thread = { send: vi.fn<ThreadActions['send']>(() => true) }
    render(
      <ChatProvider value={{ store, chat: thread as never, calls: {} as CallActions }}>
        <AssistantUiView results={noResults}>
          <Starter />
          <ThreadPart />
        </AssistantUiView>
      </ChatProvider>,
    )
    return { store, thread }
  }

  it('loads the thread for what is done in it, which is done once it is here', async () => {
    const { thread } = open()
    click('start')
    expect(thread.send).not.toHaveBeenCalled()
    await waitFor(() => expect(thread.send).toHaveBeenCalledExactlyOnceWith('from a starter', []))
  })

  it('hands the results of calls over that wait for a thread, once the chat has messages', async () => {
    const results = createResultsPort(() => Promise.resolve(ok(answer)))
    const store = createClientStore()
    render(
      <ChatProvider value={{ store, chat: {} as never, calls: {} as CallActions }}>
        <AssistantUiView results={results}>
          <ThreadPart />
        </AssistantUiView>
      </ChatProvider>,
    )
    const posted = results.post(conversationId, append)
    act(() => {
      store.dispatch({ type: 'view-opened', conversationId })
      const rows = { messages: [userRow('u1', null)], calls: [], amendments: [], grants: [] }
      const conversation = conversationRow({ headId: 'u1' })
      store.dispatch({ type: 'view-loaded', view: { ...rows, conversation, activeRunId: null } })
    })
    await expect(posted).resolves.toEqual(ok(answer))
  })
})

describe('the scope of a message', () => {
  it.each([
    ['finished', 'complete'],
    ['stopped', 'incomplete'],
    ['failed', 'incomplete'],
    ['length', 'incomplete'],
    ['interrupted', 'incomplete'],
    [null, 'running'],
  ] as const)('a reply whose stored outcome is %s is %s, and its outcome is read from that', (outcome, type) => {
    setUp({ outcome })
    expect(screen.getByRole('status').textContent).toBe(type)
    expect(screen.getByText(`1 of 1, ${outcome ?? 'none'}`)).toBeDefined()
  })

  it('acts on its own row: another reply, another branch', () => {
    const { store, thread } = setUp({ more: [replyRow('a2', 'u1'), replyRow('a3', 'u1')] })
    expect(screen.getByText('1 of 3, finished')).toBeDefined()
    expect(screen.getByRole('button', { name: 'previous' })).toHaveProperty('disabled', true)
    click('next')
    expect(thread.switchBranch).toHaveBeenCalledExactlyOnceWith('a2')
    click('go there')
    expect(thread.switchBranch).toHaveBeenLastCalledWith('a1')
    click('reload')
    click('reload by the thread')
    expect(thread.regenerate.mock.calls).toEqual([['a1'], ['a1']])
    act(() => store.dispatch({ type: 'run-joined', conversationId, runId: 'r', replyId: 'a4' }))
    for (const name of ['next', 'reload']) expect(screen.getByRole('button', { name })).toHaveProperty('disabled', true)
  })
})

it('nothing but what stands between assistant-ui and the store acts on the thread', async () => {
  const users: string[] = []
  for await (const file of glob('{app,components}/**/*.{ts,tsx}')) {
    if (!file.includes('.test.') && /useThreadActions/.test(await readFile(file, 'utf8'))) users.push(file)
  }
  expect(users.toSorted()).toEqual([
    'components/assistant-ui/message-scope.tsx',
    'components/assistant-ui/thread-host.tsx',
    'components/context/chat-context.tsx',
  ])
})
