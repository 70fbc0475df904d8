import { parseSync, Visitor } from 'oxc-parser'
import type { Prose } from './prose'

/** Attributes that are read or heard. */
const spoken = new Set([
  'label',
  'title',
  'placeholder',
  'alt',
  'hint',
  'what',
  'data-tip',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'aria-placeholder',
])

const hasWord = /\p{L}{2,}/u
/** A beginning of a sentence and a second word, three words in a row, or a sign of Chinese. */
const isProse = /^\p{Lu}\p{Ll}+([ ,:;.’'-]+[\p{L}\d“”"’'()]+)+|\p{Ll}{2,} \p{Ll}{2,} \p{Ll}{2,}|\p{sc=Han}/u
/** Names of classes: Tailwind’s words have hyphens, colons and brackets, and prose has few. */
const isLook = (text: string): boolean =>
  (text.match(/(?:^|\s)[\w[\]():.*&>-]*[-:[\]][^\s]*(?=\s|$)/g)?.length ?? 0) * 2 >= text.trim().split(/\s+/).length

/** Each text of a component that people read or hear and that comes from no catalogue. */
export function inlineWordsIn(file: string, source: string): readonly Prose[] {
  const found: Prose[] = []
  const quiet = new Set<unknown>()
  const note = (node: { readonly start: number }, text: string) =>
    found.push({ text: text.trim(), line: source.slice(0, node.start).split('\n').length })
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
      if (value?.type !== 'Literal' || typeof value.value !== 'string') return
      quiet.add(value)
      if (name.type === 'JSXIdentifier' && spoken.has(name.name) && hasWord.test(value.value)) note(value, value.value)
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
  return found
}
