// The files for formulas and diagrams, from their packages: copied to public/drawing at each build, never committed.
// KaTeX: its style sheet and its fonts as WOFF2 only, which every current browser supports. Mermaid: its modules, of
// which the diagram frame loads those that a diagram needs.
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { katexFolder, katexSheet, mermaidEntry, mermaidFolder } from '../components/markdown/drawing-files.ts'

const root = path.resolve(import.meta.dirname, '..')
const inPackage = (...parts) => path.join(root, 'node_modules', ...parts)

/** A style sheet that names each font once. @param {string} css */
export function inWoff2(css) {
  const sheet = css.replace(/,url\([^)]+\) format\("(?:woff|truetype)"\)/g, '')
  if (!/\.woff2\)/.test(sheet) || /\.(?:woff|ttf)\)/.test(sheet))
    throw new Error('KaTeX names its fonts in another way')
  return sheet
}

/** Modules that `entry` imports, and those that they do: paths from its folder, `/` between names. */
async function modulesFrom(folder, entry) {
  const found = new Set([entry])
  for (const name of found) {
    const text = await readFile(path.join(folder, name), 'utf8')
    for (const [, quoted] of text.matchAll(/(?:from|import\(?)\s*["'](\.{1,2}\/[^"']+\.mjs)["']/g))
      found.add(path.posix.normalize(path.posix.join(path.posix.dirname(name), quoted)))
  }
  return [...found]
}

const mermaidDist = inPackage('mermaid/dist')
const katexDist = inPackage('katex/dist')

/** The bytes of each file, by its path under the project's root. @returns {Promise<Record<string, Uint8Array>>} */
export async function readDrawingFiles() {
  const sheet = inWoff2(await readFile(path.join(katexDist, 'katex.min.css'), 'utf8'))
  const fonts = [...new Set(Array.from(sheet.matchAll(/url\((fonts\/[\w-]+\.woff2)\)/g), ([, name]) => name))]
  const modules = await modulesFrom(mermaidDist, mermaidEntry)
  const copied = [
    ...fonts.map((name) => [`public/${katexFolder}/${name}`, path.join(katexDist, name)]),
    ...modules.map((name) => [`public/${mermaidFolder}/${name}`, path.join(mermaidDist, name)]),
  ]
  return {
    [`public/${katexSheet}`]: Buffer.from(sheet),
    ...Object.fromEntries(await Promise.all(copied.map(async ([name, source]) => [name, await readFile(source)]))),
  }
}

/** Copies missing ones; returns their folders, whose names contain the versions. */
export async function copyDrawingFiles() {
  const changed = new Set()
  for (const [name, bytes] of Object.entries(await readDrawingFiles())) {
    const target = path.join(root, name)
    if ((await stat(target).catch(() => null))?.size === bytes.length) continue
    changed.add(path.posix.dirname(name))
    await mkdir(path.dirname(target), { recursive: true })
    await writeFile(target, bytes)
  }
  return [...changed]
}

/** Bundled, but not installed: their licences are in docs/licences/Mermaid-parts.txt. */
const notInstalled = new Set(['js-yaml'])

/**
 * The packages that the modules of Mermaid were bundled from, as its source maps name them.
 * @returns {Promise<string[]>} `d3-shape`, `@iconify/utils`
 */
export async function packagesInMermaid() {
  const modules = await modulesFrom(mermaidDist, mermaidEntry)
  const names = new Set()
  for (const name of modules) {
    const { sources } = JSON.parse(await readFile(path.join(mermaidDist, `${name}.map`), 'utf8'))
    for (const source of sources) {
      const inside = source.split('/node_modules/').slice(1).at(-1)
      const named = /^(?:@[^/]+\/)?[^/]+/.exec(inside ?? '')?.[0]
      if (named && !notInstalled.has(named)) names.add(named)
    }
  }
  return [...names].toSorted((a, b) => (a < b ? -1 : 1))
}
