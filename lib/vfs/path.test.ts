import fc from 'fast-check'
import { anyText } from '@/lib/base/testing/any-text'
import { describe, expect, test } from 'vitest'
import { barredInName, cleanName } from '@/lib/base/untrusted-text/foreign-text'
import { isInside, joinPath, nameOf, normalizePath, parentOf, refusedName } from './path'

const anyPath = fc.oneof(
  anyText({ maxLength: 60 }),
  fc
    .array(fc.constantFrom('..', '.', '', 'a', 'é', 'e\u0301', '__proto__', 'x'.repeat(256), '\0', '\\', '日本'), {
      maxLength: 8,
    })
    .map((parts) => parts.join('/')),
)

describe('normalizePath', () => {
  test.each([
    ['', '/'],
    ['/', '/'],
    ['.', '/'],
    ['notes.md', '/notes.md'],
    ['//a///b/', '/a/b'],
    ['/a/./b/../c', '/a/c'],
    ['/a/..', '/'],
    ['/e\u0301', '/\u00e9'],
    ['/...', '/...'],
    ['/a b/ü.txt', '/a b/ü.txt'],
  ])('%j becomes %j', (path, normal) => {
    expect(normalizePath(path)).toEqual({ ok: true, value: normal })
  })

  test.each([
    ['..', 'EACCES'],
    ['/a/../../b', 'EACCES'],
    ['/a\0', 'EINVAL'],
    ['/a\n', 'EINVAL'],
    ['\\a', 'EINVAL'],
    ['/\udc00', 'EINVAL'],
    ['/a/__proto__', 'EINVAL'],
    [`/${'a'.repeat(256)}`, 'ENAMETOOLONG'],
    ['a/'.repeat(600), 'ENAMETOOLONG'],
  ])('rejects %j with %s', (path, code) => {
    expect(normalizePath(path)).toMatchObject({ ok: false, error: { code } })
  })

  test('results are absolute, in normal form, and never outside the root', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const result = normalizePath(path)
        if (!result.ok) {
          expect(result.error.message).toMatch(/\.$/)
          expect(result.error.message.isWellFormed()).toBe(true)
          return
        }
        const names = result.value.split('/').slice(1)
        expect(result.value.startsWith('/')).toBe(true)
        expect(result.value.normalize('NFC')).toBe(result.value)
        if (result.value !== '/') for (const name of names) expect(['', '.', '..']).not.toContain(name)
        expect(normalizePath(result.value)).toEqual(result)
      }),
      { numRuns: 2_000 },
    )
  })
})

test('a path is its folder joined with its name', () => {
  const name = fc.stringMatching(/^[a-z]{1,4}$/)
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), (names) => {
      const path = `/${names.join('/')}`
      expect(joinPath(parentOf(path), nameOf(path))).toBe(path)
      expect(isInside(path, parentOf(path))).toBe(true)
    }),
  )
  expect(parentOf('/')).toBe('/')
  expect(isInside('/ab', '/a')).toBe(false)
})

describe('refusedName', () => {
  const nothing = () => false

  test('names the character, and accepts existing names', () => {
    const path = '/old\u200b/new\u202e.md'
    expect(refusedName(path, nothing)).toMatchObject({
      error: { code: 'EINVAL', message: expect.stringContaining('U+202E') as string },
    })
    expect(refusedName('/old\u200b/a.md', (one) => one === '/old\u200b')).toBeNull()
    expect(refusedName('/old\u200b', (one) => one === '/old\u200b')).toBeNull()
    expect(refusedName('/', nothing)).toBeNull()
  })

  test('its message contains no invisible characters', () => {
    const emoji = new RegExp('\\p{RGI_Emoji}', 'gv')
    fc.assert(
      fc.property(anyText({ minLength: 1, maxLength: 20 }), (name) => {
        const normal = normalizePath(`/${name}`)
        const refused = normal.ok ? refusedName(normal.value, nothing) : null
        const message = normal.ok ? (refused?.error.message ?? '') : normal.error.message
        // The parts of an emoji are seen as that emoji.
        expect(message.replace(emoji, '')).not.toMatch(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
      }),
      { numRuns: 2_000 },
    )
  })

  test('accepts names cleaned for an import, which never lead elsewhere', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('\u200b', '\u202e', '.', '/', 'a', ' ', '\u0007', '❤️', '\u3164')),
        (letters) => {
          const path = letters.join('')
          const cleaned = cleanName(path)
          expect(refusedName(`/${cleaned}`.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1'), nothing)).toBeNull()
          const climbs = (one: string) => one.split('/').filter((part) => part === '..').length
          expect(climbs(cleaned)).toBe(climbs(path))
          if (barredInName(path) === null) expect(cleaned).toBe(path)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
