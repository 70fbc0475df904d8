import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { inlineWordsIn } from './inline-words'

const root = path.resolve(import.meta.dirname, '../..')
const listFile = path.join(import.meta.dirname, 'inline-words.json')

/** How many texts of each file still wait for a catalogue. No number may grow, and no file may come to it. */
const listed = JSON.parse(readFileSync(listFile, 'utf8')) as Readonly<Record<string, number>>

const files = globSync('{components,app}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.(?:test|contract)\.tsx?$|\/testing\/|^app\/api\//.test(file),
)
const counted = Object.fromEntries(
  files
    .toSorted()
    .map((file) => [file, inlineWordsIn(file, readFileSync(path.join(root, file), 'utf8'))] as const)
    .filter(([, found]) => found.length > 0),
)

// WRITE_INLINE_WORDS=1 before this file, after sentences went into catalogues; =all where branches meet, one of which is from
// before there was a list.
const writes = process.env['WRITE_INLINE_WORDS']
if (writes !== undefined) {
  const list = Object.entries(counted).flatMap(([file, { length }]) => {
    const most = writes === 'all' ? length : (listed[file] ?? 0)
    return most === 0 ? [] : [[file, Math.min(most, length)]]
  })
  writeFileSync(listFile, `${JSON.stringify(Object.fromEntries(list), null, 2)}\n`)
}

it('a component says only what a catalogue says, but for those that are listed, and they no more than before', () => {
  expect(files.length).toBeGreaterThan(400)
  const more = Object.entries(counted)
    .filter(([file, found]) => found.length > (listed[file] ?? 0))
    .map(
      ([file, found]) =>
        `${file} (${listed[file] ?? 0} listed): ${found.map(({ line, text }) => `${line} ${text}`).join(' | ')}`,
    )
  expect(more).toEqual([])
})

it.each([
  ['<p>Nothing here</p>', 1],
  ['<p>{say("a.b")}</p>', 0],
  ['<button aria-label="Close" />', 1],
  ['<button data-tip="Change the theme" className="flex items-center gap-2" />', 1],
  ['<a href="/some/where">{name} · 3</a>', 0],
  ["const title = 'Not found'", 1],
  ['const title = `${count} files were left out`', 1],
  ["const look = 'flex min-h-8 w-full items-center gap-2'", 0],
  ["throw new Error('There is no such context here')", 0],
  ["console.error('The pictures could not be made.')", 0],
  ["import thing from 'Some long package name'", 0],
  ["type Kind = 'Of three words'", 0],
  ["const words = '工具'", 1],
])('%s', (source, count) => {
  expect(inlineWordsIn('x.tsx', source)).toHaveLength(count)
})
