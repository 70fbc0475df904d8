import { mkdtemp, rm } from 'node:fs/promises'
import * as nodeFs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fs as zenfs, mount, umount } from '@zenfs/core'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { vfsLimits } from '../limits'
import { BlockFileSystem } from './block-file-system'
import { databaseName } from './database-name'
import { createFileStore } from './store'
import { createZenVfs } from './zen-vfs'

vi.stubGlobal('IDBKeyRange', IDBKeyRange)

let mounts = 0
const cleanUps: (() => Promise<void> | void)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

function mountFiles(limits = {}) {
  const indexedDB = new IDBFactory()
  const announce = () => {}
  const store = createFileStore(databaseName('c'), { indexedDB, announce })
  const at = `/parity-${++mounts}`
  mount(at, new BlockFileSystem({ store, limits: { ...vfsLimits, ...limits }, now: () => 5_000 }))
  cleanUps.push(() => umount(at))
  const vfs = createZenVfs({ conversationId: 'c', indexedDB, now: () => 0, announce, watch: () => () => {} })
  return { at, vfs }
}

type Fs = Pick<
  typeof nodeFs,
  | 'access'
  | 'appendFile'
  | 'copyFile'
  | 'lstat'
  | 'mkdir'
  | 'open'
  | 'readFile'
  | 'readdir'
  | 'rename'
  | 'rm'
  | 'rmdir'
  | 'stat'
  | 'truncate'
  | 'unlink'
  | 'utimes'
  | 'writeFile'
>

/** One thing to do on both; what it gives back, or its error's code, must be equal. */
type Step = (fs: Fs, at: (name: string) => string) => Promise<unknown>

async function outcome(step: Step, fs: Fs, root: string): Promise<unknown> {
  try {
    return { value: (await step(fs, (name) => `${root}/${name}`)) ?? null }
  } catch (thrown) {
    return { code: (thrown as { code?: string }).code }
  }
}

const text = async (fs: Fs, file: string) => Buffer.from(await fs.readFile(file)).toString('utf8')
const sorted = (names: readonly string[]) => names.toSorted()

const suites: Readonly<Record<string, readonly Step[]>> = {
  'files are written, read, appended, overwritten': [
    (fs, at) => fs.writeFile(at('a'), 'one'),
    (fs, at) => text(fs, at('a')),
    (fs, at) => fs.appendFile(at('a'), ' two'),
    (fs, at) => text(fs, at('a')),
    (fs, at) => fs.writeFile(at('a'), 'x'),
    (fs, at) => text(fs, at('a')),
    (fs, at) => fs.writeFile(at('empty'), ''),
    async (fs, at) => (await fs.stat(at('empty'))).size,
    (fs, at) => fs.appendFile(at('new'), 'made by append'),
    (fs, at) => text(fs, at('new')),
    (fs, at) => fs.writeFile(at('only-new'), 'x', { flag: 'wx' }),
    (fs, at) => fs.writeFile(at('only-new'), 'y', { flag: 'wx' }),
    (fs, at) => text(fs, at('only-new')),
    (fs, at) => fs.copyFile(at('a'), at('copy')),
    (fs, at) => text(fs, at('copy')),
    async (fs, at) => sorted(await fs.readdir(at('.'))),
  ],
  'what is missing, or is something else, has its code': [
    (fs, at) => fs.readFile(at('no')),
    (fs, at) => fs.stat(at('no')),
    (fs, at) => fs.access(at('no')),
    (fs, at) => fs.unlink(at('no')),
    (fs, at) => fs.rmdir(at('no')),
    (fs, at) => fs.readdir(at('no')),
    (fs, at) => fs.rename(at('no'), at('b')),
    (fs, at) => fs.truncate(at('no'), 1),
    (fs, at) => fs.rm(at('no')),
    (fs, at) => fs.rm(at('no'), { force: true }),
    (fs, at) => fs.writeFile(at('no/deeper'), 'x'),
    (fs, at) => fs.mkdir(at('no/deeper')),
    (fs, at) => fs.writeFile(at('f'), 'x'),
    (fs, at) => fs.readdir(at('f')),
    (fs, at) => fs.rmdir(at('f')),
    (fs, at) => fs.mkdir(at('f')),
    (fs, at) => fs.rename(at('f'), at('no/f')),
    (fs, at) => fs.writeFile(at('x'.repeat(256)), 'x'),
  ],
  'folders are made, listed, moved and removed': [
    (fs, at) => fs.mkdir(at('d')),
    (fs, at) => fs.mkdir(at('d')),
    async (fs, at) => void (await fs.mkdir(at('d/e/f'), { recursive: true })),
    async (fs, at) => void (await fs.mkdir(at('d/e/f'), { recursive: true })),
    (fs, at) => fs.writeFile(at('d/e/x'), '1'),
    async (fs, at) => sorted(await fs.readdir(at('d/e'))),
    async (fs, at) => (await fs.stat(at('d'))).isDirectory(),
    (fs, at) => fs.rmdir(at('d')),
    (fs, at) => fs.rename(at('d'), at('moved')),
    (fs, at) => text(fs, at('moved/e/x')),
    (fs, at) => fs.rename(at('moved'), at('moved/in')),
    (fs, at) => fs.mkdir(at('hollow')),
    (fs, at) => fs.rename(at('moved/e'), at('hollow')),
    async (fs, at) => sorted(await fs.readdir(at('hollow'))),
    (fs, at) => fs.mkdir(at('full')),
    (fs, at) => fs.writeFile(at('full/x'), 'x'),
    (fs, at) => fs.rename(at('moved'), at('full')),
    (fs, at) => fs.writeFile(at('file'), 'x'),
    (fs, at) => fs.rename(at('file'), at('full')),
    (fs, at) => fs.rename(at('full'), at('file')),
    (fs, at) => fs.rm(at('full'), { recursive: true }),
    async (fs, at) => sorted(await fs.readdir(at('.'))),
  ],
  'files are cut, grown and changed in the middle': [
    (fs, at) => fs.writeFile(at('t'), 'abcdef'),
    (fs, at) => fs.truncate(at('t'), 3),
    (fs, at) => text(fs, at('t')),
    (fs, at) => fs.truncate(at('t'), 6),
    (fs, at) => text(fs, at('t')),
    (fs, at) => fs.truncate(at('t')),
    async (fs, at) => (await fs.stat(at('t'))).size,
    async (fs, at) => {
      const handle = await fs.open(at('t'), 'r+')
      await handle.write(Buffer.from('hello world'), 0, 11, 0)
      await handle.write(Buffer.from('J'), 0, 1, 0)
      await handle.write(Buffer.from('!'), 0, 1, 20)
      await handle.close()
      return text(fs, at('t'))
    },
    async (fs, at) => {
      const handle = await fs.open(at('t'), 'r')
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(5), 0, 5, 6)
      await handle.close()
      return [bytesRead, Buffer.from(buffer).toString('utf8')]
    },
    (fs, at) => fs.rename(at('t'), at('u')),
    (fs, at) => fs.writeFile(at('v'), 'v'),
    (fs, at) => fs.rename(at('u'), at('v')),
    async (fs, at) => (await text(fs, at('v'))).length,
    (fs, at) => fs.utimes(at('v'), 1_000, 2_000),
    async (fs, at) => (await fs.stat(at('v'))).mtimeMs,
    (fs, at) => fs.unlink(at('v')),
    async (fs, at) => sorted(await fs.readdir(at('.'))),
  ],
  'names of other scripts, cases and signs are names': [
    (fs, at) => fs.writeFile(at('A.txt'), 'upper'),
    (fs, at) => fs.writeFile(at('a.txt'), 'lower'),
    (fs, at) => fs.writeFile(at('😀 👨‍👩‍👧.md'), 'emoji'),
    (fs, at) => fs.writeFile(at('عربى.txt'), 'right to left'),
    (fs, at) => fs.writeFile(at(`${'é'.repeat(127)}x`), '255 bytes'),
    (fs, at) => fs.writeFile(at(' spaces '), 's'),
    async (fs, at) => sorted(await fs.readdir(at('.'))),
    (fs, at) => text(fs, at('A.txt')),
  ],
}

