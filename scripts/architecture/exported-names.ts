import { parseSync, type Directive, type Statement } from 'oxc-parser'

function namesOf(statement: Statement | Directive): readonly string[] {
  if (statement.type === 'VariableDeclaration') {
    return statement.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  }
  return 'id' in statement && statement.id?.type === 'Identifier' ? [statement.id.name] : []
}

/** The names that a source file declares and exports; what it only hands on is another file's. */
export function exportedNames(file: string, source: string): readonly string[] {
  const { body } = parseSync(file, source).program
  const own = new Set(body.flatMap((statement) => namesOf(statement)))
  return body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    if (statement.declaration) return namesOf(statement.declaration)
    if (statement.source) return []
    return statement.specifiers.flatMap(({ local, exported }) =>
      'name' in local && 'name' in exported && own.has(local.name) ? [exported.name] : [],
    )
  })
}

/**
 * The place of a name in its family: strategies and tools fulfil one contract each in a folder of its own, so that the same
 * file of two siblings says the same of each.
 */
const familyPlace = (file: string): string =>
  file.replace(/^(lib\/(?:strategies|tools|models))\/[^/]+\/([^/]+)$/, '$1/*/$2')

/** Names that stand in more than one file with different meanings, each with its files. */
export function namedTwice(sources: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>()
  for (const [file, source] of sources) {
    for (const name of new Set(exportedNames(file, source))) {
      const known = places.get(name) ?? []
      if (!known.some((other) => familyPlace(other) === familyPlace(file))) places.set(name, [...known, file])
    }
  }
  return new Map([...places].filter(([, files]) => files.length > 1))
}
