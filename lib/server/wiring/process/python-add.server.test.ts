import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeWheel } from '@/lib/sandbox/testing/make-wheel'
import { runPythonAdd } from './python-add.server'

let folder = ''
const wheel = makeWheel({ name: 'greet-all', version: '2.0' })

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'nod-python-add-'))
  vi.spyOn(process, 'cwd').mockReturnValue(folder)
  writeFileSync(path.join(folder, wheel.file), wheel.data)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...words: readonly string[]) =>
  runPythonAdd(words, { NOD_DATA_DIR: path.join(folder, 'data') }, () => Promise.reject(new Error('no network here')))

test('adds, lists and removes packages, and pins those of PyPI', async () => {
  expect(await run('--list')).toEqual([
    expect.stringMatching(/^No packages were added\. Nod brings defusedxml .*pypdf/),
  ])
  const said = await run('Greet_All==2.0', '--from', folder)
  expect(said).toEqual([
    expect.stringMatching(/^greet-all 2\.0 \(\d/),
    'The hashes are in nod.python.json. Commit this file: later commands accept only the same bytes.',
    'Added 1 package. The server offers it from the next message on. Run this command on each node.',
  ])
  const pins: unknown = JSON.parse(readFileSync(path.join(folder, 'nod.python.json'), 'utf8'))
  expect(pins).toEqual({ wheels: { 'greet-all==2.0': wheel.sha256 } })
  expect((await run('--list'))[0]).toMatch(/^greet-all 2\.0/)
  expect(await run('--remove', 'greet.all')).toEqual(['Removed greet-all.'])
  await expect(run('--remove', 'greet-all')).rejects.toThrow('greet-all was not added')
})

test('accepts only the pinned bytes, and no damaged pins', async () => {
  const pins = path.join(folder, 'nod.python.json')
  writeFileSync(pins, JSON.stringify({ wheels: { 'greet-all==2.0': '0'.repeat(64) } }))
  await expect(run('greet-all==2.0', '--from', folder)).rejects.toThrow('has other bytes than expected')
  writeFileSync(pins, '{"wheels":{"greet-all==2.0":"x"}}')
  await expect(run('greet-all==2.0', '--from', folder)).rejects.toThrow('nod.python.json is not valid')
})

test('names the host that it could not reach, and how to work without it', async () => {
  await expect(run('numpy')).rejects.toThrow(
    /^numpy-.*\.whl could not be fetched from cdn\.jsdelivr\.net: no network here\. .*use --from FOLDER\.$/,
  )
})

test.each([
  ['--from'],
  ['--list', 'numpy'],
  ['--remove'],
  ['--what'],
  ['numpy', '--list', '--remove'],
  ['numpy', '--from', ''],
])('rejects %j %j %j', async (...words) => {
  await expect(run(...words.filter((word) => word !== undefined))).rejects.toThrow('Unknown command')
})
