import { bytes, check, failsWith, same, valueOf } from './testing/contract-checks'
import type { Vfs, VfsLimits } from './vfs'
import type { Adoption, ChangeOrigin, HistoryMove } from './vfs-history'

/** The environment of a case. `open` returns a fresh, empty file system; `reopen` another view of the last one. */
export interface HistoryWorld {
  open(limits?: Partial<VfsLimits>): Promise<Vfs>
  /** A second, independent view of the same files, as another tab has it; the same object if there can be only one. */
  reopen(): Promise<Vfs>
}

export interface HistoryCase {
  readonly name: string
  run(world: HistoryWorld): Promise<void>
}

const call = (messageId: string, slot = 0, attempt = 1): ChangeOrigin => ({
  kind: 'call',
  messageId,
  slot,
  attempt,
  tool: 'write_file',
})
const user = (action = 'edited'): ChangeOrigin => ({ kind: 'user', action, messageId: null })

const put = async (vfs: Vfs, path: string, content: string) =>
  valueOf(await vfs.write(path, bytes(content)), `write ${path}`)
const text = async (vfs: Vfs, path: string) => new TextDecoder().decode(valueOf(await vfs.read(path), `read ${path}`))
const sets = async (vfs: Vfs) => valueOf(await vfs.history.list(), 'history')
const newest = async (vfs: Vfs) => {
  const [set] = await sets(vfs)
  check(set !== undefined, 'nothing is recorded')
  return set
}
/** `/a 3→5` for each change, oldest set first: `–` for nothing, `/` for a folder, its size for a file. */
const recorded = async (vfs: Vfs) =>
  (await sets(vfs)).toReversed().map(({ changes }) =>
    changes.map(({ path, before, after }) => {
      const [old, next] = [before, after].map((one) => (one === null ? '–' : one.kind === 'file' ? one.size : '/'))
      return `${path} ${old}→${next}`
    }),
  )
/** The whole tree: `/a` with its text, folders with a slash. */
const tree = async (vfs: Vfs): Promise<readonly string[]> => {
  const entries = valueOf(await vfs.tree('/'), 'tree')
  return Promise.all(
    entries.map(async ({ path, kind }) =>
      kind === 'directory'
        ? `${path}/`
        : `${path}=${new TextDecoder().decode(valueOf(await vfs.read(path), `read ${path}`))}`,
    ),
  )
}
const undo = async (vfs: Vfs, ...ids: number[]): Promise<HistoryMove> =>
  valueOf(await vfs.history.setUndone(ids, true), `undo ${ids.join()}`)
const redo = async (vfs: Vfs, ...ids: number[]): Promise<HistoryMove> =>
  valueOf(await vfs.history.setUndone(ids, false), `redo ${ids.join()}`)
const follow = async (vfs: Vfs, ...messageIds: string[]): Promise<HistoryMove> =>
  valueOf(await vfs.history.follow(messageIds), `follow ${messageIds.join()}`)

