import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { readServerUrl } from '@/lib/shared/conversation/settings/tool-server'

/** A server in the pasted text. */
export interface PastedServer {
  readonly url: string
  /** Its name in the JSON; '' if an address was pasted. */
  readonly name: string
}

export type Pasted =
  | { readonly kind: 'servers'; readonly servers: readonly PastedServer[]; readonly localOnly: readonly string[] }
  /** It names only programs to start, which a browser can't do. */
  | { readonly kind: 'local-only'; readonly names: readonly string[] }
  | { readonly kind: 'unreadable' }

/**
 * Reads pasted text: an address, or the JSON that Claude Desktop, Cursor (`mcpServers`) and VS Code (`servers`) use,
 * also one entry of it. Servers that are programs are named and left out. Headers and keys in it are not read.
 */
export function readPasted(text: string): Pasted {
  const trimmed = text.trim()
  if (!/^[{"]/.test(trimmed)) {
    const url = readServerUrl(trimmed)
    return url === null ? { kind: 'unreadable' } : { kind: 'servers', servers: [{ url, name: '' }], localOnly: [] }
  }
  const entries = entriesOf(parsed(trimmed))
  const servers: PastedServer[] = []
  const localOnly: string[] = []
  for (const [name, entry] of entries) {
    if (!isJsonObject(entry)) continue
    const typed = entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl']
    const url = typeof typed === 'string' ? readServerUrl(typed) : null
    if (url !== null) servers.push({ url, name })
    else if (typeof entry['command'] === 'string') localOnly.push(name)
  }
  if (servers.length > 0) return { kind: 'servers', servers, localOnly }
  return localOnly.length > 0 ? { kind: 'local-only', names: localOnly } : { kind: 'unreadable' }
}

function entriesOf(value: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (!isJsonObject(value)) return []
  const inner =
    value['mcpServers'] ?? value['servers'] ?? (isJsonObject(value['mcp']) ? value['mcp']['servers'] : undefined)
  if (isJsonObject(inner)) return Object.entries(inner)
  if (typeof value['url'] === 'string' || typeof value['command'] === 'string') return [['', value]]
  return Object.entries(value)
}

/** Users copy a part: `"name": { … }` without its braces, and with a comma after it. */
function parsed(text: string): JsonValue {
  for (const attempt of [text, `{${text.replace(/,\s*$/, '')}}`]) {
    try {
      return JSON.parse(attempt) as JsonValue
    } catch {
      // Try the other form.
    }
  }
  return null
}
