import type { JsonObject, JsonValue } from '@/lib/base/json'
import { propertiesOf } from '../arguments/schema'
import { isUnsafeKey } from '../json-repair/node'

/** The name of the tool's only parameter, else of the only one that it requires. */
export function onlyParameter(schema: JsonObject): string | null {
  const names = Object.keys(propertiesOf(schema) ?? {})
  const required: readonly JsonValue[] = Array.isArray(schema['required']) ? schema['required'] : []
  const [name, other] = names.length === 1 ? names : names.filter((one) => required.includes(one))
  return name === undefined || other !== undefined || isUnsafeKey(name) ? null : name
}
