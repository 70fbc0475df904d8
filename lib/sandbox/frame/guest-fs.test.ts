import { expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { createVfsBridge } from '../vfs-bridge'
import { createGuestFs } from './guest-fs'

function setUp() {
  const bridge = createVfsBridge(createMemoryVfs())
  return createGuestFs((op, args) => bridge.call(op, args))
}

test('reads what it wrote, as text or as bytes that read as text', async () => {
  const fs = setUp()
  await fs.writeFile('/a', 'héllo')
  expect(await fs.readFile('/a', 'utf8')).toBe('héllo')
  expect(await fs.readFile('/a', { encoding: 'utf-8' })).toBe('héllo')
  const bytes = await fs.readFile('/a')
  expect(bytes).toBeInstanceOf(Uint8Array)
  expect(String(bytes)).toBe('héllo')
  await expect(fs.readFile('/a', 'utf7')).rejects.toThrow('utf7 is not known here')
})

test('takes bytes, views, buffers and blobs, and explains about objects', async () => {
  const fs = setUp()
  const whole = new Uint8Array([104, 105, 33, 33])
  for (const content of [
    whole.subarray(0, 2),
    whole.slice(0, 2).buffer,
    new Blob(['hi']),
    new DataView(whole.buffer, 0, 2),
  ]) {
    await fs.writeFile('/a', content)
    expect(await fs.readFile('/a', 'utf8')).toBe('hi')
  }
  const object = { a: 1 } as unknown as string
  await expect(fs.writeFile('/a', object)).rejects.toThrow('JSON.stringify')
})

test('lists names, entries, and everything below', async () => {
  const fs = setUp()
  await fs.promises.writeFile('/d/e/deep', 'x')
  await fs.promises.writeFile('/top', 'x')
  expect(await fs.readdir('/')).toEqual(['d', 'top'])
  expect(await fs.readdir('/', { recursive: true })).toEqual(['d', 'd/e', 'd/e/deep', 'top'])
  const entries = (await fs.readdir('/', { withFileTypes: true })) as readonly {
    name: string
    isDirectory(): boolean
  }[]
  expect(entries.map((entry) => [entry.name, entry.isDirectory()])).toEqual([
    ['d', true],
    ['top', false],
  ])
})

test('stat, exists, access, copyFile, rename and unlink do as in Node', async () => {
  const fs = setUp()
  await fs.writeFile('/a', 'abc')
  const stats = await fs.stat('/a')
  expect([stats.size, stats.isFile(), stats.isDirectory(), stats.mtime instanceof Date]).toEqual([3, true, false, true])
  await fs.copyFile('/a', '/b')
  await fs.rename('/b', '/c')
  expect([await fs.exists('/b'), await fs.exists('/c')]).toEqual([false, true])
  await fs.unlink('/c')
  await expect(fs.access('/c')).rejects.toMatchObject({ code: 'ENOENT', path: '/c' })
})

test('a failure is an Error with code and path whose stack is the caller’s', async () => {
  const fs = setUp()
  const failed = fs.readFile('/no', 'utf8').catch((thrown: unknown) => thrown as Error)
  const error = await failed
  expect(error).toBeInstanceOf(Error)
  expect(error).toMatchObject({ code: 'ENOENT', path: '/no', message: 'There is no file at /no.' })
  expect((error as Error).stack).toContain('guest-fs.test')
})

test('the sync names say what works instead', () => {
  const fs = setUp() as unknown as Record<string, (path: string) => void>
  expect(() => fs.readFileSync?.('/a')).toThrow('use `await fs.readFile(…)`')
})
