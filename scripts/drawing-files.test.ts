import { expect, test } from 'vitest'
import { inWoff2, packagesInMermaid, readDrawingFiles } from './drawing-files.mjs'

// What draws formulas and diagrams is copied from its packages: everything that it names is there, and nothing else.

const files: Readonly<Record<string, Uint8Array>> = await readDrawingFiles()
const names = Object.keys(files)
const textOf = (name: string) => new TextDecoder().decode(files[name])

test('KaTeX comes with its style sheet and its letters as WOFF2 alone', () => {
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

test('each module of Mermaid is there that another one names', () => {
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
  // Two libraries look for the global object so, where nothing else gives it.
  for (const name of evaluating) expect(textOf(name)).toMatch(/Function\("return this"\)/)
})

test('the packages in them are named, for their notices', async () => {
  expect(await packagesInMermaid()).toEqual(expect.arrayContaining(['d3-shape', 'dagre-d3-es', 'dompurify', 'katex']))
})
