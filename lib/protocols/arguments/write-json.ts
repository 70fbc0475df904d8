import { isJsonObject, type JsonValue } from '@/lib/base/json'
import type { JsonNode } from '../json-repair/node'

/**
 * Words in examples that mean "put yours here". A shell variable such as `$HOME` is not included: it may well be a real
 * argument.
 */
const WORDS =
  /^\$\{?(TOOL|TOOL_NAME|FUNCTION|FUNCTION_NAME|NAME|PARAM|PARAMS|PARAM_NAME|PARAM_VALUE|PARAMETER|PARAMETERS|PARAMETER_NAME|PARAMETER_VALUE|ARG|ARGS|ARGUMENT|ARGUMENTS|ARG_NAME|ARG_VALUE|VALUE|KEY|ACTION|ACTION_INPUT|TOOL_INPUT|INPUT|JSON|JSON_BLOB|ID|CALL_ID)(_?\d)?\}?$/

export const isPlaceholder = (text: string): boolean => text === '...' || text === '…' || WORDS.test(text)

/**
 * The path of the first value that was copied from an example, or null. A string written with an escape is intentional.
 */
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

/**
 * JSON that our readers read back as the same value. Whole numbers beyond 2^53 are written with an exponent, since
 * plain digits are read as digits. Strings that look like a placeholder get an escape, which marks them as intentional.
 */
export function writeJson(value: JsonValue): string {
  if (typeof value === 'number') return writeNumber(value)
  if (typeof value === 'string') return writeString(value)
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, child]) => `${JSON.stringify(key)}:${writeJson(child)}`)
    .join(',')}}`
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) return 'null'
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : JSON.stringify(value)
}

function writeString(text: string): string {
  const json = JSON.stringify(text)
  return isPlaceholder(text) ? `"\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${json.slice(2)}` : json
}
