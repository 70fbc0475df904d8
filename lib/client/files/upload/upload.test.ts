import { describe, expect, it } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { placeFiles } from '../place-files'
import { checkUpload, renamedOf, replaceInstead, topUnder } from './check-upload'

const limits = { maxFileBytes: 1_000, maxFiles: 5 }
const usage = { usedBytes: 500, limitBytes: 2_000, files: 2 }

describe('an upload', () => {
  it('is refused before anything is written, naming the file and the limits', () => {
    expect(checkUpload([{ path: 'a.bin', size: 900 }], usage, limits)).toBeNull()
    expect(checkUpload([{ path: 'a.bin', size: 1_200 }], usage, limits)).toBe(
      '“a.bin” is too large: it has 1.2 KB, and the limit is 1 KB per file. Nothing was uploaded.',
    )
    expect(
      checkUpload(
        [
          { path: 'a.bin', size: 700 },
          { path: 'b.bin', size: 900 },
        ],
        usage,
        limits,
      ),
    ).toBe(
      'There is not enough space for 2 files of 1.6 KB, the largest is “b.bin”: this chat’s files use 500 B of 2 KB. Nothing was uploaded.',
    )
    const four = Array.from({ length: 4 }, (_, index) => ({ path: `${index}`, size: 1 }))
    expect(checkUpload(four, usage, limits)).toContain('this chat has 2 files, and the limit is 5')
  })

  it('that got another name can replace what had it, files and whole folders', async () => {
    const vfs = createMemoryVfs()
    const bytes = (text: string) => new TextEncoder().encode(text)
    await vfs.write('/in/report.csv', bytes('old'))
    await vfs.write('/in/data/a.txt', bytes('old'))
    await vfs.write('/in/data/kept.txt', bytes('kept'))
    const paths = ['report.csv', 'data/a.txt', 'data/b.txt', 'free.txt']
    const placed = await placeFiles(
      vfs,
      '/in',
      paths.map((path) => ({ path, data: bytes('new') })),
    )
    if (!placed.ok) throw new Error(placed.error.message)
    const renamed = renamedOf('/in', paths, placed.value)
    expect(renamed.map(({ path }) => path)).toEqual(['/in/report 2.csv', '/in/data 2/a.txt', '/in/data 2/b.txt'])
    expect((await vfs.apply(replaceInstead('/in', renamed))).ok).toBe(true)
    const tree = await vfs.tree('/')
    expect(tree.ok && tree.value.map(({ path }) => path)).toEqual([
      '/in',
      '/in/data',
      '/in/data/a.txt',
      '/in/data/b.txt',
      '/in/data/kept.txt',
      '/in/free.txt',
      '/in/report.csv',
    ])
    const read = await vfs.read('/in/report.csv')
    expect(read.ok && new TextDecoder().decode(read.value)).toBe('new')
  })

  it('finds the folder’s entry on the way to a path', () => {
    expect(topUnder('/', '/a/b/c')).toBe('/a')
    expect(topUnder('/a', '/a/b/c')).toBe('/a/b')
    expect(topUnder('/a', '/a/b')).toBe('/a/b')
  })
})
