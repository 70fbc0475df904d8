import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import { compile } from '@/scripts/messages/catalog.mjs'
import { formatText } from './format-text'
import { addMessages, type Messages } from './messages'

const texts = {
  'test.kinds': '{n, plural, one {# file} other {# files}}, {size, bytes}, {names, list}, {at, day}, {part, share}',
  'test.spans': '{ms, span} {s, wait}',
  'test.truth': '{b, select, true {yes} other {no}}',
  'test.null': '{b, select, null {none} empty {nothing} all {every} other {{b}}}',
  'test.number': '{n, number}',
  'test.list': '{names, list}',
  'test.types': 'is required{types, select, empty {} other { ({types, types})}}',
  'test.inherited': '{toString}',
  'test.value': '<{value}>',
  'test.values': '<{names, list}>',
  'test.inside': '{a, select, other {<{value}>}}',
  'test.plain': 'Nothing came.',
}

beforeAll(() => {
  for (const language of ['en', 'zh-CN'] as const)
    addMessages(
      language,
      Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, compile(text)])) as unknown as Messages,
    )
  addMessages('en', { 'test.english': ['{n, plural, one {# file} other {# files}}'] })
})

const format = (key: keyof typeof texts, values: JsonObject, language: Language = 'en') =>
  formatText(key, values, language)

describe('a message', () => {
  it('uses the plural forms and formats of its language', () => {
    const values = { n: 1, size: 2_100, names: ['a', 'b'], at: Date.UTC(2026, 10, 22, 12), part: 0.5 }
    expect(format('test.kinds', values)).toBe('1 file, 2.1 KB, a, b, November 22, 2026, 50 %')
    expect(format('test.kinds', { ...values, n: 12_345 }, 'zh-CN')).toBe(
      '12,345 files, 2.1 KB, a、b, 2026年11月22日, 50%',
    )
    expect(format('test.spans', { ms: 65_000, s: 200 }, 'zh-CN')).toBe('1 分钟 5 秒 4 分钟')
    expect(format('test.spans', { ms: 3_400, s: 45 })).toBe('3.4 s 45 s')
    expect(format('test.truth', { b: true })).toBe('yes')
    expect(format('test.null', { b: '*' })).toBe('every')
    expect(format('test.types', { types: [] })).toBe('is required')
    expect(format('test.types', { types: ['string', 'null or array'] })).toBe('is required (string or null or array)')
    expect(format('test.types', { types: ['string', 'string or array'] }, 'zh-CN')).toBe('is required (文本或列表)')
  })

  it('is null for wrong values and for an unknown key', () => {
    expect(format('test.number', {})).toBeNull()
    expect(format('test.number', { n: 'three' })).toBeNull()
    expect(format('test.list', { names: 3 })).toBeNull()
    expect(format('test.inherited', {})).toBeNull()
    expect(formatText('test.newer', {}, 'en')).toBeNull()
    expect(formatText('toString', {}, 'en')).toBeNull()
  })

  it('is English if its language does not have it', () => {
    expect(formatText('test.english', {}, 'zh-CN')).toBe('{n, plural, one {# file} other {# files}}')
  })

  it('leaves a value unchanged, whatever it contains', () => {
    const odd = fc.oneof(
      fc.string(),
      fc.constantFrom('\\u0041', '\\x41', '{n}', '#', "'{", '%__lingui_octothorpe__%', '$&', '\\x5cu0041'),
    )
    fc.assert(
      fc.property(fc.array(odd), (parts) => {
        const value = parts.join('')
        expect(format('test.value', { value })).toBe(`<${value}>`)
        expect(format('test.values', { names: [value] }, 'zh-CN')).toBe(`<${value}>`)
        expect(format('test.inside', { a: 'x', value })).toBe(`<${value}>`)
      }),
    )
  })
})
