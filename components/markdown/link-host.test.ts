import { describe, expect, it } from 'vitest'
import { hostNextTo, unseenAddress } from './link-host'

describe('the host beside a link', () => {
  it.each([
    ['https://accounts.google.com/verify', 'https://evil.example/phish', 'evil.example'],
    ['accounts.google.com', 'https://evil.example/', 'evil.example'],
    ['Google (google.com)', 'https://evil.example/', 'evil.example'],
    ['google\uff0ecom', 'https://evil.example/', 'evil.example'],
    ['google\u3002com', 'https://evil.example/', 'evil.example'],
    ['https://google.com@evil.example/', 'https://google.com@evil.example/', 'evil.example'],
    ['click \u202eelgoog', 'https://evil.example/', 'evil.example'],
    ['cli\u200bck', 'https://evil.example/', 'evil.example'],
    ['here', `https://evil.example/?d=${'x'.repeat(101)}`, 'evil.example'],
    ['here', `https://evil.example/#${'x'.repeat(101)}`, 'evil.example'],
    ['here', `https://evil.example/${'x'.repeat(300)}`, 'evil.example'],
    [
      'here',
      'https://g\u043eogle.com/',
      'xn--ggle-55da.com'.replace('ggle-55da', new URL('https://g\u043eogle.com/').hostname.slice(4, -4)),
    ],
    ['ada@example.org', 'mailto:eve@evil.example', 'mail to eve@evil.example'],
    ['help@bank.com', 'https://evil.example/', 'evil.example'],
    ['https://example.org:444/', 'https://example.com:444/', 'example.com:444'],
  ])('%s → %s', (text, href, host) => {
    expect(hostNextTo(text, href)).toBe(host)
  })

  it.each([
    ['the manual', 'https://example.org/a?b=c'],
    ['https://example.org/a', 'https://example.org/a'],
    ['www.example.org', 'https://example.org/'],
    ['Version 2 of it', 'https://example.org/'],
    ['ada@example.org', 'mailto:ada@example.org'],
    ['below', '#below'],
  ])('is left out for %s → %s', (text, href) => {
    expect(hostNextTo(text, href)).toBeNull()
  })
})

describe('an address with invisible characters', () => {
  it.each([
    ['https://example.org/a\u200bb', 'https://example.org/a\u200bb'],
    ['https://example.org/a%E2%80%8Bb', 'https://example.org/a\u200bb'],
    ['https://example.org/?q=%E2%80%AEgpj', 'https://example.org/?q=\u202egpj'],
  ])('is shown: %s', (href, shown) => {
    expect(unseenAddress(href)).toBe(shown)
  })

  it.each(['https://example.org/a%20b?c=%FF', 'https://example.org/%E4%BD%A0', 'mailto:ada@example.org'])(
    'is not shown if every character is visible: %s',
    (href) => {
      expect(unseenAddress(href)).toBeNull()
    },
  )
})
