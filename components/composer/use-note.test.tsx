// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ChatProvider } from '@/components/context/chat-context'
import { speakChinese } from '@/components/ui/testing/in-chinese'
import { speakTo } from '@/lib/base/text/languages'
import { ok } from '@/lib/base/result'
import { brokeOff } from '@/lib/client/api/api-failure'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import type { NodApi } from '@/lib/client/api/nod-api'
import { createClientStore } from '@/lib/client/state/store'
import { conversationId, conversationRow, replyRow, userRow, useView } from '@/lib/client/chats/testing/rows'
import type { UseView } from '@/lib/shared/conversation/wire/api-types'
import UseNote from './use-note'

afterEach(cleanup)

const day = 86_400_000
const pot = (models: string, left: number, mine = true) => ({ models, mine, left, limit: 10_000 })

/** A chat that was last changed at the start of 1970. */
function setUp(first: UseView, { now = 0, text = 'hi' } = {}) {
  const store = createClientStore()
  store.dispatch({ type: 'view-opened', conversationId })
  const messages = [userRow('u1', null, { text }), replyRow('a1', 'u1')]
  const conversation = conversationRow({ headId: 'a1' })
  const rest = { calls: [], amendments: [], grants: [], activeRunId: null }
  store.dispatch({ type: 'view-loaded', view: { conversation, messages, ...rest } })
  const answers = [first]
  const use = vi.fn<NodApi['use']>(() => Promise.resolve(ok(answers.at(-1) ?? first)))
  const context = { store, chat: {} as Partial<ChatActions> as ChatActions, calls: {} as CallActions }
  const { container } = render(
    <ChatProvider value={context}>
      <UseNote api={{ use }} now={() => now} />
    </ChatProvider>,
  )
  const write = (isWriting: boolean) =>
    act(() =>
      store.dispatch(
        isWriting
          ? { type: 'run-joined', conversationId, runId: 'r', replyId: 'a1' }
          : { type: 'run-lost', runId: 'r' },
      ),
    )
  return { store, use, answers, write, said: () => container.textContent }
}

it('warns before sending that a message would be refused, for which models, and what it needs', async () => {
  const { said } = setUp({ ...useView, budgets: [pot('*', 9_000), pot('demo/*', 1_200, false)] })
  await screen.findByRole('status')
  expect(said()).toMatch(/left today: this message needs about 2,5\d\d, and 1,200 of the server’s tokens for demo\/\*/)
  expect(said()).toMatch(/Another model may have some/)
})

it('shows nothing while it fits, and nothing about other models', async () => {
  const { store, use, said } = setUp({ ...useView, budgets: [pot('*', 9_000), pot('other/*', 0)] })
  await waitFor(() => expect(store.getState().use).not.toBeNull())
  expect(use).toHaveBeenCalledOnce()
  // The model picker shows the rest, too.
  expect(store.getState().use?.lines).toEqual([
    '9,000 of your 10,000 tokens are left today.',
    '0 of your 10,000 tokens for other/* are left today.',
  ])
  expect(said()).toBe('')
})

it('counts a long chat as the server does, by what is sent', async () => {
  const { said } = setUp({ ...useView, budgets: [pot('*', 9_000)] }, { text: 'word '.repeat(8_000) })
  await screen.findByRole('status')
  expect(said()).toMatch(/needs about 12,5\d\d, and 9,000 of your tokens are left/)
})

it('asks again after each reply only if replies count against a limit', async () => {
  const { store, use, answers, write, said } = setUp({ ...useView, budgets: [pot('*', 9_000)] })
  await waitFor(() => expect(store.getState().use).not.toBeNull())
  answers.push({ ...useView, budgets: [pot('*', 100)] })
  write(true)
  write(false)
  await waitFor(() => expect(said()).toMatch(/100 of your tokens/))
  expect(use).toHaveBeenCalledTimes(2)
  cleanup()

  const free = setUp(useView)
  await waitFor(() => expect(free.store.getState().use).not.toBeNull())
  free.write(true)
  free.write(false)
  expect(free.use).toHaveBeenCalledOnce()
})

it('says how long a chat is kept when its deletion is near, counted from its last change', async () => {
  const soon = setUp({ ...useView, retentionDays: 30 }, { now: 24 * day })
  await waitFor(() => expect(soon.said()).toMatch(/^This chat is kept until January 31, 1970\. .* 30 days are deleted/))
  cleanup()
  const fresh = setUp({ ...useView, retentionDays: 30 }, { now: 2 * day })
  await waitFor(() => expect(fresh.store.getState().use).not.toBeNull())
  expect(fresh.said()).toBe('')
})

it('shows nothing if the server does not answer', async () => {
  const { use, store, said, write } = setUp(useView)
  await waitFor(() => expect(store.getState().use).not.toBeNull())
  use.mockResolvedValue(brokeOff(500))
  write(true)
  write(false)
  expect(said()).toBe('')
})

it('updates all texts when the language changes, including those in the store', async () => {
  const goBack = speakChinese()
  speakTo('en')
  const { store, said } = setUp({ ...useView, budgets: [pot('*', 1_200)] })
  await screen.findByRole('status')
  act(() => speakTo('zh-CN'))
  expect(said()).toContain('1,200')
  expect(said()).not.toMatch(/this message needs about/)
  expect(store.getState().use?.lines.join('')).toMatch(/今天/)
  act(goBack)
  expect(said()).toMatch(/this message needs about/)
  expect(store.getState().use?.lines).toEqual(['1,200 of your 10,000 tokens are left today.'])
})
