import { parseSync, type Node } from 'oxc-parser'
import type { Prose } from './prose'

/** What makes the sentences of an area. What is told to models is English for ever, and said anew where people read it. */
const makers = new Set(['sentencesOf', 'storedSentencesOf', 'refusalsOf', 'errorsOf', 'labelsOf'])
const isOfWords = (source: string): boolean =>
  /\/lib\/words\/|^\.\.?\/(?:.*\/)?words\/|-words$|\/words$/.test(source) && !source.endsWith('/bring-words')
/** What is given to these is called at once. */
const isCalledAtOnce = (name: string): boolean =>
  /^(?:map|flatMap|filter|forEach|reduce|some|every|find|from)$/.test(name)
const isTold = (name: string): boolean => /[tT]old(?:As)?$/.test(name)

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
const childrenOf = (node: Node): readonly Node[] =>
  Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode))

const isFunction = (node: Node): boolean =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

/** What says something in the reader's language when it is called, or read: imported words, and what this file makes of them. */
function speakersIn(program: Node): ReadonlySet<string> {
  const speakers = new Set<string>()
  const visit = (node: Node): void => {
    if (node.type === 'ImportDeclaration' && node.importKind !== 'type' && isOfWords(node.source.value)) {
      for (const one of node.specifiers) {
        const imported = one.type === 'ImportSpecifier' && one.imported.type === 'Identifier' ? one.imported.name : ''
        if (!isTold(imported)) speakers.add(one.local.name)
      }
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init?.type === 'CallExpression') {
      const { callee } = node.init
      if (callee.type === 'Identifier' && makers.has(callee.name)) speakers.add(node.id.name)
    }
    childrenOf(node).forEach(visit)
  }
  visit(program)
  return speakers
}

/**
 * Places that say something while their module loads: it stays in the language of that moment, whatever the reader chooses
 * later. Followed into the file's own functions where they are called at that time.
 */
export function saidAtLoadIn(file: string, source: string): readonly Prose[] {
  const { program } = parseSync(file, source)
  const speakers = speakersIn(program)
  if (speakers.size === 0) return []
  const own = new Map<string, Node>()
  for (const statement of program.body) {
    const node = 'declaration' in statement && statement.declaration ? statement.declaration : statement
    if (node.type === 'FunctionDeclaration' && node.id) own.set(node.id.name, node)
    if (node.type !== 'VariableDeclaration') continue
    for (const { id, init } of node.declarations) {
      if (id.type === 'Identifier' && init && isFunction(init)) own.set(id.name, init)
    }
  }
  const found = new Map<number, Prose>()
  const entered = new Set<Node>()
  const note = (node: Node) =>
    found.set(node.start, {
      text: source.slice(node.start, node.end),
      line: source.slice(0, node.start).split('\n').length,
    })
  const enter = (callable: Node) => {
    if (entered.has(callable)) return
    entered.add(callable)
    childrenOf(callable).forEach(visit)
  }
  const visit = (node: Node): void => {
    if (isFunction(node)) return
    if (node.type === 'CallExpression' || node.type === 'MemberExpression') {
      const said = node.type === 'CallExpression' ? node.callee : node.object
      if (said.type === 'Identifier' && speakers.has(said.name)) note(node)
      if (node.type === 'CallExpression') {
        const callee = said.type === 'ParenthesizedExpression' ? said.expression : said
        if (isFunction(callee)) enter(callee)
        if (
          said.type === 'MemberExpression' &&
          said.property.type === 'Identifier' &&
          isCalledAtOnce(said.property.name)
        )
          node.arguments.filter(isFunction).forEach(enter)
        if (said.type === 'Identifier') {
          const called = own.get(said.name)
          if (called) enter(called)
        }
      }
    }
    childrenOf(node).forEach(visit)
  }
  visit(program)
  return [...found.values()]
}
