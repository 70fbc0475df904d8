import nodeFs from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createVfsBridge } from '../vfs-bridge'
import { createGuestFs } from './guest-fs'

// The same scripts on Node's own fs/promises and on the sandbox's: what they see has to be the same. Known to differ, and
// not asked here: the words of a message, and that a write makes the folders above it.

type Fs = typeof nodeFs

const guest = () => {
  const bridge = createVfsBridge(createMemoryVfs())
  return createGuestFs((op, args) => bridge.call(op, args)) as unknown as Fs
}

interface Script {
  readonly name: string
  readonly run: (fs: Fs, at: (name: string) => string) => Promise<unknown>
}

/** The code of a failure and what Node says of where; or what came instead. */
const failing = async (work: Promise<unknown>, base: string) => {
  try {
    return { came: await work }
  } catch (thrown) {
    const { code, syscall, path: where } = thrown as { code?: string; syscall?: string; path?: string }
    return { code, isError: thrown instanceof Error, syscall, path: where?.replace(base, '') }
  }
}

const byText = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : 1)

const scripts: readonly Script[] = [
  {
    name: 'texts and bytes in every encoding',
    async run(fs, at) {
      await fs.writeFile(at('a'), 'héllo ✓')
      await fs.writeFile(at('hex'), 'fffe00zz', 'hex')
      await fs.writeFile(at('base64'), '//4AYQ==', { encoding: 'base64' })
      await fs.writeFile(at('latin1'), 'é', 'latin1')
      const seen: unknown[] = []
      for (const name of ['a', 'hex', 'base64', 'latin1']) {
        for (const encoding of ['utf8', 'utf-8', 'hex', 'base64', 'base64url', 'latin1', 'binary', 'ascii'] as const)
          seen.push(await fs.readFile(at(name), encoding))
        const bytes = await fs.readFile(at(name))
        seen.push([...bytes], bytes instanceof Uint8Array, String(bytes), bytes.toString('hex'))
      }
      return seen
    },
  },
  {
    name: 'flags: at the end, only new, in place',
    async run(fs, at) {
      await fs.appendFile(at('log'), 'a')
      await fs.appendFile(at('log'), 'b')
      await fs.writeFile(at('log'), 'c', { flag: 'a' })
      await fs.writeFile(at('new'), 'x', { flag: 'wx' })
      const again = await fs.writeFile(at('new'), 'y', { flag: 'wx' }).catch((thrown: { code: string }) => thrown.code)
      const missing = await fs.writeFile(at('r'), 'y', { flag: 'r+' }).catch((thrown: { code: string }) => thrown.code)
      return [await fs.readFile(at('log'), 'utf8'), await fs.readFile(at('new'), 'utf8'), again, missing]
    },
  },
  {
    name: 'folders: made, listed, listed with all below, removed',
    async run(fs, at) {
      const first = await fs.mkdir(at('d/e/f'), { recursive: true })
      const again = await fs.mkdir(at('d/e/f'), { recursive: true })
      const one = await fs.mkdir(at('one'))
      await fs.writeFile(at('d/x.txt'), '1')
      await fs.writeFile(at('d/e/y.txt'), '22')
      const entries = await fs.readdir(at('d'), { withFileTypes: true })
      const below = await fs.readdir(at('d'), { recursive: true, withFileTypes: true })
      const kinds = entries.map((entry) => [entry.name, entry.isFile(), entry.isDirectory(), entry.isSymbolicLink()])
      await fs.rmdir(at('one'))
      await fs.rm(at('d/e'), { recursive: true })
      return [
        first?.endsWith('/d'),
        again,
        one,
        kinds.toSorted(byText),
        below.map((entry) => [entry.name, entry.parentPath === at('d')]).toSorted(byText),
        (await fs.readdir(at('d'))).toSorted(),
      ]
    },
  },
  {
    name: 'stat, copy, move, cut',
    async run(fs, at) {
      await fs.writeFile(at('a'), 'abcdef')
      await fs.mkdir(at('d'))
      const [file, folder] = [await fs.stat(at('a')), await fs.lstat(at('d'))]
      await fs.copyFile(at('a'), at('b'))
      await fs.rename(at('b'), at('c'))
      await fs.writeFile(at('old'), 'old')
      await fs.rename(at('c'), at('old'))
      await fs.truncate(at('a'), 2)
      await fs.truncate(at('old'), 8)
      await fs.writeFile(at('d/in'), 'in')
      await fs.cp(at('d'), at('copy'), { recursive: true })
      return [
        [file.size, file.isFile(), file.isDirectory(), file.mtime instanceof Date, typeof file.mtimeMs],
        [folder.isFile(), folder.isDirectory()],
        await fs.readFile(at('a'), 'utf8'),
        await fs.readFile(at('old'), 'utf8'),
        await fs.readFile(at('copy/in'), 'utf8'),
        (await fs.readdir(at(''))).toSorted(),
        await fs.access(at('a')),
        (await fs.realpath(at('d/../a'))).endsWith('/a'),
      ]
    },
  },
  {
    name: 'copies of folders, and what is side by side',
    async run(fs, at) {
      await fs.mkdir(at('d/e'), { recursive: true })
      await fs.writeFile(at('d/a'), '1')
      await fs.writeFile(at('d/e/b'), '2')
      await fs.mkdir(at('t'))
      await fs.writeFile(at('t/a'), 'old')
      await fs.cp(at('d'), at('t'), { recursive: true, force: false })
      const kept = await fs.readFile(at('t/a'), 'utf8')
      await fs.cp(at('d'), at('t'), { recursive: true })
      const made = Array.from({ length: 4 }, (_, n) => fs.writeFile(at('new'), `${n}`, { flag: 'wx' }))
      const won = (await Promise.allSettled(made)).filter(({ status }) => status === 'fulfilled').length
      await fs.rename(at('d/a'), `${at('d')}/e/../a`)
      await fs.copyFile(at('d/a'), at('d/a'))
      const code = async (work: Promise<unknown>) => (await failing(work, at(''))).code
      return [
        kept,
        won,
        await fs.readFile(at('t/a'), 'utf8'),
        await fs.readFile(at('t/e/b'), 'utf8'),
        await fs.readFile(at('d/a'), 'utf8'),
        await code(fs.cp(at('d'), at('d/e/x'), { recursive: true })),
        await code(fs.cp(at('d'), at('d'), { recursive: true })),
        await code(fs.cp(at('d/a'), at('d/a'))),
        (await fs.readdir(at('d'))).toSorted(),
      ]
    },
  },
  {
    name: 'a folder of its own',
    async run(fs, at) {
      const [one, two] = [await fs.mkdtemp(at('t-')), await fs.mkdtemp(at('t-'))]
      return [one.startsWith(at('t-')), one.length - at('t-').length, one === two, (await fs.stat(one)).isDirectory()]
    },
  },
  {
    name: 'a file that is opened',
    async run(fs, at) {
      await fs.writeFile(at('a'), '0123456789')
      const file = await fs.open(at('a'), 'r+')
      const some = new Uint8Array(4)
      const first = (await file.read(some, 0, 3)).bytesRead
      const second = (await file.read(some, 1, 2, 7)).bytesRead
      const text = new TextDecoder().decode(some)
      const put = (await file.write('XY')).bytesWritten
      const size = (await file.stat()).size
      await file.close()
      const added = await fs.open(at('new'), 'a')
      await added.writeFile('a')
      await added.appendFile('b')
      await added.close()
      const readOnly = await fs.open(at('a'))
      const refused = await readOnly.write('no').catch((thrown: { code: string }) => thrown.code)
      const rest = await readOnly.readFile('utf8')
      await readOnly.close()
      return [first, second, text, put, size, refused, rest, await fs.readFile(at('new'), 'utf8')]
    },
  },
  {
    name: 'failures have Node’s codes, calls and paths',
    async run(fs, at) {
      await fs.writeFile(at('a'), 'a')
      await fs.mkdir(at('d'))
      await fs.writeFile(at('d/in'), 'in')
      const base = at('')
      const tries: readonly Promise<unknown>[] = [
        fs.readFile(at('no')),
        fs.readdir(at('no')),
        fs.readdir(at('a')),
        fs.stat(at('no')),
        fs.access(at('no')),
        fs.unlink(at('no')),
        fs.mkdir(at('d')),
        fs.mkdir(at('no/x')),
        fs.rmdir(at('d')),
        fs.rmdir(at('no')),
        fs.rmdir(at('a')),
        fs.rm(at('no'), { force: true }),
        fs.truncate(at('no'), 1),
        fs.open(at('no')),
        fs.open(at('a'), 'wx'),
      ]
      const seen = await Promise.all(tries.map((work) => failing(work, base)))
      // Of these Node names the calls otherwise from one version to the next.
      const codes = await Promise.all(
        [
          fs.readFile(at('d')),
          fs.rm(at('no')),
          fs.writeFile(at('d'), 'x'),
          fs.rename(at('no'), at('b')),
          fs.copyFile(at('no'), at('b')),
          fs.copyFile(at('a'), at('d/in'), 1),
          fs.rm(at('d')),
          fs.cp(at('d'), at('e')),
        ].map(async (work) => (await failing(work, base)).code),
      )
      return [...seen, ...codes]
    },
  },
]

test.each(scripts)('$name', async ({ run }) => {
  const folder = await nodeFs.mkdtemp(path.join(await nodeFs.realpath(tmpdir()), 'nod-fs-'))
  const fs = guest()
  await fs.mkdir('/work')
  try {
    const wanted = await run(nodeFs, (name) => path.join(folder, name))
    expect(JSON.parse(JSON.stringify(await run(fs, (name) => path.join('/work', name))))).toEqual(
      JSON.parse(JSON.stringify(wanted)),
    )
  } finally {
    await nodeFs.rm(folder, { recursive: true })
  }
})
