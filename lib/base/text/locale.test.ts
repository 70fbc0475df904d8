import { describe, expect, it } from 'vitest'
import { createFormats } from './locale'

describe('formatting numbers', () => {
  const lines = { one: 'line', other: 'lines' }

  it.each([
    ['en', 0, '0 lines'],
    ['en', 1, '1 line'],
    ['en', 12_345, '12,345 lines'],
    ['de', 12_345, '12.345 lines'],
    ['zh', 1, '1 lines'],
    ['fr', 0, '0 line'],
  ])('in %s, %d is written as %s', (locale, count, expected) => {
    expect(createFormats(locale).counted(count, lines)).toBe(expected)
  })

  it.each([
    [1, '1st'],
    [2, '2nd'],
    [3, '3rd'],
    [4, '4th'],
    [11, '11th'],
    [13, '13th'],
    [22, '22nd'],
    [1_003, '1,003rd'],
  ])('ordinals: %d is the %s', (place, expected) => {
    expect(createFormats('en').ordinal(place, { one: 'st', two: 'nd', few: 'rd', other: 'th' })).toBe(expected)
  })

  it('picks the plural forms that a language has', () => {
    const forms = { one: 'plik', few: 'pliki', many: 'plików', other: 'pliku' }
    const { plural } = createFormats('pl')
    expect([1, 2, 5, 1.5].map((count) => plural(count, forms))).toEqual(['plik', 'pliki', 'plików', 'pliku'])
  })
})
