import { describe, expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { copiedFromBranchAction } from './copy-from-branch'
import { createBranchFollower, type ShownBranch, countedIds } from './follow-branch'

const call = (messageId: string) => ({ kind: 'call', messageId, slot: 0, attempt: 1, tool: 'write_file' }) as const
const text = (words: string) => new TextEncoder().encode(words)
const contents = async (vfs: Vfs, path: string) => {
  const read = await vfs.read(path)
  return read.ok ? new TextDecoder().decode(read.value) : null
}

function stage() {
  const vfs = createMemoryVfs()
  const world = {
    vfs,
    opened: 0,
    visible: true,
    lock: null as string | null,
    branch: null as ShownBranch | null,
    paths: new Map<string, readonly string[]>(),
    free: () => {},
  }
  const follower = createBranchFollower({
    shown: () => world.branch,
    pathTo: (_, messageId) => world.paths.get(messageId) ?? null,
    isVisible: () => world.visible,
    files: () => {
      world.opened += 1
      return Promise.resolve(vfs)
    },
    runningCall: () => Promise.resolve(world.lock),
    whenFree: () => new Promise((resolve) => (world.free = resolve)),
  })
  const show = async (path: readonly string[], more: Partial<ShownBranch> = {}) => {
    for (const [at, id] of path.entries()) world.paths.set(id, path.slice(0, at + 1))
    const known = new Set(world.paths.keys())
    world.branch = {
      conversationId: 'c1',
      path,
      knows: (id) => known.has(id),
      hasRun: true,
      settled: true,
      ...more,
    }
    follower.look()
    await follower.settled()
  }
  return { world, vfs, follower, show }
}

describe('following the branch', () => {
  test('switches files with the branch and back, with a notice each time', async () => {
    const { vfs, follower, show } = stage()
    await vfs.recording(call('a1')).write('/a', text('one'))
    await vfs.recording(call('a2')).write('/a', text('two'))
    await show(['u1', 'a1', 'u2', 'a2'])
    expect(follower.moved()).toBeNull()
    await show(['u1', 'a1'])
    expect(await contents(vfs, '/a')).toBe('one')
    expect(follower.moved()).toEqual({ conversationId: 'c1', changed: ['/a'], problem: null })
    await show(['u1', 'a1', 'u2', 'a2'])
    expect(await contents(vfs, '/a')).toBe('two')
  })

  test('never opens the files of a chat in which nothing ran', async () => {
    const { world, show } = stage()
    await show(['u1', 'a1'], { hasRun: false })
    expect(world.opened).toBe(0)
  })

  test('checks the same branch once, and does nothing while a message is sent or the tab is hidden', async () => {
    const { world, vfs, show } = stage()
    await vfs.recording(call('a2')).write('/a', text('two'))
    await show(['u1'], { settled: false })
    world.visible = false
    await show(['u1', 'a1'])
    expect([world.opened, await contents(vfs, '/a')]).toEqual([0, 'two'])
  })

  test('keeps another tab’s changes for a message that this tab does not know yet', async () => {
    const { vfs, follower, show } = stage()
    await vfs.recording(call('ahead')).write('/a', text('two'))
    await show(['u1', 'a1'])
    expect([await contents(vfs, '/a'), follower.moved()]).toEqual(['two', null])
  })

  test('moves nothing while a call runs; the files follow when it ended', async () => {
    const { world, vfs, follower, show } = stage()
    await vfs.recording(call('a2')).write('/a', text('two'))
    await show(['u1', 'a1', 'u2', 'a2'])
    world.lock = 'nod:call:a2:0'
    await show(['u1', 'a1'])
    expect(await contents(vfs, '/a')).toBe('two')
    world.lock = null
    world.free()
    await new Promise((resolve) => setImmediate(resolve))
    await follower.settled()
    expect(await contents(vfs, '/a')).toBeNull()
  })

  test('runs a call on its own branch’s files; a call of another branch waits until it ended', async () => {
    const { vfs, follower, show, world } = stage()
    await vfs.recording(call('a1')).write('/a', text('left'))
    await show(['u1', 'a1'])
    await show(['u1', 'b1'])
    world.branch = null
    await show(['u1', 'b1'])
    expect(await contents(vfs, '/a')).toBeNull()
    const ended = await follower.beforeRun('c1', 'a1')
    expect(await contents(vfs, '/a')).toBe('left')
    const order: string[] = []
    const other = follower.beforeRun('c1', 'b1').then((end) => {
      order.push('other begins')
      end()
    })
    await Promise.resolve()
    order.push('first ends')
    ended()
    await other
    expect(order).toEqual(['first ends', 'other begins'])
    expect(await contents(vfs, '/a')).toBeNull()
  })

  test('can bring moved files along: a manual change that the branch keeps and that can be undone', async () => {
    const { vfs, follower, show } = stage()
    await vfs.recording(call('a1')).write('/dir/a', text('one'))
    await vfs.recording(call('a1')).write('/b', text('b'))
    await vfs.recording(call('a2')).write('/dir/a', text('two'))
    await vfs.recording(call('a2')).remove('/b')
    await vfs.recording(call('a2')).makeDirectory('/c/d')
    await show(['u1', 'a1', 'u2', 'a2'])
    await show(['u1', 'a1'])
    expect(await contents(vfs, '/dir/a')).toBe('one')
    await follower.bringAlong()
    expect(follower.moved()).toBeNull()
    expect([await contents(vfs, '/dir/a'), await contents(vfs, '/b'), (await vfs.stat('/c/d')).ok]).toEqual([
      'two',
      null,
      true,
    ])
    const listed = await vfs.history.list()
    const [newest] = listed.ok ? listed.value : []
    expect(newest?.origin).toEqual({ kind: 'user', action: copiedFromBranchAction, messageId: 'a1' })
    expect(countedIds(listed.ok ? listed.value : [])).toEqual(['a1'])
    await vfs.history.setUndone([newest?.id ?? 0], true)
    expect([await contents(vfs, '/dir/a'), await contents(vfs, '/b')]).toEqual(['one', 'b'])
  })

  test('removes the notice about one chat’s files in another chat', async () => {
    const { vfs, follower, show } = stage()
    await vfs.recording(call('a2')).write('/a', text('two'))
    await show(['u1', 'a1', 'u2', 'a2'])
    await show(['u1', 'a1'])
    let heard = 0
    const stop = follower.subscribe(() => heard++)
    await show(['x'], { conversationId: 'c2', hasRun: false })
    stop()
    expect([heard, follower.moved()]).toEqual([1, null])
  })
})
