import { expect, test } from 'vitest'
import { globMatcher } from './glob'

test.each([
  ['*.md', '/', ['/a.md', '/d/e/B.MD'], ['/a.mdx', '/a.md/x']],
  ['a?.txt', '/', ['/ab.txt'], ['/a.txt', '/a/.txt']],
  ['src/**/*.ts', '/', ['/src/a.ts', '/src/b/c/a.ts'], ['/a.ts', '/lib/src/a.ts']],
  ['src/*.ts', '/app', ['/app/src/a.ts'], ['/src/a.ts', '/app/src/b/a.ts']],
  ['/app/*.ts', '/app', ['/app/a.ts'], ['/app/b/a.ts']],
  ['**/test/**', '/', ['/test/a', '/x/test/y/z'], ['/testing/a']],
  ['*.{ts,js{,x}}', '/', ['/a.ts', '/a.js', '/a.jsx'], ['/a.tsx']],
  ['[a-c]*.[!m]d', '/', ['/b.xd'], ['/d.xd', '/a.md']],
  ['a[b', '/', ['/a[b'], ['/ab']],
  ['+(x).{md', '/', ['/+(x).{md'], ['/x.md']],
  ['**', '/', ['/a', '/b/c'], []],
])('%s in %s', (glob, folder, yes, no) => {
  const matches = globMatcher(glob, folder)
  expect(yes.filter((path) => !matches(path))).toEqual([])
  expect(no.filter((path) => matches(path))).toEqual([])
})

test('no pattern is slow', () => {
  const startedAt = performance.now()
  const path = `/${'a/'.repeat(200)}${'a'.repeat(250)}`
  expect(globMatcher(`${'*a'.repeat(100)}b`, '/')(path)).toBe(false)
  expect(globMatcher(`${'**/a/'.repeat(100)}b`, '/')(path)).toBe(false)
  expect(globMatcher('{a,b}'.repeat(30), '/')(path)).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
