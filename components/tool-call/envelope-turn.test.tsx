// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import { InThread } from '@/components/assistant-ui/testing/in-thread'
import { ChatProvider, AnswerProvider } from '@/components/context/chat-context'
import { choose } from './testing/choose'
import { approvalsOver } from './testing/question-source'
import { ok } from '@/lib/base/result'
import { failed } from '@/lib/client/api/api-failure'
import type { UserMessage } from '@/lib/shared/conversation/conversation'
import type { CallRecord } from '@/lib/shared/conversation/call-record'
import { chatResponse } from '@/lib/shared/conversation/testing/chat-response'
import type { ChatActions } from '@/lib/client/chats/actions'
import { emptyView, initialState } from '@/lib/client/state/state'
import { showConversation as showing } from '@/lib/client/state/open-conversations'
import { parsedReply, replyCalls } from '@/lib/client/state/parsed-reply'
import { createClientStore } from '@/lib/client/state/store'
import type { Sandbox } from '@/lib/sandbox/sandbox'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { createCallSecrets } from '@/lib/client/secrets/call-secrets'
import { createMemoryVault } from '@/lib/client/secrets/vault'
import { createCallController } from '@/lib/client/calls/call-controller'
import { callHash } from '@/lib/shared/calls/call-hash'
import type { CallApi, CallControllerPorts } from '@/lib/client/calls/call-ports'
import { messageCalls } from '@/lib/shared/calls/message-calls'
import { executeTool } from '@/lib/shared/tools/client-executor'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import type { ToolRuntime } from '@/lib/shared/tools/tool'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { conversation, reply } from './testing/fixtures'
import { preloadCards, ToolCallRenderer } from './tool-call-renderer'
import { ToolRuntimeProvider } from '@/components/context/tool-runtime-context'

// From a stored reply to posted results with the real parser, cards, controller, executor, tools and assistant-ui
// thread; only the server, the sandbox and the locks are fakes.

vi.mock('@/components/markdown/markdown', () => ({ Markdown: ({ text }: { text: string }) => <p>{text}</p> }))
vi.mock('@/components/ui/code/highlight', () => ({ highlightLines: () => Promise.resolve(null) }))
beforeAll(preloadCards)
afterEach(cleanup)

const noSandbox: Sandbox = {
  run: () => Promise.resolve({ kind: 'returned', value: '5', valueIsJson: true, durationMs: 1 }),
  dispose: () => {},
}

const why = (message: string) => ({ reason: '', values: {}, message })
const unused = () => Promise.resolve(failed('internal', 500, why('unused')))

