import { expect, it, vi, test } from 'vitest'
import type { ChatPorts, ConversationActions } from './chat-ports'
import { createLazyConversationActions, createLazyCalls } from './lazy-parts'
import { createClientStore } from '../state/store'
import type { CallActions } from './actions'

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

function actionsThatNote(notes: string[]): CallActions {
  const note =
    (name: string) =>
    (...args: readonly unknown[]): void =>
      void notes.push(`${name} ${JSON.stringify(args)}`)
  const answer = (name: string) => async (): Promise<string | null> => {
    notes.push(name)
    return name === 'amend' ? 'Not stored.' : null
  }
  return {
    run: note('run'),
    continueRounds: note('continueRounds'),
    look: note('look'),
    answerReview: note('answerReview'),
    showPictures: note('showPictures'),
    answerQuestion: note('answerQuestion'),
    answerInner: note('answerInner'),
    skip: note('skip'),
    deny: note('deny'),
    explain: answer('explain'),
    holdForReason: (_messageId, slot) => {
      notes.push(`hold ${slot}`)
      return () => void notes.push(`let go ${slot}`)
    },
    stop: note('stop'),
    runAgain: note('runAgain'),
    notifyModel: note('notifyModel'),
    amend: answer('amend'),
    release: answer('release'),
    remember: answer('remember'),
    revokeGrant: answer('revokeGrant'),
    workOnCopy: answer('workOnCopy'),
    allowEffects: answer('allowEffects'),
    endCopy: answer('endCopy'),
    checkLookAnswer: () => Promise.resolve(false),
    watchRunner(_messageId, slot, onChange) {
      notes.push(`watch ${slot}`)
      onChange(true)
      return () => void notes.push(`unwatch ${slot}`)
    },
  }
}

test('loads once, and actions are sent in the order of the clicks', async () => {
  const notes: string[] = []
  const load = vi.fn<() => Promise<CallActions>>(async () => actionsThatNote(notes))
  const calls = createLazyCalls(load, () => notes.push('failed'))
  expect(load).not.toHaveBeenCalled()
  calls.run('m', [0])
  calls.stop('m', 0)
  expect(await calls.amend('m', 0, 'undo')).toBe('Not stored.')
  calls.deny('m', [1], 'no')
  expect(notes).toEqual(['run ["m",[0]]', 'stop ["m",0]', 'amend', 'deny ["m",[1],"no"]'])
  expect(load).toHaveBeenCalledTimes(1)
})

test('reports a failed load, does nothing, and tries again at the next click', async () => {
  const notes: string[] = []
  let isOnline = false
  const calls = createLazyCalls(
    async () => {
      if (!isOnline) throw new Error('offline')
      return actionsThatNote(notes)
    },
    (sentence) => notes.push(sentence),
  )
  calls.run('m', [0])
  expect(await calls.release('m', 0, { kind: 'sent', note: '' })).toContain('nothing was done')
  expect(notes).toEqual([expect.stringContaining('Check your connection')])
  isOnline = true
  expect(await calls.remember('m', 0, 'tool')).toBeNull()
  expect(notes.at(-1)).toBe('remember')
})

test('starts watching when the code has loaded, and not at all if unsubscribed by then', async () => {
  const notes: string[] = []
  const calls = createLazyCalls(
    async () => actionsThatNote(notes),
    () => {},
  )
  const changes: boolean[] = []
  const unwatch = calls.watchRunner('m', 1, (held) => changes.push(held))
  calls.watchRunner('m', 2, () => {})()
  await calls.revokeGrant('g')
  expect(changes).toEqual([true])
  unwatch()
  expect(notes).toEqual(['watch 1', 'revokeGrant', 'unwatch 1'])
})
