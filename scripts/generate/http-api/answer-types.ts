import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, type TSSignature, type TSType } from 'oxc-parser'
import { globSync } from 'tinyglobby'

const root = path.resolve(import.meta.dirname, '../../..')

/** A response type: its fields as `name?: type`, or its alternatives. */
export interface AnswerType {
  readonly name: string
  readonly fields: readonly string[]
  /** Types of these sources that the fields name. */
  readonly names: readonly string[]
}

interface Declared {
  readonly source: string
  readonly type: TSType | { readonly type: 'interface'; readonly body: readonly TSSignature[] }
  readonly extended: readonly string[]
}

/** The exported types of `lib/shared`, by name. */
function declaredTypes(): ReadonlyMap<string, Declared> {
  const found = new Map<string, Declared>()
  const files = globSync('lib/shared/**/*.ts', { cwd: root, ignore: ['**/*.test.ts', '**/testing/**'] })
  for (const file of files.toSorted()) {
    const source = readFileSync(path.join(root, file), 'utf8')
    for (const node of parseSync(file, source).program.body) {
      if (node.type !== 'ExportNamedDeclaration') continue
      const { declaration } = node
      if (declaration?.type === 'TSInterfaceDeclaration') {
        const extended = declaration.extends.map(({ expression }) => source.slice(expression.start, expression.end))
        found.set(declaration.id.name, { source, type: { type: 'interface', body: declaration.body.body }, extended })
      }
      if (declaration?.type === 'TSTypeAliasDeclaration')
        found.set(declaration.id.name, { source, type: declaration.typeAnnotation, extended: [] })
    }
  }
  return found
}

/** The types in the responses, and those that these name, sorted by name. */
export function answerTypes(answers: readonly string[]): readonly AnswerType[] {
  const declared = declaredTypes()
  const done = new Map<string, AnswerType>()
  const namesIn = (text: string) => (text.match(/\b[A-Z]\w+/g) ?? []).filter((name) => declared.has(name))
  const waiting = answers.flatMap(namesIn)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const of = declared.get(name)
    if (!of || done.has(name)) continue
    const fields = fieldsOf(of, declared)
    const names = fields.flatMap(namesIn)
    done.set(name, { name, fields, names })
    waiting.push(...names)
  }
  return [...done.values()].toSorted((a, b) => a.name.localeCompare(b.name))
}

/** `id: string`, `next?: string | null`; an alternative is a text such as `{ kind: 'a', … }`. */
function fieldsOf({ source, type, extended }: Declared, declared: ReadonlyMap<string, Declared>): readonly string[] {
  if (type.type === 'interface') {
    const inherited = extended.flatMap((name) => {
      const base = declared.get(name)
      return base ? fieldsOf(base, declared) : []
    })
    return [...inherited, ...signatures(source, type.body)]
  }
  if (type.type === 'TSTypeLiteral') return signatures(source, type.members)
  if (type.type === 'TSUnionType') return type.types.map((one) => shorten(source.slice(one.start, one.end)))
  return [shorten(source.slice(type.start, type.end))]
}

const signatures = (source: string, members: readonly TSSignature[]): readonly string[] =>
  members.flatMap((member) =>
    member.type === 'TSPropertySignature' ? [shorten(source.slice(member.start, member.end))] : [],
  )

/** On one line, without comments and `readonly`. */
const shorten = (text: string): string =>
  text
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\breadonly /g, '')
    // Members on separate lines have no other separator.
    .replaceAll(/(?<![{|&(,;<[:=\s])\s*\n\s*(?![}|&)\]>\s])/g, '; ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/(^|: )\| /g, '$1')
    .trim()
