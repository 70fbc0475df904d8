import { describe, expect, it } from 'vitest'
import config from './next.config'

describe('the configuration of Next', () => {
  it('gives the sandbox frames headers of their own, and the app’s to everything else', async () => {
    const rules = (await config.headers?.()) ?? []
    const matching = (path: string) =>
      rules.filter(({ source }) => new RegExp(`^${source}$`).test(path)).flatMap(({ headers }) => headers)
    const keys = (path: string) => matching(path).map(({ key }) => key)
    for (const path of ['/sandbox.html', '/show.html']) {
      expect(keys(path)).toContain('Connection-Allowlist')
      expect(keys(path).filter((key) => key === 'Referrer-Policy')).toHaveLength(1)
    }
    for (const path of [
      '/',
      '/c/abc',
      '/api/health',
      '/workers/vfs.js',
      '/sandbox-libs/vega.js',
      '/sandbox.html.map',
    ]) {
      expect(keys(path)).toEqual(['X-Content-Type-Options', 'Referrer-Policy', 'Permissions-Policy'])
    }
  })

  it('does not say what serves it', () => {
    expect(config.poweredByHeader).toBe(false)
  })
})
