import path from 'node:path'
import { expect, it } from 'vitest'
import { compile, readMessages } from './catalog.mjs'
import { areaOf, isQuoted, unquotedAreas } from './unquoted.mjs'
import { foreignNames, takesForeign, valuesType } from './value-types.mjs'

const byLanguage = await readMessages(path.resolve(import.meta.dirname, '../..'))
const english = [...(byLanguage['en']?.values() ?? [])]
/** Besides the names in the types: other names for foreign text. */
const names = new Set([...foreignNames, 'url', 'email', 'quoted', 'glob', 'selector'])
const listed = Object.values(unquotedAreas).flat()
const message = (key: string, text: string) => ({ key, file: 'test', text, tokens: compile(text) })

it('quotes foreign text in every message, except in the areas listed with a reason', () => {
  const odd = english.filter(
    (one) => takesForeign(one, names) && isQuoted(one.key) && !valuesType(one, true).includes('Foreign'),
  )
  expect(odd.map(({ key }) => key)).toEqual([])
})

it('lists no area twice or without such a message', () => {
  const areas = new Set(english.filter((one) => takesForeign(one, names)).map(({ key }) => areaOf(key)))
  expect(listed.filter((area, at) => !areas.has(area) || listed.indexOf(area) !== at)).toEqual([])
})

it('finds a case in a sample', () => {
  expect(takesForeign(message('test.moved', '{path} was moved.'))).toBe(true)
  expect(takesForeign(message('test.inside', '{n, plural, one {{path}} other {#}}'))).toBe(true)
  expect(takesForeign(message('test.column', '{column, number}'))).toBe(false)
  expect(valuesType(message('test.moved', '{path} was moved.'), true)).toBe('{ readonly path: Foreign }')
  expect(valuesType(message('test.moved', '{path} was moved.'), false)).toBe('{ readonly path: string | number }')
})
