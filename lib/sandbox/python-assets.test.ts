import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readPyodideFiles } from '@/scripts/pyodide-files.mjs'
import { isSandboxAsset, fetchAsset } from './assets'
import { pyodideVersion, pythonAssets, pythonBytes } from './python-assets'
import { waitsFor, createPythonProgress } from './sandbox'

test('allows all of Python’s files, and knows their total size', async () => {
  expect(Object.values(pythonAssets).every(isSandboxAsset)).toBe(true)
  const files = Object.values(await readPyodideFiles())
  expect(files.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBe(pythonBytes)
})

test('has the version of the package in its file names', async () => {
  const file = path.resolve(import.meta.dirname, '../../node_modules/pyodide/package.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: pyodideVersion })
})

test('gives the loader the same Python version as Pyodide’s own list of packages', async () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const { info } = JSON.parse(await readFile(path.join(root, 'node_modules/pyodide/pyodide-lock.json'), 'utf8')) as {
    readonly info: Readonly<Record<string, string>>
  }
  const source = await readFile(path.join(import.meta.dirname, 'frame/python/start-interpreter.ts'), 'utf8')
  for (const value of Object.values(info)) expect(source).toContain(`'${value}'`)
})

test('reports progress in steps of a megabyte, to the end', () => {
  const said: string[] = []
  const progress = createPythonProgress((doing, part) =>
    said.push(waitsFor([{ type: 'progress', doing, ...(part && { part }), atMs: 0 }])),
  )
  progress.over()
  for (const bytes of [100, 400_000, 900_000, 1_100_000]) progress.add(pythonAssets.script, bytes)
  progress.add(pythonAssets.wasm, 5_000_000)
  progress.add(pythonAssets.wasm, 99_000_000)
  for (const name of Object.values(pythonAssets)) progress.loaded(name)
  progress.over()
  for (const pending of [1, 1, -1, -1] as const) progress.packages(pending)
  expect(said).toEqual([
    'Loading Python, 0 of 13 MB',
    'Loading Python, 1 of 13 MB',
    'Loading Python, 6 of 13 MB',
    'Loading Python, 13 of 13 MB',
    'Starting Python',
    '',
    'Loading Python packages',
    '',
  ])
})

test('loads an asset completely, with progress in bytes; a failed request rejects', async () => {
  const whole = new Uint8Array(100_000).map((_, index) => index)
  const asked: string[] = []
  const load = fetchAsset((url) => {
    asked.push(url)
    return Promise.resolve(url.endsWith('missing.js') ? new Response('', { status: 404 }) : new Response(whole))
  })
  const heard: number[] = []
  expect(await load('a b.js', (loaded) => heard.push(loaded))).toEqual(whole)
  expect(await load('a b.js')).toEqual(whole)
  expect(heard.at(-1)).toBe(100_000)
  expect(asked[0]).toBe('/sandbox-libs/a%20b.js')
  await expect(load('missing.js')).rejects.toThrow('missing.js could not be loaded: 404')
})
