import { expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Changed, Vfs } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'
import { buildTree } from '@/lib/client/files/tree/tree-rows'
import { createFileActions } from './file-actions'
import type { FileNotice } from './notice'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Another tab that makes the same kind of change just before and after each change of this tab. */
function besideAnother(vfs: Vfs, theirs: (at: number) => Promise<VfsResult<Changed>>): Vfs {
  let times = 0
  const between = async <T>(mine: () => Promise<T>): Promise<T> => {
    await theirs(times++)
    const done = await mine()
    await theirs(times++)
    return done
  }
  return {
    ...vfs,
    recording(origin) {
      const view = vfs.recording(origin)
      return {
        ...view,
        move: (from, to) => between(() => view.move(from, to)),
        apply: (changes) => between(() => view.apply(changes)),
      }
    },
  }
}

async function setUp() {
  const vfs = createMemoryVfs()
  const names = ['/a', '/b', '/other-0', '/other-1']
  await vfs.apply(names.map((path) => ({ kind: 'write', path, data: bytes(path) })))
  const entries = await vfs.tree('/')
  const notices: (FileNotice | null)[] = []
  const actionsOf = (files: Vfs) =>
    createFileActions({
      vfs: files,
      tree: buildTree(entries.ok ? entries.value : []),
      messageId: null,
      onMoved: () => {},
      say: (notice) => void notices.push(notice),
    })
  const pathsNow = async () => {
    const tree = await vfs.tree('/')
    return tree.ok ? tree.value.map(({ path }) => path) : []
  }
  return { vfs, notices, actionsOf, pathsNow }
}

test.each(['deleted', 'renamed'] as const)(
  'Undo reverts what was %s here, and nothing that another tab did at the same time',
  async (action) => {
    const { vfs, notices, actionsOf, pathsNow } = await setUp()
    const other = vfs.recording({ kind: 'user', action, messageId: null })
    const actions = actionsOf(
      besideAnother(vfs, (at) =>
        action === 'deleted' ? other.remove(`/other-${at}`) : other.move(`/other-${at}`, `/theirs-${at}`),
      ),
    )
    expect(await (action === 'deleted' ? actions.remove(['/a']) : actions.rename('/a', '/mine'))).toBe(true)
    const theirs = action === 'deleted' ? [] : ['/theirs-0', '/theirs-1']
    expect(await pathsNow()).toEqual(action === 'deleted' ? ['/b'] : ['/b', '/mine', ...theirs])
    const undo = notices.at(-1)?.action
    expect(undo?.label).toBe('Undo')
    undo?.run()
    await expect.poll(pathsNow).toEqual(['/a', '/b', ...theirs])
  },
)

test('a failed action offers no Undo', async () => {
  const { vfs, notices, actionsOf } = await setUp()
  const actions = actionsOf({ ...vfs, recording: () => vfs })
  expect(await actions.remove(['/a'])).toBe(true)
  expect(notices.at(-1)?.words).toContain('Deleted')
  expect(notices.at(-1)?.action).toBeUndefined()
})
