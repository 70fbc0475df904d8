import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
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
  ['<Note text="You stopped this reply." />', 1],
  ['<Note saying="Not here, but there" />', 1],
  ['<Note saying={lost ? "Gone" : kept && `${count} files`} />', 1],
  ['<Button aria-label={open ? "close" : "open"} />', 2],
  ['<p>{done ? "done" : say("a.b")}</p>', 1],
  ['<p>{name ?? "nobody"} {format("of nobody")}</p>', 1],
  ['<Part look="quiet" name="warn" className={wide ? "w-full Grows" : "hidden Shrinks"} data-part="Some words" />', 0],
  ["const one = { label: 'Stopped', id: 'Some id of it', kind: 'Stopped' }", 1],
  ["const one = { title: open ? 'some files' : 'Nod', look: 'quiet' }", 1],
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
