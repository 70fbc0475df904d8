import { expect, it } from 'vitest'
import { builtFileOf, withBasePath, withoutBasePath } from './base-path'

it('puts paths under the base path and takes them from there again', () => {
  for (const path of ['/', '/c/1', '/api/chat?after=0', '/nod', '/nodding']) {
    expect(withBasePath(path, '')).toBe(path)
    expect(withoutBasePath(withBasePath(path, '/nod'), '/nod')).toBe(path)
    expect(withBasePath(path, '/a/b').startsWith('/a/b')).toBe(true)
  }
  // Next sends `/nod/` on to `/nod`.
  expect(withBasePath('/', '/nod')).toBe('/nod')
})

it('leaves paths that are not under it', () => {
  expect(withoutBasePath('/nodding/c/1', '/nod')).toBe('/nodding/c/1')
  expect(withoutBasePath('/c/1', '/nod')).toBe('/c/1')
  expect(withoutBasePath('/c/1', '')).toBe('/c/1')
})

it('names a built file by what it hashes to, where the build says so', () => {
  expect([builtFileOf('/workers/x.js', ''), builtFileOf('/workers/x.js', 'abc')]).toEqual([
    '/workers/x.js',
    '/workers/x.js?v=abc',
  ])
})
