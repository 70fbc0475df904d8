import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { sayMessage } from './message'
import type { ValuesOf } from './message-values'
import { parseMessage, type Token } from './parse-message'

/** As Lingui's own compiler names things: by the name alone. */
function plain(tokens: readonly Token[]): unknown {
  return tokens.map((token) => {
    if (typeof token === 'string') return token
    const [name = '', kind = token[1]] = token[0].split(', ')
    if (kind === undefined) return [name]
    const forms = token[2]
    if (forms === undefined) return [name, kind]
    return [name, kind, Object.fromEntries(Object.entries(forms).map(([form, inner]) => [form, plain(inner)]))]
  })
}

describe('a message', () => {
  it.each([
    'Nothing came.',
    '{name} has {size, bytes}',
    '{ name } of { n , number }',
    '{n, plural, =0 {none} one {# file} other {# files}} in {n}',
    '{place, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}',
    '{a, select, null {} empty {nothing} other {{n, plural, one {# {a}} other {#}}}}',
    "'{{tools}}' stands in ‘{name}’, it''s so",
    "the server's log",
    '# is no number here, nor in {a, select, other {#}}',
  ])('is read as Lingui’s compiler reads it: %s', (text) => {
    expect(plain(parseMessage(text).tokens)).toEqual(JSON.parse(JSON.stringify(compileMessageOrThrow(text))))
  })

  it('is refused where it is none', () => {
    for (const text of ['{', 'a}', '{a', '{a, made-up}', '{a, plural, one {x}}', '{a, plural, other {x}', '{}']) {
      expect(() => parseMessage(text)).toThrow(SyntaxError)
    }
  })

  it('is said with the forms and the writing of a language', () => {
    const text = '{n, plural, one {# file} other {# files}}, {size, bytes}, {names, list}, {at, day}, {share, share}'
    const values = { n: 1, size: 2_100, names: ['a', 'b'], at: Date.UTC(2026, 10, 22, 12), share: 0.5 }
    expect(sayMessage(text, values, 'en')).toBe('1 file, 2.1 KB, a, b, November 22, 2026, 50 %')
    expect(sayMessage(text, { ...values, n: 12_345 }, 'zh-CN')).toBe('12,345 files, 2.1 KB, a、b, 2026年11月22日, 50%')
    expect(sayMessage('{ms, span} {s, wait}', { ms: 65_000, s: 200 }, 'zh-CN')).toBe('1分钟5秒 4分钟')
    expect(sayMessage('{ms, span} {s, wait}', { ms: 3_400, s: 45 }, 'en')).toBe('3.4 s 45 s')
    expect(sayMessage('{b, select, true {yes} other {no}}', { b: true }, 'en')).toBe('yes')
    expect(sayMessage('{b, select, null {none} empty {nothing} all {every} other {{b}}}', { b: '*' }, 'en')).toBe(
      'every',
    )
  })

  it('says nothing with values that are not its own', () => {
    expect(sayMessage('{n, number}', {}, 'en')).toBeNull()
    expect(sayMessage('{n, number}', { n: 'three' }, 'en')).toBeNull()
    expect(sayMessage('{names, list}', { names: 3 }, 'en')).toBeNull()
    expect(sayMessage('{toString}', {}, 'en')).toBeNull()
  })

  it('leaves a value as it is, whatever stands in it', () => {
    const odd = fc.oneof(
      fc.string(),
      fc.constantFrom('\\u0041', '\\x41', '{n}', '#', "'{", '%__lingui_octothorpe__%', '$&', '\\x5cu0041'),
    )
    fc.assert(
      fc.property(fc.array(odd), (parts) => {
        const value = parts.join('')
        expect(sayMessage('<{value}>', { value }, 'en')).toBe(`<${value}>`)
        expect(sayMessage('<{v, list}>', { v: [value] }, 'zh-CN')).toBe(`<${value}>`)
        expect(sayMessage('{a, select, other {<{value}>}}', { a: 'x', value }, 'en')).toBe(`<${value}>`)
      }),
    )
  })

  it('tells the compiler its values', () => {
    expectTypeOf<ValuesOf<'Nothing {}'>>().not.toBeAny()
    expectTypeOf<ValuesOf<'Nothing.'>>().toEqualTypeOf<never>()
    expectTypeOf<ValuesOf<'{name} has {size, bytes}'>>().branded.toEqualTypeOf<{
      readonly name: string | number
      readonly size: number
    }>()
    expectTypeOf<
      ValuesOf<'{n, plural, =0 {} one {# of {all, number}} other {#, {names, list}}} {n}.'>
    >().branded.toEqualTypeOf<{
      readonly n: number
      readonly all: number
      readonly names: readonly string[]
    }>()
    expectTypeOf<
      ValuesOf<'{a, select, null {x} other {{a}}} {b, select, true {{c}} other {}}'>
    >().branded.toEqualTypeOf<{
      readonly a: string | number | null
      readonly b: boolean
      readonly c: string | number
    }>()
    expectTypeOf<ValuesOf<"'{{tools}}' and {name}">>().branded.toEqualTypeOf<{ readonly name: string | number }>()
  })
})
