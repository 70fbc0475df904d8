import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { expect, it } from 'vitest'
import { saidAtLoadIn } from './said-at-load'

const root = path.resolve(import.meta.dirname, '../..')
const files = globSync('{app,components,lib}/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.(?:test|contract)\.tsx?$|\/testing\//.test(file),
)

it('nothing is said while a module loads: it would stay in the language of that moment', () => {
  expect(files.length).toBeGreaterThan(1_000)
  const found = files.flatMap((file) =>
    saidAtLoadIn(file, readFileSync(path.join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  )
  expect(found).toEqual([])
})

const imported = "import { aSentence as say, aTold, labels } from '@/lib/words/a'\n"

it.each([
  ["const gone = say('a.gone')", 1],
  ["const gone = () => say('a.gone')", 0],
  ["export const all = [{ name: 'a', help: say('a.help') }]", 1],
  ["export const all = [{ name: 'a', help: () => say('a.help') }]", 0],
  ["export const all = [{ name: 'a', get help() { return say('a.help') } }]", 0],
  ["class Part { static about = say('a.about') }", 1],
  ["class Part { about() { return say('a.about') } }", 0],
  ["const made = (() => say('a.b'))()", 1],
  ["const made = make()\nfunction make() { return { why: say('a.why') } }", 1],
  ["const make = () => say('a.why')\nexport const made = () => make()", 0],
  ["const made = ['b', 'c'].map((one) => ({ one, why: say('a.why') }))", 1],
  ["const sayAll = { map: () => say('a.why') }", 0],
  ["const gone = aTold('a.gone')", 0],
  ['const first = labels.first', 1],
  ['const first = () => labels.first', 0],
])('%s', (source, count) => {
  expect(saidAtLoadIn('x.ts', imported + source)).toHaveLength(count)
})

it('also by words that a file makes for itself', () => {
  const source = "const say = sentencesOf({ 'a.b': 'A sentence.' })\nconst here = say('a.b')"
  expect(saidAtLoadIn('x.ts', source)).toHaveLength(1)
})
