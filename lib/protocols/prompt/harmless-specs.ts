import { isJsonObject } from '@/lib/base/json'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ToolSpec } from '../types/tool-context-def'

/** Gives each tool with `neutralise` applied to its description and to those in its schema. Made once a tool. */
export function createHarmlessSpecs(neutralise: (text: string) => string): (spec: ToolSpec) => ToolSpec {
  const made = new WeakMap<ToolSpec, ToolSpec>()
  return (spec) => {
    const known = made.get(spec)
    if (known) return known
    const description = neutralise(spec.description)
    const parameters = describedBy(spec.parameters, neutralise)
    const harmless =
      description === spec.description && parameters === spec.parameters ? spec : { ...spec, description, parameters }
    made.set(spec, harmless)
    return harmless
  }
}

/** The same object where nothing changes. */
function describedBy(schema: JsonObject, neutralise: (text: string) => string): JsonObject {
  const entries = Object.entries(schema).map(([key, value]): [string, JsonValue] => [
    key,
    key === 'description' && typeof value === 'string' ? neutralise(value) : inside(value, neutralise),
  ])
  return entries.every(([key, value]) => schema[key] === value) ? schema : Object.fromEntries(entries)
}

function inside(value: JsonValue, neutralise: (text: string) => string): JsonValue {
  if (isJsonObject(value)) return describedBy(value, neutralise)
  if (!Array.isArray(value)) return value
  const items = value.map((one: JsonValue) => inside(one, neutralise))
  return items.every((one, at) => one === value[at]) ? value : items
}