function stage(strategy: StrategyId, text: string) {
  const message = reply({ text, strategy })
  const settings = { ...conversation.settings, strategy }
  const view = { ...emptyView, id: 'c1', phase: 'ready' as const, conversation: { ...conversation, settings } }
  const store = createClientStore(
    showing(initialState, { ...view, tree: new Map([[message.id, message]]), path: [message] }),
  )
  const rows = new Map<number, CallRecord>()
  const posts: string[] = []
  const postResults: CallControllerPorts['postResults'] = (conversationId, append) => {
    posts.push(append.id)
    const base = { id: append.id, conversationId, parentId: append.parentId, createdAt: 3 }
    const sent: UserMessage = { ...base, role: 'user', text: '', results: [] }
    return Promise.resolve(ok(chatResponse({ runId: 'r2', replyId: 'm2', message: sent })))
  }
  const api: CallApi = {
    async decideCall(_, { messageId, slot, callHash: hash, decision, reason = '', runnerId, attempt }) {
      const known = rows.get(slot)
      if (known) return ok({ granted: false, call: known })
      const { call } = messageCalls(parsedReply(message, settings.tools, builtIn))[slot] ?? {}
      if (!call || hash !== (await callHash(messageId, slot, call.name, call.arguments))) {
        return failed('conflict', 409, why('Another call.'))
      }
      const base = { messageId, slot, callId: call.id, name: call.name, callHash: hash, decision, reason, runnerId }
      const open = {
        changed: null,
        by: { kind: 'click' },
        outcome: null,
        finishedAt: null,
        gated: false,
        release: null,
      } as const
      const row: CallRecord = { ...base, ...open, attempt, decidedAt: 1, postedIn: null }
      rows.set(slot, row)
      return ok({ granted: true, call: row })
    },
    finishCall: (_, { slot, outcome }) => {
      const row = { ...(rows.get(slot) as CallRecord), outcome, finishedAt: 2 }
      rows.set(slot, row)
      return Promise.resolve(ok(row))
    },
    decideInner: unused,
    finishInner: unused,
    stopCall: unused,
    explainDenial: unused,
    amendCall: unused,
    releaseResult: unused,
    giveGrant: unused,
    endCopy: unused,
    revokeGrant: unused,
    messages: unused,
  }
  const vfs = createMemoryVfs()
  const runtime: ToolRuntime = {
    vfs,
    execute: (name, args, options) =>
      executeTool(builtIn.get(name), args, { vfs, sandbox: noSandbox, ...options }, { monotonic: () => 0, name }),
    dispose: () => {},
  }
  const vault = createMemoryVault()
  const held = new Set<string>()
  const calls = createCallController({
    runnerId: 'tab',
    newId: () => 'id',
    now: () => 1000,
    monotonic: () => 1000,
    wait: () => new Promise(() => {}),
    getState: store.getState,
    dispatch: (event) => act(() => store.dispatch(event)),
    readCalls: (row, config, amendments) => replyCalls(row, config, amendments, builtIn),
    api,
    toolOf: () => undefined,
    secrets: createCallSecrets(
      () => vault,
      () => Promise.resolve(new Map()),
    ),
    postResults,
    pictures: () => Promise.resolve(ok([])),
    locks: {
      async tryHold(name, work) {
        if (held.has(name)) return { held: false }
        held.add(name)
        const value = await work()
        held.delete(name)
        return { held: true, value }
      },
      isHeld: (name) => Promise.resolve(held.has(name)),
      whenFree: () => Promise.resolve(),
    },
    runtime: () => Promise.resolve(runtime),
    marksOf: () => Promise.resolve(new Map()),
    joinRun: (_, response) => act(() => store.dispatch({ type: 'send-accepted', conversationId: 'c1', response })),
  })
  const chat = {} as ChatActions
  render(
    <ChatProvider value={{ store, chat, calls }}>
      <AnswerProvider value={approvalsOver(store, calls)}>
        <ToolRuntimeProvider value={() => Promise.resolve(runtime)}>
          <InThread row={message} path={[message]}>
            <ToolCallRenderer />
          </InThread>
        </ToolRuntimeProvider>
      </AnswerProvider>
    </ChatProvider>,
  )
  return { user: userEvent.setup(), rows, posts, vfs }
}

const write = { name: 'write_file', arguments: { path: '/notes/a.md', content: '# Hello\n</tool_code>「末」\n' } }
const list = { name: 'list_directory', arguments: { path: '/notes' } }
const code = { name: 'browser_js_eval', arguments: { code: '2 + 3' } }

it.each(toolContextBuilder.strategies.map((strategy) => strategy.id))(
  '%s: Run all runs the calls in order, and one message returns the results',
  async (id) => {
    const written = toolContextBuilder.get(id).formatCalls([write, list, code])
    const { user, rows, posts, vfs } = stage(id, `I will save it.\n\n${written}`)
    expect(screen.getByRole('group', { name: '3 calls are waiting for you' })).toBeTruthy()
    expect(posts).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Run all' }))
    await waitFor(() => expect(posts).toHaveLength(1))
    const read = await vfs.read('/notes/a.md')
    expect(read.ok && new TextDecoder().decode(read.value)).toBe(write.arguments.content)
    expect(rows.get(1)?.outcome?.result).toMatchObject({ entries: [{ name: 'a.md', kind: 'file' }] })
    expect(rows.get(2)?.outcome?.result).toEqual({ value: 5 })
    for (const { name } of [write, list, code]) {
      const card = within(screen.getByRole('group', { name: `Tool result: ${name}` }))
      expect(card.getByText('done')).toBeTruthy()
      expect(card.queryByRole('button', { name: 'Run' })).toBeNull()
    }
  },
)

it('denies one and runs the other', async () => {
  const written = toolContextBuilder.get('XML_Tag').formatCalls([write, list])
  const { user, rows, posts, vfs } = stage('XML_Tag', written)
  await choose(user, screen.getByRole('group', { name: 'Tool call: write_file' }), /^Deny with a reason/)
  await user.type(screen.getByRole('textbox', { name: 'Reason' }), 'No.{Enter}')
  await screen.findByText('You denied this: “No.”')
  expect(posts).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Run' }))
  await waitFor(() => expect(posts).toHaveLength(1))
  expect(rows.get(0)).toMatchObject({ decision: 'deny', reason: 'No.', outcome: null })
  expect((await vfs.read('/notes/a.md')).ok).toBe(false)
  expect(rows.get(1)?.outcome?.status).toBe('error')
})
