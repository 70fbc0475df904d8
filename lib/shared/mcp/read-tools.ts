import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { toolServerLimits as limits, type McpTool } from '@/lib/shared/conversation/settings/tool-server'

/**
 * The tools in a server's list, by name, as far as they can be used: what has no name is none, and a name counts once. Texts
 * end where they are cut for everything that follows, so that nobody approves more than a model reads, or less.
 */
export function readTools(listed: readonly JsonValue[]): readonly McpTool[] {
  const byName = new Map<string, McpTool>()
  for (const one of listed) {
    if (!isJsonObject(one)) continue
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
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limits.maxToolsOfSet)
}
