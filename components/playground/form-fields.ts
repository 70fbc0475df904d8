import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'

/** How one parameter is asked for in a form. */
export interface FormField {
  readonly key: string
  readonly kind: 'text' | 'long-text' | 'number' | 'boolean' | 'choice' | 'json'
  readonly required: boolean
  readonly hint: string
  /** For `choice`. */
  readonly options: readonly JsonValue[]
}

/** The fields of a tool's JSON Schema, in its order. */
export function formFields(schema: JsonObject): readonly FormField[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required: readonly JsonValue[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(properties).map(([key, value]) => {
    const property = isJsonObject(value) ? value : {}
    const options: readonly JsonValue[] = Array.isArray(property.enum) ? property.enum : []
    const hint = typeof property.description === 'string' ? property.description : ''
    return { key, kind: kindOf(key, property, options), required: required.includes(key), hint, options }
  })
}

function kindOf(key: string, property: JsonObject, options: readonly JsonValue[]): FormField['kind'] {
  if (options.length > 0) return 'choice'
  switch (property.type) {
    case 'string':
      return /code|content|text|body/i.test(key) ? 'long-text' : 'text'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      return 'json'
  }
}

/** What stands in a field for a value. */
export function fieldText(field: FormField, value: JsonValue | undefined): string {
  if (value === undefined) return ''
  if (field.kind === 'json' || typeof value !== 'string') return JSON.stringify(value)
  return value
}

/**
 * The arguments after a field was changed. An emptied optional field is left out; what is no number, or no JSON, stays
 * as typed, and the tool's own check says so.
 */
export function withField(args: JsonObject, field: FormField, typed: string): JsonObject {
  const { [field.key]: _, ...others } = args
  if (typed === '' && !(field.required && (field.kind === 'text' || field.kind === 'long-text'))) return others
  return Object.fromEntries(
    // A field keeps its place among the others.
    [...new Set([...Object.keys(args), field.key])].map((key) => [
      key,
      key === field.key ? valueOf(field, typed) : (args[key] ?? null),
    ]),
  )
}

function valueOf(field: FormField, typed: string): JsonValue {
  switch (field.kind) {
    case 'text':
    case 'long-text':
      return typed
    case 'boolean':
      return typed === 'true'
    case 'number':
      return typed.trim() !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed
    case 'choice':
      return field.options.find((option) => fieldText(field, option) === typed) ?? typed
    case 'json':
      try {
        return JSON.parse(typed) as JsonValue
      } catch {
        return typed
      }
  }
}
