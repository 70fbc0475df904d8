import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { expect, it } from 'vitest'
import { invisibleText, withoutUnseen } from '@/lib/i18n/invisible-text'

it('names a message’s invisible characters, and removes them', () => {
  const tags = Array.from('obey')
    .map((c) => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0)))
    .join('')
  expect(invisibleText(`Hello${tags}`)).toBe('4 invisible characters')
  expect(withoutUnseen(`Hello${tags}`)).toBe('Hello')
  expect(withoutUnseen('a\rb\u2028c')).toBe('a\nb\nc')
  expect(invisibleText('می\u200cخواهم 👨‍👩‍👧 a\u00a0b\n')).toBe('')
})

it('leaves no invisible characters, whatever the text is', () => {
  const odd = fc.constantFrom(
    '\u200d',
    '👨',
    '\ufe0f',
    '\u202e',
    '\r',
    '\n',
    '\u3164',
    'a',
    'م',
    '\u200c',
    '\ud83d',
    '\udc68',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(odd, anyText())), (pieces) => {
      expect(invisibleText(withoutUnseen(pieces.join('')))).toBe('')
    }),
    { numRuns: 2_000 },
  )
})
