import { describe, expect, it } from 'vitest'
import { pythonAssets } from './lib/sandbox/python-assets'
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
    for (const path of ['/', '/c/abc', '/sandbox.html.map']) {
      expect(keys(path)).toEqual(['X-Content-Type-Options', 'Referrer-Policy', 'Permissions-Policy'])
    }
    // Also an error page under these addresses has a policy; the app's pages get theirs from the proxy.
    for (const path of ['/api/health', '/api/no/such', '/workers/vfs.js', '/workers/no.js', '/sandbox-libs/vega.js']) {
      const policies = matching(path).filter(({ key }) => key === 'Content-Security-Policy')
      expect(policies.map(({ value }) => value)).toEqual([
        expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
      ])
      expect(keys(path)).toContain('X-Content-Type-Options')
    }
  })

  it('fetches no pictures for anybody', () => {
    expect(config.images?.unoptimized).toBe(true)
  })

  it('lets browsers keep for good what carries its version in its name', async () => {
    const rules = (await config.headers?.()) ?? []
    const kept = rules.filter(({ headers }) => headers.some(({ value }) => value.includes('immutable')))
    expect(kept.map(({ source }) => source)).toEqual(['/sandbox-libs/pyodide-:file'])
    const pyodide = `pyodide-${(await import('pyodide/package.json', { with: { type: 'json' } })).default.version}`
    const { worker, ...theirs } = pythonAssets
    for (const name of Object.values(theirs)) expect(name.startsWith(pyodide)).toBe(true)
    expect(worker).toBe('python.js')
  })

  it('does not say what serves it', () => {
    expect(config.poweredByHeader).toBe(false)
  })
})
