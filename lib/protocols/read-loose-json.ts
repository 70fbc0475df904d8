import type { JsonValue } from '@/lib/base/json'
import { nodeValue } from './json-repair/node'
import { readJson } from './json-repair/read-json'
import { Source } from './text/source'

/** What may follow: commas and comments. */
const REST = /^[\s,]*(?:(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)\s*)*$/

/**
 * An object or a list that a person wrote or copied: with comments, more commas, or typographic quotes. Null: the text
 * is none, or has more than one.
 */
export function readLooseJson(text: string): JsonValue {
  const source = new Source(text, true)
  const { node, failure, end } = readJson(source, source.skipSpace(0), { guess: false })
  const isComplete = node !== null && failure === null && REST.test(text.slice(end))
  return isComplete && (node.kind === 'object' || node.kind === 'array') ? nodeValue(node) : null
}
