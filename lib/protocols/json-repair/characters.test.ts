import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Source } from '../text/source'
import { readPlainKey, readPlainString } from './characters'
import { readJson } from './read-json'

const short = 'a "short" one: \\ and \u2028'
const long = `${short}${'x'.repeat(200)} "${'\\'.repeat(7)}" end`

describe('a string that needs no repair', () => {
  it('is read like JSON.parse, whatever follows', () => {
    const unit = fc.constantFrom('"', '\\', '\n', 'a', 'é', '\ud83d', '\ude00', '\u0001', '\u2028', '/', '”')
    const text = fc.oneof(fc.string({ unit, maxLength: 30 }), fc.string({ unit, minLength: 60 }), fc.constant(long))
    fc.assert(
      fc.property(text, fc.string(), (value, rest) => {
        const literal = JSON.stringify(value)
        expect(readPlainString(`${literal}${rest}`, 1)).toEqual({
          value,
          escaped: literal.includes('\\'),
          end: literal.length,
        })
      }),
    )
  })

  it.each([
    ['a line break', '"a\nb"'],
    ['a line break far inside', `"${'x'.repeat(300)}\nb"`],
    ['an unknown escape', '"a\\x"'],
    ['an unknown escape far inside', `"${'x'.repeat(300)}\\x"`],
    ['a short unicode escape', '"\\u12"'],
    ['a control character far inside', `"${'x'.repeat(300)}\u0001"`],
  ])('differs from one with %s', (_, text) => {
    expect(readPlainString(text, 1)).toBeNull()
  })

  it.each(['"', '"abc', '"abc\\', '"abc\\"', `"${'x'.repeat(300)}\\"`])('is unclosed in %s', (text) => {
    expect(readPlainString(text, 1)).toBe('unclosed')
  })

  it('reads only short keys without quotes of another kind', () => {
    expect(readPlainKey('"path": 1', 1)).toEqual({ value: 'path', escaped: false, end: 6 })
    expect(readPlainKey('"path”: 1', 1)).toBeNull()
    expect(readPlainKey(`"${'x'.repeat(100)}": 1`, 1)).toBeNull()
  })

  it('leaves repairs to the reader, which names them', () => {
    const reading = readJson(new Source(`{"a":"${'x'.repeat(100)}\ny","b":"\\d"} `, true), 0)
    expect(reading.failure).toBeNull()
    expect(reading.repairs.map((repair) => repair.code)).toEqual(['raw-newline', 'bad-escape'])
  })
})
