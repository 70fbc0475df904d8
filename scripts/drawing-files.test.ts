import { expect, test } from 'vitest'
import { inWoff2, packagesInMermaid, readDrawingFiles } from './drawing-files.mjs'

// The files for formulas and diagrams are copied from their packages: everything that they reference exists, and
// nothing else.

const files: Readonly<Record<string, Uint8Array>> = await readDrawingFiles()
const names = Object.keys(files)
const textOf = (name: string) => new TextDecoder().decode(files[name])

test('KaTeX has its style sheet and its fonts, as WOFF2 only', () => {
  const sheet = names.find((name) => name.endsWith('.css')) ?? ''
  const folder = sheet.replace(/[^/]+$/, '')
  const named = Array.from(textOf(sheet).matchAll(/url\(([^)]+)\)/g), ([, font = '']) => folder + font)
  expect(named.length).toBeGreaterThan(15)
  expect(names.filter((name) => name.startsWith(folder) && name !== sheet).toSorted()).toEqual(named.toSorted())
  expect(named.filter((name) => !name.endsWith('.woff2'))).toEqual([])
  expect(textOf(sheet)).not.toContain('http')
})

test('a sheet that names its fonts in another way is refused', () => {
  expect(() => inWoff2('@font-face{src:url(fonts/a.ttf)}')).toThrow('in another way')
})

test('each Mermaid module that another one imports exists', () => {
  const modules = names.filter((name) => name.endsWith('.mjs'))
  expect(modules.length).toBeGreaterThan(50)
  const missing = modules.flatMap((name) =>
    Array.from(textOf(name).matchAll(/["'](\.{1,2}\/[^"'\n]+?\.mjs)["']/g), ([, other = '']) =>
      new URL(other, `file:///${name}`).pathname.slice(1),
    ).filter((other) => !(other in files)),
  )
  expect(missing).toEqual([])
})

test('none of them evaluates text', () => {
  const evaluating = names.filter((name) => name.endsWith('.mjs') && /\bnew Function\(|[^.\w]eval\(/.test(textOf(name)))
  // Two libraries find the global object this way if nothing else provides it.
  for (const name of evaluating) expect(textOf(name)).toMatch(/Function\("return this"\)/)
})

test('their packages are named, for the notices', async () => {
  expect(await packagesInMermaid()).toEqual(expect.arrayContaining(['d3-shape', 'dagre-d3-es', 'dompurify', 'katex']))
})
