import { describe, expect, it } from 'vitest'
import { pythonAssets } from './lib/sandbox/python-assets'
import { katexFolder, mermaidFolder } from './components/markdown/drawing-files'
import { wllamaWasm } from './lib/client/browser-models/wllama/protocol'
import config from './next.config'
import { config as proxy } from './proxy'
import { sandboxTargets } from './scripts/build-sandbox.mjs'

describe('the configuration of Next', () => {
  it('gives the sandbox frames headers of their own, and the app’s to everything else', async () => {
    const rules = (await config.headers?.()) ?? []
    const matching = (path: string) =>
      rules.filter(({ source }) => new RegExp(`^${source}$`).test(path)).flatMap(({ headers }) => headers)
    const keys = (path: string) => matching(path).map(({ key }) => key)
    for (const path of ['/sandbox.html', '/show.html', '/run.html', '/diagram.html']) {
      expect(keys(path)).toContain('Connection-Allowlist')
      expect(keys(path).filter((key) => key === 'Referrer-Policy')).toHaveLength(1)
    }
    for (const path of ['/', '/c/abc', '/sandbox.html.map']) {
      expect(keys(path)).toEqual(['X-Content-Type-Options', 'Referrer-Policy', 'Permissions-Policy'])
    }
    // By itself isolated from other origins, and shown by no one else; in all else as the app's own.
    expect(keys('/wllama.html')).toEqual([
      'X-Content-Type-Options',
      'Referrer-Policy',
      'Permissions-Policy',
      'Content-Security-Policy',
      'Document-Isolation-Policy',
    ])
    expect(matching('/wllama.html').find(({ key }) => key === 'Content-Security-Policy')?.value).toMatch(
      /^default-src 'none'.*frame-ancestors 'self'$/,
    )
    expect(matching('/signed-in.html').findLast(({ key }) => key === 'Referrer-Policy')?.value).toBe('no-referrer')
    expect(matching('/signed-in.html').find(({ key }) => key === 'Content-Security-Policy')?.value).toMatch(
      /^default-src 'none'; script-src '(?:sha256-[^']+|none)';.*frame-ancestors 'none'$/,
    )
    // Also an error page under these addresses has a policy; the app's pages get theirs from the proxy.
    for (const path of [
      '/api/health',
      '/api/no/such',
      '/workers/vfs.js',
      '/workers/no.js',
      '/sandbox-libs/vega.js',
      '/drawing/no.mjs',
    ]) {
      const policies = matching(path).filter(({ key }) => key === 'Content-Security-Policy')
      expect(policies.map(({ value }) => value)).toEqual([
        expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'$/),
      ])
      expect(keys(path)).toContain('X-Content-Type-Options')
    }
  })

  it('leaves each page that is built beside Next’s own its own policy: the proxy, which gives the app’s, passes it by', async () => {
    const pages = (await sandboxTargets())
      .map(({ file }) => file.replace(/^public/, ''))
      .filter((file) => file.endsWith('.html'))
    expect(pages).toContain('/wllama.html')
    const goesThrough = (path: string) => proxy.matcher.some((pattern) => new RegExp(`^${pattern}$`).test(path))
    expect(pages.filter(goesThrough)).toEqual([])
    expect(['/', '/c/abc', '/wllama.html.map'].filter(goesThrough)).toHaveLength(3)
  })

  it('fetches no pictures for anyone', () => {
    expect(config.images?.unoptimized).toBe(true)
  })

  it('lets browsers keep for good what carries its version in its name', async () => {
    const rules = (await config.headers?.()) ?? []
    const kept = rules.filter(({ headers }) => headers.some(({ value }) => value.includes('immutable')))
    expect(kept.map(({ source }) => source)).toEqual([
      '/workers/wllama-:file',
      '/sandbox-libs/pyodide-:file',
      '/sandbox-libs/wheel-:file',
      '/drawing/(.*)',
    ])
    const katex = (await import('katex/package.json', { with: { type: 'json' } })).default.version
    expect(katexFolder).toBe(`drawing/katex-${katex}`)
    const mermaid = (await import('mermaid/package.json', { with: { type: 'json' } })).default.version
    expect(mermaidFolder).toBe(`drawing/mermaid-${mermaid}`)
    expect(wllamaWasm).toBe(
      `wllama-${(await import('@wllama/wllama/package.json', { with: { type: 'json' } })).default.version}.wasm`,
    )
    const pyodide = `pyodide-${(await import('pyodide/package.json', { with: { type: 'json' } })).default.version}`
    const { worker, ...theirs } = pythonAssets
    for (const name of Object.values(theirs)) expect(name.startsWith(pyodide)).toBe(true)
    expect(worker).toBe('python.js')
  })

  it('lets a frame of no one’s origin load what draws diagrams, and nothing else', async () => {
    const rules = (await config.headers?.()) ?? []
    const open = rules.filter(({ headers }) => headers.some(({ key }) => key === 'Access-Control-Allow-Origin'))
    expect(open.map(({ source }) => source)).toEqual(['/drawing/(.*)'])
  })

  it('does not say what serves it', () => {
    expect(config.poweredByHeader).toBe(false)
  })
})
