import { expect, it, vi } from 'vitest'
import type { ChatPorts, ConversationActions } from './chat-ports'
import { createLazyConversationActions } from './lazy-conversation-actions'
import { createClientStore } from '../state/store'

type CreateChatKeeper = ChatPorts['createConversationActions']

function setUp() {
  const keeper = {
    rename: vi.fn<ConversationActions['rename']>(() => Promise.resolve()),
    remove: vi.fn<ConversationActions['remove']>(() => Promise.resolve()),
    forgetForGood: vi.fn<ConversationActions['forgetForGood']>(() => Promise.resolve()),
    updateMarks: vi.fn<ConversationActions['updateMarks']>(() => Promise.resolve(null)),
    keepChat: vi.fn<ConversationActions['keepChat']>(() => Promise.resolve()),
    endTemporary: vi.fn<ConversationActions['endTemporary']>(() => Promise.resolve()),
  }
  const make = vi.fn<CreateChatKeeper>(() => keeper)
  const load = vi.fn<() => Promise<{ createConversationActions: CreateChatKeeper }>>(() =>
    Promise.resolve({ createConversationActions: make }),
  )
  const raise = vi.fn<(conversationId: string, message: string) => void>()
  const parts = { newChat: () => {}, listChanged: () => {}, raise }
  const ports = { store: createClientStore() } as unknown as ChatPorts
  return { keeper, make, load, raise, ports, parts, lazy: createLazyConversationActions(load)(ports, parts) }
}

it('runs actions on whole chats with code that is loaded and created once', async () => {
  const { keeper, make, load, ports, parts, lazy, raise } = setUp()
  expect(load).not.toHaveBeenCalled()
  await lazy.rename('c1', 'A title')
  await lazy.remove(['c1', 'c2'])
  await lazy.forgetForGood(['c1'])
  await lazy.keepChat()
  await lazy.endTemporary('c1', true)
  await expect(lazy.updateMarks(null)).resolves.toBeNull()
  expect(keeper.rename).toHaveBeenCalledExactlyOnceWith('c1', 'A title')
  expect(keeper.remove).toHaveBeenCalledExactlyOnceWith(['c1', 'c2'])
  expect(keeper.forgetForGood).toHaveBeenCalledExactlyOnceWith(['c1'])
  expect(keeper.updateMarks).toHaveBeenCalledExactlyOnceWith(null)
  expect(keeper.keepChat).toHaveBeenCalledTimes(1)
  expect(keeper.endTemporary).toHaveBeenCalledExactlyOnceWith('c1', true)
  expect(load).toHaveBeenCalledTimes(1)
  expect(make).toHaveBeenCalledExactlyOnceWith(ports, parts)
  expect(raise).not.toHaveBeenCalled()
})

it('reports that nothing happened if the code can’t be loaded, and loads it again the next time', async () => {
  const { keeper, load, lazy, raise } = setUp()
  for (const _ of [1, 2, 3, 4]) load.mockRejectedValueOnce(new Error('offline'))
  await lazy.rename('c1', 'A title')
  await lazy.remove(['c1'])
  expect(raise.mock.calls.map(([, said]) => said)).toEqual([
    expect.stringContaining('nothing was done'),
    expect.stringContaining('nothing was done'),
  ])
  await expect(lazy.updateMarks(null)).resolves.toContain('nothing was done')
  await lazy.forgetForGood(['c1'])
  expect(raise).toHaveBeenCalledTimes(2)
  await lazy.rename('c1', 'A title')
  expect(keeper.rename).toHaveBeenCalledExactlyOnceWith('c1', 'A title')
})
