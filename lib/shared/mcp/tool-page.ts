import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { sha256Hex } from '@/lib/base/sha256-hex'
import { canonicalJson } from '@/lib/protocols/types/canonical-json'
import { toolServerLimits as limits, type McpTool, type ToolPage } from '@/lib/shared/conversation/settings/tool-server'

/*
 * MCP Apps (extension `io.modelcontextprotocol/ui` of 2026-01-26): a tool names a page that shows its results,
 *
 *   { name: "plan", _meta: { ui: { resourceUri: "ui://budget/plan.html", visibility: ["model", "app"] } } }
 *
 * and the page is a resource of the same server: HTML, with its network addresses in `_meta.ui.csp`.
 */

/** The capability that a client announces. */
export const uiExtension = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }

export interface PageText {
  readonly html: string
  /** Addresses that it wants to load from or send to. */
  readonly needs: readonly string[]
}

/** What a listed tool says about pages. */
export function uiOf({ _meta: meta = null }: JsonObject): {
  /** The address of its page; null: it has none. */
  readonly uri: string | null
  readonly visibility: Exclude<McpTool['visibility'], undefined> | null
} {
  const fields = objectOf(meta)
  const ui = objectOf(fields['ui'])
  // The second one is the form of servers of 2025.
  const uri = [ui['resourceUri'], fields['ui/resourceUri']].find(
    (one) => typeof one === 'string' && one.startsWith('ui:'),
  )
  const { visibility } = ui
  const seenBy: readonly JsonValue[] = Array.isArray(visibility) ? visibility : ['model', 'app']
  return {
    uri: typeof uri === 'string' && uri.length <= limits.maxUrlChars ? uri : null,
    // If neither may ask for it, no model gets it.
    visibility: seenBy.includes('model') ? (seenBy.includes('app') ? null : 'model') : 'app',
  }
}

/** The page in the response of `resources/read`; null: there is none that can be shown. */
export function readPageText(contents: readonly JsonObject[]): PageText | null {
  const page = contents.find(({ mimeType, text, blob }) => {
    const isPage = typeof mimeType === 'string' && /^text\/html\b/i.test(mimeType)
    return isPage && (typeof text === 'string' || typeof blob === 'string')
  })
  if (!page) return null
  const { text, blob, _meta: meta = null } = page
  const html = typeof text === 'string' ? text : typeof blob === 'string' ? textOfBase64(blob) : null
  if (html === null || html === '' || html.length > limits.maxPageChars) return null
  return { html, needs: needsOf(objectOf(objectOf(meta)['ui'])['csp'] ?? null) }
}

/** The domains of all kinds that it declares. Content inside the page needs no network. */
function needsOf(csp: JsonValue): readonly string[] {
  const declared = Object.values(objectOf(csp)).flatMap((some) =>
    Array.isArray(some) ? (some as readonly JsonValue[]) : [],
  )
  const named = declared.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  const outside = named.filter((one) => !/^(?:data|blob):$|^'/i.test(one.trim()))
  return [...new Set(outside.map((one) => one.trim().slice(0, 300)))].slice(0, limits.maxPageNeeds)
}

/** What is approved of a page. */
export async function toolPage(uri: string, { html, needs }: PageText): Promise<ToolPage> {
  return { uri, hash: await sha256Hex(canonicalJson({ html, needs })), chars: html.length, needs }
}

/** The values that a tool's schema gives to arguments that a call leaves out; its server works with them. */
export function defaultsOf({ properties = null }: JsonObject): JsonObject {
  const defaults = Object.entries(objectOf(properties)).map(
    ([name, value]) => [name, objectOf(value)['default']] as const,
  )
  return Object.fromEntries(defaults.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

const objectOf = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {})

function textOfBase64(base64: string): string | null {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(base64), (one) => one.charCodeAt(0)))
  } catch {
    return null
  }
}

export interface ToolList {
  readonly tools: readonly McpTool[]
  /** The number of tools over the limit. */
  readonly leftOut: number
  /** Addresses of pages, by the name of the tool that they belong to. */
  readonly pages: ReadonlyMap<string, string>
}

/**
 * The usable tools in a server's list, by name: entries without a name are dropped, and a name counts once. Texts are
 * cut here for all later uses, so that nobody approves more than a model reads, or less.
 */
export function readToolList(listed: readonly JsonValue[]): ToolList {
  const byName = new Map<string, McpTool>()
  const pages = new Map<string, string>()
  for (const one of listed) {
    if (!isJsonObject(one)) continue
    const { uri, visibility } = uiOf(one)
    const { name, title, description, inputSchema, outputSchema, annotations } = one
    if (typeof name !== 'string' || name === '' || name.length > 256 || byName.has(name)) continue
    byName.set(name, {
      name,
      ...(typeof title === 'string' && { title: title.slice(0, 200) }),
      ...(typeof description === 'string' && { description: description.slice(0, limits.maxDescriptionChars) }),
      inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
      ...(isJsonObject(outputSchema) && { outputSchema }),
      ...(isJsonObject(annotations) && { annotations }),
      ...(visibility !== null && { visibility }),
    })
    if (uri !== null && visibility !== 'app') pages.set(name, uri)
  }
  // By code units: the same order on every machine.
  const all = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const tools = all.slice(0, limits.maxToolsOfSet)
  return { tools, leftOut: all.length - tools.length, pages }
}
