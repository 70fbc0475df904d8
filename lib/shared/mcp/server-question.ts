import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { err, ok, type Result } from '@/lib/base/result'

/*
 * A server's question to the user while it runs a call (`elicitation/create`, or an entry of `inputRequests`):
 *
 *   { message: "Which table?", requestedSchema: { type: "object", properties: { seats: { type: "integer", minimum: 1 } } } }
 *   { mode: "url", message: "Pay first", url: "https://pay.example/1" }
 *
 * Schemas are flat: texts, numbers, yes or no, and choices. All texts are foreign.
 */

export type ServerQuestion = {
  /** The asking host. */
  readonly host: string
  readonly message: string
} & (
  | { readonly kind: 'form'; readonly fields: readonly AskedField[] }
  /** `url`: as the server wrote it. */
  | { readonly kind: 'address'; readonly url: string }
  /** Its form can't be shown. */
  | { readonly kind: 'unreadable' }
)

export interface AskedField {
  /** Its name in the answer. */
  readonly key: string
  readonly label: string
  /** '' for none. */
  readonly hint: string
  readonly required: boolean
  readonly type: AskedType
  /** The server's suggestion, as a `DraftValue`. */
  readonly initial: DraftValue
}

type AskedType =
  | {
      readonly is: 'text'
      readonly format: 'email' | 'uri' | 'date' | 'date-time' | null
      readonly min: number
      readonly max: number
    }
  | { readonly is: 'number'; readonly whole: boolean; readonly min: number | null; readonly max: number | null }
  | { readonly is: 'yes-no' }
  | { readonly is: 'choice'; readonly options: readonly AskedOption[] }
  | { readonly is: 'choices'; readonly options: readonly AskedOption[]; readonly min: number; readonly max: number }

interface AskedOption {
  readonly value: string
  readonly label: string
}

/** The value of a form field: `[typed]`, `['yes']`, the values of the chosen options; empty for nothing. */
export type DraftValue = readonly string[]

/** Why a field is not valid. */
export type FieldIssue =
  | { readonly why: 'missing' | 'no-number' | 'not-whole' | NoFormat }
  | {
      readonly why: 'too-small' | 'too-large' | 'too-short' | 'too-long' | 'too-few' | 'too-many'
      readonly limit: number
    }

type NoFormat = 'no-email' | 'no-address' | 'no-date'

const limits = { message: 4_000, fields: 20, options: 100, label: 200, hint: 500, text: 10_000 } as const

/** Reads the question, as far as it can be shown. `params`: of the server's request, unchecked. */
export function readServerQuestion(params: JsonValue | undefined, host: string): ServerQuestion {
  const request = isJsonObject(params) ? params : {}
  const message = textOf(request['message'], limits.message)
  if (request['mode'] === 'url') {
    const { url } = request
    return typeof url === 'string' && url !== ''
      ? { kind: 'address', host, message, url: url.slice(0, limits.message) }
      : { kind: 'unreadable', host, message }
  }
  const fields = fieldsOf(request['requestedSchema'])
  return fields === null ? { kind: 'unreadable', host, message } : { kind: 'form', host, message, fields }
}

/** The address as a link that the user may open; null: it is no web address. */
export function linkOf(url: string): URL | null {
  if (!URL.canParse(url)) return null
  const link = new URL(url)
  if (link.username !== '' || link.password !== '') return null
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(link.hostname)
  return link.protocol === 'https:' || (link.protocol === 'http:' && isLocal) ? link : null
}

function fieldsOf(schema: JsonValue | undefined): readonly AskedField[] | null {
  if (!isJsonObject(schema)) return null
  const properties = schema['properties'] ?? {}
  if (!isJsonObject(properties)) return null
  const required = schema['required']
  const entries = Object.entries(properties)
  if (entries.length > limits.fields) return null
  const fields = entries.map(([key, field]) =>
    fieldOf(key, field, Array.isArray(required) && (required as readonly JsonValue[]).includes(key)),
  )
  return fields.every((field) => field !== null) ? fields : null
}

function fieldOf(key: string, schema: JsonValue, required: boolean): AskedField | null {
  if (!isJsonObject(schema)) return null
  const type = typeOf(schema)
  if (type === null) return null
  return {
    key,
    label: textOf(schema['title'], limits.label) || key.slice(0, limits.label),
    hint: textOf(schema['description'], limits.hint),
    required,
    type,
    initial: initialOf(type, schema['default']),
  }
}

function typeOf(schema: JsonObject): AskedType | null {
  switch (schema['type']) {
    case 'string': {
      const options = optionsOf(schema['enum'] ?? schema['oneOf'], schema['enumNames'])
      if (options === 'unreadable') return null
      if (options !== null) return { is: 'choice', options }
      return {
        is: 'text',
        format: formats.find((format) => format === schema['format']) ?? null,
        min: countOf(schema['minLength'], 0),
        max: Math.min(countOf(schema['maxLength'], limits.text), limits.text),
      }
    }
    case 'number':
    case 'integer':
      return {
        is: 'number',
        whole: schema['type'] === 'integer',
        min: numberOf(schema['minimum']),
        max: numberOf(schema['maximum']),
      }
    case 'boolean':
      return { is: 'yes-no' }
    case 'array': {
      const items = isJsonObject(schema['items'] ?? null) ? (schema['items'] as JsonObject) : {}
      const options = optionsOf(items['enum'] ?? items['anyOf'] ?? items['oneOf'], items['enumNames'])
      if (options === null || options === 'unreadable') return null
      return {
        is: 'choices',
        options,
        min: countOf(schema['minItems'], 0),
        max: Math.min(countOf(schema['maxItems'], options.length), options.length),
      }
    }
    default:
      return null
  }
}

