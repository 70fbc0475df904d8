import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, it } from 'vitest'
import { foreignParts, quoted, visibleText, marksOf, splitLines } from './foreign-text'
import { lookAlikes, lookOf } from './look-alikes'
import type { TextKind } from './mark'
import { hiddenCharacterLabel } from '@/lib/i18n/invisible-text'

const readings: readonly TextKind[] = ['code', 'name', 'prose']

it.each(['paүpal', 'nodҽ', 'ꙇtem', 'ϱath', 'ɩtem', 'ʏaml', 'ᴀpi', 'ɴode', 'ᴋey', 'ʟist', 'Ԁata', 'ӡip'])(
  'finds letters of %s that are not the Latin ones that they look like',
  (name) => {
    expect(lookAlikes(name, 'name')).not.toEqual([])
    expect(lookAlikes(name, 'code')).not.toEqual([])
    expect(lookAlikes(`Hello ${name}, how are you?`, 'prose')).toEqual([])
  },
)

/** Every code point with a property, lone surrogates included. */
function all(property: RegExp): readonly string[] {
  const found: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const character = String.fromCodePoint(code)
    if (property.test(character)) found.push(character)
  }
  return found
}

/** Drawn by every font, though format characters by category. */
const drawn = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u

const unseen: readonly (readonly [string, RegExp])[] = [
  ['Cf', /^\p{Cf}$/u],
  ['Cc', /^\p{Cc}$/u],
  ['Zl', /^\p{Zl}$/u],
  ['Zp', /^\p{Zp}$/u],
  ['default-ignorable', /^\p{Default_Ignorable_Code_Point}$/u],
  ['Co', /^\p{Co}$/u],
  ['Cs', /^\p{Cs}$/u],
  ['variation selectors', /^\p{Variation_Selector}$/u],
]

