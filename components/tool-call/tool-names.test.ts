import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, it } from 'vitest'
import { glyphs } from '@/lib/base/text/glyphs'
import { builtIn } from '@/lib/shared/tools/testing/built-in'

/*
 * A tool's name, icon and texts are in its own folder of `lib/shared/tools`. A component that names a tool would have
 * to be changed with every new tool.
 */

/** Texts that only mention tools, as a person or a model would. */
const speaking: ReadonlySet<string> = new Set(['components/playground/examples.ts'])

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) yield* sources(name)
    else if (/\.tsx?$/.test(name) && !/\.test\.tsx?$|\/testing\//.test(name)) yield name
  }
}

/** The literal texts of a source: strings, template parts, text between tags. */
function literals(file: string, source: string): readonly string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (typeof node !== 'object' || node === null) return
    const { type, value } = node as { type?: string; value?: unknown }
    if ((type === 'Literal' || type === 'JSXText') && typeof value === 'string') found.push(value)
    if (type === 'TemplateElement') found.push((value as { cooked: string }).cooked)
    // An import is one of our paths.
    if (type !== 'ImportDeclaration' && type !== 'ImportExpression') Object.values(node).forEach(visit)
  }
  visit(parseSync(file, source).program.body)
  return found
}

/** A name of one word is also an ordinary word, so it counts only alone; other names count anywhere. */
const names = (text: string): readonly string[] =>
  builtIn
    .list()
    .map((tool) => tool.spec.name)
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

it('finds a name in a sample', () => {
  const source =
    "const a = ['read_file', `a ${'show'} of write_file`]; const b = <p>edit_file{'showing'}</p>; import './show'"
  expect(literals('a.tsx', source).flatMap(names)).toEqual(['read_file', 'write_file', 'show', 'edit_file'])
})

it('each tool has an icon that can be rendered', () => {
  for (const tool of builtIn.list()) expect(Object.keys(glyphs)).toContain(tool.card.icon)
})
