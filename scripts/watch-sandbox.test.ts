import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copySources } from './add-to-it/recipe'
import type * as Watching from './watch-sandbox.mjs'

// The part of `npm run dev` outside Next, in a copy of the sources: an edit for each kind of file.

type Watch = typeof Watching

const copy = mkdtempSync(path.join(tmpdir(), 'nod-watch-'))
const inCopy = (name: string) => path.join(copy, name)
const files = ['public/workers/vfs.js', 'public/workers/search.js', 'public/workers/markdown.js', 'public/sandbox.html']
const heard: { file: string; wrote: boolean }[] = []
let wake = () => {}
let watcher: Watch
let watch: Awaited<ReturnType<Watch['watchSandbox']>>

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise<void>((resolve) => (wake = resolve))
}
const hear = (wrote: boolean) => (file: string) => {
  heard.push({ file, wrote })
  wake()
}

beforeAll(async () => {
  copySources(path.resolve(import.meta.dirname, '..'), copy)
  for (const file of files) rmSync(inCopy(file), { force: true })
  watcher = (await import(/* @vite-ignore */ pathToFileURL(inCopy('scripts/watch-sandbox.mjs')).href)) as Watch
  watch = await watcher.watchSandbox({
    onWritten: hear(true),
    onFailed: hear(false),
    only: (file) => files.includes(file),
  })
  await until(() => heard.length === files.length)
}, 60_000)
afterAll(async () => {
  await watch.stop()
  rmSync(copy, { recursive: true, force: true })
})

test.each([
  ['public/workers/vfs.js', 'lib/vfs/indexeddb/worker.ts'],
  ['public/workers/search.js', 'lib/shared/tools/search-files/worker.ts'],
  ['public/workers/markdown.js', 'components/markdown/worker.ts'],
  ['public/sandbox.html', 'lib/sandbox/frame/frame.ts'],
  // The frame contains its worker's prelude as text.
  ['public/sandbox.html', 'lib/sandbox/frame/prelude.ts'],
])('rebuilds %s after an edit in %s', { timeout: 60_000 }, async (file, source) => {
  heard.length = 0
  const mark = `edited-${source}`
  appendFileSync(inCopy(source), `\nObject.assign(globalThis, { edited: ${JSON.stringify(mark)} })\n`)
  await until(() => heard.some((each) => each.file === file))
  expect(heard).toEqual([{ file, wrote: true }])
  expect(readFileSync(inCopy(file), 'utf8')).toContain(mark)
})

test('leaves the file unchanged if the source does not compile', { timeout: 60_000 }, async () => {
  heard.length = 0
  const before = readFileSync(inCopy('public/workers/search.js'), 'utf8')
  appendFileSync(inCopy('lib/shared/tools/search-files/worker.ts'), '\nconst = nothing\n')
  await until(() => heard.length > 0)
  expect(heard).toEqual([{ file: 'public/workers/search.js', wrote: false }])
  expect(readFileSync(inCopy('public/workers/search.js'), 'utf8')).toBe(before)
})

test('makes Next read a frame’s policy again: touches its configuration without changing it', async () => {
  const before = {
    time: statSync(inCopy('next.config.ts')).mtimeMs,
    text: readFileSync(inCopy('next.config.ts'), 'utf8'),
  }
  await watcher.touchConfig()
  expect(statSync(inCopy('next.config.ts')).mtimeMs).not.toBe(before.time)
  expect(readFileSync(inCopy('next.config.ts'), 'utf8')).toBe(before.text)
})
