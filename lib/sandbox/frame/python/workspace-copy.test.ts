import { describe, expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createVfsBridge } from '../../vfs-bridge'
import type { CallArgument } from '../protocol'
import { hideOwnPlaces, isOwnPlace } from './guest-files'
import { memoryGuestFiles } from './testing/memory-guest-files'
import { copyBack, copyIn } from './workspace-copy'

const bytes = (text: string) => new TextEncoder().encode(text)

async function setUp(contents: Readonly<Record<string, string>>) {
  const vfs = createMemoryVfs()
  for (const [path, text] of Object.entries(contents)) await vfs.write(path, bytes(text))
  const bridge = createVfsBridge(vfs)
  const asked: string[] = []
  const callHost = (op: string, args: readonly CallArgument[]) => {
    asked.push(`${op} ${typeof args[0] === 'string' ? args[0] : 'no text'}`)
    return bridge.call(op, args)
  }
  const files = memoryGuestFiles()
  hideOwnPlaces(files)
  const { baseline, leftOut } = await copyIn(files, callHost)
  asked.length = 0
  const back = async () => {
    const failures = await copyBack(files, callHost, baseline)
    return { failures, changes: asked.filter((each) => !/^(read|list|stat) /.test(each)) }
  }
  const stored = async () => {
    const found: Record<string, string | null> = {}
    const visit = async (folder: string): Promise<void> => {
      const listed = await vfs.list(folder)
      for (const { name, kind } of listed.ok ? listed.value : []) {
        const path = `${folder === '/' ? '' : folder}/${name}`
        const read = kind === 'file' ? await vfs.read(path) : null
        found[path] = read?.ok === true ? new TextDecoder().decode(read.value) : null
        if (kind === 'directory') await visit(path)
      }
    }
    await visit('/')
    return found
  }
  return { files, leftOut, back, stored, callHost }
}

const contents = { '/data/a.csv': 'a,b', '/data/deep/b.txt': 'b', '/c.txt': 'c', '/.nod/results/1.txt': 'r' }

describe('the copy that Python works on', () => {
  test('stands at the same paths, without the app’s own folder', async () => {
    const { files } = await setUp(contents)
    expect(new TextDecoder().decode(files.readFile('/data/deep/b.txt'))).toBe('b')
    expect(files.readdir('/').toSorted()).toEqual(['.', '..', 'c.txt', 'data'])
  })

  test('leaves out what stands at places of Python’s own, and says so', async () => {
    const { leftOut, files, back } = await setUp({ '/lib/x.js': 'x', '/lib/python3.14/os.py': '!', '/dev/null': '!' })
    expect(leftOut.toSorted()).toEqual(['/dev/null', '/lib/python3.14/os.py'])
    expect(files.readdir('/lib').toSorted()).toEqual(['.', '..', 'x.js'])
    expect(await back()).toEqual({ failures: [], changes: [] })
    expect(isOwnPlace('/library/python3.14')).toBe(false)
  })

  test('is refused before anything is read when it would be too much', async () => {
    const { callHost } = await setUp(contents)
    const refused = (limits: { files: number; bytes: number }) => copyIn(memoryGuestFiles(), callHost, limits)
    await expect(refused({ files: 2, bytes: 100 })).rejects.toThrow('3 files of 5 B in all (at most 2 files')
    await expect(refused({ files: 9, bytes: 4 })).rejects.toThrow('too much')
  })
})

describe('what comes back', () => {
  test('is nothing when nothing changed', async () => {
    const { back } = await setUp(contents)
    expect(await back()).toEqual({ failures: [], changes: [] })
  })

  test('is each change once: made, changed, deleted, folders', async () => {
    const { files, back, stored } = await setUp(contents)
    files.writeFile('/data/a.csv', bytes('a,b,c'))
    files.writeFile('/new.txt', bytes('new'))
    files.mkdirTree('/empty/inner')
    files.remove('/data/deep/b.txt')
    files.remove('/data/deep')
    const { failures, changes } = await back()
    expect(failures).toEqual([])
    expect(changes).toEqual([
      'rm /data/deep',
      'mkdir /empty',
      'mkdir /empty/inner',
      'write /data/a.csv',
      'write /new.txt',
    ])
    expect(await stored()).toEqual({
      '/.nod': null,
      '/.nod/results': null,
      '/.nod/results/1.txt': 'r',
      '/c.txt': 'c',
      '/data': null,
      '/data/a.csv': 'a,b,c',
      '/empty': null,
      '/empty/inner': null,
      '/new.txt': 'new',
    })
  })

  test('leaves out a file that was written with what it held', async () => {
    const { files, back } = await setUp(contents)
    files.writeFile('/c.txt', bytes('c'))
    expect((await back()).changes).toEqual([])
  })

  test('knows a change that left size and content’s length alone', async () => {
    const { files, back, stored } = await setUp(contents)
    files.writeFile('/c.txt', bytes('d'))
    await back()
    expect((await stored())['/c.txt']).toBe('d')
  })

  test('puts a folder where a file was, and a file where a folder was', async () => {
    const { files, back, stored } = await setUp(contents)
    files.remove('/c.txt')
    files.mkdirTree('/c.txt')
    files.writeFile('/c.txt/in', bytes('1'))
    for (const path of ['/data/deep/b.txt', '/data/deep', '/data/a.csv', '/data']) files.remove(path)
    files.writeFile('/data', bytes('2'))
    expect((await back()).failures).toEqual([])
    expect(await stored()).toMatchObject({ '/c.txt/in': '1', '/data': '2' })
  })

  test('names what could not be kept, and keeps the rest', async () => {
    const { files, back, stored } = await setUp({})
    files.writeFile('/bad\\name', bytes('x'))
    files.writeFile('/good', bytes('x'))
    files.link('/linked')
    const { failures } = await back()
    expect(failures[0]).toBe('/linked is a link, and only files and folders are kept.')
    expect(failures[1]).toContain('/bad\\name: ')
    expect(await stored()).toEqual({ '/good': 'x' })
  })
})
