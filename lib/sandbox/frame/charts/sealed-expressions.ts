import { ascending, expressionFunction } from 'vega'
import { expressionInterpreter } from 'vega-interpreter'
import ownGetter, { ownMember } from './own-member'

/*
 * Vega's expressions, interpreted without access to anything else. A spec is untrusted: `[].constructor.constructor` is
 * `Function`, and if a row is a list with its own `join`, `join(datum, …)` calls it. So expressions are never compiled, and
 * each syntax tree is rewritten here before the interpreter sees it:
 *
 *   datum.a[k]       → nodMember(nodMember(datum, 'a'), k): own fields only, never a function
 *   constructor(…)   → rejected, like any name that every object inherits, also as a signal
 *   join(list, …)    → the language's own method, even if the list has its own
 *
 * A tree may come from the spec itself (`{"$expr": {"ast": …}}`), so node types and operators are checked as well.
 */

interface Tree {
  readonly type: string
  readonly [part: string]: unknown
}

const inherited: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))
const binary = new Set('* + - / % > < <= >= == != === !== & | ^ << >> >>>'.split(' '))
const unary = new Set(['+', '-', '~', '!'])
const logical = new Set(['&&', '||'])

const refuse = (what: unknown): never => {
  throw new Error(`An expression can’t use ${JSON.stringify(what)?.slice(0, 60) ?? 'this'} here.`)
}

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Tree>).type === 'string'

const knownName = (value: unknown): string =>
  typeof value === 'string' && !inherited.has(value) && !inherited.has(value.replace(/^_/, '')) ? value : refuse(value)

const operatorIn = (known: ReadonlySet<string>, value: unknown): string =>
  typeof value === 'string' && known.has(value) ? value : refuse(value)

const nameOf = (node: unknown): unknown => (isTree(node) && node.type === 'Identifier' ? node['name'] : refuse(node))

const keyOf = (node: unknown): unknown => (isTree(node) && node.type === 'Literal' ? node['value'] : nameOf(node))

const literal = (value: unknown): Tree => ({ type: 'Literal', value })

const call = (name: string, parts: readonly Tree[]): Tree => ({
  type: 'CallExpression',
  callee: { type: 'Identifier', name },
  arguments: parts,
})

const all = (nodes: unknown): readonly Tree[] => (Array.isArray(nodes) ? nodes.map(sealed) : refuse(nodes))

const kinds: ReadonlyMap<string, (node: Tree) => Tree> = new Map<string, (node: Tree) => Tree>([
  ['Literal', ({ value, regex }) => ({ type: 'Literal', value, ...(value instanceof RegExp && { regex }) })],
  ['Identifier', ({ name }) => ({ type: 'Identifier', name: knownName(name) })],
  [
    'MemberExpression',
    ({ object, property, computed }) =>
      call('nodMember', [sealed(object), computed === true ? sealed(property) : literal(nameOf(property))]),
  ],
  ['CallExpression', ({ callee, arguments: parts }) => call(knownName(nameOf(callee)), all(parts))],
  ['ArrayExpression', ({ type, elements }) => ({ type, elements: all(elements) })],
  [
    'BinaryExpression',
    ({ type, operator, left, right }) => ({
      type,
      operator: operatorIn(binary, operator),
      left: sealed(left),
      right: sealed(right),
    }),
  ],
  [
    'UnaryExpression',
    ({ type, operator, argument }) => ({ type, operator: operatorIn(unary, operator), argument: sealed(argument) }),
  ],
  [
    'ConditionalExpression',
    ({ type, test, consequent, alternate }) => ({
      type,
      test: sealed(test),
      consequent: sealed(consequent),
      alternate: sealed(alternate),
    }),
  ],
  [
    'LogicalExpression',
    ({ type, operator, left, right }) => ({
      type,
      operator: operatorIn(logical, operator),
      left: sealed(left),
      right: sealed(right),
    }),
  ],
  [
    'ObjectExpression',
    ({ type, properties }) => ({
      type,
      properties: Array.isArray(properties)
        ? properties.map((property: Tree) => ({
            key: literal(knownName(String(keyOf(property['key'])))),
            value: sealed(property['value']),
          }))
        : refuse(properties),
    }),
  ],
])

/** The rewritten expression; throws on nodes that no expression has. */
function sealed(node: unknown): Tree {
  const kind = isTree(node) ? kinds.get(node.type) : undefined
  return kind && isTree(node) ? kind(node) : refuse(isTree(node) ? node.type : node)
}

interface Expression {
  readonly ast: unknown
}

const sealedExpression = <E extends Expression>(expression: E): E => ({ ...expression, ast: sealed(expression.ast) })

interface Encoding {
  readonly channels: Readonly<Record<string, Expression>>
}

/** Replaces Vega's compiler of expressions: `new View(runtime, { expr: sealedInterpreter })`. */
export const sealedInterpreter = {
  operator: (context: unknown, expression: Expression): unknown =>
    expressionInterpreter.operator(context, sealedExpression(expression)),
  parameter: (context: unknown, expression: Expression): unknown =>
    expressionInterpreter.parameter(context, sealedExpression(expression)),
  event: (context: unknown, expression: Expression): unknown =>
    expressionInterpreter.event(context, sealedExpression(expression)),
  handler: (context: unknown, expression: Expression): unknown =>
    expressionInterpreter.handler(context, sealedExpression(expression)),
  encode: (context: unknown, encoding: Encoding): unknown =>
    expressionInterpreter.encode(context, {
      ...encoding,
      channels: Object.fromEntries(
        Object.entries(encoding.channels)
          .filter(([name]) => !inherited.has(name))
          .map(([name, expression]) => [name, sealedExpression(expression)]),
      ),
    }),
  codegen: { get: ownGetter },
}

/** A new list, so that all of its methods are the language's own. */
const list = (value: unknown): unknown[] =>
  Array.isArray(value) || ArrayBuffer.isView(value) ? Array.from(value as ArrayLike<unknown>) : refuse(value)
const listOrText = (value: unknown): unknown[] | string => (typeof value === 'string' ? value : list(value))

/** Vega's versions call a method or a member of their first argument; these always use the language's own. */
const methods: Readonly<Record<string, (...args: never[]) => unknown>> = {
  nodMember: ownMember,
  length: (value: unknown) => ownMember(value, 'length'),
  join: (value: unknown, by?: string) => list(value).join(by),
  indexof: (value: unknown, wanted: string, from?: number) => listOrText(value).indexOf(wanted, from),
  lastindexof: (value: unknown, wanted: string, from = Number.POSITIVE_INFINITY) =>
    listOrText(value).lastIndexOf(wanted, from),
  slice: (value: unknown, from?: number, to?: number) => listOrText(value).slice(from, to),
  reverse: (value: unknown) => list(value).toReversed(),
  sort: (value: unknown) => list(value).toSorted((a, b) => ascending(a as number, b as number)),
}
for (const [name, method] of Object.entries(methods)) expressionFunction(name, method)
