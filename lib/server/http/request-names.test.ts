import { globSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isUnloggedRoute, routePattern, routePatterns } from './request-names'

it('knows every route and page of the app', () => {
  const app = path.resolve(import.meta.dirname, '../../../app')
  const found = globSync('**/{route.ts,page.tsx}', { cwd: app }).map(
    (file) =>
      `/${path
        .dirname(file)
        .split(path.sep)
        .filter((part) => part !== '.' && !part.startsWith('('))
        .join('/')}`,
  )
  expect(found.length).toBeGreaterThan(20)
  expect([...routePatterns].toSorted()).toEqual(found.toSorted())
})

it('names a route without its parameters', () => {
  const secret = fc.stringMatching(/^[a-z0-9-]{8,40}$/)
  fc.assert(
    fc.property(secret, fc.constantFrom(...routePatterns), fc.webQueryParameters(), (id, pattern, query) => {
      const asked = `${pattern.replaceAll(/\[\w+\]/g, id)}?${query}`
      expect(routePattern(asked)).toBe(pattern)
    }),
  )
  fc.assert(fc.property(secret, (id) => !routePattern(`/no/such/${id}`).includes(id)))
})

it('names files and probes separately from routes', () => {
  expect(['/_next/static/chunks/a.js', '/sandbox.html', '/workers/vfs.js'].map(routePattern)).toEqual(
    Array.from({ length: 3 }, () => 'files'),
  )
  expect(
    ['/api/ready', '/_next/x', '/api/chat', '/wp-admin'].map((each) => isUnloggedRoute(routePattern(each))),
  ).toEqual([true, true, false, false])
})
