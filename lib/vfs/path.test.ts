import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isInside, joinPath, nameOf, normalizePath, parentOf } from './path'

const anyPath = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
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
  ])('%j is refused with %s', (path, code) => {
    expect(normalizePath(path)).toMatchObject({ ok: false, error: { code } })
  })

  test('what comes out is absolute, in normal form, and never leads out', () => {
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
