import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { rounds } from '@/scripts/test/nightly'
import { createVfsBridge } from '../../vfs-bridge'
import { Layer } from '../node/layer'
import type { RunSnapshot } from '../protocol'
import { createBlobReader, handIn, takeSnapshot, type RunChange } from '../run-files'
import { startRealFiles, type RealFiles } from './testing/real-guest-files'
import { workspaceChanges, copyIn, isInternalPath, sealFiles } from './workspace-copy'

const bytes = (text: string) => new TextEncoder().encode(text)
const textOf = (data: Uint8Array) => new TextDecoder().decode(data)

let real: Awaited<ReturnType<typeof startRealFiles>>
let files: RealFiles
beforeAll(async () => {
  real = await startRealFiles()
  files = real.files
}, 60_000)
beforeEach(() => real.empty())

/** As in the worker: the snapshot over the bridge, contents from its Blobs. */
async function setUp(contents: Readonly<Record<string, string>>) {
  const vfs = createMemoryVfs()
  for (const [path, text] of Object.entries(contents)) await vfs.write(path, bytes(text))
  const bridge = createVfsBridge(vfs)
  const snapshot = await takeSnapshot(bridge.call)
  const whole = await Promise.all(snapshot.blobs.map((blob) => blob.arrayBuffer()))
  const read = createBlobReader(snapshot, (blob) => whole[snapshot.blobs.indexOf(blob)] ?? new ArrayBuffer())
  const { baseline, leftOut } = copyIn(files, snapshot, read)
  const changes = () => workspaceChanges(files, baseline)
  return { vfs, snapshot, read, leftOut, changes, back: () => handIn(changes().changes, bridge.call) }
}

async function stored({ vfs }: Awaited<ReturnType<typeof setUp>>) {
  const found: Record<string, string | null> = {}
  const tree = await vfs.tree('/')
  for (const { path, kind } of tree.ok ? tree.value : []) {
    const read = kind === 'file' ? await vfs.read(path) : null
    found[path] = read?.ok === true ? textOf(read.value) : null
  }
  return found
}

const said = (changes: readonly RunChange[]) =>
  changes.map((change) => {
    if (change.kind === 'write') return `write ${change.path}=${textOf(change.data)}`
    return change.kind === 'copyOf' ? `copyOf ${change.path} from ${change.from}` : `${change.kind} ${change.path}`
  })

const contents = { '/data/a.csv': 'a,b', '/data/deep/b.txt': 'b', '/c.txt': 'c', '/.nod/results/1.txt': 'r' }

describe('the copy that Python works on', () => {
  test('has the same paths, without the app’s own folder', async () => {
    const { snapshot } = await setUp(contents)
    expect(textOf(files.readFile('/data/deep/b.txt'))).toBe('b')
    expect(files.readdir('/').toSorted()).toEqual(['.', '..', 'c.txt', 'data'])
    const at = snapshot.entries.find(({ path }) => path === '/c.txt')?.modifiedAt
    expect(real.run('import os; round(os.stat("/c.txt").st_mtime * 1000)')).toBe(at)
  })

  test('omits files at Python’s own paths, and says so', async () => {
    const { leftOut, changes } = await setUp({ '/lib/x.js': 'x', '/lib/python3.14/os.py': '!', '/dev/null': '!' })
    expect(leftOut.toSorted()).toEqual(['/dev/null', '/lib/python3.14/os.py'])
    expect(files.readdir('/lib').toSorted()).toEqual(['.', '..', 'x.js'])
    expect(changes()).toEqual({ changes: [], notKept: [] })
    expect(isInternalPath('/library/python3.14')).toBe(false)
  })

  test('is refused before anything is read if it would be too large', async () => {
    const { snapshot } = await setUp(contents)
    const unread = () => {
      throw new Error('it was read')
    }
    const refused = (limits: { files: number; bytes: number }) => () => copyIn(files, snapshot, unread, limits)
    expect(refused({ files: 2, bytes: 100 })).toThrow('3 files of 5 B in all (at most 2 files')
    expect(refused({ files: 9, bytes: 4 })).toThrow('too much')
  })

  test('is a copy: writing to a file changes nothing in the snapshot', async () => {
    const { read, snapshot } = await setUp({ '/a': 'one', '/b': 'two' })
    real.run('f = open("/a", "r+"); f.write("X"); f.close()')
    expect(textOf(read(snapshot.entries.findIndex(({ path }) => path === '/a')))).toBe('one')
  })
})