describe('ZenFS’s promise API on the blocks does as Node’s fs does', () => {
  for (const [name, steps] of Object.entries(suites)) {
    test(name, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'nod-parity-'))
      cleanUps.push(() => rm(folder, { recursive: true, force: true }))
      const { at } = mountFiles()
      for (const [index, step] of steps.entries()) {
        const ours = await outcome(step, zenfs.promises as unknown as Fs, at)
        expect(ours, `step ${index}: ${step.toString()}`).toEqual(await outcome(step, nodeFs, folder))
      }
    })
  }
})

// Where it differs from Node, and why: names are checked by the rules of lib/vfs/path.ts on every way in; there is nothing
// to keep links, modes and owners in.
test.each<[string, (fs: typeof zenfs.promises, at: string) => Promise<unknown>, string]>([
  ['a name of Object.prototype', (fs, at) => fs.writeFile(`${at}/constructor`, 'x'), 'EINVAL'],
  ['a control character', (fs, at) => fs.writeFile(`${at}/a\u0007b`, 'x'), 'EINVAL'],
  ['a hard link', (fs, at) => fs.link(`${at}/a`, `${at}/b`), 'EPERM'],
  ['a symbolic link', (fs, at) => fs.symlink(`${at}/a`, `${at}/b`), 'EPERM'],
])('%s is refused', async (_what, act, code) => {
  const { at, vfs } = mountFiles()
  await zenfs.promises.writeFile(`${at}/a`, 'kept')
  await expect(act(zenfs.promises, at)).rejects.toMatchObject({ code })
  expect(await zenfs.promises.readdir(at)).toEqual(['a'])
  expect(await vfs.usage()).toMatchObject({ usedBytes: 4, files: 1 })
})

test('both ways see the same files, and overwriting is one change', async () => {
  const { at, vfs } = mountFiles()
  await vfs.write('/d/a', new TextEncoder().encode('from the app'))
  expect(await zenfs.promises.readFile(`${at}/d/a`, 'utf8')).toBe('from the app')
  const before = await vfs.stat('/d/a')
  const writing = zenfs.promises.writeFile(`${at}/d/a`, 'from ZenFS')
  const seen = new Set<string>()
  for (let look = 0; look < 30; look++) {
    const read = await vfs.read('/d/a')
    seen.add(read.ok ? new TextDecoder().decode(read.value) : read.error.code)
  }
  await writing
  expect([...seen].toSorted()).toEqual(['from ZenFS', 'from the app'])
  expect(await vfs.stat('/d/a')).not.toEqual(before)
})

test('a write over the limit fails, is forgotten, and leaves the file as it was', async () => {
  const { at } = mountFiles({ maxFileBytes: 10 })
  await zenfs.promises.writeFile(`${at}/a`, 'short')
  await expect(zenfs.promises.writeFile(`${at}/a`, 'x'.repeat(11))).rejects.toMatchObject({ code: 'EFBIG' })
  expect(await zenfs.promises.readFile(`${at}/a`, 'utf8')).toBe('short')
  expect((await zenfs.promises.stat(`${at}/a`)).size).toBe(5)
  await zenfs.promises.writeFile(`${at}/a`, 'after')
  expect(await zenfs.promises.readFile(`${at}/a`, 'utf8')).toBe('after')
})
