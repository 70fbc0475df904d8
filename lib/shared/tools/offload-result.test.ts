import { afterEach, describe, expect, test, vi } from 'vitest'
import type { JsonValue } from '@/lib/base/json'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { capAndOffload, keepFiles, maxStoredResults, resultsFolder, maxResultCharacters } from './offload-result'

const keepIn = (vfs: Vfs, result: JsonValue, tool = 'read_file') => capAndOffload(result, { vfs, tool })

async function textOf(vfs: Vfs, path: string): Promise<string> {
  const read = await vfs.read(path)
  if (!read.ok) throw new Error(read.error.message)
  return new TextDecoder().decode(read.value)
}

async function namesIn(vfs: Vfs): Promise<readonly string[]> {
  const listed = await vfs.list(resultsFolder)
  return listed.ok ? listed.value.map(({ name }) => name) : []
}

const long = Array.from({ length: 10_000 }, (_, at) => `line ${at} of the text`).join('\n')

describe('a result that is too large', () => {
  test('is cut, and its text is stored whole with its own lines', async () => {
    const vfs = createMemoryVfs()
    const cut = await keepIn(vfs, { path: '/a', content: long })
    expect(cut).toMatchObject({
      path: '/a',
      content: expect.stringContaining('characters left out'),
      whole: '/.nod/results/read_file-1.txt',
      note: 'Cut in the middle. The file holds the whole of `content`; read_file pages through it.',
    })
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(maxResultCharacters)
    expect(await textOf(vfs, '/.nod/results/read_file-1.txt')).toBe(long)
  })

  test.each<[string, JsonValue, string, string]>([
    ['text', long, 'txt', long],
    ['a list', Array.from({ length: 40_000 }, (_, at) => at), 'json', '[\n 0,\n 1,'],
    ['many texts', { a: long, b: long }, 'json', '{\n "a": "line 0'],
    [
      'many keys',
      Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`key-${at}`, at])),
      'json',
      '{\n "key-0"',
    ],
  ])('that is %s becomes a file of its kind', async (_name, result, extension, beginning) => {
    const vfs = createMemoryVfs()
    const cut = (await keepIn(vfs, result)) as { whole: string; note: string }
    expect(cut.whole).toBe(`/.nod/results/read_file-1.${extension}`)
    expect(JSON.stringify(cut).length).toBeLessThanOrEqual(maxResultCharacters)
    expect((await textOf(vfs, cut.whole)).startsWith(beginning)).toBe(true)
    if (extension === 'json') expect(JSON.parse(await textOf(vfs, cut.whole))).toEqual(result)
  })

  test('continues the folder’s numbering, also in parallel', async () => {
    const vfs = createMemoryVfs()
    await vfs.write(`${resultsFolder}/old-7.json`, new Uint8Array())
    await vfs.write(`${resultsFolder}/mine.txt`, new Uint8Array())
    await Promise.all([keepIn(vfs, long), keepIn(vfs, long, 'browser_js_eval'), keepIn(vfs, long)])
    expect(await namesIn(vfs)).toEqual([
      'browser_js_eval-9.txt',
      'mine.txt',
      'old-7.json',
      'read_file-10.txt',
      'read_file-8.txt',
    ])
  })

  test('deletes the oldest, and nothing that is not its own', async () => {
    const vfs = createMemoryVfs()
    await vfs.write(`${resultsFolder}/mine.txt`, new Uint8Array())
    for (let at = 0; at < maxStoredResults + 3; at++) await keepIn(vfs, long)
    const names = await namesIn(vfs)
    expect(names).toHaveLength(maxStoredResults + 1)
    expect(names).toContain('mine.txt')
    expect(names).not.toContain('read_file-3.txt')
    expect(names).toContain(`read_file-${maxStoredResults + 3}.txt`)
  })

  test('without space is still cut, and says that it was not stored', async () => {
    const limits = { maxFileBytes: 1_000, maxTotalBytes: 1_000, maxFiles: 10 }
    const vfs = createMemoryVfs({ limits })
    const cut = await keepIn(vfs, { content: long })
    expect(cut).toMatchObject({ note: expect.stringContaining('could not be kept as a file: ') })
    expect(cut).not.toHaveProperty('whole')
    expect(await namesIn(vfs)).toEqual([])
  })
})

describe('files that fail', () => {
  afterEach(() => void vi.useRealTimers())

  test('by an error are reported', async () => {
    const vfs: Vfs = { ...createMemoryVfs(), write: () => Promise.reject(new Error('the worker is gone')) }
    expect(await keepIn(vfs, long)).toMatchObject({ note: expect.stringContaining('the worker is gone') })
    expect(await keepIn(vfs, long)).toMatchObject({ note: expect.stringContaining('the worker is gone') })
  })

  test('by hanging delay no result', async () => {
    vi.useFakeTimers()
    const vfs: Vfs = { ...createMemoryVfs(), list: () => new Promise(() => {}) }
    const cut = keepIn(vfs, long)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await cut).toMatchObject({ note: expect.stringContaining('did not answer in time') })
  })
})

test('a result within the limit stays unchanged, and no file is created', async () => {
  const vfs = createMemoryVfs()
  const result = { note: 'short' }
  expect(await keepIn(vfs, result)).toBe(result)
  expect(await namesIn(vfs)).toEqual([])
})

describe('bytes that came with a result', () => {
  const file = (mediaType: string) => ({ mediaType, bytes: new TextEncoder().encode('abc') })

  test('become files of their kind, and the model is informed where they are', async () => {
    const vfs = createMemoryVfs()
    const kinds = ['image/png', 'audio/mpeg', 'application/pdf', 'application/vnd.ms-excel', 'image/svg+xml']
    const told = await keepFiles([{ ...file('image/jpeg'), from: 'maps://4' }, ...kinds.map(file)], { vfs, tool: 'm' })
    expect(told[0]).toEqual({ path: '/.nod/results/m-1.jpg', type: 'image/jpeg', bytes: 3, from: 'maps://4' })
    expect(await namesIn(vfs)).toEqual(['m-1.jpg', 'm-2.png', 'm-3.mp3', 'm-4.pdf', 'm-5.bin', 'm-6.bin'])
    expect(await textOf(vfs, '/.nod/results/m-3.mp3')).toBe('abc')
  })

  test('that do not fit are named with the reason', async () => {
    const vfs = createMemoryVfs()
    vi.spyOn(vfs, 'write').mockRejectedValue(new Error('disk full'))
    expect(await keepFiles([file('image/png')], { vfs, tool: 'm' })).toEqual([
      { type: 'image/png', bytes: 3, not_kept: 'disk full' },
    ])
  })
})
