import { parseSync } from 'oxc-parser'

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode))

function* within(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* within(child)
}

const has = (node: unknown, isOne: (node: Node) => boolean): boolean => isNode(node) && [...within(node)].some(isOne)

const nameOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' && typeof node['name'] === 'string' ? node['name'] : null

/** `a.b.c` as it is written, without its space. */
const textOf = (source: string, node: unknown): string =>
  isNode(node) && typeof node['end'] === 'number' ? source.slice(node.start, node['end']).replaceAll(/\s/g, '') : ''

const clocks = /^(?:globalThis\.)?(?:performance\.now|Date\.now|process\.hrtime(?:\.bigint)?)$/

/**
 * The lines, from 1, where a test expects something of a time that it measured: what it expects of contains the difference of
 * two looks at a clock, or a look at a clock itself, also by way of names that the file gives to them. A file that plays the
 * clock measures nothing.
 */
export function measuredTimes(file: string, source: string): readonly number[] {
  if (!/\b(?:performance|Date|hrtime)\b/.test(source) || /\bvi\.useFakeTimers\(/.test(source)) return []
  const nodes = [...within(parseSync(file, source).program as unknown as Node)]
  const looks = new Set<string>()
  const differences = new Set<string>()
  const isLook = (node: Node): boolean => node.type === 'CallExpression' && clocks.test(textOf(source, node['callee']))
  const isTime = (node: Node): boolean => isLook(node) || looks.has(nameOf(node) ?? '')
  const isDifference = (node: Node): boolean =>
    differences.has(nameOf(node) ?? '') ||
    (node.type === 'BinaryExpression' &&
      node['operator'] === '-' &&
      has(node['left'], isTime) &&
      has(node['right'], isTime))
  const given = nodes.flatMap((node): readonly (readonly [name: string, value: unknown])[] => {
    const [name, value] =
      node.type === 'VariableDeclarator'
        ? [nameOf(node['id']), node['init']]
        : node.type === 'AssignmentExpression'
          ? [nameOf(node['left']), node['right']]
          : node.type === 'FunctionDeclaration'
            ? [nameOf(node['id']), node['body']]
            : [null, null]
    return name === null ? [] : [[name, value]]
  })
  // A name may be given by way of others, in whatever order.
  for (let known = -1; known < looks.size + differences.size;) {
    known = looks.size + differences.size
    for (const [name, value] of given) {
      if (has(value, isDifference)) differences.add(name)
      else if (isNode(value) && isTime(value)) looks.add(name)
    }
  }
  return nodes
    .filter(
      (node) =>
        node.type === 'CallExpression' &&
        /^expect(?:\.soft|\.poll)?$/.test(textOf(source, node['callee'])) &&
        Array.isArray(node['arguments']) &&
        node['arguments'].some((one) => has(one, isDifference) || (isNode(one) && isTime(one))),
    )
    .map(({ start }) => source.slice(0, start).split('\n').length)
}
