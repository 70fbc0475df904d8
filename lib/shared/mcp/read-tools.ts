import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { toolServerLimits as limits, type McpTool } from '@/lib/shared/conversation/settings/tool-server'
import { uiOf } from './tool-page'

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
