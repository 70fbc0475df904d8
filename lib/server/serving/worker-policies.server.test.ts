import { describe, expect, it } from 'vitest'
import type { AssetManifest } from './asset'
import { withWorkerPolicies } from './serve-assets.server'

const body = { encoding: 'identity', file: 'abc', bytes: 3, etag: '"abc"' } as const
const built: AssetManifest = {
  '/workers/a.js': {
    headers: [
      ['Content-Type', 'application/javascript'],
      ['Content-Security-Policy', "default-src 'none'"],
    ],
    bodies: [body, { ...body, encoding: 'br', etag: '"abc.br"' }],
  },
  '/workers/b.js': { headers: [['Content-Security-Policy', "default-src 'none'"]], bodies: [body] },
}

describe('a worker’s policy from the settings', () => {
  it('replaces the built policy, and no other file’s', () => {
    const served = withWorkerPolicies(built, { '/workers/a.js': 'connect-src https://x.com' })
    expect(served['/workers/a.js']?.headers).toEqual([
      ['Content-Type', 'application/javascript'],
      ['Content-Security-Policy', 'connect-src https://x.com'],
    ])
    expect(served['/workers/b.js']).toBe(built['/workers/b.js'])
  })

  it('gives the file new tags when it changes, and keeps them otherwise', () => {
    const tags = (policy: string) =>
      withWorkerPolicies(built, { '/workers/a.js': policy })['/workers/a.js']?.bodies.map(({ etag }) => etag)
    expect(tags('a')).toEqual(tags('a'))
    expect(new Set([...(tags('a') ?? []), ...(tags('b') ?? []), '"abc"', '"abc.br"']).size).toBe(6)
    for (const tag of tags('a') ?? []) expect(tag).toMatch(/^"[^"]+"$/)
  })

  it('is never cached permanently', () => {
    expect(withWorkerPolicies(built, { '/workers/a.js': 'a' })['/workers/a.js']?.isSettled).toBe(false)
  })

  it('adds no file that was not built', () => {
    expect(Object.keys(withWorkerPolicies(built, { '/workers/none.js': 'a' }))).toEqual(Object.keys(built))
  })
})
