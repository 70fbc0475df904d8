import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import type { ChangeOrigin } from '@/lib/vfs/vfs-history'
import { groupChanges, changedLater, changesOfReply, filesOfCalls, lastCallOn } from './change-groups'
import { previewMove } from './restore-point'

const call = (messageId: string, slot: number, tool = 'write_file'): ChangeOrigin => ({
  kind: 'call',
  messageId,
  slot,
  attempt: 1,
  tool,
})
const byHand: ChangeOrigin = { kind: 'user', action: 'edited', messageId: 'a1' }
const write = (vfs: Vfs, origin: ChangeOrigin, path: string, words: string) =>
  vfs.recording(origin).write(path, new TextEncoder().encode(words))
const words = async (vfs: Vfs, path: string) => {
  const read = await vfs.read(path)
  return read.ok ? new TextDecoder().decode(read.value) : null
}
async function historyOf(vfs: Vfs) {
  const listed = await vfs.history.list()
  const sets = listed.ok ? listed.value : []
  return { sets, groups: groupChanges(sets) }
}

async function site() {
  const vfs = createMemoryVfs()
  await write(vfs, call('a0', 0), '/index.html', 'old')
  await write(vfs, call('a1', 0), '/index.html', 'new')
  await write(vfs, call('a1', 1), '/app.js', 'app')
  await write(vfs, call('a1', 2), '/style.css', 'style')
  return vfs
}

describe('the changes of one reply', () => {
  it('are undone in one step, and redone in one', async () => {
    const vfs = await site()
    const mine = changesOfReply((await historyOf(vfs)).groups, 'a1')
    expect(mine.files).toEqual(['/app.js', '/index.html', '/style.css'])
    expect(await vfs.history.setUndone(mine.active, true)).toMatchObject({ ok: true, value: { kept: [] } })
    expect([await words(vfs, '/index.html'), await words(vfs, '/app.js')]).toEqual(['old', null])
    const undone = changesOfReply((await historyOf(vfs)).groups, 'a1')
    expect([undone.active, undone.undone]).toEqual([[], mine.active])
    await vfs.history.setUndone(undone.undone, false)
    expect([await words(vfs, '/index.html'), await words(vfs, '/app.js')]).toEqual(['new', 'app'])
  })

  it('leave files that were changed again later, and name them with who did', async () => {
    const vfs = await site()
    await write(vfs, byHand, '/app.js', 'mine')
    await write(vfs, call('a2', 0, 'edit_file'), '/style.css', 'later')
    const { sets, groups } = await historyOf(vfs)
    const { active: standing } = changesOfReply(groups, 'a1')
    expect(changedLater(sets, standing)).toEqual([
      { path: '/app.js', by: byHand },
      { path: '/style.css', by: call('a2', 0, 'edit_file') },
    ])
    await vfs.history.setUndone(standing, true)
    expect(await Promise.all(['/index.html', '/app.js', '/style.css'].map((path) => words(vfs, path)))).toEqual([
      'old',
      'mine',
      'later',
    ])
  })

  it('keep what a later reply wrote anywhere: those files are named, the rest matches the preview', async () => {
    const step = fc.record({
      by: fc.constantFrom('a0', 'a1', 'a2', 'user'),
      slot: fc.integer({ min: 0, max: 2 }),
      path: fc.constantFrom('/a', '/b', '/d/c'),
      words: fc.constantFrom('1', '2', '3'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        const vfs = createMemoryVfs()
        for (const { by, slot, path, words: text } of steps) {
          await write(vfs, by === 'user' ? byHand : call(by, slot), path, text)
        }
        const { sets, groups } = await historyOf(vfs)
        const { active: standing } = changesOfReply(groups, 'a1')
        const taken = new Set(standing)
        const before = new Map(
          await Promise.all(['/a', '/b', '/d/c'].map(async (p) => [p, await words(vfs, p)] as const)),
        )
        const kept = new Set(changedLater(sets, standing).map(({ path }) => path))
        const preview = await previewMove(vfs, (set) => (taken.has(set.id) ? { ...set, undone: true } : set))
        await vfs.history.setUndone(standing, true)
        const moved = preview.ok ? preview.value.map(({ path }) => path) : []
        for (const [path, was] of before) {
          const now = await words(vfs, path)
          if (kept.has(path)) expect(now).toBe(was)
          expect(now !== was).toBe(moved.includes(path))
        }
      }),
      { numRuns: 60 },
    )
  })
})

describe('the last change to a file', () => {
  it('is given if a call made it, also if it was undone, and not if the user edited the file later', async () => {
    const vfs = await site()
    const last = lastCallOn((await historyOf(vfs)).groups, '/index.html')
    expect(last?.origin).toEqual(call('a1', 0))
    await vfs.history.setUndone(last?.ids ?? [], true)
    expect(lastCallOn((await historyOf(vfs)).groups, '/index.html')).toMatchObject({ undone: 'yes' })
    await write(vfs, byHand, '/index.html', 'mine')
    expect(lastCallOn((await historyOf(vfs)).groups, '/index.html')).toBeNull()
    expect(lastCallOn((await historyOf(vfs)).groups, '/none')).toBeNull()
  })
})

it('counts files with active changes by calls, each once', async () => {
  const vfs = await site()
  expect(filesOfCalls((await historyOf(vfs)).sets)).toHaveLength(3)
  await write(vfs, byHand, '/own.md', 'mine')
  await vfs.recording(call('a1', 3)).makeDirectory('/folder')
  expect(filesOfCalls((await historyOf(vfs)).sets)).toHaveLength(3)
  const { active: standing } = changesOfReply((await historyOf(vfs)).groups, 'a1')
  await vfs.history.setUndone(standing, true)
  expect(filesOfCalls((await historyOf(vfs)).sets)).toEqual(['/index.html'])
  await vfs.history.follow(['a1'])
  expect(filesOfCalls((await historyOf(vfs)).sets)).toEqual([])
})
