import { parseSync, type Node } from 'oxc-parser'

/** A match with its line. */
interface Found {
  readonly text: string
  readonly line: number
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode))

function* within(node: Node): Generator<Node> {
  yield node
  for (const child of childrenOf(node)) yield* within(child)
}

/** The value without type assertions and parentheses. */
function bare(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'ChainExpression':
      return bare(node.expression)
    default:
      return node
  }
}

/** `name` of `name` or of `a.b.name`. */
function lastName(node: Node): string | null {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'PrivateIdentifier') return node.name
  return node.type === 'MemberExpression' && !node.computed ? lastName(node.property) : null
}

/** `now()`, `clock.now()`, `Date.now()`, `wallClock()`, `new Date().getTime()`; not `performance.now()`. */
function isReading(node: Node): boolean {
  if (node.type === 'NewExpression') return lastName(node.callee) === 'Date' && node.arguments.length === 0
  if (node.type !== 'CallExpression') return false
  const callee = bare(node.callee)
  const name = lastName(callee)
  if (name === 'getTime' || name === 'valueOf')
    return callee.type === 'MemberExpression' && isReading(bare(callee.object))
  if (name === 'wallClock') return true
  return name === 'now' && !(callee.type === 'MemberExpression' && lastName(callee.object) === 'performance')
}

const comparisons = new Set(['-', '<', '>', '<=', '>='])

/**
 * Places that subtract or compare readings of the wall clock, whose result changes when the clock is set. A reading is
 * also a name or field of this file that was assigned from one, and any value called `now`.
 */
export function wallClockSpans(file: string, source: string): readonly Found[] {
  if (!/\bnow\b|\bwallClock\b|\bDate\b/.test(source)) return []
  const nodes = [...within(parseSync(file, source).program)]
  const known = new Set(['now'])
  const isTime = (given: Node | null | undefined): boolean => {
    if (!given) return false
    const node = bare(given)
    if (isReading(node)) return true
    if (node.type === 'Identifier' || node.type === 'MemberExpression') return known.has(lastName(node) ?? '')
    if (node.type === 'BinaryExpression')
      return (node.operator === '+' || node.operator === '-') && (isTime(node.left) || isTime(node.right))
    if (node.type === 'LogicalExpression') return isTime(node.left) || isTime(node.right)
    if (node.type === 'ConditionalExpression') return isTime(node.consequent) || isTime(node.alternate)
    if (node.type === 'CallExpression') {
      const callee = bare(node.callee)
      return (
        callee.type === 'MemberExpression' &&
        lastName(callee.object) === 'Math' &&
        node.arguments.some((one) => isTime(one))
      )
    }
    return false
  }
  const given = nodes.flatMap((node): readonly (readonly [string | null, Node | null])[] => {
    if (node.type === 'VariableDeclarator') return [[lastName(node.id), node.init]]
    if (node.type === 'AssignmentExpression') return [[lastName(node.left), node.right]]
    if (node.type === 'Property' && !node.computed) return [[lastName(node.key), node.value]]
    return []
  })
  for (let before = -1; before < known.size;) {
    before = known.size
    for (const [name, value] of given) if (name !== null && value !== null && isTime(value)) known.add(name)
  }
  return nodes
    .filter((node) =>
      node.type === 'BinaryExpression'
        ? comparisons.has(node.operator) && (isTime(node.left) || isTime(node.right))
        : node.type === 'AssignmentExpression' && node.operator === '-=' && (isTime(node.left) || isTime(node.right)),
    )
    .map((node) => ({
      text: source.slice(node.start, node.end),
      line: source.slice(0, node.start).split('\n').length,
    }))
}

/** Lines that read the wall clock directly instead of with `wallClock` of lib/base/clocks.ts. */
export function directReadings(file: string, source: string): readonly Found[] {
  if (!source.includes('Date')) return []
  return [...within(parseSync(file, source).program)]
    .filter((node) => node.type === 'MemberExpression' && lastName(node.object) === 'Date' && lastName(node) === 'now')
    .map((node) => ({
      text: source.slice(node.start, node.end),
      line: source.slice(0, node.start).split('\n').length,
    }))
}
