import { domainToASCII, domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { readWebAddress, unicodeHost } from './web-address'

const result = (text: string) => {
  const read = readWebAddress(text)
  return read.ok ? read.value.href : read.error
}

describe('readWebAddress', () => {
  test.each([
    ['https://Example.com', 'https://example.com/'],
    [' https://example.com./a?b#c ', 'https://example.com/a?b'],
    ['http://example.com:80/', 'http://example.com/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://0x7f.1/', 'https://127.0.0.1/'],
    ['https://user@example.com/', 'credentials'],
    ['https://:@example.com/', 'credentials'],
    ['https:example.com', 'malformed'],
    ['https:\\\\example.com', 'malformed'],
    ['https://exa\nmple.com/', 'malformed'],
    ['https://a b/', 'malformed'],
    ['ftp://example.com/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['/a', 'malformed'],
    [`https://example.com/${'ä'.repeat(500)}`, 'long'],
  ])('%s → %s', (text, expected) => expect(result(text)).toBe(expected))
})

describe('unicodeHost', () => {
  it('decodes what the URL parser writes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (label) => {
        const written = domainToASCII(`${label}.example`)
        const letters = written.includes('xn--') ? domainToUnicode(written) : null
        fc.pre(!(letters ?? '').includes('xn--'))
        expect(unicodeHost(written)).toBe(letters)
      }),
      { numRuns: 500 },
    )
    expect(unicodeHost('xn--80ak6aa92e.com')).toBe('аррӏе.com')
  })

  test.each(['xn--.com', 'xn--a!.com', 'xn--99999999999.com'])('returns null for invalid input: %s', (host) =>
    expect(unicodeHost(host)).toBeNull(),
  )
})
