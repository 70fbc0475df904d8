import { domainToASCII, domainToUnicode } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { decodedAddress, sharesOf } from './outgoing'
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

describe('sharesOf', () => {
  const mail = { kind: 'result', messageId: 'm', slot: 0, tool: 'read_file', path: '/mail.txt' } as const
  const other = { kind: 'attachment', messageId: 'u', path: '/a.pdf' } as const

  it('counts each character of a source once, wherever it occurs', () => {
    const shares = sharesOf('q=Secret-Code-77&r=secret-code-77&s=Berlin', [
      { value: 'secret-code-77', place: { ...mail, line: 3 } },
      { value: 'code-77', place: mail },
      { value: 'berlin', place: other },
      { value: 'absent', place: other },
      { value: '', place: other },
    ])
    expect(shares.map(({ place: { kind }, characters }) => [kind, characters])).toEqual([
      ['result', 28],
      ['attachment', 6],
    ])
  })

  it('finds escaped text', () => {
    expect(decodedAddress('a%20b%C3%A4')).toBe('a bä')
    expect(decodedAddress('100%')).toBe('100%')
  })
})
