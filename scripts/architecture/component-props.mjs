// How many props a component has, by its source. Counted is what a file of ours declares; what it takes over from an
// element or a library (`ComponentProps<'button'>`) is passed on, not understood.
import { parseSync } from 'oxc-parser'

const isNamedLikeComponent = (name) => /^[A-Z]/.test(name ?? '')
/** Utility types that leave the names as they are. */
const transparent = new Set([
  'Readonly',
  'Partial',
  'Required',
  'NonNullable',
  'Extract',
  'Exclude',
  'PropsWithChildren',
])

/** Every node below this one, itself included. */
function* nodesIn(node) {
  if (Array.isArray(node)) {
    for (const one of node) yield* nodesIn(one)
    return
  }
  if (node === null || typeof node !== 'object') return
  if (typeof node.type === 'string') yield node
  for (const [key, value] of Object.entries(node)) if (key !== 'parent') yield* nodesIn(value)
}

/** What a file declares and imports, as far as types of props need it. */
function readModule(file, text) {
  const { program } = parseSync(file, text)
  const types = new Map()
  const imports = new Map()
  for (const statement of program.body) {
    const declaration = statement.declaration ?? statement
    if (declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'TSTypeAliasDeclaration') {
      types.set(declaration.id.name, declaration)
    }
    if (statement.type !== 'ImportDeclaration') continue
    for (const { local, imported } of statement.specifiers) {
      imports.set(local.name, { from: statement.source.value, name: imported?.name ?? 'default' })
    }
  }
  return { file, program, types, imports }
}

const keyOf = ({ key }) => key?.name ?? key?.value

/**
 * The components of a file with the names of their props: `[{ name: 'Button', props: ['look', 'wide'] }]`. `sources` is
 * all files by path, `resolve(file, specifier)` gives the path of one of ours or undefined.
 */
export function createPropsReader(sources, resolve) {
  const modules = new Map()
  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(file, sources.get(file)))
    return modules.get(file)
  }

  function namedType(name, source) {
    const own = source.types.get(name)
    if (own) return declaredNames(own, source)
    const imported = source.imports.get(name)
    const file = imported && resolve(source.file, imported.from)
    if (!file || !sources.has(file)) return []
    const there = moduleOf(file)
    const declared = there.types.get(imported.name)
    return declared ? declaredNames(declared, there) : []
  }

  function declaredNames(declaration, source) {
    if (declaration.type === 'TSTypeAliasDeclaration') return namesOf(declaration.typeAnnotation, source)
    const inherited = (declaration.extends ?? []).flatMap(({ expression, typeArguments }) =>
      referenceNames(expression.name, typeArguments?.params ?? [], source),
    )
    return [...inherited, ...declaration.body.body.map(keyOf)]
  }

  function referenceNames(name, args, source) {
    const [first, second] = args
    if (transparent.has(name)) return namesOf(first, source)
    if (name !== 'Pick' && name !== 'Omit') return namedType(name, source)
    const picked = new Set([...nodesIn(second)].flatMap((node) => (node.type === 'Literal' ? [node.value] : [])))
    return namesOf(first, source).filter((one) => picked.has(one) === (name === 'Pick'))
  }

  /** Of a union the longest member counts. */
  function namesOf(type, source) {
    switch (type?.type) {
      case 'TSTypeLiteral':
        return type.members.map(keyOf)
      case 'TSTypeReference':
        return referenceNames(type.typeName.name, type.typeArguments?.params ?? [], source)
      case 'TSIntersectionType':
        return type.types.flatMap((one) => namesOf(one, source))
      case 'TSUnionType':
        return type.types
          .map((one) => namesOf(one, source))
          .reduce((longest, one) => (one.length > longest.length ? one : longest), [])
      case 'TSParenthesizedType':
        return namesOf(type.typeAnnotation, source)
      default:
        return []
    }
  }

  const ofFunction = (name, { params }, source) => {
    const annotation = params?.[0]?.typeAnnotation?.typeAnnotation
    return { name, props: annotation ? [...new Set(namesOf(annotation, source))] : [] }
  }

  return (file) => {
    const source = moduleOf(file)
    return [...nodesIn(source.program.body)].flatMap((node) => {
      if (/^Function(Declaration|Expression)$/.test(node.type) && isNamedLikeComponent(node.id?.name)) {
        return [ofFunction(node.id.name, node, source)]
      }
      const value = node.type === 'VariableDeclarator' && isNamedLikeComponent(node.id.name) ? node.init : null
      if (value?.type === 'ArrowFunctionExpression') return [ofFunction(node.id.name, value, source)]
      if (node.type !== 'ClassDeclaration' || !node.superTypeArguments) return []
      return [{ name: node.id.name, props: [...new Set(namesOf(node.superTypeArguments.params[0], source))] }]
    })
  }
}
