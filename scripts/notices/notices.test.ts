import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { shippedPackages } from '@/lib/sandbox/python-packages'
import { noticesOf } from '../notices.mjs'
import { root } from '../setup/paths.mjs'
import { noticeOf, type Notice } from './notice-of.mjs'
import { packageFolder } from './served-packages.mjs'

test.each([
  ['node_modules/zod/v4/core.js', 'node_modules/zod'],
  ['../../../node_modules/%40codemirror/view/dist/index.js', 'node_modules/@codemirror/view'],
  ['node_modules/vega-selections/node_modules/d3-array/src/x.js', 'node_modules/vega-selections/node_modules/d3-array'],
  ['/x/node_modules/next/dist/compiled/react-dom/cjs/a.js', 'node_modules/next/dist/compiled/react-dom'],
  [
    '/x/node_modules/next/dist/client/link.js/proxy.cjs { server => "[project]/node_modules/next/a.js" }',
    'node_modules/next',
  ],
  ['../../../../node_modules/src/api/navigation.react-server.ts', 'node_modules/next'],
  ['turbopack:///[project]/lib/base/result.ts', null],
  ['lib/vfs/vfs.ts', null],
])('%s belongs to %s', (file, folder) => expect(packageFolder(file)).toBe(folder))

describe('the notices of a build', () => {
  // As Next leaves it: the sources of rendered pages, in maps of one section and of several.
  const dist = mkdtempSync(path.join(tmpdir(), 'nod-notices-'))
  const maps = path.join(dist, 'server/chunks/ssr')
  let notices: readonly Notice[] = []
  const named = (name: string) => notices.filter((each) => each.name === name)

  beforeAll(async () => {
    mkdirSync(maps, { recursive: true })
    const source = (name: string) => `turbopack:///[project]/node_modules/${name}/index.js`
    writeFileSync(
      path.join(maps, 'a.js.map'),
      JSON.stringify({ sources: [source('zod'), 'turbopack:///[project]/a.ts'] }),
    )
    const sections = [{ map: { sources: [source('%40tanstack/react-virtual')] } }]
    writeFileSync(path.join(maps, 'b.js.map'), JSON.stringify({ sections }))
    notices = await noticesOf(dist)
  }, 60_000)
  afterAll(() => rmSync(dist, { recursive: true, force: true }))

  it('include each package in a page, a worker, a frame or a sandbox library', () => {
    for (const name of ['@tanstack/react-virtual', '@fontsource-variable/geist', 'react', 'tailwindcss'])
      expect(named(name)).toEqual([expect.objectContaining({ servedIn: ['the pages'] })])
    expect(named('zod')[0]?.servedIn).toEqual(expect.arrayContaining(['the pages']))
    expect(named('micromark')[0]?.servedIn).toEqual(['/workers/markdown.js'])
    expect(named('@noble/hashes')[0]?.servedIn).toContain('/workers/vfs.js')
    expect(named('vega')[0]?.servedIn).toEqual(['/sandbox-libs/vega.js'])
    expect(named('@zenfs/core')[0]?.servedIn).toEqual(['/sandbox-libs/zenfs.js'])
    expect(named('pyodide')[0]?.servedIn).toEqual(['/sandbox-libs/pyodide', '/sandbox-libs/python.js'])
    expect(named('@wllama/wllama')[0]?.servedIn).toEqual(['/workers/wllama.js'])
    expect(named('mermaid')[0]?.servedIn).toEqual(['/drawing/mermaid'])
    expect(named('dagre-d3-es')[0]?.servedIn).toEqual(['/drawing/mermaid'])
    expect(named('mermaid')[0]?.text).toContain('TypeFox')
    // Two versions of one package are two.
    expect(named('d3-array').length).toBe(2)
  })

  it('have a version, a licence and its text each', () => {
    for (const { version, licence, text, source } of notices) {
      expect(version).toMatch(/^\d|^in next \d/)
      expect(licence).toMatch(
        /^(?:MIT|ISC|BSD-\d-Clause|Apache-2\.0|LGPL-3\.0-or-later|MPL-2\.0|\(MPL-2\.0 OR Apache-2\.0\)|OFL-1\.1|PSF-2\.0)$/,
      )
      expect(text.length).toBeGreaterThan(500)
      expect(source).toMatch(/^https:\/\//)
    }
  })

  it('include the Python packages that Nod ships', () => {
    for (const { name, sha256 } of shippedPackages)
      expect(named(`${name} (Python)`)).toEqual([
        expect.objectContaining({ servedIn: [`/sandbox-libs/wheel-${sha256}.whl`] }),
      ])
    expect(named('defusedxml (Python)')[0]?.text).toContain('PYTHON SOFTWARE FOUNDATION LICENSE')
  })

  it('include texts missing in packages: the GPL for the LGPL, licences of Pyodide, Python and llama.cpp', () => {
    expect(named('utilium')[0]?.text).toContain('GNU GENERAL PUBLIC LICENSE')
    for (const words of [
      'Mozilla Public License',
      'PYTHON SOFTWARE FOUNDATION LICENSE',
      'Emscripten',
      'Jean-loup Gailly',
    ])
      expect(named('pyodide')[0]?.text).toContain(words)
    for (const words of ['Xuan Son', 'The ggml authors', 'Niels Lohmann'])
      expect(named('@wllama/wllama')[0]?.text).toContain(words)
    for (const name of ['@ai-sdk/provider-utils', '@workflow/serde'])
      expect(named(name)[0]?.text).toContain('TERMS AND CONDITIONS FOR USE')
    expect(named('kerium')[0]?.text).toMatch(/^MIT License\n\nCopyright \(c\) James Prevett/)
    expect(named('@fontsource-variable/geist-mono')[0]?.text).toContain('SIL OPEN FONT LICENSE')
  })

  it('are refused if a package has no licence, or the build no maps', async () => {
    const bare = path.join(dist, 'node_modules/bare')
    mkdirSync(bare, { recursive: true })
    writeFileSync(path.join(bare, 'package.json'), JSON.stringify({ name: 'bare', version: '1.0.0', license: 'ISC' }))
    await expect(noticeOf(path.relative(root, bare), ['the pages'])).rejects.toThrow(
      'bare is served and brings no licence',
    )
    rmSync(maps, { recursive: true })
    mkdirSync(maps)
    await expect(noticesOf(dist)).rejects.toThrow('The build names no package')
  })
})
