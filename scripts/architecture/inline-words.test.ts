import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { inlineWordsIn } from './inline-words'

const root = path.resolve(import.meta.dirname, '../..')
const files = globSync('{components,app}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.(?:test|contract)\.tsx?$|\/testing\/|^app\/api\//.test(file),
)

it('a component says only what a catalogue says', () => {
  expect(files.length).toBeGreaterThan(400)
  const found = files.flatMap((file) =>
    inlineWordsIn(file, readFileSync(path.join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  )
  expect(found).toEqual([])
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
