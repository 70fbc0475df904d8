import { expect, it } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import { namingNearest } from './naming-nearest'

async function files() {
  const vfs = createMemoryVfs()
  await vfs.write('/attachments/sales.csv', new TextEncoder().encode('a,b'))
  return namingNearest(vfs)
}

it('names the nearest path where there is nothing, for reading, listing and looking', async () => {
  const vfs = await files()
  const near = { ok: false, error: { code: 'ENOENT' } }
  for (const asked of [await vfs.read('/sales.csv'), await vfs.stat('/sales.csv')]) {
    expect(asked).toMatchObject(near)
    expect(JSON.stringify(asked)).toContain('The nearest name is /attachments/sales.csv.')
  }
  expect(JSON.stringify(await vfs.list('/attachment'))).toContain('The nearest name is /attachments.')
})

it('leaves everything else as it is: what is there, other failures, and names that nothing is near', async () => {
  const vfs = await files()
  expect(await vfs.read('/attachments/sales.csv')).toMatchObject({ ok: true })
  expect(await vfs.read('/attachments')).toMatchObject({ ok: false, error: { code: 'EISDIR' } })
  expect(JSON.stringify(await vfs.read('/qqqqqqqqqqqq'))).not.toContain('nearest')
  expect(await vfs.write('/new', new Uint8Array(1))).toMatchObject({ ok: true })
  expect(await vfs.read('/new')).toMatchObject({ ok: true })
})

it('does not walk the folders for code that probes for many files', async () => {
  const vfs = await files()
  const answers = await Promise.all(Array.from({ length: 30 }, () => vfs.read('/sales.csv')))
  expect(answers.filter((answer) => JSON.stringify(answer).includes('nearest'))).toHaveLength(10)
})
