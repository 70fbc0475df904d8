import { parseSync, type Node } from 'oxc-parser'

/** A sentence that stands in code. */
export interface Prose {
  readonly text: string
  readonly line: number
}

/** Words, and an end as sentences have it; or a beginning as they have it, where only people read what is thrown. */
const isSentence = (text: string): boolean => /[\p{L}’]{2,} [\p{L}’(“…]+.*[.?!]$/u.test(text.trim())
const isBeginning = (text: string): boolean => /^[A-Z…][\p{L}’]* [\p{L}’]+/u.test(text)

/** What they are given is for a log, or for another language than ours. */
const notForPeople = /^(?:log|logProblem|warn|error|sql|raw|describe)$/

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The name of what is called: `log`, `ports.log`, `console.error`, sql`…`. */
function calleeOf(node: Node): string | null {
  const callee =
    node.type === 'CallExpression' ? node.callee : node.type === 'TaggedTemplateExpression' ? node.tag : null
  if (callee?.type === 'Identifier') return callee.name
  return callee?.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : null
}

/**
 * The sentences for people that stand in a source file: every text that reads as one, and whatever an error of ours is
 * made with. What goes into a log, and an invariant that no person can break (`new Error` in lower case), is none.
 */
export function proseIn(file: string, source: string): readonly Prose[] {
  const found: Prose[] = []
  const visit = (node: Node, thrown: boolean): void => {
    const callee = calleeOf(node)
    if (callee !== null && notForPeople.test(callee)) return
    const text =
      node.type === 'Literal' && typeof node.value === 'string'
        ? node.value
        : node.type === 'TemplateLiteral'
          ? node.quasis.map(({ value }) => value.cooked ?? '').join('…')
          : null
    if (text !== null && (isSentence(text) || (thrown && isBeginning(text)))) {
      found.push({ text, line: source.slice(0, node.start).split('\n').length })
    }
    const inError =
      thrown ||
      (node.type === 'NewExpression' &&
        node.callee.type === 'Identifier' &&
        /(?:Error|Failure)$/.test(node.callee.name))
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, inError)
    }
  }
  visit(parseSync(file, source).program, false)
  return found
}

/** Places that choose a form by number, or write a number or a time, by themselves. */
export function ownFormsIn(file: string, source: string): readonly Prose[] {
  const found: Prose[] = []
  const isText = (node: Node): boolean =>
    node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
  const visit = (node: Node): void => {
    const own =
      (node.type === 'ConditionalExpression' &&
        node.test.type === 'BinaryExpression' &&
        /^[!=]==$/.test(node.test.operator) &&
        node.test.right.type === 'Literal' &&
        node.test.right.value === 1 &&
        isText(node.consequent) &&
        isText(node.alternate)) ||
      (node.type === 'MemberExpression' &&
        node.property.type === 'Identifier' &&
        /^(?:toLocaleString|toLocaleDateString|toLocaleTimeString|DateTimeFormat|NumberFormat|PluralRules)$/.test(
          node.property.name,
        ))
    if (own) {
      found.push({ text: source.slice(node.start, node.end), line: source.slice(0, node.start).split('\n').length })
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child)
    }
  }
  visit(parseSync(file, source).program)
  return found
}
