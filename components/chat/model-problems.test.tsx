// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import type { CallActions, ChatActions } from '@/lib/client/chats/actions'
import { createClientStore } from '@/lib/client/state/store'
import { ChatProvider } from '@/components/context/chat-context'
import ModelProblems from './model-problems'

afterEach(cleanup)

const away = '127.0.0.1:4891 cannot be reached, so its models are missing.'

function setUp(problems: readonly string[]) {
  const store = createClientStore()
  const listed = (now: readonly string[]) =>
    store.dispatch({ type: 'models-loaded', models: { models: [], defaultModel: 'demo/demo', problems: now } })
  listed(problems)
  const reloadModels = vi.fn<ChatActions['reloadModels']>()
  const value = {
    store,
    chat: { reloadModels } as Partial<ChatActions> as ChatActions,
    calls: {} as Partial<CallActions> as CallActions,
  }
  render(
    <ChatProvider value={value}>
      <ModelProblems />
    </ChatProvider>,
  )
  return { listed, reloadModels }
}

it('shows the error of each model source, and disappears once the source answers', async () => {
  const { listed, reloadModels } = setUp([away])
  reloadModels.mockImplementation(() => {
    listed([])
    return Promise.resolve()
  })
  expect(screen.getByRole('status').textContent).toContain(away)
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(reloadModels).toHaveBeenCalledOnce()
  expect(screen.queryByRole('status')).toBeNull()
})

it('stays while the source stays unreachable, and can be retried', async () => {
  const { reloadModels } = setUp([away])
  reloadModels.mockResolvedValue()
  const button = screen.getByRole('button', { name: 'Try again' })
  await userEvent.click(button)
  expect(screen.getByRole('status').textContent).toContain(away)
  await userEvent.click(button)
  expect(reloadModels).toHaveBeenCalledTimes(2)
})

it('is not shown when every source answered', () => {
  setUp([])
  expect(screen.queryByRole('status')).toBeNull()
})
