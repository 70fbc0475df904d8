import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { __unstable__loadDesignSystem as loadDesignSystem } from 'tailwindcss'
import { beforeAll, expect, test } from 'vitest'
import { classesIn, classesStyledIn } from './classes'
import { hooks, allowedStyleSheets, longestStyles } from './style-rules'

// Checks docs/internals/styling.md: utilities in the markup, recipes for repeated styles, and few style sheets.
const root = path.resolve(import.meta.dirname, '../..')
const sheets = new Map<string, string>()
const sources = new Map<string, string>()
const linesOf = (text: string): number => text.trimEnd().split('\n').length

async function* files(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) yield* files(name)
    else yield name
  }
}

beforeAll(async () => {
  for (const folder of ['app', 'components', 'lib']) {
    for await (const name of files(folder)) {
      if (name.endsWith('.css')) sheets.set(name, await readFile(path.join(root, name), 'utf8'))
      else if (/\.tsx?$/.test(name) && !/\.(?:test|contract)\.tsx?$|\/(?:testing|cases)[./]/.test(name)) {
        sources.set(name, await readFile(path.join(root, name), 'utf8'))
      }
    }
  }
})

/** Whether a word is a utility of our theme. */
async function utilities(): Promise<(names: readonly string[]) => readonly boolean[]> {
  const design = await loadDesignSystem(sheets.get('app/globals.css') ?? '', {
    base: path.join(root, 'app'),
    loadStylesheet: async (id, base) => {
      const file = id.startsWith('.') ? path.join(base, id) : path.join(root, 'node_modules', id)
      return { path: file, base: path.dirname(file), content: await readFile(file, 'utf8') }
    },
  })
  // `group` and `peer` have no styles of their own: other utilities refer to them.
  const isMark = /^(?:group|peer)(?:\/[\w-]+)?$/
  return (names) => design.candidatesToCss([...names]).map((css, at) => css !== null || isMark.test(names[at] ?? ''))
}

test('every style sheet is an allowed one, and they are short', () => {
  expect([...sheets.keys()].toSorted()).toEqual([...allowedStyleSheets].toSorted())
  const all = [...sheets.values()].reduce((sum, css) => sum + linesOf(css), 0)
  expect(all).toBeLessThan(longestStyles)
})

test('styles that utilities must be able to override are in a layer', () => {
  for (const [name, css] of sheets) {
    if (name === 'app/globals.css' || name === 'app/styles/theme.css') continue
    const outside = css
      .replaceAll(/\/\*[\s\S]*?\*\//g, '')
      .replaceAll(/^@layer (?:base|components) \{[\s\S]*?^\}/gm, '')
      .trim()
    expect(outside, `${name}: outside of any layer`).toBe('')
  }
})

test('no class is styled in two sheets', () => {
  const owners = new Map<string, string>()
  const twice: string[] = []
  for (const [name, css] of sheets) {
    for (const styled of classesStyledIn(css)) {
      const owner = owners.get(styled)
      if (owner !== undefined) twice.push(`.${styled}: ${owner} and ${name}`)
      owners.set(styled, name)
    }
  }
  expect(twice).toEqual([])
})

test('every class in the markup is an existing utility, or is defined by a style sheet or a hook', async () => {
  const isUtility = await utilities()
  const styled = new Set([...sheets.values()].flatMap((css) => [...classesStyledIn(css)]))
  const used = [...sources].flatMap(([file, source]) => classesIn(source).map((use) => ({ ...use, file })))
  const names = [...new Set(used.map(({ name }) => name))]
  const known = new Map(isUtility(names).map((is, index) => [names[index] ?? '', is]))
  expect(names.length).toBeGreaterThan(300)
  const unknown = used.filter(({ name }) => known.get(name) !== true && !styled.has(name) && !hooks.has(name))
  expect(unknown.map(({ file, line, name }) => `${file}:${line} ${name}`)).toEqual([])
})

test('every class in a style sheet is used', () => {
  const all = [...sources.values()].join('\n')
  const idle = [...sheets].flatMap(([name, css]) =>
    [...classesStyledIn(css)].filter((styled) => !isNamed(all, styled)).map((styled) => `${name}: .${styled}`),
  )
  expect(idle).toEqual([])
})

/** Parts of joined names count: `cm-` and `hljs-` come from libraries. */
const isNamed = (all: string, name: string): boolean =>
  /^(?:hljs|cm)-|^language_$/.test(name) || new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(all)

test('dark is defined once, in the theme', () => {
  const sheetsWith = (words: RegExp) => [...sheets].flatMap(([name, css]) => (words.test(css) ? [name] : []))
  expect(sheetsWith(/prefers-color-scheme/)).toEqual([])
  expect(sheetsWith(/light-dark\(/)).toEqual(['app/styles/theme.css'])
  expect(sheetsWith(/data-theme/)).toEqual(['app/styles/base.css'])
  for (const [file, source] of sources) {
    const dark = classesIn(source).filter(({ name }) => /(?:^|:)dark:/.test(name))
    expect(dark, `${file}: a colour knows its own dark`).toEqual([])
  }
})

test('docs/internals/styling.md describes every recipe', async () => {
  const told = await readFile(path.join(root, 'docs/internals/styling.md'), 'utf8')
  const recipes = [...sources].flatMap(([file, source]) =>
    file.startsWith('components/ui/recipes/')
      ? [...source.matchAll(/^export const (\w+) = recipe\(/gm)].map(([, name = '']) => name)
      : [],
  )
  expect(recipes.length).toBeGreaterThan(10)
  expect(recipes.filter((name) => !told.includes(`\`${name}\``))).toEqual([])
})
