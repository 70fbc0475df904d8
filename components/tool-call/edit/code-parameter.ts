import { isJsonObject } from '@/lib/base/json'
import { toolRegistry } from '@/lib/tools/registry'

/** The one parameter of a tool that runs code; null for other tools. */
export function codeParameter(tool: string): string | null {
  const definition = toolRegistry.get(tool)
  if (!definition?.tags.includes('code')) return null
  const properties = definition.parameters['properties']
  const names = isJsonObject(properties) ? Object.keys(properties) : []
  return names.length === 1 ? (names[0] ?? null) : null
}
