import { expect, test } from 'vitest'
import type { Message } from '@/lib/shared/conversation/conversation'
import { replyRow, userRow } from '@/lib/client/chats/testing/rows'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createBranchFollower } from './follow-branch'
import { setsAfter, activeChanges, type TreeMessage } from './history/restore-point'
import { restore, type RestoreWhat, restorePoints } from './restore'

const tree = new Map<string, TreeMessage>(
  Object.entries({ u1: null, a1: 'u1', u2: 'a1', a2: 'u2' }).map(([id, parentId]) => [id, { id, parentId }]),
)
const pathTo = (id: string | null): readonly string[] =>
  id === null ? [] : [...pathTo(tree.get(id)?.parentId ?? null), id]
const call = (messageId: string) => ({ kind: 'call', messageId, slot: 0, attempt: 1, tool: 'write_file' }) as const
const text = (words: string) => new TextEncoder().encode(words)

async function stage() {
  const vfs = createMemoryVfs()
  await vfs.recording(call('a1')).write('/a', text('one'))
  await vfs.recording(call('a2')).write('/a', text('two'))
  await vfs.recording({ kind: 'user', action: 'created', messageId: 'a2' }).write('/mine', text('m'))
  let head: string | null = 'a2'
  let busy = false
  const follower = createBranchFollower({
    shown: () => ({ conversationId: 'c', path: pathTo(head), knows: () => true, hasRun: true, settled: true }),
    pathTo: (_, id) => pathTo(id),
    isVisible: () => true,
    files: () => Promise.resolve(vfs),
    runningCall: () => Promise.resolve(null),
    whenFree: () => Promise.resolve(),
  })
  const show = async (next: string | null) => {
    head = next
    follower.look()
    await follower.settled()
  }
  await show('a2')
  const files = async () => {
    const read = async (path: string) => {
      const found = await vfs.read(path)
      return found.ok ? new TextDecoder().decode(found.value) : null
    }
    return [await read('/a'), await read('/mine')]
  }
  const back = async (what: RestoreWhat, to: string | null) => {
    const listed = await vfs.history.list()
    const sets = activeChanges(setsAfter(listed.ok ? listed.value : [], tree, to))
    return restore(
      {
        setUndone: (ids, undone) => vfs.history.setUndone(ids, undone),
        goBackTo(id) {
          if (!busy) head = id
          return !busy
        },
        follower,
      },
      { what, head: to, sets },
    )
  }
  return { back, files, show, follower, head: () => head, be: (now: boolean) => (busy = now) }
}

test('restores the files only, and the chat stays', async () => {
  const { back, files, head } = await stage()
  expect(await back('files', 'a1')).toBeNull()
  expect([head(), await files()]).toEqual(['a2', ['one', null]])
})

test('restores the chat only, and the files stay', async () => {
  const { back, files, head, follower } = await stage()
  expect(await back('chat', 'a1')).toBeNull()
  expect([head(), await files(), follower.moved()]).toEqual(['a1', ['two', 'm'], null])
})

test('restores both; the calls’ files return with the chat', async () => {
  const { back, files, head, show } = await stage()
  expect(await back('both', null)).toBeNull()
  expect([head(), await files()]).toEqual([null, [null, null]])
  await show('a2')
  expect(await files()).toEqual(['two', null])
})

test('does nothing while the chat can’t go back', async () => {
  const { back, files, be } = await stage()
  be(true)
  expect(await back('both', 'a1')).toMatch(/^Nothing was restored/)
  expect(await files()).toEqual(['two', 'm'])
})

test('can go back to before each user message, and to each reply that ended a turn', () => {
  const path: readonly Message[] = [
    userRow('u1', null, { text: `Write\n\n${'it down '.repeat(20)}` }),
    replyRow('a1', 'u1', { text: 'call' }),
    userRow('r1', 'a1', { text: '' }),
    replyRow('a2', 'r1', { text: 'Done.' }),
    userRow('u2', 'a2', { text: 'More' }),
    replyRow('a3', 'u2', { text: 'That too.' }),
  ]
  const points = restorePoints(path, (words) => words)
  expect(points.map(({ messageId, head }) => [messageId, head])).toEqual([
    ['u1', null],
    ['a2', 'a2'],
    ['u2', 'a2'],
  ])
  expect(points[0]?.words).toMatch(/^Write it down .*…$/)
  expect(points.map(({ draft }) => draft)).toEqual([path[0]?.text, null, 'More'])
})

test('can go back to a message with files only, and names their files', () => {
  const file = { path: '/in/a.csv', mediaType: 'text/csv', size: 3, head: 'a,b', isImage: false }
  const path: readonly Message[] = [
    userRow('u1', null, { text: 'Hello' }),
    replyRow('a1', 'u1', { text: 'Hi.' }),
    userRow('u2', 'a1', { text: '', attachments: [file, { ...file, path: '/b.csv' }] }),
    replyRow('a2', 'u2', { text: 'Two tables.' }),
  ]
  expect(restorePoints(path, (words) => words).map(({ messageId, words, draft }) => [messageId, words, draft])).toEqual(
    [
      ['u1', 'Hello', 'Hello'],
      ['a1', 'Hi.', null],
      ['u2', 'a.csv, b.csv', ''],
    ],
  )
})
