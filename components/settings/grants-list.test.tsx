// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterAll, afterEach, expect, it } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { speakTo } from '@/lib/base/text/languages'
import { lifetimeText, scopeText } from '@/lib/shared/calls/grant-text'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { emptyView, initialState } from '@/lib/client/state/state'
import { showConversation as showing } from '@/lib/client/state/open-conversations'
import { createClientStore } from '@/lib/client/state/store'
import type { Grant } from '@/lib/shared/conversation/call-record'
import { loadMessagesOf } from '@/lib/i18n/load-messages'
import { GrantsList } from './settings-drawer'

afterEach(cleanup)
afterAll(() => speakTo('en'))

const grant = (id: string, scope: Grant['scope'], over: Partial<Grant> = {}): Grant => ({
  id,
  scope,
  createdAt: Date.now() - 12 * 60_000,
  uses: 0,
  lastUsedAt: null,
  revokedAt: null,
  ...over,
})

it('lists approvals of changes with use and end, except used-up ones', () => {
  const scope = {
    kind: 'effects',
    folders: ['/src'],
    changes: ['created', 'changed'],
    maxFiles: 12,
    maxBytes: 60_000,
    runs: 10,
  } as const
  const grants = [
    grant('g1', scope, { uses: 3, expiresAt: Date.now() + 90 * 60_000 }),
    grant('g2', { ...scope, maxFiles: 0 }),
    grant('g3', scope, { uses: 10 }),
  ]
  const store = createClientStore(showing(initialState, { ...emptyView, id: 'c1', phase: 'ready', grants }))
  render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls: {} as CallActions }}>
      <GrantsList />
    </ChatProvider>,
  )
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    'You allowed changes in /src and its subfolders, kept without asking (new files, changed files, no deletions; up to 12 files and 60 KB per task; 10 tasks), 12 min ago, used 3 times, 1 hour left. Revoke',
    'You allowed tasks that start on a copy, with your decision at the end, 12 min ago, not used yet. Revoke',
  ])
})

it('puts foreign names where the language needs them, each marked as foreign', async () => {
  expect(await loadMessagesOf('zh-CN')).toBe(true)
  const grants = [
    grant('g1', { kind: 'folder', tool: 'write_file', folder: '/a\u200Bb' }, { uses: 2 }),
    grant('g2', { kind: 'arguments', tool: 'read_file', argumentsHash: 'h', label: '/a.md' }),
    grant('g3', { kind: 'tool', tool: 'read_file' }, { expiresAt: Date.now() + 90 * 60_000 }),
  ]
  const store = createClientStore(showing(initialState, { ...emptyView, id: 'c1', phase: 'ready', grants }))
  act(() => speakTo('zh-CN'))
  render(
    <ChatProvider value={{ store, chat: {} as ChatActions, calls: {} as CallActions }}>
      <GrantsList />
    </ChatProvider>,
  )
  expect(screen.getAllByRole('listitem').map((row) => row.textContent)).toEqual([
    '你允许了：write_file 在 /a⟨U+200B⟩b 及其下所有内容中的调用，12 分钟前，已使用 2 次。 撤销',
    '你允许了：参数相同的 read_file 调用（/a.md），12 分钟前，尚未使用。 撤销',
    '你允许了：read_file 的所有调用，12 分钟前，尚未使用，剩余 1 小时。 撤销',
  ])
  expect([...document.querySelectorAll('code')].map((name) => name.textContent).slice(0, 2)).toEqual([
    'write_file',
    '/a⟨U+200B⟩b',
  ])
  expect(scopeText({ kind: 'folder', tool: 'write_file', folder: '/' })).toBe('write_file 的调用（此对话的所有文件夹）')
  expect(lifetimeText(8 * 60 * 60_000)).toBe('8 小时')
})