/** Behaviour that every history shares. Independent of the test runner, like `vfs.contract.ts`. */
export const vfsHistoryContract: readonly HistoryCase[] = [
  {
    name: 'records what a call changed, with the folders it made, and nothing that came to nothing',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/old', 'old')
      const mine = vfs.recording(call('m1'))
      await put(mine, '/d/a', 'one')
      await put(mine, '/old', 'old')
      same(await recorded(vfs), [['/d –→/', '/d/a –→3']], 'recorded')
      const { id, origin, undone, offBranch } = await newest(vfs)
      check(id > 0, 'id')
      same([origin, undone, offBranch], [call('m1'), false, false], 'set')
      same((await vfs.history.usage()).sets, 1, 'usage')
    },
  },
  {
    name: 'joins what one attempt of a call does, and keeps attempts, calls and the user’s changes apart',
    async run({ open }) {
      const vfs = await open()
      await put(vfs.recording(call('m1')), '/a', 'one')
      await put(vfs.recording(call('m1')), '/b', 'two')
      await put(vfs.recording(call('m1')), '/a', 'longer')
      await put(vfs.recording(call('m1', 0, 2)), '/c', 'x')
      await put(vfs.recording(call('m1', 1)), '/d', 'x')
      await put(vfs.recording(user()), '/e', 'x')
      await put(vfs.recording(user()), '/f', 'x')
      same(await recorded(vfs), [['/a –→6', '/b –→3'], ['/c –→1'], ['/d –→1'], ['/e –→1'], ['/f –→1']], 'recorded')
    },
  },
  {
    name: 'a call’s later change makes another set where something newer touched the path',
    async run({ open }) {
      const vfs = await open()
      const one = vfs.recording(call('m1'))
      await put(one, '/a', 'one')
      await put(vfs.recording(user()), '/a', 'mine')
      await put(one, '/a', 'again')
      await put(one, '/b', 'b')
      same(
        await recorded(vfs),
        [['/a –→3'], ['/a 3→4'], ['/a 4→5', '/b –→1']].map((set) => set),
        'recorded',
      )
      same(await undo(vfs, (await newest(vfs)).id), { changed: ['/a', '/b'], kept: [] }, 'undo')
      same(await tree(vfs), ['/a=mine'], 'tree')
    },
  },
  {
    name: 'a call that takes its own change back leaves nothing behind',
    async run({ open }) {
      const vfs = await open()
      const mine = vfs.recording(call('m1'))
      await put(mine, '/d/a', 'one')
      valueOf(await mine.remove('/d'), 'remove')
      same(await recorded(vfs), [], 'recorded')
      await put(mine, '/b', 'b')
      same(await recorded(vfs), [['/b –→1']], 'goes on')
    },
  },
  {
    name: 'undoes and redoes one call, byte for byte, with its folders',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/a', 'before')
      await put(vfs, '/keep/x', 'x')
      const before = await tree(vfs)
      const mine = vfs.recording(call('m1'))
      await put(mine, '/a', 'after')
      await put(mine, '/new/deep/b', 'b')
      valueOf(await mine.remove('/keep'), 'remove')
      valueOf(await mine.makeDirectory('/empty'), 'make')
      const after = await tree(vfs)
      const { id } = await newest(vfs)
      const paths = ['/a', '/empty', '/keep', '/keep/x', '/new', '/new/deep', '/new/deep/b']
      same(await undo(vfs, id), { changed: paths, kept: [] }, 'undo')
      same(await tree(vfs), before, 'undone')
      same((await newest(vfs)).undone, true, 'flag')
      same(await undo(vfs, id), { changed: [], kept: [] }, 'undo again')
      same(await redo(vfs, id), { changed: paths, kept: [] }, 'redo')
      same(await tree(vfs), after, 'redone')
      same(await undo(vfs, 999), { changed: [], kept: [] }, 'unknown id')
    },
  },
  {
    name: 'undoing in the middle keeps what was changed later, and says so',
    async run({ open }) {
      const vfs = await open()
      await put(vfs.recording(call('m1')), '/a', 'one')
      await put(vfs.recording(call('m1')), '/b', 'one')
      const first = (await newest(vfs)).id
      await put(vfs.recording(user()), '/a', 'two')
      const second = (await newest(vfs)).id
      same(await undo(vfs, first), { changed: ['/b'], kept: [{ path: '/a', why: 'changed-later' }] }, 'undo')
      same(await tree(vfs), ['/a=two'], 'the later one stands')
      same(await undo(vfs, second), { changed: ['/a'], kept: [] }, 'undo the later one')
      same(await tree(vfs), [], 'both are undone')
      same(await redo(vfs, first, second), { changed: ['/a', '/b'], kept: [] }, 'both at once')
      same(await tree(vfs), ['/a=two', '/b=one'], 'the newest stands')
    },
  },
  {
    name: 'a change that is put back to what it was before an undone one is still its own',
    async run({ open }) {
      const vfs = await open()
      await put(vfs.recording(call('m1')), '/a', 'one')
      const first = (await newest(vfs)).id
      const two = vfs.recording(call('m2'))
      await put(two, '/a', 'other')
      await undo(vfs, first)
      await put(two, '/a', 'one')
      same(await tree(vfs), ['/a=one'], 'written')
      same((await redo(vfs, first)).changed, [], 'redo')
      same((await undo(vfs, first)).changed, [], 'undo')
      same(await tree(vfs), ['/a=one'], 'the second call’s text stands')
    },
  },
  {
    name: 'follows the branch; what the user did stays on every branch',
    async run({ open }) {
      const vfs = await open()
      await put(vfs.recording(call('m1')), '/shared', 'm1')
      await put(vfs.recording(call('m2a')), '/a', 'branch a')
      await put(vfs.recording(user()), '/mine', 'mine')
      await put(vfs.recording(user()), '/a', 'edited by hand')
      same(await follow(vfs, 'm1', 'm2b'), { changed: [], kept: [{ path: '/a', why: 'changed-later' }] }, 'to branch b')
      await put(vfs.recording(call('m2b')), '/b', 'branch b')
      same(await tree(vfs), ['/a=edited by hand', '/b=branch b', '/mine=mine', '/shared=m1'], 'branch b')
      same((await follow(vfs, 'm1', 'm2a')).changed, ['/b'], 'to branch a')
      same(await follow(vfs), { changed: ['/shared'], kept: [{ path: '/a', why: 'changed-later' }] }, 'no message')
      same(await tree(vfs), ['/a=edited by hand', '/mine=mine'], 'only what the user did')
      await follow(vfs, 'm1', 'm2b')
      same(await tree(vfs), ['/a=edited by hand', '/b=branch b', '/mine=mine', '/shared=m1'], 'branch b again')
      same(
        (await sets(vfs)).map(({ offBranch }) => offBranch),
        [false, false, false, true, false],
        'flags',
      )
    },
  },
  {
    name: 'undone stays undone on the way through branches',
    async run({ open }) {
      const vfs = await open()
      await put(vfs.recording(call('m1')), '/a', 'one')
      await undo(vfs, (await newest(vfs)).id)
      await follow(vfs)
      await follow(vfs, 'm1')
      same(await tree(vfs), [], 'tree')
      await redo(vfs, (await newest(vfs)).id)
      same(await tree(vfs), ['/a=one'], 'redone')
    },
  },
  {
    name: 'takes back moves and deletes of whole folders',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/d/a', 'a')
      await put(vfs, '/d/e/b', 'b')
      valueOf(await vfs.makeDirectory('/d/empty'), 'make')
      const before = await tree(vfs)
      valueOf(await vfs.recording(call('m1')).move('/d', '/x/y'), 'move')
      const moved = await tree(vfs)
      valueOf(await vfs.recording(call('m2')).remove('/x'), 'remove')
      const [removal, move] = await sets(vfs)
      check(removal !== undefined && move !== undefined, 'two sets')
      same(
        move.changes.map(({ path }) => path),
        ['/d', '/d/a', '/d/e', '/d/e/b', '/d/empty', '/x', '/x/y', '/x/y/a', '/x/y/e', '/x/y/e/b', '/x/y/empty'],
        'all that was in it',
      )
      await undo(vfs, removal.id)
      same(await tree(vfs), moved, 'the delete is undone')
      await undo(vfs, move.id)
      same(await tree(vfs), before, 'the move is undone')
      await redo(vfs, removal.id, move.id)
      same(await tree(vfs), [], 'both are redone')
    },
  },
  {
    name: 'a folder stays as long as something stands in it, whoever made it, and goes with the last of it',
    async run({ open }) {
      const vfs = await open()
      await put(vfs.recording(call('m1')), '/d/a', 'a')
      const first = (await newest(vfs)).id
      await put(vfs.recording(user()), '/d/mine', 'mine')
      const second = (await newest(vfs)).id
      same(await undo(vfs, first), { changed: ['/d/a'], kept: [] }, 'undo')
      same(await tree(vfs), ['/d/', '/d/mine=mine'], 'the user’s file stays')
      await undo(vfs, second)
      same(await tree(vfs), [], 'the folder went with it')
      await redo(vfs, second)
      same(await tree(vfs), ['/d/', '/d/mine=mine'], 'and comes back with it')
    },
  },
  {
    name: 'what stays is never overwritten by what comes back in its place',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/p', 'file')
      valueOf(await vfs.recording(call('m1')).remove('/p'), 'remove')
      const removal = (await newest(vfs)).id
      await put(vfs.recording(call('m2')), '/p/inner', 'inner')
      const folder = (await newest(vfs)).id
      await put(vfs.recording(user()), '/p/mine', 'mine')
      const mine = (await newest(vfs)).id
      same(
        await undo(vfs, removal, folder),
        { changed: ['/p/inner'], kept: [{ path: '/p', why: 'in-the-way' }] },
        'undo',
      )
      same(await tree(vfs), ['/p/', '/p/mine=mine'], 'the user’s file stays')
      await undo(vfs, mine)
      same(await tree(vfs), ['/p=file'], 'nothing is in the way any more')
    },
  },
  {
    name: 'a file and a folder change places, both ways',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/p', 'file')
      const mine = vfs.recording(call('m1'))
      valueOf(await mine.remove('/p'), 'remove')
      await put(mine, '/p/inner', 'inner')
      const { id } = await newest(vfs)
      await undo(vfs, id)
      same(await tree(vfs), ['/p=file'], 'undone')
      await redo(vfs, id)
      same(await tree(vfs), ['/p/', '/p/inner=inner'], 'redone')
    },
  },
  {
    name: 'gives the contents of both sides, also of what is gone from the files',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/a', 'before')
      await put(vfs.recording(call('m1')), '/a', 'after')
      valueOf(await vfs.recording(call('m1')).remove('/a'), 'remove')
      await put(vfs.recording(user()), '/b', 'b')
      const [second, first] = await sets(vfs)
      check(first !== undefined && second !== undefined, 'two sets')
      const side = async (id: number, path: string, which: 'before' | 'after') =>
        new TextDecoder().decode(valueOf(await vfs.history.read(id, path, which), `${which} of ${path}`))
      same(await side(first.id, '/a', 'before'), 'before', 'before')
      failsWith(await vfs.history.read(first.id, '/a', 'after'), 'ENOENT', 'after a delete')
      failsWith(await vfs.history.read(second.id, '/b', 'before'), 'ENOENT', 'before a new file')
      same(await side(second.id, 'b', 'after'), 'b', 'after, by a relative path')
      failsWith(await vfs.history.read(second.id, '/a', 'after'), 'ENOENT', 'a path that it did not touch')
      failsWith(await vfs.history.read(99, '/a', 'after'), 'ENOENT', 'an unknown set')
    },
  },
  {
    name: 'forgets the oldest sets above their number: what they did stays and can’t be taken back',
    async run({ open }) {
      const vfs = await open({ maxHistorySets: 2 })
      for (const name of ['one', 'two', 'three']) await put(vfs.recording(call(name)), '/d/a', name)
      const kept = await sets(vfs)
      same(
        kept.map(({ origin }) => (origin.kind === 'call' ? origin.messageId : '')),
        ['three', 'two'],
        'kept',
      )
      await undo(vfs, ...kept.map(({ id }) => id))
      same(await tree(vfs), ['/d/', '/d/a=one'], 'back to where the history begins')
      await redo(vfs, ...kept.map(({ id }) => id))
      same(await tree(vfs), ['/d/', '/d/a=three'], 'redone')
    },
  },
  {
    name: 'what was undone stays so when its set is forgotten',
    async run({ open }) {
      const vfs = await open({ maxHistorySets: 2 })
      await put(vfs.recording(call('one')), '/d/a', 'one')
      const first = (await newest(vfs)).id
      await put(vfs.recording(call('two')), '/d/a', 'two')
      const second = (await newest(vfs)).id
      await undo(vfs, first)
      await put(vfs.recording(call('three')), '/b', 'three')
      await undo(vfs, second)
      same(await tree(vfs), ['/b=three'], 'neither of the two, nor their folder')
      await redo(vfs, second)
      same(await tree(vfs), ['/d/', '/d/a=two', '/b=three'], 'redone')
      await undo(vfs, second)
      same(await tree(vfs), ['/b=three'], 'undone again')
    },
  },
  {
    name: 'forgets the oldest sets above their bytes; contents that files hold too, or that are equal, count once or not at all',
    async run({ open }) {
      const vfs = await open({ maxHistoryBytes: 100 })
      await put(vfs.recording(call('one')), '/a', 'a'.repeat(60))
      same((await vfs.history.usage()).usedBytes, 0, 'the file holds it')
      await put(vfs.recording(call('two')), '/a', 'b'.repeat(60))
      same((await vfs.history.usage()).usedBytes, 60, 'only the history holds it')
      await put(vfs.recording(call('three')), '/b', 'a'.repeat(60))
      same((await vfs.history.usage()).usedBytes, 0, 'another file holds the same')
      valueOf(await vfs.recording(call('four')).remove('/b'), 'remove')
      same((await sets(vfs)).length, 4, 'all fit')
      await put(vfs.recording(call('five')), '/a', 'c')
      const { sets: count, usedBytes, limitBytes } = await vfs.history.usage()
      check(usedBytes <= 100 && count >= 1 && count < 5, `cleaned up: ${count} sets, ${usedBytes} bytes`)
      same(limitBytes, 100, 'limit')
      same(await tree(vfs), ['/a=c'], 'files stay')
    },
  },
  {
    name: 'forgets all on request; the files stay, and ids are never used twice',
    async run({ open }) {
      const vfs = await open()
      await put(vfs.recording(call('m1')), '/a', 'one')
      await put(vfs.recording(call('m2')), '/a', 'two')
      const last = (await newest(vfs)).id
      valueOf(await vfs.history.forget(), 'forget')
      const { sets: count, usedBytes } = await vfs.history.usage()
      same([await sets(vfs), count, usedBytes], [[], 0, 0], 'forgotten')
      same(await tree(vfs), ['/a=two'], 'files')
      failsWith(await vfs.history.read(last, '/a', 'after'), 'ENOENT', 'read')
      await put(vfs.recording(call('m3')), '/a', 'three')
      check((await newest(vfs)).id > last, 'a new id')
      await undo(vfs, (await newest(vfs)).id)
      same(await tree(vfs), ['/a=two'], 'undone')
    },
  },
  {
    name: 'an apply is one set, and one that fails leaves neither a change nor a record',
    async run({ open }) {
      const vfs = await open({ maxTotalBytes: 100 })
      await put(vfs, '/a', 'a')
      const mine = vfs.recording(call('m1'))
      const steps = [
        { kind: 'write', path: '/b', data: bytes('b') },
        { kind: 'move', from: '/a', to: '/d/a' },
        { kind: 'makeDirectory', path: '/e' },
        { kind: 'remove', path: '/b' },
      ] as const
      failsWith(await mine.apply([...steps, { kind: 'remove', path: '/no' }]), 'ENOENT', 'missing')
      failsWith(
        await mine.apply([...steps, { kind: 'write', path: '/x', data: new Uint8Array(101) }]),
        'EDQUOT',
        'room',
      )
      same([await tree(vfs), await recorded(vfs)], [['/a=a'], []], 'nothing happened')
      valueOf(await mine.apply(steps), 'apply')
      same(await recorded(vfs), [['/a 1→–', '/d –→/', '/d/a –→1', '/e –→/']], 'one set')
      await undo(vfs, (await newest(vfs)).id)
      same(await tree(vfs), ['/a=a'], 'undone as one')
    },
  },
  {
    name: 'a move of the history that does not fit changes nothing',
    async run({ open }) {
      const vfs = await open({ maxTotalBytes: 100 })
      await put(vfs, '/a', 'a'.repeat(80))
      valueOf(await vfs.recording(call('m1')).remove('/a'), 'remove')
      const { id } = await newest(vfs)
      await put(vfs, '/b', 'b'.repeat(80))
      failsWith(await vfs.history.setUndone([id], true), 'EDQUOT', 'undo')
      same([await tree(vfs), (await newest(vfs)).undone], [[`/b=${'b'.repeat(80)}`], false], 'nothing changed')
      valueOf(await vfs.remove('/b'), 'make room')
      await undo(vfs, id)
      same(await tree(vfs), [`/a=${'a'.repeat(80)}`], 'undone')
    },
  },
  {
    name: 'a change without an origin is not listed, and stands against everything that came before it',
    async run({ open }) {
      const vfs = await open()
      await put(vfs.recording(call('m1')), '/a', 'call')
      await put(vfs.recording(call('m1')), '/b', 'call')
      const first = (await newest(vfs)).id
      await put(vfs, '/a', 'unrecorded')
      await put(vfs.recording(null), '/c', 'unrecorded')
      same((await sets(vfs)).length, 1, 'not listed')
      same(await undo(vfs, first), { changed: ['/b'], kept: [{ path: '/a', why: 'changed-later' }] }, 'undo')
      same(await tree(vfs), ['/a=unrecorded', '/c=unrecorded'], 'it stands')
      await redo(vfs, first)
      same(await tree(vfs), ['/a=unrecorded', '/b=call', '/c=unrecorded'], 'also against a redo')
      await put(vfs.recording(call('m1')), '/a', 'after it')
      const second = (await newest(vfs)).id
      check(second > first, 'what comes after it is another set')
      await undo(vfs, first, second)
      same(await tree(vfs), ['/a=unrecorded', '/c=unrecorded'], 'what came after it goes back to it')
    },
  },
  {
    name: 'a delete without an origin stands too',
    async run({ open }) {
      const vfs = await open()
      await put(vfs.recording(call('m1')), '/d/a', 'call')
      const { id } = await newest(vfs)
      valueOf(await vfs.remove('/d'), 'remove')
      await undo(vfs, id)
      await redo(vfs, id)
      same(await tree(vfs), [], 'gone for good')
      same(new TextDecoder().decode(valueOf(await vfs.history.read(id, '/d/a', 'after'), 'read')), 'call', 'readable')
    },
  },
  {
    name: 'views share one history, and watchers hear of every move',
    async run({ open, reopen }) {
      const one = await open()
      const two = await reopen()
      await put(one.recording(call('m1')), '/a', 'one')
      const { id } = await newest(two)
      const heard = new Promise<string>((resolve) => {
        const stop = two.watch(() => {
          stop()
          resolve('heard')
        })
      })
      await undo(one.recording(user()), id)
      same(await heard, 'heard', 'watch')
      same([await tree(two), (await newest(two)).undone], [[], true], 'the other view')
    },
  },
  {
    name: 'each change says which set holds it; null where nothing changed or nothing is recorded',
    async run({ open }) {
      const vfs = await open()
      const mine = vfs.recording(user())
      const idOf = async (made: ReturnType<Vfs['remove']>) => valueOf(await made, 'change').changeId
      const ids = [
        await idOf(mine.write('/a', bytes('one'))),
        await idOf(mine.makeDirectory('/d')),
        await idOf(mine.move('/a', '/d/b')),
        await idOf(mine.apply([{ kind: 'write', path: '/c', data: bytes('x') }])),
        await idOf(mine.remove('/d')),
      ]
      same(ids, (await sets(vfs)).map(({ id }) => id).toReversed(), 'ids')
      const one = vfs.recording(call('m1'))
      const joined = [await idOf(one.write('/e', bytes('e'))), await idOf(one.write('/f', bytes('f')))]
      same(joined, Array(2).fill((await newest(vfs)).id), 'a call that goes on')
      same(await idOf(one.apply(['/e', '/f'].map((path) => ({ kind: 'remove', path })))), null, 'taken back')
      const nothing = [mine.write('/c', bytes('x')), mine.apply([]), mine.makeDirectory('/'), mine.move('/c', '/c')]
      same(await Promise.all(nothing.map(idOf)), [null, null, null, null], 'nothing changed')
      same(await idOf(vfs.write('/g', bytes('g'))), null, 'not recorded')
      check(ids[4] !== null && ids[4] !== undefined, 'the last')
      same(await undo(vfs, ids[4]), { changed: ['/d', '/d/b'], kept: [] }, 'undo')
    },
  },
  {
    name: 'two tabs that write at once are each told of their own change',
    async run({ open, reopen }) {
      const tabs = [await open(), await reopen()]
      const told = await Promise.all(
        Array.from({ length: 12 }, async (_, at) => {
          const path = `/f${at}`
          const tab = tabs[at % 2]
          check(tab !== undefined, 'tab')
          const made = await tab.recording(user('created')).write(path, bytes(`${at}`))
          return [valueOf(made, path).changeId, path] as const
        }),
      )
      const all = await sets(await reopen())
      same(new Set(told.map(([id]) => id)).size, 12, 'ids')
      for (const [id, path] of told) {
        same(
          all.find((set) => set.id === id)?.changes.map((change) => change.path),
          [path],
          `the set of ${path}`,
        )
      }
      const [id] = told[7] ?? []
      check(typeof id === 'number', 'an id')
      same(await undo(await reopen(), id), { changed: ['/f7'], kept: [] }, 'undo')
    },
  },
  {
    name: 'a change that is more than the history may hold has no set',
    async run({ open }) {
      const vfs = await open({ maxHistoryBytes: 10 })
      const mine = vfs.recording(user())
      const first = valueOf(await mine.write('/a', new Uint8Array(20).fill(1)), 'write').changeId
      check(first !== null, 'nothing of before is held yet')
      same(valueOf(await mine.write('/a', new Uint8Array(20).fill(2)), 'write').changeId, null, 'forgotten at once')
      same(await sets(vfs), [], 'sets')
    },
  },
  {
    name: 'takes over changes that were recorded elsewhere, as one step and once',
    async run({ open, reopen }) {
      const vfs = await open()
      const old = valueOf(await vfs.write('/old', bytes('old')), 'write')
      const made = valueOf(await vfs.write('/made', bytes('made')), 'write')
      valueOf(await vfs.remove('/made'), 'remove')
      const image = { kind: 'file', size: 4, version: made.version } as const
      const adoption: Adoption = {
        sets: [
          { origin: call('m1'), changes: [{ path: '/d/new', after: image }] },
          { origin: call('m1', 1), changes: [{ path: '/old', after: null }] },
        ],
        contents: [bytes('made')],
        expected: [
          { path: '/d/new', image: null },
          { path: '/old', image: { kind: 'file', size: 3, version: old.version } },
        ],
      }
      const ids = valueOf(await vfs.history.adopt(adoption), 'adopt')
      same(ids.length, 2, 'one set a call')
      const there = await reopen()
      same(await text(there, '/d/new'), 'made', 'content')
      same((await there.stat('/old')).ok, false, 'removed')
      same(valueOf(await there.history.adopt(adoption), 'again'), [], 'the second time')
      same((await sets(vfs)).length, 2, 'sets')
      valueOf(await vfs.history.setUndone(ids, true), 'undo')
      same(await text(vfs, '/old'), 'old', 'taken back')
      same((await vfs.stat('/d')).ok, false, 'the folder went again')
    },
  },
  {
    name: 'takes over nothing where one path is not as expected',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/b', 'edited')
      const adopted = await vfs.history.adopt({
        sets: [
          { origin: call('m1'), changes: [{ path: '/a', after: { kind: 'directory' } }] },
          { origin: call('m2'), changes: [{ path: '/b', after: null }] },
        ],
        contents: [],
        expected: [{ path: '/b', image: null }],
      })
      same(adopted.ok ? null : [adopted.error.code, adopted.error.path], ['EBUSY', '/b'], 'refused')
      same([(await vfs.stat('/a')).ok, await text(vfs, '/b')], [false, 'edited'], 'files')
      same(await sets(vfs), [], 'sets')
    },
  },
]