describe('the changes', () => {
  test('are empty if nothing changed, whatever was read and whichever times were set', async () => {
    const { changes, snapshot } = await setUp(contents)
    real.run('import os; open("/c.txt").read(); os.utime("/c.txt", (1, 1)); os.listdir("/data")')
    expect(snapshot.access).toBe('write')
    expect(changes()).toEqual({ changes: [], notKept: [] })
  })

  test('list each change once: created, changed, moved, deleted, folders', async () => {
    const all = await setUp({ ...contents, '/old/x': 'x', '/old/y': 'y' })
    real.run(`import os, shutil
open('/data/a.csv', 'a').write(',c')
open('/new.txt', 'w').write('new')
os.makedirs('/empty/inner')
shutil.rmtree('/data/deep')
os.rename('/old', '/moved')
open('/moved/y', 'a').write('!')`)
    expect(said(all.changes().changes)).toEqual([
      'remove /data/deep',
      'remove /old',
      'makeDirectory /empty',
      'makeDirectory /empty/inner',
      'makeDirectory /moved',
      'write /data/a.csv=a,b,c',
      'copyOf /moved/x from /old/x',
      'write /moved/y=y!',
      'write /new.txt=new',
    ])
    expect(await all.back()).toEqual({ ok: true, value: null })
    expect(await stored(all)).toEqual({
      '/.nod': null,
      '/.nod/results': null,
      '/.nod/results/1.txt': 'r',
      '/c.txt': 'c',
      '/data': null,
      '/data/a.csv': 'a,b,c',
      '/empty': null,
      '/empty/inner': null,
      '/moved': null,
      '/moved/x': 'x',
      '/moved/y': 'y!',
      '/new.txt': 'new',
    })
  })

  test.each([
    [
      'written over with as many bytes, its times put back',
      'open("/c", "r+").write("X"); os.utime("/c", (t, t))',
      'X2345',
    ],
    ['made shorter and longer again', 'os.truncate("/c", 2); os.truncate("/c", 5)', '12\0\0\0'],
    [
      'changed through memory',
      'm = mmap.mmap(os.open("/c", os.O_RDWR), 5); m[0:1] = b"M"; m.flush(); m.close()',
      'M2345',
    ],
    [
      'replaced by a copy with its times',
      'open("/d", "w").write("54321"); shutil.copystat("/c", "/d"); os.replace("/d", "/c")',
      '54321',
    ],
    ['copied over, times and all, by a twin of its size', 'shutil.copy2("/twin", "/c")', 'twins'],
  ])('include a file that was %s', async (_how, code, want) => {
    const all = await setUp({ '/c': '12345', '/twin': 'twins' })
    real.run(`import os, shutil, mmap\nt = os.stat("/c").st_mtime\n${code}`)
    await all.back()
    expect((await stored(all))['/c']).toBe(want)
  })

  test('replace files by folders and folders by files; files can swap places', async () => {
    const all = await setUp({ ...contents, '/p': 'p', '/q': 'q' })
    real.run(`import os, shutil
os.remove('/c.txt'); os.mkdir('/c.txt'); open('/c.txt/in', 'w').write('1')
shutil.rmtree('/data'); open('/data', 'w').write('2')
os.rename('/p', '/t'); os.rename('/q', '/p'); os.rename('/t', '/q')`)
    expect(await all.back()).toEqual({ ok: true, value: null })
    expect(await stored(all)).toMatchObject({ '/c.txt/in': '1', '/data': '2', '/p': 'q', '/q': 'p' })
  })

  test('leave `/lib` in place, and include what is put into it', async () => {
    const all = await setUp({ '/lib/x.py': 'x' })
    real.run('import os; os.remove("/lib/x.py")')
    expect(said(all.changes().changes)).toEqual(['remove /lib/x.py'])
    real.run('open("/lib/y.py", "w").write("y")')
    await all.back()
    expect(await stored(all)).toEqual({ '/lib': null, '/lib/y.py': 'y' })
  })

  test('name what the chat’s files can’t have, and keep the rest', async () => {
    const all = await setUp({})
    real.run(`import os
open('/bad\\\\name', 'w').write('x')
os.mkdir('/constructor'); open('/constructor/in', 'w').write('x')
os.symlink('/good', '/linked')
open('/good', 'w').write('x')
open('/u\\u0308', 'w').write('made of two')`)
    const { notKept } = all.changes()
    expect(notKept.toSorted()).toEqual([
      expect.stringContaining('/bad\\name: '),
      expect.stringContaining('/constructor: '),
      '/linked is a link, and only files and folders are kept.',
    ])
    await all.back()
    expect(await stored(all)).toEqual({ '/good': 'x', '/\u00fc': 'made of two' })
  })

  test('are all refused at once if they are too large', async () => {
    const all = await setUp({ '/a': 'one' })
    real.run('open("/a", "w").write("two"); open("/huge", "wb").truncate(50_000_001)')
    expect(await all.back()).toMatchObject({ ok: false, code: 'EFBIG' })
    expect(await stored(all)).toEqual({ '/a': 'one' })
  })
})

