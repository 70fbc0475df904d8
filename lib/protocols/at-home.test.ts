import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { strategyModules } from './registry'
import { strategyIds } from './types/tool-context-def'

/*
 * Code that names a strategy must be in that strategy's folder: the compiler would not flag a file outside that knows a
 * strategy by name when a new strategy is added. Tests may name strategies, but examples of one form prove nothing
 * about the others.
 */

const root = path.resolve(import.meta.dirname, '../..')
const folderOf = (id: string): string => id.toLowerCase().replaceAll('_', '-')
const folders = strategyIds.map(folderOf)

const ALLOWED: Readonly<Record<string, string>> = {
  'lib/protocols/types/tool-context-def.ts': 'the list of the ids, and which of them is the default',
  'lib/protocols/registry.ts': 'one import and one line a strategy',
  'lib/protocols/grammar-of.ts':
    'the registry of grammars: one import and one line a strategy, apart since no page loads it at first',
  'lib/protocols/other-dialects/index.ts': 'the one strategy that reads this form as its own',
  'lib/protocols/envelope-reply.ts':
    'the one strategy that a schema says: its calls are read by the registry, which its folder may not know',
}

/** Ids as values: in quotes, or anywhere in code where they are not an ordinary word. */
const ID = new RegExp(
  `['"\`](?:${strategyIds.join('|')})['"\`]|\\b(?:${strategyIds.filter((id) => id.includes('_')).join('|')})\\b`,
)
const FOLDER = new RegExp(`from '(?:@/lib/protocols|\\.{1,2}(?:/\\.\\.)*)/(?:${folders.join('|')})(?:/|')`)
/** The signature text of each strategy's calls: no other file searches for it or writes it. */
const signatures = strategyModules.flatMap(({ signature }) => signature ?? [])

const withoutComments = (code: string): string => code.replaceAll(/\/\*[^]*?\*\/|(?<![:'"`\\])\/\/.*$/gm, '')

/** What is wrong with a source file outside the strategies' folders, or null. */
function namesStrategy(code: string): string | null {
  const bare = withoutComments(code)
  const id = ID.exec(bare)?.[0]
  if (id !== undefined) return `names ${id}`
  if (FOLDER.test(bare)) return 'imports the folder of a strategy'
  const mark = signatures.find((signature) => bare.includes(signature))
  return mark === undefined ? null : `holds ${mark}`
}

const sources = globSync('{lib,components,app}/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => !/\.(?:test|contract)\.tsx?$|\/testing\//.test(file))
  .filter((file) => !folders.some((folder) => file.startsWith(`lib/protocols/${folder}/`)))

describe('code that names a strategy', () => {
  it('has a folder for every id', () => {
    for (const folder of folders) expect(existsSync(path.join(root, 'lib/protocols', folder, 'index.ts'))).toBe(true)
  })

  it("is in the strategy's folder, the list of ids or the registry", () => {
    expect(sources.length).toBeGreaterThan(500)
    const found = sources.flatMap((file) => {
      const problem = namesStrategy(readFileSync(path.join(root, file), 'utf8'))
      return problem === null ? [] : [[file, problem] as const]
    })
    expect(found.filter(([file]) => !Object.hasOwn(ALLOWED, file))).toEqual([])
    // Remove an exception from the list once it is no longer needed.
    expect(found.map(([file]) => file).toSorted()).toEqual(Object.keys(ALLOWED).toSorted())
  })

  it.each([
    ...strategyIds.map((id) => [`a comparison with ${id}`, `if (strategy === '${id}') return`]),
    ...strategyIds.map((id) => [`a table with ${id}`, `const words = { "${id}": 1 }`]),
    ...folders.map((folder) => [`an import of ${folder}`, `import { TAG } from '@/lib/protocols/${folder}/markup'`]),
    ...folders.map((folder) => [`a near import of ${folder}`, `import { facts } from '../${folder}'`]),
    ...signatures.map((signature) => [`the mark ${signature}`, `const opener = String.raw\`${signature}\``]),
  ])('detects %s', (_what, code) => {
    expect(namesStrategy(code)).not.toBeNull()
  })

  it.each([
    ['a comment', '// as in XML_Tag, whose <tool_code> stays\nconst a = 1'],
    ['a sentence', "throw new Error('takes no Native calls')"],
    ['a shared folder', "import { readJson } from '../json-repair/read-json'"],
  ])('ignores %s', (_what, code) => {
    expect(namesStrategy(code)).toBeNull()
  })
})
