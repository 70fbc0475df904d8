import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { glyphs } from '@/lib/base/text/glyphs'
import { builtIn } from '@/lib/shared/tools/testing/built-in'

/*
 * What a tool is called, what it looks like and what is said of it stands in its own folder of `lib/shared/tools`. A component that
 * knows a tool by name would have to be found and changed with every tool that comes.
 */

/** Texts that only speak of tools, as a person or a model would. */
const speaking: ReadonlySet<string> = new Set(['components/playground/examples.ts'])

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) yield* sources(name)
    else if (/\.tsx?$/.test(name) && !/\.test\.tsx?$|\/testing\//.test(name)) yield name
  }
}

/** The literal texts of a source: strings, pieces of templates, words between tags. */
function literals(file: string, source: string): readonly string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, value } = node as { type?: string; value?: unknown }
    if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') found.push(value)
    if (type === 'TemplateElement') found.push((value as { cooked: string }).cooked)
    // What is imported is a path of ours.
    if (type !== 'ImportDeclaration' && type !== 'ImportExpression') Object.values(node).forEach(visit)
  }
  visit(parseSync(file, source).program.body)
  return found
}

/** A name of one word is a word of ours as well, so it must stand alone to count; others count wherever they stand. */
const names = (text: string): readonly string[] =>
  builtIn
    .list()
    .map((tool) => tool.name)
    .filter((name) => (name.includes('_') ? text.includes(name) : text === name))

it('no component names a tool', () => {
  const found: string[] = []
  for (const file of sources('components')) {
    if (speaking.has(file)) continue
    for (const text of literals(file, readFileSync(file, 'utf8'))) {
      for (const name of names(text)) found.push(`${file} names ${name}`)
    }
  }
  expect(found).toEqual([])
})

it('sees what it looks for', () => {
  const source =
    "const a = ['read_file', `a ${'show'} of write_file`]; const b = <p>edit_file{'showing'}</p>; import './show'"
  expect(literals('a.tsx', source).flatMap(names)).toEqual(['read_file', 'write_file', 'show', 'edit_file'])
})

it('each tool has a glyph that can be drawn', () => {
  for (const tool of builtIn.list()) expect(Object.keys(glyphs)).toContain(tool.icon)
})
