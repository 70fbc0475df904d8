import { parseSync, type Node } from 'oxc-parser'

/** A place where a browser follows an address by itself: Next does not put it under the base path. */
export interface Followed {
  /** The expression of the address, as it is written, without its space. */
  readonly address: string
  readonly line: number
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** `assign`, `location.assign`, `window.location.assign` → the name, and that of what it belongs to. */
function namesOf(node: Node): readonly [name: string, of: string] {
  if (node.type === 'Identifier') return [node.name, '']
  if (node.type !== 'MemberExpression' || node.property.type !== 'Identifier') return ['', '']
  return [node.property.name, namesOf(node.object)[0]]
}

/** Which argument of a call is an address; null: none is. */
function addressOfCall(callee: Node, isNew: boolean): number | null {
  const [name, of] = namesOf(callee)
  if (isNew) return /^(?:Worker|SharedWorker|EventSource|WebSocket)$/.test(name) ? 0 : null
  if (/^(?:pushState|replaceState)$/.test(name)) return 2
  if (of === 'location' && /^(?:assign|replace)$/.test(name)) return 0
  if (name === 'open' && of === 'window') return 0
  if (name === 'register' && of === 'serviceWorker') return 0
  if (name === 'fetch' && /^(?:|window|globalThis|self)$/.test(of)) return 0
  return name === 'sendBeacon' || name === 'importScripts' ? 0 : null
}

const followed = /^(?:href|src|srcSet|action|formAction|poster)$/

function* addressesOf(node: Node): Generator<Node> {
  if (node.type === 'CallExpression' || node.type === 'NewExpression') {
    const at = addressOfCall(node.callee, node.type === 'NewExpression')
    const argument = at === null ? undefined : node.arguments[at]
    if (argument) yield argument
    // `new URL(path, location.href)` is an address of ours, too.
    const [given, base] = node.arguments
    const isUrl = node.type === 'NewExpression' && namesOf(node.callee)[0] === 'URL'
    if (isUrl && given && base && namesOf(base).includes('location')) yield given
  }
  if (
    node.type === 'AssignmentExpression' &&
    (node.left.type === 'MemberExpression' || node.left.type === 'Identifier')
  ) {
    const [name, of] = namesOf(node.left)
    if (name === 'location' || (of !== '' && /^(?:href|src|srcset)$/.test(name))) yield node.right
  }
  // The header of an answer that sends a browser on.
  if (node.type === 'Property' && node.key.type === 'Identifier' && /^location$/i.test(node.key.name)) {
    if (!node.shorthand) yield node.value
  }
  if (node.type === 'JSXOpeningElement' && node.name.type === 'JSXIdentifier' && /^[a-z]/.test(node.name.name)) {
    for (const attribute of node.attributes) {
      if (attribute.type !== 'JSXAttribute' || attribute.name.type !== 'JSXIdentifier') continue
      if (!followed.test(attribute.name.name) || !attribute.value) continue
      yield attribute.value.type === 'JSXExpressionContainer' ? attribute.value.expression : attribute.value
    }
  }
}

/** It says itself that it is under the base path, or that it is no path of this host. */
function isSafe(node: Node): boolean {
  if (node.type === 'CallExpression') return /^(?:withBase|builtFile|createObjectURL)$/.test(namesOf(node.callee)[0])
  if (node.type === 'ConditionalExpression') return isSafe(node.consequent) && isSafe(node.alternate)
  const begins =
    node.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : node.type === 'TemplateLiteral'
        ? (node.quasis[0]?.value.cooked ?? '')
        : null
  return begins !== null && /^(?:#|data:|blob:|about:|https?:\/\/|mailto:|$)/.test(begins) && begins !== ''
}

/** Every place of a source file where a browser is given an address that does not show that it is under the base path. */
export function followedAddresses(file: string, source: string): readonly Followed[] {
  const found: Followed[] = []
  const visit = (node: Node): void => {
    for (const address of addressesOf(node)) {
      if (isSafe(address)) continue
      const text = source.slice(address.start, address.end).replaceAll(/\s+/g, ' ')
      found.push({ address: text, line: source.slice(0, address.start).split('\n').length })
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child)
    }
  }
  visit(parseSync(file, source).program)
  return found
}
