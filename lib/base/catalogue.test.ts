import { describe, expect, expectTypeOf, it } from 'vitest'
import { errorsOf, refusalsOf, say, sentenceFor, type Catalogue, type Translation } from './catalogue'
import { AppError } from './app-error'
import { createFormats } from './locale'

const words = {
  'area.plain': 'Nothing came.',
  'area.counted': ({ count }: { readonly count: number }) => `${count} came.`,
} satisfies Catalogue

describe('a catalogue', () => {
  it('makes of a reason and its values an error that says both, and the sentence', () => {
    const error = errorsOf(words)('not-found', 'area.counted', { count: 3 }, { headId: null })
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      code: 'not-found',
      reason: 'area.counted',
      values: { count: 3 },
      message: '3 came.',
      headId: null,
    })
    expect(refusalsOf(words)('area.plain')).toEqual({ reason: 'area.plain', values: {}, message: 'Nothing came.' })
  })

  it('has no sentence for a reason of elsewhere, nor for values that are not its own', () => {
    const list = {
      'area.list': ({ names }: { readonly names: readonly string[] }) => names.join(', '),
    } satisfies Catalogue
    expect(sentenceFor(words, 'area.newer', {})).toBeNull()
    expect(sentenceFor(words, 'toString', {})).toBeNull()
    expect(sentenceFor(list, 'area.list', { names: 3 })).toBeNull()
  })

  it('is whole in a second language or does not compile', () => {
    const german = {
      'area.plain': 'Nichts kam.',
      'area.counted': ({ count }) => `${count} kamen.`,
    } satisfies Translation<typeof words>
    expect(say(german, 'area.counted', { count: 2 })).toBe('2 kamen.')
    expectTypeOf<{ 'area.plain': string }>().not.toExtend<Translation<typeof words>>()
    // @ts-expect-error a reason that the catalogue does not have
    say(words, 'area.other')
    // @ts-expect-error its values are missing
    say(words, 'area.counted')
    // @ts-expect-error values where none belong
    say(words, 'area.plain', { count: 1 })
    // @ts-expect-error what is no JSON does not go over the wire
    refusalsOf({ 'area.date': ({ at }: { readonly at: Date }) => `${at.getTime()}` } satisfies Catalogue)('area.date', {
      at: new Date(0),
    })
  })
})

describe('numbers in words', () => {
  const lines = { one: 'line', other: 'lines' }

  it.each([
    ['en', 0, '0 lines'],
    ['en', 1, '1 line'],
    ['en', 12_345, '12,345 lines'],
    ['de', 12_345, '12.345 lines'],
    ['zh', 1, '1 lines'],
    ['fr', 0, '0 line'],
  ])('in %s, %d: %s', (locale, count, expected) => {
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
  ])('a place in a row: %d is the %s', (place, expected) => {
    expect(createFormats('en').ordinal(place, { one: 'st', two: 'nd', few: 'rd', other: 'th' })).toBe(expected)
  })

  it('takes the forms that a language has', () => {
    const forms = { one: 'plik', few: 'pliki', many: 'plików', other: 'pliku' }
    const { plural } = createFormats('pl')
    expect([1, 2, 5, 1.5].map((count) => plural(count, forms))).toEqual(['plik', 'pliki', 'plików', 'pliku'])
  })
})
