import { expect, it } from 'vitest'
import path from 'node:path'
import { builtFilesOf, bundleServiceWorkers } from './service-worker.mjs'

const files = [
  '/_next/static/chunks/a.js',
  '/_next/static/media/geist.woff2',
  '/_next/static/chunks/a.js.map',
  '/drawing/katex-0.19.1/katex.min.css',
  '/drawing/mermaid-11.17.2/mermaid.esm.min.mjs',
  '/workers/vfs.js',
  '/workers/models.js',
  '/workers/wllama.js',
  '/workers/wllama-3.8.1.wasm',
  '/sandbox-libs/vega.js',
  '/sandbox-libs/pyodide-314.0.7.asm.wasm',
  '/sandbox-libs/wheel-7e5d6e73.whl',
  '/sandbox.html',
  '/wllama.html',
  '/icons/icon-192.png',
]

it.each(['', '/nod'])('under “%s” precaches what pages request, by the same addresses', (basePath) => {
  const under = files.map((name) => `${basePath}${name}`)
  expect(builtFilesOf(under, { basePath, filesHash: 'f' })).toEqual(
    [
      '/_next/static/chunks/a.js',
      '/_next/static/media/geist.woff2',
      '/drawing/katex-0.19.1/katex.min.css',
      '/sandbox-libs/vega.js?v=f',
      '/wllama.html?v=f',
      '/workers/vfs.js?v=f',
    ].map((name) => `${basePath}${name}`),
  )
})

it('bundles both without a document, with the build’s facts, and never cached', async () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const env = { NOD_BUILD: 'the-build', NOD_FILES: 'f' }
  const made = await bundleServiceWorkers(root, { env, files: ['/nod/_next/static/a.js'], basePath: '/nod' })
  expect(Object.keys(made)).toEqual(['/nod/sw.js', '/nod/sw-off.js'])
  const [keeps, leaves] = Object.values(made).map(({ bytes }) => bytes.toString())
  expect(keeps).toContain('"the-build"')
  expect(keeps).toContain('"/nod/_next/static/a.js"')
  expect(leaves).toContain('unregister')
  for (const text of [keeps, leaves]) expect(text).not.toMatch(/\bdocument\./)
  for (const { headers } of Object.values(made)) {
    expect(Object.fromEntries(headers)).toMatchObject({ 'Cache-Control': 'no-cache', 'Service-Worker-Allowed': '/nod' })
  }
})
