import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleOfPattern } from './example-arguments'

describe('exampleOfPattern', () => {
  it.each([
    ['^[A-Z]{3}$', 'AAA'],
    ['^\\d{4}-\\d{2}-\\d{2}$', '1111-11-11'],
    ['^(draft|final)$', 'draft'],
    ['^#[0-9a-f]{6}$', '#000000'],
    ['^[^\\s@]+@[^\\s@]+\\.[a-z]{2,}$', 'a@a.aa'],
    ['^(?:v)?\\d+(?:\\.\\d+){2}$', '1.1.1'],
    ['^/(?<name>\\w+)/?$', '/a'],
    ['^\\u0041b?c*$', 'A'],
    ['^text$', 'text'],
  ])('writes the minimum that %s accepts', (pattern, expected) => {
    expect(exampleOfPattern(pattern, 'text')).toBe(expected)
  })

  it.each([
    ['one that backtracks without end', '^(a{30}|(a+)+)[^\\s\\S]$', 'text', null],
    ['one that backtracks over the wished text', '^(x+x+)+y$', 'x'.repeat(64), 'xxy'],
    ['repeats of repeats', '^((((a{64}){64}){64}){64}){64}$', 'text', null],
  ])('answers at once for a hostile pattern: %s', (_how, pattern, wished, written) => {
    const begun = performance.now()
    expect(exampleOfPattern(pattern, wished)).toBe(written)
    expect(performance.now() - begun).toBeLessThan(1_000)
  })

  it('keeps the preferred text if the pattern accepts it', () => {
    expect(exampleOfPattern('^[a-z]+$', 'words')).toBe('words')
  })

  it.each(['[', '^(?=x)y$', 'a{2,1}', `^${'(a'.repeat(200)}`, '^(?<=b)c$'])('finds nothing for %s', (pattern) => {
    expect(exampleOfPattern(pattern, 'text')).toBeNull()
  })

  it('returns only text that the pattern accepts, and terminates for every pattern', () => {
    const piece = fc.constantFrom(
      'a',
      '[b-d]',
      '[^x]',
      '\\d',
      '\\w',
      '.',
      '(ab|c)',
      '(?:z)',
      '\\.',
      '^',
      '$',
      '-',
      '[',
      ')',
    )
    const count = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '??')
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, count), { maxLength: 8 }), (parts) => {
        const pattern = parts.map(([one, many]) => one + many).join('')
        const text = exampleOfPattern(pattern, 'text')
        expect(text === null || new RegExp(pattern, 'u').test(text)).toBe(true)
      }),
    )
  })
})
