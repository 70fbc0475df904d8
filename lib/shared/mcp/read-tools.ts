import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { toolServerLimits as limits, type McpTool } from '@/lib/shared/conversation/settings/tool-server'

/**
 * The tools in a server's list, by name, as far as they can be used: what has no name is none, and a name counts once. Texts
 * end where they are cut for everything that follows, so that nobody approves more than a model reads, or less.
 */
export function readToolList(listed: readonly JsonValue[]): {
  readonly tools: readonly McpTool[]
  /** How many are over the limit. */
  readonly leftOut: number
} {
  const byName = new Map<string, McpTool>()
  for (const one of listed) {
    if (!isJsonObject(one) || isForAppsAlone(one)) continue
    const { name, title, description, inputSchema, outputSchema, annotations } = one
    if (typeof name !== 'string' || name === '' || name.length > 256 || byName.has(name)) continue
    byName.set(name, {
      name,
      ...(typeof title === 'string' && { title: title.slice(0, 200) }),
      ...(typeof description === 'string' && { description: description.slice(0, limits.maxDescriptionChars) }),
      inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: 'object' },
      ...(isJsonObject(outputSchema) && { outputSchema }),
      ...(isJsonObject(annotations) && { annotations }),
    })
  }
  // By code units: an order that every machine has.
  const all = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const tools = all.slice(0, limits.maxToolsOfSet)
  return { tools, leftOut: all.length - tools.length }
}

export const readTools = (listed: readonly JsonValue[]): readonly McpTool[] => readToolList(listed).tools

/** A page of the server may call it (MCP Apps), and no model. */
function isForAppsAlone({ _meta: meta }: JsonObject): boolean {
  const ui = isJsonObject(meta ?? null) ? (meta as JsonObject)['ui'] : null
  const visibility = isJsonObject(ui ?? null) ? (ui as JsonObject)['visibility'] : null
  return Array.isArray(visibility) && !(visibility as readonly JsonValue[]).includes('model')
}