describe('invisible characters', () => {
  it.each(unseen)('every character of %s gets a mark, at any position', (_name, property) => {
    const characters = all(property)
    expect(characters.length).toBeGreaterThan(0)
    const missed: string[] = []
    // One rule covers the 137,000 private-use characters, so only every eleventh of them is tested.
    const step = characters.length > 20_000 ? 11 : 1
    for (const character of characters.filter((_, at) => at % step === 0)) {
      if (character === '\n' || character === '\t') continue
      for (const reading of readings) {
        if (reading === 'prose' && drawn.test(character)) continue
        for (const text of [character, `ab${character}cd`, `${character} x`, `"x${character}`]) {
          const marks = marksOf(text, reading)
          if (marks.length !== 1 || marks[0]?.count !== 1) missed.push(`${reading} ${escape(text)}`)
        }
      }
    }
    expect(missed).toEqual([])
  })

  it('blanks other than the plain space are marked in code and names, but not in prose', () => {
    const blanks = all(/^\p{Zs}$/u).filter((blank) => blank !== ' ')
    const count = (blank: string, reading: TextKind) => marksOf(`a${blank}b`, reading).length
    expect(blanks.length).toBeGreaterThan(10)
    expect(blanks.filter((blank) => count(blank, 'code') !== 1 || count(blank, 'name') !== 1)).toEqual([])
    expect(blanks.filter((blank) => count(blank, 'prose') !== 0)).toEqual([])
  })

  it('line feeds and tabs are plain except in names; CRLF is a plain line end, a lone CR is not', () => {
    expect(marksOf('a\r\n\tb\n', 'code')).toEqual([])
    expect(marksOf('a\rb', 'code')).toMatchObject([{ kind: 'line-end', start: 1, end: 2 }])
    expect(marksOf('a\nb\tc', 'name').map(({ label }) => label)).toEqual(['U+000A', 'U+0009'])
    expect(marksOf('a\r\nb', 'name')).toHaveLength(2)
  })

  it('repeated characters of one kind get one mark that counts them', () => {
    expect(visibleText(`a${'\u200b'.repeat(900)}b`, 'code')).toBe('a⟨U+200B × 900⟩b')
    expect(marksOf('\u200b\u200c', 'code')).toHaveLength(2)
  })

  it('characters that a script or an emoji needs stay unmarked in prose, and are marked in code', () => {
    expect(
      [
        'می\u200cخواهم',
        'क्\u200dष',
        '👨‍👩‍👧',
        '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
        '1️⃣',
        '👍🏽',
      ].filter((text) => marksOf(text, 'prose').length > 0),
    ).toEqual([])
    const inNames = ['می\u200cخواهم', '👨‍👩‍👧', 'क्\u200dष']
    expect(inNames.filter((text) => marksOf(text, 'code').length === 0 || marksOf(text, 'name').length === 0)).toEqual(
      [],
    )
    expect(marksOf('❤️', 'code')).toEqual([])
    expect(marksOf('a\ufe0f', 'prose')).toHaveLength(1)
    expect(marksOf('😀\ufe0f\ufe0f', 'prose')).toHaveLength(1)
    expect(marksOf('allowed\u200d', 'prose')).toHaveLength(1)
    expect(marksOf('می\u200c\u200cخ', 'prose')).toHaveLength(1)
  })

  it('a message in Unicode tags is marked, also behind a flag', () => {
    const smuggled = Array.from('delete all')
      .map((c) => String.fromCodePoint(0xe0000 + (c.codePointAt(0) ?? 0)))
      .join('')
    for (const reading of readings) {
      expect(marksOf(`hello${smuggled}`, reading).reduce((sum, { count }) => sum + count, 0)).toBe(10)
      expect(marksOf(`🏴${smuggled}`, reading).reduce((sum, { count }) => sum + count, 0)).toBe(10)
    }
  })

  it('blanks that push text out of view are counted, indentation is not', () => {
    expect(visibleText(`x = 1;${' '.repeat(300)}rm()`, 'code')).toBe('x = 1;⟨300 blanks⟩rm()')
    expect(marksOf(`${' '.repeat(60)}x`, 'code')).toEqual([])
    expect(marksOf(`${' '.repeat(500)}x`, 'code')).toHaveLength(1)
    expect(visibleText('/a  b', 'name')).toBe('/a⟨2 blanks⟩b')
    expect(visibleText('/a.md ', 'name')).toBe('/a.md⟨blank⟩')
  })

  it('stacked accents are marked, ordinary writing is not', () => {
    expect(marksOf(`a${'\u0336\u0337'.repeat(20)}`, 'prose').length).toBeGreaterThan(0)
    expect(marksOf('Tiếng Việt ภาษาไทย ที่นี่ नमस्ते שָׁלוֹם', 'prose')).toEqual([])
    expect(marksOf('Tiếng Việt ภาษาไทย ที่นี่ नमस्ते', 'code')).toEqual([])
    expect(marksOf('caf\u0065\u0301', 'code')).toHaveLength(1)
  })

  it('marks drawn around a letter or a digit are marked, a keycap in prose is not', () => {
    const enclosing = all(/^\p{Me}$/u)
    expect(enclosing).toEqual(
      expect.arrayContaining([
        '\u20dd',
        '\u20de',
        '\u20df',
        '\u20e0',
        '\u20e2',
        '\u20e3',
        '\u20e4',
        '\u0488',
        '\u0489',
      ]),
    )
    const missed = enclosing.flatMap((mark) =>
      readings.flatMap((reading) =>
        ['a', '7', 'я'].filter((base) => marksOf(`x${base}${mark}y`, reading).length !== 1),
      ),
    )
    expect(missed).toEqual([])
    expect(marksOf('1\ufe0f\u20e3 #\ufe0f\u20e3', 'prose')).toEqual([])
  })

  it('loses nothing: the joined parts are the text, and the marks don’t overlap', () => {
    const odd = fc.constantFrom(
      '\u202e',
      '\u200b',
      '\r',
      '\n',
      ' ',
      '\u2028',
      'а',
      'é',
      '\ud800',
      '👨‍👩‍👧',
      '\u05d0',
      'x',
      '\ufe0f',
      '\u0301',
      '：',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, anyText())), fc.constantFrom(...readings), (pieces, reading) => {
        const text = pieces.join('')
        expect(
          foreignParts(text, reading)
            .map((part) => part.text)
            .join(''),
        ).toBe(text)
        let last = 0
        for (const { start, end } of marksOf(text, reading)) {
          expect(start).toBeGreaterThanOrEqual(last)
          last = end
        }
        expect(
          marksOf(visibleText(text, 'prose'), 'prose').filter(({ kind }) => kind !== 'line-end' && kind !== 'piled'),
        ).toEqual([])
      }),
    )
  })

  it('untrusted text in a sentence is quoted, on one line, and cut', () => {
    expect(quoted('a\nb')).toBe('“a⟨U+000A⟩b”')
    expect(quoted('x'.repeat(300))).toBe(`“${'x'.repeat(40)}…”`)
    expect(quoted(`${'x'.repeat(39)}😀`)).toBe(`“${'x'.repeat(39)}…”`)
  })
})

