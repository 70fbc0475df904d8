import type { JsonNode } from '../json-repair/node'

/**
 * Words of examples that stand for "put yours here". A shell variable such as `$HOME` is none of them: it may well be
 * what a tool should get.
 */
const WORDS =
  /^\$\{?(TOOL|TOOL_NAME|FUNCTION|FUNCTION_NAME|NAME|PARAM|PARAMS|PARAM_NAME|PARAM_VALUE|PARAMETER|PARAMETERS|PARAMETER_NAME|PARAMETER_VALUE|ARG|ARGS|ARGUMENT|ARGUMENTS|ARG_NAME|ARG_VALUE|VALUE|KEY|ACTION|ACTION_INPUT|TOOL_INPUT|INPUT|JSON|JSON_BLOB|ID|CALL_ID)(_?\d)?\}?$/

export const isPlaceholder = (text: string): boolean => text === '...' || text === '…' || WORDS.test(text)

/** The path of the first value that was copied from an example, or null. A text written with an escape is meant. */
export function findPlaceholderText(node: JsonNode, path = ''): string | null {
  if (node.kind === 'string') return !node.escaped && isPlaceholder(node.value) ? path : null
  if (node.kind !== 'object' && node.kind !== 'array') return null
  const children: readonly (readonly [string, JsonNode])[] =
    node.kind === 'object'
      ? node.entries.map((entry) => [entry.key, entry.node] as const)
      : node.items.map((item, i) => [String(i), item] as const)
  if (node.elided && children.length === 0) return path
  for (const [key, child] of children) {
    const found = findPlaceholderText(child, path === '' ? key : `${path}.${key}`)
    if (found !== null) return found
  }
  return null
}