const formats = ['email', 'uri', 'date', 'date-time'] as const

/** `['a']` with `enumNames`, or `[{ const: 'a', title: 'A' }]`; null: it is no choice. Each value once. */
function optionsOf(
  listed: JsonValue | undefined,
  names: JsonValue | undefined,
): readonly AskedOption[] | 'unreadable' | null {
  if (listed === undefined) return null
  if (!Array.isArray(listed) || listed.length === 0 || listed.length > limits.options) return 'unreadable'
  const named: readonly JsonValue[] = Array.isArray(names) ? names : []
  const options = new Map<string, AskedOption>()
  for (const [at, one] of (listed as readonly JsonValue[]).entries()) {
    const value = isJsonObject(one) ? one['const'] : one
    if (typeof value !== 'string') return 'unreadable'
    const label = textOf(isJsonObject(one) ? one['title'] : named[at], limits.label)
    options.set(value, { value, label: label || value.slice(0, limits.label) })
  }
  return [...options.values()]
}

function initialOf(type: AskedType, value: JsonValue | undefined): DraftValue {
  switch (type.is) {
    case 'text':
      return typeof value === 'string' && type.format !== 'date-time' ? [value.slice(0, limits.text)] : []
    case 'number':
      return typeof value === 'number' ? [String(value)] : []
    case 'yes-no':
      return typeof value === 'boolean' ? [value ? 'yes' : 'no'] : []
    case 'choice':
      return type.options.flatMap((option) => (option.value === value ? [option.value] : []))
    case 'choices':
      return type.options.flatMap((option) =>
        Array.isArray(value) && (value as readonly JsonValue[]).includes(option.value) ? [option.value] : [],
      )
  }
}

const textOf = (value: JsonValue | undefined, most: number): string =>
  typeof value === 'string' ? value.slice(0, most).trim() : ''
const numberOf = (value: JsonValue | undefined): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null
const countOf = (value: JsonValue | undefined, otherwise: number): number => Math.max(0, numberOf(value) ?? otherwise)

/** The content of an answer, or the problems, by the index of the field. Optional empty fields are left out. */
export function contentOf(
  fields: readonly AskedField[],
  values: readonly DraftValue[],
): Result<JsonObject, ReadonlyMap<number, FieldIssue>> {
  const issues = new Map<number, FieldIssue>()
  const entries: (readonly [string, JsonValue])[] = []
  for (const [place, field] of fields.entries()) {
    const read = readValue(field, values[place] ?? [])
    if (!read.ok) issues.set(place, read.error)
    else if (read.value !== null) entries.push([field.key, read.value])
  }
  return issues.size > 0 ? err(issues) : ok(Object.fromEntries(entries))
}

/** Null: left out. */
function readValue({ type, required }: AskedField, draft: DraftValue): Result<JsonValue, FieldIssue> {
  const [typed = ''] = draft
  if (type.is === 'choices') {
    if (draft.length === 0 && !required) return ok(null)
    if (draft.length < type.min) return err({ why: 'too-few', limit: type.min })
    return draft.length > type.max ? err({ why: 'too-many', limit: type.max }) : ok([...draft])
  }
  if (typed.trim() === '') return required ? err({ why: 'missing' }) : ok(null)
  switch (type.is) {
    case 'text':
      return readText(type, typed)
    case 'number':
      return readNumber(type, typed.trim())
    case 'yes-no':
      return ok(typed === 'yes')
    case 'choice':
      return type.options.some(({ value }) => value === typed) ? ok(typed) : err({ why: 'missing' })
  }
}

function readText({ format, min, max }: Extract<AskedType, { is: 'text' }>, typed: string): Result<string, FieldIssue> {
  const text = format === null ? typed : typed.trim()
  const issue = format === null ? null : formatIssue(format, text)
  if (issue) return err({ why: issue })
  const { length } = Array.from(text)
  if (length < min) return err({ why: 'too-short', limit: min })
  if (length > max) return err({ why: 'too-long', limit: max })
  // A date-time field uses the local time zone.
  return ok(format === 'date-time' ? new Date(text).toISOString() : text)
}

function formatIssue(format: (typeof formats)[number], text: string): NoFormat | null {
  switch (format) {
    case 'email':
      return /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/.test(text) ? null : 'no-email'
    case 'uri':
      return URL.canParse(text) ? null : 'no-address'
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text) ? null : 'no-date'
    case 'date-time':
      return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text) && !Number.isNaN(Date.parse(text)) ? null : 'no-date'
  }
}

/** 2026-02-30 is invalid. */
const isDay = (text: string): boolean => {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function readNumber(
  { whole, min, max }: Extract<AskedType, { is: 'number' }>,
  typed: string,
): Result<number, FieldIssue> {
  if (!/^-?\d+(?:\.\d+)?$/.test(typed) || typed.replace(/\D/g, '').length > 15) return err({ why: 'no-number' })
  const number = Number(typed)
  if (whole && !Number.isInteger(number)) return err({ why: 'not-whole' })
  if (min !== null && number < min) return err({ why: 'too-small', limit: min })
  return max !== null && number > max ? err({ why: 'too-large', limit: max }) : ok(number)
}
