import { expect, it } from 'vitest'
import { listKinds, numberKinds } from '@/lib/i18n/format-text'
import * as catalogs from './catalog.mjs'
import { compile, differences } from './catalog.mjs'
import { keysIn, modulesOnlyOf, textsAtLoad } from './used-keys.mjs'
import { valuesType } from './value-types.mjs'

const catalog = (file: string, texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries(texts).map(([key, text]) => [key, { key, file, text, tokens: compile(text) }]))

it('refuses an invalid ICU message', () => {
  for (const text of ['{', '{a', '{a, made}', '{a, plural, one {x}}', '{a, plural, other {x}', '{}'])
    expect(() => compile(text)).toThrow()
})

it('knows the value kinds that the app formats', () => {
  expect(catalogs.numberKinds).toEqual(Object.keys(numberKinds).toSorted())
  expect(catalogs.listKinds).toEqual(Object.keys(listKinds).toSorted())
})

it('names every difference between two languages', () => {
  const english = catalog('files', {
    'files.same': '{count, plural, one {# file} other {# files}} of {names, list}',
    'files.missing': 'Nothing',
    'files.values': '{path} has {size, bytes}',
  })
  const other = catalog('files', {
    'files.same': '{names, list}: {count, number}',
    'files.values': '{path}: {bytes, bytes}',
    'files.more': '…',
  })
  expect(differences(english, other, 'xx')).toEqual([
    'xx: files.missing is missing in lib/i18n/xx/files.json.',
    'xx: files.values takes {bytes, path}, the English message {path, size}.',
    'xx: files.more has no English message.',
  ])
  expect(differences(catalog('files', { 'files.a': 'A' }), catalog('lab', { 'files.a': 'A' }), 'xx')).toEqual([
    'xx: files.a belongs into lib/i18n/xx/files.json.',
  ])
  const tool = 'lib/shared/tools/show/words.json'
  expect(differences(catalog(tool, { 'tool.a': 'A' }), catalog(tool, {}), 'xx')).toEqual([
    'xx: tool.a is missing in lib/shared/tools/show/words.json.',
  ])
  expect(differences(catalog('terminal', { 'serve.a': 'A' }), catalog('terminal', {}), 'xx')).toEqual([])
})

it.each([
  ['Nothing.', 'never'],
  ["'{{tools}}' and {what}", '{ readonly what: string | number }'],
  ['{name} has {size, bytes}', '{ readonly name: Foreign; readonly size: number }'],
  [
    '{n, plural, =0 {} one {# of {all, number}} other {#, {names, list}}} {n}.',
    '{ readonly n: number; readonly all: number; readonly names: readonly string[] }',
  ],
  [
    '{a, select, null {x} other {{a}}} {b, select, true {{c}} other {}}',
    '{ readonly a: string | number | null; readonly b: boolean; readonly c: string | number }',
  ],
])('types the values of %s', (text, type) => {
  expect(valuesType({ tokens: compile(text) }, true)).toBe(type)
})

it('finds the keys that a source names', () => {
  const keys = ['area.plain', 'area.one-hint', 'area.two-hint', 'area.two', 'other.plain']
  const found = (text: string) => [...keysIn(text, new Set(keys), (area) => keys.filter((key) => key.startsWith(area)))]
  expect(found("t('area.plain')")).toEqual(['area.plain'])
  expect(found("t(open ? 'area.two' : 'other.plain', { n })")).toEqual(['area.two', 'other.plain'])
  expect(found('t(`area.${what}-hint`)')).toEqual(['area.one-hint', 'area.two-hint'])
  expect(found('\'area.newer\' `area.${x}.y` "area.plain"')).toEqual([])
})

it('finds a text that is made while a module loads', () => {
  expect(textsAtLoad("const a = 1\nexport const b: string = t('area.plain')\nconst c = () => t('area.plain')")).toEqual(
    [2],
  )
})

it('finds the modules that only some pages reach, by any import', () => {
  const sources = new Map([
    [
      '/r/app/lab.tsx',
      "import '@/lib/lab'\nimport type { A } from '@/lib/types'\nconst load = () => import('@/lib/lazy')",
    ],
    ['/r/lib/lab.ts', "export { b } from './both'"],
    ['/r/lib/lazy.ts', "import './shared'"],
    ['/r/lib/both.ts', ''],
    ['/r/lib/shared.ts', ''],
    ['/r/lib/types.ts', ''],
    ['/r/app/chat.tsx', "import {\n  a,\n} from '@/lib/both'\nvoid import('@/lib/shared')"],
  ])
  const only = ['/r/app/lab.tsx', '/r/lib/lab.ts', '/r/lib/lazy.ts']
  expect([...modulesOnlyOf('/r', sources, ['/r/app/lab.tsx'])]).toEqual(only)
})
