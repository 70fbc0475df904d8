import { parseSync, Visitor, type Node } from 'oxc-parser'
import type { Prose } from './prose'

/** Attributes and properties whose text is read or heard, be it one word. */
const spoken = new Set([
  'label',
  'title',
  'placeholder',
  'alt',
  'hint',
  'what',
  'text',
  'help',
  'note',
  'about',
  'caption',
  'heading',
  'description',
  'message',
  'data-tip',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'aria-placeholder',
])

/** Attributes that nobody reads, whatever their words look like: names of classes, addresses, keys, paths of drawings. */
const isUnread = (name: string): boolean =>
  /^(?:class|className|style|id|htmlFor|href|src|srcSet|sizes|media|rel|key|d|viewBox|transform|allow|sandbox|accept|autoComplete|pattern)$/.test(
    name,
  ) || /^data-(?!tip$)|^aria-(?:controls|labelledby|describedby|owns|keyshortcuts)$|ClassName$|Id$/.test(name)

/** Products are called the same in every language. */
const names = new Set(['Nod', 'Ollama', 'LM Studio'])

const hasWord = /\p{L}{2,}/u
/** A beginning of a sentence and a second word, three words in a row, or a sign of Chinese. */
const isProse = /^\p{Lu}\p{Ll}+([ ,:;.’'-]+[\p{L}\d“”"’'()]+)+|\p{Ll}{2,} \p{Ll}{2,} \p{Ll}{2,}|\p{sc=Han}/u
/** Names of classes: Tailwind’s words have hyphens, colons and brackets, and prose has few. */
const isLook = (text: string): boolean =>
  (text.match(/(?:^|\s)[\w[\]():.*&>-]*[-:[\]][^\s]*(?=\s|$)/g)?.length ?? 0) * 2 >= text.trim().split(/\s+/).length
/** What a person sees or hears who is given it by itself: a word with a capital, or several words. */
const isSaid = (text: string): boolean =>
  /^\p{Lu}\p{Ll}+$/u.test(text.trim()) || /\p{L}{2,}\s+\p{L}{2,}|\p{sc=Han}/u.test(text)

/** The texts that an expression may come to: through conditions, choices and sums, not through calls. */
function* textsOf(node: Node | null | undefined): Generator<readonly [Node, string]> {
  if (node?.type === 'Literal' && typeof node.value === 'string') yield [node, node.value]
  else if (node?.type === 'TemplateLiteral') {
    yield [node, node.quasis.map(({ value }) => value.cooked ?? '').join('…')]
    for (const part of node.expressions) yield* textsOf(part)
  } else if (node?.type === 'ConditionalExpression') {
    yield* textsOf(node.consequent)
    yield* textsOf(node.alternate)
  } else if (node?.type === 'LogicalExpression') {
    if (node.operator !== '&&') yield* textsOf(node.left)
    yield* textsOf(node.right)
  } else if (node?.type === 'BinaryExpression' && node.operator === '+') {
    yield* textsOf(node.left)
    yield* textsOf(node.right)
  } else if (
    node?.type === 'JSXExpressionContainer' ||
    node?.type === 'ParenthesizedExpression' ||
    node?.type === 'TSAsExpression' ||
    node?.type === 'TSSatisfiesExpression'
  ) {
    yield* textsOf(node.expression)
  }
}

/** Each text of a component that people read or hear and that comes from no catalogue. */
export function inlineWordsIn(file: string, source: string): readonly Prose[] {
  const found = new Map<number, Prose>()
  const quiet = new Set<unknown>()
  const note = (node: { readonly start: number }, text: string) => {
    if (names.has(text.trim())) return
    found.set(node.start, { text: text.trim(), line: source.slice(0, node.start).split('\n').length })
  }
  const noteTexts = (value: Node | null | undefined, isRead: (text: string) => boolean) => {
    for (const [node, text] of textsOf(value)) if (isRead(text)) note(node, text)
  }
  const silence = (value: Node | null | undefined) => {
    for (const [node] of textsOf(value)) quiet.add(node)
  }
  new Visitor({
    ImportDeclaration: (node) => void quiet.add(node.source),
    ExportNamedDeclaration: (node) => void quiet.add(node.source),
    ExportAllDeclaration: (node) => void quiet.add(node.source),
    ImportExpression: (node) => void quiet.add(node.source),
    TSLiteralType: (node) => void quiet.add(node.literal),
    // For developers.
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name.endsWith('Error'))
        node.arguments.forEach((one) => quiet.add(one))
    },
    CallExpression: (node) => {
      const { callee } = node
      const isLog =
        callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'console'
      if (isLog) node.arguments.forEach((one) => quiet.add(one))
    },
    JSXAttribute: ({ name, value }) => {
      const called = name.type === 'JSXIdentifier' ? name.name : `${name.namespace.name}:${name.name.name}`
      if (isUnread(called)) silence(value)
      else noteTexts(value, (text) => (spoken.has(called) ? hasWord.test(text) : isSaid(text)))
    },
    Property: ({ key, value, computed }) => {
      if (computed || (key.type !== 'Identifier' && key.type !== 'Literal')) return
      const called = key.type === 'Identifier' ? key.name : String(key.value)
      if (isUnread(called)) silence(value)
      else if (spoken.has(called)) noteTexts(value, isSaid)
    },
    JSXElement: ({ children }) => {
      for (const child of children)
        if (child.type === 'JSXExpressionContainer') noteTexts(child, (text) => hasWord.test(text))
    },
    JSXFragment: ({ children }) => {
      for (const child of children)
        if (child.type === 'JSXExpressionContainer') noteTexts(child, (text) => hasWord.test(text))
    },
    JSXText: (node) => {
      if (hasWord.test(node.value)) note(node, node.value)
    },
    Literal: (node) => {
      if (typeof node.value !== 'string' || quiet.has(node)) return
      if (isProse.test(node.value) && !isLook(node.value)) note(node, node.value)
    },
    TemplateLiteral: (node) => {
      if (quiet.has(node)) return
      const text = node.quasis.map(({ value }) => value.cooked ?? '').join('…')
      if (isProse.test(text) && !isLook(text)) note(node, text)
    },
  }).visit(parseSync(file, source).program)
  return [...found.values()]
}
