import { bytes, check, failsWith, same, valueOf } from './testing/contract-checks'
import { nameOf } from './path'
import { bundleLimits, readFromSnapshot } from './snapshot'
import type { FileChange, Vfs } from './vfs'
import type { VfsErrorCode } from './vfs-result'

/** The environment of a case. `open` returns a fresh, empty file system; `reopen` another view of the last one. */
export interface ContractWorld {
  open(limits?: { maxFileBytes?: number; maxTotalBytes?: number; maxFiles?: number }): Promise<Vfs>
  /** A second, independent view of the same files, as another tab has it; the same object if there can be only one. */
  reopen(): Promise<Vfs>
}

export interface ContractCase {
  readonly name: string
  run(world: ContractWorld): Promise<void>
}

const text = async (vfs: Vfs, path: string) => new TextDecoder().decode(valueOf(await vfs.read(path), `read ${path}`))
const put = async (vfs: Vfs, path: string, content: string) =>
  valueOf(await vfs.write(path, bytes(content)), `write ${path}`)
const names = async (vfs: Vfs, path: string) => valueOf(await vfs.list(path), `list ${path}`).map((entry) => entry.name)

/**
 * Behaviour that every backend shares. Independent of the test runner, so that it runs in vitest and inside a real
 * browser's page.
 */