describe('compared to JavaScript’s layer', () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
    .map((names) => `/${names.join('/')}`)
  const operation = fc.oneof(
    fc.tuple(fc.constant('write' as const), path, fc.string({ maxLength: 4 })),
    fc.tuple(fc.constant('append' as const), path, fc.string({ minLength: 1, maxLength: 4 })),
    fc.tuple(fc.constant('mkdir' as const), path),
    fc.tuple(fc.constant('unlink' as const), path),
    fc.tuple(fc.constant('rmdir' as const), path),
    fc.tuple(fc.constant('rename' as const), path, path),
    fc.tuple(fc.constant('truncate' as const), path, fc.nat(6)),
  )
  type Operation = typeof operation extends fc.Arbitrary<infer Each> ? Each : never

  const layerOver = ({ entries, limits }: RunSnapshot, read: (index: number) => Uint8Array) =>
    new Layer({ entries, limits, read, access: 'write', now: () => 1, errorOf: (code) => new Error(code) })

  function onLayer(layer: Layer, [name, at, more]: Operation): void {
    if (name === 'mkdir') layer.create(at, 'folder', 0o755)
    else if (name === 'unlink') layer.unlink(at)
    else if (name === 'rmdir') layer.removeFolder(at)
    else if (name === 'rename') layer.rename(at, more)
    else if (name === 'truncate') layer.truncate(at, more)
    else {
      if (!layer.has(at)) layer.create(at, 'file', 0o644)
      if (name === 'write') layer.truncate(at, 0)
      layer.write(at, bytes(more), layer.at(at).size)
    }
  }

  /** Uses Python's own calls, as a program does. */
  function byPython([name, at, more]: Operation): void {
    const [first, second] = [JSON.stringify(at), JSON.stringify(more ?? '')]
    const call = {
      write: `open(${first}, "w", newline="").write(${second})`,
      append: `open(${first}, "a", newline="").write(${second})`,
      mkdir: `os.mkdir(${first})`,
      unlink: `os.unlink(${first})`,
      rmdir: `os.rmdir(${first})`,
      rename: `os.rename(${first}, ${second})`,
      truncate: `os.truncate(${first}, ${second})`,
    }[name]
    real.run(`import os\n${call}\nNone`)
  }

  const worked = (attempt: () => void) => {
    try {
      attempt()
      return true
    } catch {
      return false
    }
  }

  test('the same operations give the same list and the same failures', async () => {
    let failed = 0
    let listed = 0
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 25 }), async (operations) => {
        real.empty()
        const { snapshot, read, changes } = await setUp({
          '/a/a': 'one',
          '/a/b/c': 'two',
          '/b': 'three',
          '/c/a/a': '4',
        })
        const layer = layerOver(snapshot, read)
        for (const each of operations) {
          const here = worked(() => byPython(each))
          expect([each, worked(() => onLayer(layer, each))]).toEqual([each, here])
          if (!here) failed++
        }
        const list = said(layer.changes())
        expect(said(changes().changes)).toEqual(list)
        listed += list.length
      }),
      { numRuns: rounds(150) },
    )
    expect(Math.min(failed, listed)).toBeGreaterThan(rounds(150, 20))
  })
})

// Last, because sealed files stay sealed.
describe('read-only files', () => {
  test('report each attempted change, and temporary files can still be created', async () => {
    const { changes } = await setUp({ '/d/a': 'one', '/lib/x.py': 'x' })
    sealFiles(files, 'read')
    const tries = [
      'open("/d/a", "w")',
      'open("/d/a", "a")',
      'open("/d/a", "r+")',
      'open("/new", "w")',
      'open("/lib/new.py", "w")',
      'os.mkdir("/folder")',
      'os.remove("/d/a")',
      'os.rename("/d/a", "/b")',
      'os.rename("/d/a", "/dev/shm/tmp/a")',
      'os.symlink("/d/a", "/l")',
      'os.truncate("/d/a", 0)',
      'os.chmod("/d/a", 0)',
      'shutil.rmtree("/d")',
    ]
    const codes = tries.map((code) =>
      real.run(`import os, shutil, errno
try:
    ${code}
    said = "done"
except OSError as error:
    said = errno.errorcode[error.errno]
said`),
    )
    expect(codes).toEqual(tries.map(() => 'EROFS'))
    expect(
      real.run(
        'p = "/dev/shm/tmp/t"; open(p, "w").write("x"); os.rename(p, p + "2"); open(p + "2").read() + open("/d/a").read()',
      ),
    ).toBe('xone')
    expect(changes()).toEqual({ changes: [], notKept: [] })
  })
})
