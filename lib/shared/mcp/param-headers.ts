import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/** The syntax of a header name in HTTP. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]{1,100}$/
/** Characters of a header's value that need no encoding; `=?base64?` begins an encoded one. */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/
const MAX_DEPTH = 8

/**
 * Headers that repeat parameters of a call, if a tool of 2026-07-28 marks them in its schema (`x-mcp-header`), for
 * proxies between client and server. Their names all begin with `Mcp-Param-`, so that a server can't set any other.
 * Pages send none: the server's CORS would have to allow each.
 */
export function paramHeaders(schema: JsonObject, args: JsonObject): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {}
  const visit = (part: JsonValue, given: JsonValue, depth: number): void => {
    const properties = isJsonObject(part) ? part['properties'] : null
    if (!isJsonObject(properties ?? null) || !isJsonObject(given) || depth > MAX_DEPTH) return
    for (const [name, one] of Object.entries(properties as JsonObject)) {
      const value = Object.hasOwn(given, name) ? (given[name] ?? null) : null
      const header = isJsonObject(one) ? one['x-mcp-header'] : null
      if (typeof header === 'string' && TOKEN.test(header) && value !== null && typeof value !== 'object') {
        headers[`Mcp-Param-${header}`] = encoded(String(value))
      }
      visit(one, value, depth + 1)
    }
  }
  visit(schema, args, 0)
  return headers
}

function encoded(value: string): string {
  if (PLAIN.test(value)) return value
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCodePoint(byte)).join('')
  return `=?base64?${btoa(bytes)}?=`
}