export const vfsContract: readonly ContractCase[] = [
  {
    name: 'starts with an empty root',
    async run({ open }) {
      const vfs = await open()
      same(await names(vfs, '/'), [], 'root')
      same(valueOf(await vfs.stat('/'), 'stat').kind, 'directory', 'kind')
      const { usedBytes, files } = await vfs.usage()
      same([usedBytes, files], [0, 0], 'usage')
    },
  },
  {
    name: 'gives back what was written, byte for byte',
    async run({ open }) {
      const vfs = await open()
      const data = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256)
      const { version, size, replaced, changeId } = valueOf(await vfs.write('/a.bin', data), 'write')
      same([size, replaced, changeId], [70_000, false, null], 'result')
      same(version, valueOf(await vfs.stat('/a.bin'), 'stat').version, 'version')
      const read = valueOf(await vfs.read('/a.bin'), 'read')
      check(read.length === data.length && read.every((byte, at) => byte === data[at]), 'bytes differ')
    },
  },
  {
    name: 'keeps empty files',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/empty', '')
      same(await text(vfs, '/empty'), '', 'content')
      same(valueOf(await vfs.stat('/empty'), 'stat').size, 0, 'size')
    },
  },
  {
    name: 'replaces a whole file, shorter or longer',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/a', 'a longer text')
      const { size, replaced } = valueOf(await vfs.write('/a', bytes('short')), 'write')
      same([size, replaced], [5, true], 'result')
      same(await text(vfs, '/a'), 'short', 'content')
      await put(vfs, '/a', 'longer than before')
      same(await text(vfs, '/a'), 'longer than before', 'content')
      same(await names(vfs, '/'), ['a'], 'no scratch file is left in sight')
    },
  },
  {
    name: 'creates folders on the way to a file',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/a/b/c.txt', 'x')
      same(await names(vfs, '/a'), ['b'], 'list')
      same(valueOf(await vfs.stat('/a/b'), 'stat').kind, 'directory', 'kind')
    },
  },
  {
    name: 'lists folders first, then by name, with sizes',
    async run({ open }) {
      const vfs = await open()
      for (const path of ['/b.txt', '/a.txt', '/z/one', '/B.txt', '/m/two']) await put(vfs, path, 'four')
      same(await names(vfs, '/'), ['m', 'z', 'B.txt', 'a.txt', 'b.txt'], 'order')
      const listed = valueOf(await vfs.list('/'), 'list')
      same(
        listed.map((entry) => entry.size),
        [0, 0, 4, 4, 4],
        'sizes',
      )
    },
  },
  {
    name: 'normalises paths: relative, dots, double slashes, NFC',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, 'a//b/../c.txt', 'one')
      same(await text(vfs, '/a/./c.txt'), 'one', 'content')
      await put(vfs, '/cafe\u0301.txt', 'two')
      same(await text(vfs, '/caf\u00e9.txt'), 'two', 'NFC')
      same((await names(vfs, '/')).length, 2, 'no twin')
    },
  },
  {
    name: 'refuses paths that lead out or cannot be used',
    async run({ open }) {
      const vfs = await open()
      failsWith(await vfs.read('/../secret'), 'EACCES', 'read out')
      failsWith(await vfs.write('a/../../b', bytes('x')), 'EACCES', 'write out')
      failsWith(await vfs.write('/a\0b', bytes('x')), 'EINVAL', 'NUL')
      failsWith(await vfs.write('/a\\b', bytes('x')), 'EINVAL', 'backslash')
      failsWith(await vfs.write('/\ud800', bytes('x')), 'EINVAL', 'lone surrogate')
      failsWith(await vfs.write(`/${'ä'.repeat(128)}`, bytes('x')), 'ENAMETOOLONG', 'long name')
      failsWith(await vfs.list('/x'.repeat(600)), 'ENAMETOOLONG', 'long path')
    },
  },
  {
    name: 'gives nothing new a name that does not show what it is',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/a.md', 'x')
      const odd = [
        '\u200b',
        '\u202e',
        '\u2066',
        '\u2028',
        '\u0085',
        '\u3164',
        '\u{e0061}',
        '\u00ad',
        '\u200d',
        '\ufeff',
      ]
      for (const character of odd) {
        const path = `/a${character}.md`
        failsWith(await vfs.write(path, bytes('y')), 'EINVAL', JSON.stringify(path))
        failsWith(await vfs.makeDirectory(`/d${character}/e`), 'EINVAL', `folder ${JSON.stringify(path)}`)
        failsWith(await vfs.move('/a.md', path), 'EINVAL', `moved to ${JSON.stringify(path)}`)
        failsWith(await vfs.apply([{ kind: 'write', path: `/x${character}/y`, data: bytes('z') }]), 'EINVAL', 'applied')
      }
      await put(vfs, '/مرحبا 世界 ❤️ é.md', 'y')
      same((await vfs.usage()).files, 2, 'files')
    },
  },
  {
    name: 'refuses names of Object.prototype, takes names near them',
    async run({ open }) {
      const vfs = await open()
      for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
        failsWith(await vfs.write(`/${name}`, bytes('x')), 'EINVAL', name)
        failsWith(await vfs.write(`/${name}/a`, bytes('x')), 'EINVAL', `${name} as a folder`)
      }
      await put(vfs, '/constructor.js', 'x')
      same(await names(vfs, '/'), ['constructor.js'], 'list')
    },
  },
  {
    name: 'says what is missing',
    async run({ open }) {
      const vfs = await open()
      failsWith(await vfs.read('/no'), 'ENOENT', 'read')
      failsWith(await vfs.list('/no'), 'ENOENT', 'list')
      failsWith(await vfs.stat('/no'), 'ENOENT', 'stat')
      failsWith(await vfs.remove('/no'), 'ENOENT', 'remove')
      failsWith(await vfs.move('/no', '/yes'), 'ENOENT', 'move')
      failsWith(await vfs.read('/no/deeper'), 'ENOENT', 'read deeper')
    },
  },
  {
    name: 'never reads or writes a folder as a file',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/d/secret', 'kept')
      failsWith(await vfs.read('/d'), 'EISDIR', 'read')
      failsWith(await vfs.write('/d', bytes('{"evil":8}')), 'EISDIR', 'write')
      failsWith(await vfs.write('/', bytes('{"evil":8}')), 'EISDIR', 'write root')
      failsWith(await vfs.read('/'), 'EISDIR', 'read root')
      same(await text(vfs, '/d/secret'), 'kept', 'content')
    },
  },
  {
    name: 'never goes through a file as if it were a folder',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/f', 'x')
      failsWith(await vfs.list('/f'), 'ENOTDIR', 'list')
      failsWith(await vfs.read('/f/a'), 'ENOTDIR', 'read')
      failsWith(await vfs.write('/f/a/b', bytes('x')), 'ENOTDIR', 'write')
      failsWith(await vfs.makeDirectory('/f/a'), 'ENOTDIR', 'makeDirectory')
      failsWith(await vfs.makeDirectory('/f'), 'EEXIST', 'makeDirectory on the file')
      same(await text(vfs, '/f'), 'x', 'content')
    },
  },
  {
    name: 'makes folders, also twice and deep',
    async run({ open }) {
      const vfs = await open()
      valueOf(await vfs.makeDirectory('/a/b/c'), 'make')
      valueOf(await vfs.makeDirectory('/a/b/c'), 'again')
      valueOf(await vfs.makeDirectory('/'), 'root')
      same(await names(vfs, '/a/b'), ['c'], 'list')
    },
  },
  {
    name: 'removes files and whole folders, never the root',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/d/a', 'xx')
      await put(vfs, '/d/e/b', 'xxx')
      await put(vfs, '/keep', 'x')
      valueOf(await vfs.remove('/d/a'), 'file')
      failsWith(await vfs.read('/d/a'), 'ENOENT', 'gone')
      valueOf(await vfs.remove('/d'), 'folder')
      same(await names(vfs, '/'), ['keep'], 'list')
      failsWith(await vfs.remove('/'), 'EACCES', 'root')
      const { usedBytes, files } = await vfs.usage()
      same([usedBytes, files], [1, 1], 'usage')
    },
  },
  {
    name: 'moves files and folders',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/a/one', '1')
      await put(vfs, '/a/deep/two', '2')
      valueOf(await vfs.move('/a/one', '/b/uno'), 'file')
      same(await text(vfs, '/b/uno'), '1', 'moved file')
      valueOf(await vfs.move('/a', '/c/a2'), 'folder')
      same(await text(vfs, '/c/a2/deep/two'), '2', 'moved folder')
      failsWith(await vfs.stat('/a'), 'ENOENT', 'source')
      await put(vfs, '/c/a2/deep/three', '3')
      same(await names(vfs, '/c/a2/deep'), ['three', 'two'], 'usable after the move')
    },
  },
  {
    name: 'a move replaces a file, never a folder, and cannot go into itself',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/a', 'new')
      await put(vfs, '/b', 'old content')
      await put(vfs, '/d/x', 'x')
      valueOf(await vfs.move('/a', '/b'), 'replace')
      same(await text(vfs, '/b'), 'new', 'content')
      const { usedBytes, files } = await vfs.usage()
      same([usedBytes, files], [4, 2], 'usage')
      failsWith(await vfs.move('/b', '/d'), 'EEXIST', 'file onto folder')
      failsWith(await vfs.move('/d', '/b'), 'EEXIST', 'folder onto file')
      failsWith(await vfs.move('/d', '/d/inner'), 'EINVAL', 'into itself')
      failsWith(await vfs.move('/', '/x'), 'EACCES', 'root')
      valueOf(await vfs.move('/b', '/b'), 'onto itself')
      same(await text(vfs, '/b'), 'new', 'still there')
    },
  },
  {
    name: 'limits the size of a file, of all files, and their number; nothing is written then',
    async run({ open }) {
      const vfs = await open({ maxFileBytes: 100, maxTotalBytes: 250, maxFiles: 3 })
      failsWith(await vfs.write('/big', new Uint8Array(101)), 'EFBIG', 'file')
      for (const path of ['/a', '/b']) valueOf(await vfs.write(path, new Uint8Array(100)), path)
      failsWith(await vfs.write('/c', new Uint8Array(51)), 'EDQUOT', 'total')
      valueOf(await vfs.write('/b', new Uint8Array(99)), 'a replaced file does not count twice')
      valueOf(await vfs.write('/c', new Uint8Array(1)), 'third')
      failsWith(await vfs.write('/d/e', new Uint8Array(1)), 'EDQUOT', 'count')
      same(await names(vfs, '/'), ['a', 'b', 'c'], 'list')
      same(await vfs.usage(), { usedBytes: 200, limitBytes: 250, files: 3 }, 'usage')
    },
  },
  {
    name: 'many writes at once are all kept, and the last of one path wins whole',
    async run({ open }) {
      const vfs = await open()
      await Promise.all(Array.from({ length: 40 }, (_, at) => put(vfs, `/many/${at}`, `file ${at}`)))
      same((await names(vfs, '/many')).length, 40, 'count')
      same(await text(vfs, '/many/17'), 'file 17', 'content')
      await Promise.all(Array.from({ length: 10 }, (_, at) => put(vfs, '/one', String(at).repeat(1000))))
      same(await text(vfs, '/one'), '9'.repeat(1000), 'last')
    },
  },
  {
    name: 'a read during writes is never torn',
    async run({ open }) {
      const vfs = await open()
      await put(vfs, '/f', 'a'.repeat(5_000))
      const writes = ['b', 'c', 'd', 'e'].map((letter) => put(vfs, '/f', letter.repeat(5_000)))
      const reads = await Promise.all(Array.from({ length: 12 }, () => text(vfs, '/f')))
      await Promise.all(writes)
      check(
        reads.every((read) => read.length === 5_000 && new Set(read).size === 1),
        'torn read',
      )
    },
  },
  {
    name: 'two views see each other’s changes at once and never mix files up',
    async run({ open, reopen }) {
      const one = await open()
      const two = await reopen()
      await put(one, '/from-one', '1')
      same(await text(two, '/from-one'), '1', 'seen by two')
      await put(two, '/from-two', '2')
      same(await text(one, '/from-two'), '2', 'seen by one')
      await Promise.all(
        Array.from({ length: 30 }, (_, at) => put(at % 2 === 0 ? one : two, `/mix/${at}`, `content ${at}`)),
      )
      for (const view of [one, two]) {
        same((await names(view, '/mix')).length, 30, 'count')
        for (const at of [0, 7, 16, 29]) same(await text(view, `/mix/${at}`), `content ${at}`, `file ${at}`)
      }
      valueOf(await two.remove('/mix'), 'remove')
      failsWith(await one.list('/mix'), 'ENOENT', 'gone for one')
    },
  },
  {
    name: 'tells watchers of a change',
    async run({ open }) {
      const vfs = await open()
      const heard = new Promise<string>((resolve) => {
        const stop = vfs.watch(() => {
          stop()
          resolve('heard')
        })
      })
      await put(vfs, '/a', 'x')
      same(await heard, 'heard', 'watch')
    },
  },
  {
    name: 'keeps the bytes of a caller that changes its array later',
    async run({ open }) {
      const vfs = await open()
      const data = bytes('first')
      await vfs.write('/a', data)
      data.fill(120)
      same(await text(vfs, '/a'), 'first', 'content')
      const read = valueOf(await vfs.read('/a'), 'read')
      read.fill(121)
      same(await text(vfs, '/a'), 'first', 'content after changing what was read')
      same(nameOf('/a'), 'a', 'name')
    },
  },
  {
    name: 'a tree holds all below a folder, folders before what they hold, as of one moment',
    async run({ open }) {
      const vfs = await open()
      for (const path of ['/b/two', '/b/a/one', '/a.txt', '/z']) await put(vfs, path, path)
      valueOf(await vfs.makeDirectory('/empty'), 'folder')
      const paths = async (folder: string) => valueOf(await vfs.tree(folder), 'tree').map(({ path }) => path)
      same(await paths('/'), ['/b', '/b/a', '/b/a/one', '/b/two', '/empty', '/a.txt', '/z'], 'all')
      same(await paths('/b'), ['/b/a', '/b/a/one', '/b/two'], 'below a folder')
      same(await paths('/empty'), [], 'empty')
      failsWith(await vfs.tree('/z'), 'ENOTDIR', 'a file')
      failsWith(await vfs.tree('/no'), 'ENOENT', 'nothing')
      same(valueOf(await vfs.tree('/b/a'), 'tree')[0]?.size, 8, 'size')
    },
  },
  {
    name: 'versions are equal for equal contents, and others for others',
    async run({ open }) {
      const vfs = await open()
      const version = async (path: string) => valueOf(await vfs.stat(path), path).version
      await put(vfs, '/a', 'same')
      await put(vfs, '/b', 'same')
      await put(vfs, '/c', 'other')
      valueOf(await vfs.makeDirectory('/d'), 'folder')
      const first = await version('/a')
      same(await version('/b'), first, 'equal')
      check((await version('/c')) !== first && first !== '', 'different')
      same(await version('/d'), '', 'folder')
      await put(vfs, '/a', 'changed')
      check((await version('/a')) !== first, 'changed')
      await put(vfs, '/a', 'same')
      same(await version('/a'), first, 'back')
      valueOf(await vfs.move('/a', '/e'), 'move')
      same(await version('/e'), first, 'moved')
      const large = Uint8Array.from({ length: 400_000 }, (_, at) => (at * at) % 251)
      valueOf(await vfs.write('/l1', large), 'large')
      valueOf(await vfs.write('/l2', large), 'large')
      same(await version('/l1'), await version('/l2'), 'large and equal')
      large[200_000] = (large[200_000] ?? 0) ^ 1
      valueOf(await vfs.write('/l2', large), 'large')
      check((await version('/l1')) !== (await version('/l2')), 'large and different by a bit')
    },
  },
  {
    name: 'steps that are applied together all count, in their order',
    async run({ open, reopen }) {
      const vfs = await open()
      await put(vfs, '/old', 'old')
      valueOf(
        await vfs.apply([
          { kind: 'write', path: '/d/a', data: bytes('first') },
          { kind: 'write', path: '/d/a', data: bytes('second') },
          { kind: 'move', from: '/old', to: '/d/b' },
          { kind: 'makeDirectory', path: '/e/f' },
          { kind: 'write', path: '/gone', data: bytes('x') },
          { kind: 'remove', path: '/gone' },
        ]),
        'apply',
      )
      same(valueOf(await vfs.apply([]), 'no steps'), { changeId: null }, 'no steps')
      for (const view of [vfs, await reopen()]) {
        const paths = valueOf(await view.tree('/'), 'tree').map(({ path }) => path)
        same(paths, ['/d', '/d/a', '/d/b', '/e', '/e/f'], 'tree')
        same(await text(view, '/d/a'), 'second', 'content')
      }
    },
  },
  {
    name: 'contents may be parts of a Blob, also of one that other files share',
    async run({ open, reopen }) {
      const vfs = await open()
      const all = 'one two '.repeat(600_000)
      const blob = new Blob([all])
      const parts = { '/a': [0, 3], '/b': [4, 3], '/none': [8, 0], '/across': [3_999_996, 11], '/all': [0, all.length] }
      valueOf(
        await vfs.apply(
          Object.entries(parts).map(([path, [at, size]]): FileChange => {
            return { kind: 'write', path, data: { blob, at: at ?? 0, size: size ?? 0 } }
          }),
        ),
        'apply',
      )
      for (const view of [vfs, await reopen()]) {
        for (const [path, [at = 0, size = 0]] of Object.entries(parts))
          same(await text(view, path), all.slice(at, at + size), path)
      }
    },
  },
  {
    name: 'of steps that cannot all be done none is',
    async run({ open, reopen }) {
      const vfs = await open({ maxFileBytes: 100, maxTotalBytes: 150, maxFiles: 3 })
      await put(vfs, '/kept', 'kept')
      const failing: readonly (readonly [VfsErrorCode, FileChange])[] = [
        ['ENOENT', { kind: 'remove', path: '/no' }],
        ['ENOTDIR', { kind: 'write', path: '/kept/a', data: bytes('x') }],
        ['EISDIR', { kind: 'write', path: '/made', data: bytes('x') }],
        ['EACCES', { kind: 'write', path: '/../out', data: bytes('x') }],
        ['EFBIG', { kind: 'write', path: '/big', data: new Uint8Array(101) }],
        ['EDQUOT', { kind: 'write', path: '/full', data: new Uint8Array(100) }],
      ]
      for (const [code, change] of failing) {
        const result = await vfs.apply([
          { kind: 'write', path: '/kept', data: bytes('overwritten') },
          { kind: 'makeDirectory', path: '/made' },
          { kind: 'move', from: '/kept', to: '/made/moved' },
          { kind: 'write', path: '/kept', data: new Uint8Array(40) },
          change,
        ])
        failsWith(result, code, code)
        for (const view of [vfs, await reopen()]) {
          same(await names(view, '/'), ['kept'], 'list')
          same(await text(view, '/kept'), 'kept', 'content')
        }
      }
      const { usedBytes, files } = await vfs.usage()
      same([usedBytes, files], [4, 1], 'usage')
    },
  },
  {
    name: 'keeps names of all scripts and cases apart, and twins of one form together',
    async run({ open }) {
      const vfs = await open()
      const odd = [
        'A.txt',
        'a.txt',
        '😀 👨‍👩‍👧.md',
        'עברית.txt',
        'x'.repeat(255),
        'é'.repeat(127),
        ' a ',
        '%2e%2e',
        '...',
        '#?&',
      ]
      for (const name of odd) await put(vfs, `/odd/${name}`, name)
      for (const name of odd) same(await text(vfs, `/odd/${name}`), name, name)
      same((await names(vfs, '/odd')).length, odd.length, 'count')
      await put(vfs, '/twin/A\u030a', 'one')
      await put(vfs, '/twin/\u00c5', 'two')
      same(await names(vfs, '/twin'), ['\u00c5'], 'one name')
      same(await text(vfs, '/twin/A\u030a'), 'two', 'one file')
    },
  },
  {
    name: 'gives all files at once, in few Blobs, as they are at that moment',
    async run({ open, reopen }) {
      const vfs = await open()
      same(valueOf(await vfs.snapshot(), 'of nothing'), { entries: [], places: [], blobs: [] }, 'of nothing')
      const contents = { '/a': 'one', '/d/b': 'two', '/d/e/c': '', '/d/twin': 'one', '/z': 'x'.repeat(70_000) }
      for (const [path, content] of Object.entries(contents)) await put(vfs, path, content)
      valueOf(await vfs.makeDirectory('/empty'), 'make')
      const before = valueOf(await vfs.snapshot(), 'snapshot')
      same(before.entries, valueOf(await vfs.tree('/'), 'tree'), 'entries')
      check(before.blobs.length <= 2, `${before.blobs.length} Blobs`)
      valueOf(await vfs.remove('/d/b'), 'remove')
      await put(vfs, '/a', 'other')
      await put(await reopen(), '/new', 'by another tab')
      for (const [path, content] of Object.entries(contents)) {
        const data = await readFromSnapshot(before, path)
        check(data !== null, `${path} is there`)
        same(new TextDecoder().decode(data), content, path)
      }
      same(await readFromSnapshot(before, '/empty'), null, 'a folder')
      const after = valueOf(await vfs.snapshot(), 'snapshot')
      same(after.entries, valueOf(await vfs.tree('/'), 'tree'), 'entries after')
      for (const { path, kind } of after.entries) {
        const data = await readFromSnapshot(after, path)
        check((data === null) === (kind === 'directory'), path)
        if (data !== null) same(new TextDecoder().decode(data), await text(vfs, path), path)
      }
    },
  },
  {
    name: 'many files and large ones make several Blobs, and what did not change is in equal ones',
    async run({ open }) {
      const vfs = await open()
      const changes = Array.from({ length: 2_500 }, (_, at): FileChange => {
        const data = at === 0 ? new Uint8Array(5_000_000).fill(7) : bytes(`file ${at}`)
        return { kind: 'write', path: `/d${at % 3}/f${at}`, data }
      })
      valueOf(await vfs.apply(changes), 'apply')
      const before = valueOf(await vfs.snapshot(), 'snapshot')
      check(before.blobs.length > 3 && before.blobs.length < 20, `${before.blobs.length} Blobs`)
      await put(vfs, '/d1/new', 'new')
      const after = valueOf(await vfs.snapshot(), 'snapshot')
      const counts = (snapshot: typeof after) => {
        const inBlob = new Map<number, number>()
        for (const [bundle] of snapshot.places) if (bundle >= 0) inBlob.set(bundle, (inBlob.get(bundle) ?? 0) + 1)
        return [...inBlob.values()]
      }
      check(Math.max(...counts(after)) <= bundleLimits.files, 'too many files in one')
      for (const at of [0, 1, 2, 1_234, 2_499]) {
        const path = `/d${at % 3}/f${at}`
        const data = await readFromSnapshot(after, path)
        const read = valueOf(await vfs.read(path), path)
        check(data?.length === read.length && read.every((byte, index) => byte === data[index]), path)
      }
    },
  },
]
