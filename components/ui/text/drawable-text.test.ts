import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawableText, judgedLimits } from './drawable-text'

test.each<[string, string]>([
  ['marks', 'a' + '\u0301'.repeat(900_000)],
  [
    'marks of all kinds',
    Array.from({ length: 300_000 }, (_, at) => String.fromCodePoint(0x300 + (at % 0x6f))).join(''),
  ],
  ['variation selectors', `x${'\ufe0f'.repeat(100_000)}`],
  ['joined emoji', '👩\u200d'.repeat(100_000)],
  ['letters that are joined', 'क्\u200d'.repeat(100_000)],
  ['Korean parts', '\u1100'.repeat(100_000)],
  ['tags', `🏴${'\u{e0061}'.repeat(100_000)}`],
  ['one line', 'x'.repeat(2_000_000)],
  ['many lines', 'line\n'.repeat(500_000)],
])('endless %s are cut, and the text says so', (_name, text) => {
  const drawn = drawableText(text)
  expect(drawn).toMatch(/⟨[\d,]+ .*left out⟩/)
  expect(drawn.length).toBeLessThan(450_000)
  expect(drawn).not.toMatch(/[\p{M}\u200d]{20,}/u)
  expect(Math.max(...drawn.split('\n').map((line) => line.length))).toBeLessThan(21_000)
  expect(drawn.isWellFormed()).toBe(true)
})

test('the number of left-out characters is exact', () => {
  expect(drawableText(`a${'\u0301'.repeat(100)}b`)).toBe(`a${'\u0301'.repeat(8)}⟨92 combining characters left out⟩b`)
  expect(drawableText('x'.repeat(20_005))).toBe(`${'x'.repeat(20_000)}… ⟨5 characters of this line left out⟩`)
})

test('ordinary texts are unchanged', () => {
  for (const text of [
    '',
    'plain\ntext',
    'Việt Nam',
    'ภาษาไทย น้ำ',
    'हिन्दी क्षत्रिय',
    '한국어',
    '👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽',
    'z̸̢̛͓͎a̷̰͝l̶͖̈g̴̣̈́o̸̱͌',
    'שָׁלוֹם',
  ]) {
    expect(drawableText(text)).toBe(text)
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      expect(drawableText(text)).toBe(text)
    }),
  )
  expect(drawableText('x'.repeat(150_000), judgedLimits)).toBe('x'.repeat(150_000))
})
