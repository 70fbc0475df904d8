import { expect, it, vi } from 'vitest'
import { globSync, readFileSync } from 'node:fs'
import { makeRefusal } from '@/lib/i18n/t'
import { errorResponse, json, withBuild } from './respond'

vi.mock('@/lib/server/wiring/process/build.server', () => ({ serverBuild: 'this-build' }))

it('every response names the build that sent it, even a refusal', () => {
  expect(withBuild(json({})).headers.get('x-nod-build')).toBe('this-build')
  expect(
    withBuild(errorResponse('internal', makeRefusal('server.broken', { request: null }), 500)).headers.get(
      'x-nod-build',
    ),
  ).toBe('this-build')
})

// `openEvents` is `withOwner` for two kinds of responses.
it('every API route names the build', () => {
  const routes = globSync('app/api/**/route.ts')
  expect(routes.length).toBeGreaterThan(10)
  const silent = routes.filter(
    (file) => !/\b(withOwner|withAccounts?|withAdmin|withBuild|openEvents)\b/.test(readFileSync(file, 'utf8')),
  )
  expect(silent).toEqual([])
})
