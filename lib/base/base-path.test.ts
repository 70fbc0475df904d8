import { expect, it } from 'vitest'
import { builtFileOf, withBasePath, withoutBasePath } from './base-path'

it('adds the base path to paths and removes it again', () => {
  for (const path of ['/', '/c/1', '/api/chat?after=0', '/nod', '/nodding']) {
    expect(withBasePath(path, '')).toBe(path)
    expect(withoutBasePath(withBasePath(path, '/nod'), '/nod')).toBe(path)
    expect(withBasePath(path, '/a/b').startsWith('/a/b')).toBe(true)
  }
  // Next redirects `/nod/` to `/nod`.
  expect(withBasePath('/', '/nod')).toBe('/nod')
})

it('leaves paths outside the base path alone', () => {
  expect(withoutBasePath('/nodding/c/1', '/nod')).toBe('/nodding/c/1')
  expect(withoutBasePath('/c/1', '/nod')).toBe('/c/1')
  expect(withoutBasePath('/c/1', '')).toBe('/c/1')
})

it('adds the content hash to the URL of a built file, if the build provides one', () => {
  expect([builtFileOf('/workers/x.js', ''), builtFileOf('/workers/x.js', 'abc')]).toEqual([
    '/workers/x.js',
    '/workers/x.js?v=abc',
  ])
})
