import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createKeyRedactor } from './redact-keys'

const key = 'zzTOPSECRET1234567890'
const redact = createKeyRedactor([key, 'EMPTY', null, '', 'another/Key+with=odd "signs"'])

describe('the configured keys', () => {
  it.each([
    ['in words that no pattern knows', `Invalid proxy token ${key} for this gateway`],
    ['in other case', `bad: ${key.toLowerCase()} / ${key.toUpperCase()}`],
    ['its first half', `starts with ${key.slice(0, 10)}…`],
    ['its second half', `…${key.slice(10)} is unknown`],
    ['inside other letters', `x${key}x`],
    ['percent-encoded', `?k=${encodeURIComponent('another/Key+with=odd "signs"')}`],
    ['escaped for JSON', JSON.stringify({ got: 'another/Key+with=odd "signs"' })],
    ['as hexadecimal', Buffer.from(key).toString('hex')],
    ['as base64', Buffer.from(key).toString('base64')],
    ['in a Basic header', Buffer.from(`user:${key}`).toString('base64')],
    ['in a Basic header, with more behind', Buffer.from(`ab:${key}:more`).toString('base64url')],
  ])('are removed %s', (_, text) => {
    const clean = redact(text)
    expect(clean).toContain('[key]')
    for (const piece of ['topsecret', '1234567890', 'another', 'signs'])
      expect(clean.toLowerCase()).not.toContain(piece)
    for (let at = 0; at + 10 <= text.length; at += 1) {
      const known = [key, Buffer.from(key).toString('base64')].some((form) => form.includes(text.slice(at, at + 10)))
      if (known) expect(clean).not.toContain(text.slice(at, at + 10))
    }
  })

  it('never show seven of their characters in a row, anywhere', () => {
    const around = fc.string({ maxLength: 30 })
    const shown = fc.check(
      fc.property(around, around, fc.integer({ min: 0, max: 13 }), (before, after, from): boolean => {
        const clean = redact(`${before}${key.slice(from)}${after}`)
        for (let at = from; at + 7 <= key.length; at += 1) {
          const piece = key.slice(at, at + 7)
          if (!before.includes(piece) && !after.includes(piece) && clean.includes(piece)) return false
        }
        return true
      }),
    )
    expect(shown.counterexample).toBeNull()
  })

  it('leave all other words unchanged', () => {
    const words = 'The model qwen3:8b is not loaded. Is the queue emptying? Status 404 ⟨🙂⟩ İ'
    expect(redact(words)).toBe(words)
    expect(redact('token EMPTY refused, empty too')).toBe('token [key] refused, [key] too')
    expect(createKeyRedactor([])(key)).toBe(key)
  })
})
