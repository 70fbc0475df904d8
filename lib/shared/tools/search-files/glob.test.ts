import { expect, test } from 'vitest'
import { countWork } from '@/lib/base/testing/count-work'
import { globMatcher } from './text-files'

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

// Whether a name fits is asked a character at a time; a set of one is the way to see each of these steps.
test.each([
  ['stars in a name', '*[a]', 'a'],
  ['folders at any depth', '**/[a]/', 'a/'],
  ['folders at any depth with stars', '**/*[a]*[a]/', 'aa/'],
])('no pattern costs more than its length times that of the path: %s', (_, piece, name) => {
  const work = (times: number): number => {
    const path = `/${name.repeat(times * 2)}${'a'.repeat(times)}`
    return countWork(() => {
      expect(globMatcher(`${piece.repeat(times)}b`, '/')(path)).toBe(false)
    })
  }
  expect(work(200) / work(20)).toBeLessThan(120)
})

test('braces with very many alternatives stay as they are', () => {
  const work = (times: number): number =>
    countWork(() => {
      expect(globMatcher('{a,b}'.repeat(times), '/')(`/${'c'.repeat(times)}`)).toBe(false)
    })
  expect(work(60) / work(6)).toBeLessThan(20)
})
