import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cMapSources } from '@/scripts/pdf-reader.mjs'
import { createAssetCache, isSandboxAsset, sandboxAssets } from './assets'

test('the list of assets matches the source folder and the files copied from Pyodide', () => {
  const sources = readdirSync(path.join(import.meta.dirname, 'libraries')).filter((name) => !name.includes('.test.'))
  const built = sandboxAssets.filter((name) => !name.startsWith('pyodide-'))
  expect(built.toSorted()).toEqual(sources.map((name) => name.replace(/\.ts$/, '.js')).toSorted())
})

test('allows each character map copied from pdf.js, and no names that only look similar', async () => {
  const names = Object.keys(await cMapSources())
    .map((name) => path.basename(name))
    .filter((name) => name.endsWith('.bcmap'))
  expect(names.length).toBeGreaterThan(150)
  expect(names.filter((name) => !isSandboxAsset(name) || name.length > 64)).toEqual([])
  for (const odd of ['cmap-.bcmap', 'cmap-../x.bcmap', 'cmap-a.bcmap.js', 'cmap-a'])
    expect(isSandboxAsset(odd)).toBe(false)
})

test('an asset is loaded once, and again after a failure', async () => {
  let loads = 0
  const load = createAssetCache(async () => {
    if (++loads === 1) throw new Error('offline')
    return new Uint8Array([loads])
  })
  const first = await Promise.allSettled([load('a'), load('a')])
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await Promise.all([load('a'), load('a')])).toEqual([new Uint8Array([2]), new Uint8Array([2])])
})