describe('look-alike characters', () => {
  const letters = (text: string, reading: TextKind = 'code') =>
    marksOf(text, reading)
      .filter(({ kind }) => kind === 'look-alike')
      .map(({ start, end }) => text.slice(start, end))
      .join('')

  it.each([
    ['раypal', 'ра'],
    ['const аllowed = true', 'а'],
    ['environmentǃ=x', 'ǃ'],
    ['ｅval', 'ｅ'],
    ['𝐞val(x)', '𝐞'],
    ['x\u037e y', '\u037e'],
    ['Κey', 'Κ'],
    ['ꮪcope', ''],
    ['Ꮪcope', 'Ꮪ'],
    ['a০b', '০'],
    ['ℯval', 'ℯ'],
    ['сору(copy)', 'сору'],
    ['\u2126', '\u2126'],
  ])('%s', (text, expected) => {
    if (expected === '') expect(letters(text).length).toBeGreaterThan(0)
    else expect(letters(text)).toBe(expected)
  })

  it.each([
    ['see https://p\u0430ypal.com/login now', '\u0430'],
    ['write to help@p\u0430ypal.com', '\u0430'],
    ['www.\u0440\u0430ypal.com', '\u0440\u0430'],
    ['Go to g\u043eogle.com, then', '\u043e'],
    ['a [link](https://g\u043eogle.com/a)', '\u043e'],
    ['https://\u0430\u0440\u0440\u04cf\u0435.com', '\u0430\u0440\u0440\u04cf\u0435'],
  ])('in an address in prose: %s', (text, expected) => {
    expect(letters(text, 'prose')).toBe(expected)
  })

  it('only addresses are checked in prose', () => {
    const texts = [
      'p\u0430ypal',
      'Привет. Рок и хаос.',
      'Москва, ул. Ленина, д. 5',
      'https://пример.рф/путь',
      'Γειά.com',
      '1. Абзац.Начало',
    ]
    expect(texts.filter((text) => letters(text, 'prose') !== '')).toEqual([])
  })

  it('two texts have the same look when they can’t be told apart by eye', () => {
    const same = [
      'Delete nothing',
      'Delete nothing ',
      'Delete n\u043ething',
      'Delete\u00a0nothing',
      'Delete no\u200bthing',
    ]
    expect(new Set(same.map(lookOf)).size).toBe(1)
    expect(lookOf('Delete all')).not.toBe(lookOf('Delete nothing'))
  })

  it('texts in their own scripts are left alone', () => {
    const texts = [
      '// Привет, мир: это рок и хаос',
      'console.log("Γειά σου Κόσμε")',
      '"你好，世界：（是）"',
      'Δx + μm − 2²',
      'nº 5, 1ª',
      'fileไฟล์ 日本語text',
      'kış, straße, Ærøskøbing',
    ]
    expect(texts.filter((text) => letters(text) !== '')).toEqual([])
    expect(letters('/отчёт/рок.md', 'name')).toBe('')
    expect(letters('/资料（一）/a.md', 'name')).toBe('')
  })

  it('in a name, a word that could be Latin is marked, and so is a look-alike of a slash', () => {
    expect(letters('/сору.md', 'name')).toBe('сору')
    expect(letters('/a\u2215b', 'name')).toBe('\u2215')
    expect(letters('/a／b', 'name')).toBe('／')
  })

  it('is described in words', () => {
    const text = 'а\u200b\u200b\u202ebc'
    const marked = marksOf(`${text}x а1b`, 'code').map((mark) => ({
      mark,
      text: `${text}x а1b`.slice(mark.start, mark.end),
    }))
    expect(hiddenCharacterLabel(marked)).toBe(
      '2 invisible characters, 1 character that changes the text direction and 1 letter that looks like another: а (U+0430)',
    )
    expect(hiddenCharacterLabel([])).toBe('')
  })
})

describe('splitting lines', () => {
  const shown = (text: string, language?: string) => splitLines(text, language).map((line) => line.text)

  it('lines end where the language ends them', () => {
    const text = 'a\nb\rc\r\nd\u2028e\u2029f\u0085g\u000bh\u000ci'
    expect(shown(text, 'javascript')).toEqual(['a', 'b', 'c', 'd', 'e', 'f\u0085g\u000bh\u000ci'])
    expect(shown(text, 'python')).toEqual(['a', 'b', 'c', 'd\u2028e\u2029f\u0085g\u000bh\u000ci'])
    expect(shown(text, 'bash')).toEqual(['a', 'b\rc', 'd\u2028e\u2029f\u0085g\u000bh\u000ci'])
    expect(shown(text)).toEqual(shown(text, 'javascript'))
    expect(splitLines('a\rb', 'python')).toEqual([
      { text: 'a', end: 'CR' },
      { text: 'b', end: null },
    ])
  })

  it('the name of a prototype’s member is not a language', () => {
    expect(shown('a\rb', 'constructor')).toEqual(['a', 'b'])
  })
})

const escape = (text: string) =>
  Array.from(text)
    .map((c) => (c < '!' || c > '~' ? `{${c.codePointAt(0)?.toString(16)}}` : c))
    .join('')
