import type { JsonObject, JsonValue } from '@/lib/base/json'
import { propertiesOf, resolveSchema } from '../arguments/schema'
import { isUnsafeKey } from '../json-repair/node'
import type { Grammar } from './grammar'
import type { ValueGrammars } from './json-value'

/** A value where the form has texts only, and the tool's schema tells what they mean. */
export type FieldForm =
  /** Any text of so many characters. */
  | { readonly kind: 'text'; readonly min: number; readonly max: number }
  /** One of these texts. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** A text of a fixed shape, without any character that a form could mind. */
  | { readonly kind: 'shape'; readonly of: Grammar }
  /** JSON; `inline`: a number, a boolean or null. */
  | { readonly kind: 'json'; readonly of: Grammar; readonly inline: boolean }

export interface FieldOfTool {
  readonly key: string
  readonly required: boolean
  readonly forms: readonly FieldForm[]
}

/**
 * The parameters of a tool one by one. Null where they can't be told so: the arguments are one of several objects, or a value has
 * no form in texts. `open`: keys that the schema does not name are kept, too.
 */
export function fieldsOf(
  values: ValueGrammars,
): { readonly fields: readonly FieldOfTool[]; readonly open: boolean } | null {
  const alternatives = values.alternatives(values.root, '')
  const schema = alternatives.length === 1 ? alternatives[0] : undefined
  const properties = schema ? propertiesOf(schema) : null
  if (!schema || schema['enum'] !== undefined || schema['const'] !== undefined) return null
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  // Such a key never comes through: JSON tells that it is missing.
  if (required.some((key) => typeof key === 'string' && isUnsafeKey(key))) return null
  const fields = Object.entries(properties ?? {}).flatMap(([key, value]) =>
    isUnsafeKey(key) || value === false
      ? []
      : // What is a schema of several is no type to the reader: it would leave the text a text.
        isOfSeveral(value, values.root)
        ? [{ key, required: true, forms: [] }]
        : [{ key, required: required.includes(key), forms: fieldForms(values, value, key) }],
  )
  if (fields.some(({ forms }) => forms.length === 0)) return null
  return { fields, open: values.isOpen(schema) }
}

/**
 * How the value may be written. A schema that takes any text takes nothing else: what is written is that text. One whose format
 * is told takes any, too: the reader asks no more of it.
 */
function fieldForms(values: ValueGrammars, raw: JsonValue, key: string): readonly FieldForm[] {
  const all = values.alternatives(raw, key).flatMap((schema) => formsOf(values, schema, key))
  const texts = all.filter(({ kind }) => kind === 'text' || kind === 'shape')
  if (texts.length > 0) return texts
  // What no list is becomes a list of one where a list comes first.
  const list = all.findIndex((form) => form.kind === 'json' && !form.inline && form.isList)
  const kept = list < 0 ? all : all.filter((form, i) => i <= list || (form.kind === 'json' && !form.inline))
  // A text that reads as a number, too: then it is the text, and no number can be told from it.
  const alike = kept.some((form) => form.kind === 'words' && form.words.some((word) => SCALAR.test(word)))
  return kept.filter((form) => !(alike && form.kind === 'json' && form.inline))
}

/** Whether the schema, or one of its alternatives, is put together by `allOf`. */
function isOfSeveral(raw: JsonValue | undefined, root: JsonObject, depth = 0): boolean {
  const schema = resolveSchema(raw, root)
  if (schema['allOf'] !== undefined || depth > 8) return true
  const branches = schema['anyOf'] ?? schema['oneOf']
  return Array.isArray(branches) && branches.some((one: JsonValue) => isOfSeveral(one, root, depth + 1))
}

const SCALAR = /^\s*(?:[+-]?[\d.]|true|false|null|none)/i

type Found = FieldForm & { readonly isList?: boolean }

function formsOf(values: ValueGrammars, schema: JsonObject, key: string): readonly Found[] {
  const { const: only, enum: several } = schema
  const type = values.typeOf(schema)
  const options = only !== undefined ? [only] : Array.isArray(several) && several.length > 0 ? several : null
  if (options) {
    const words = options.filter((one) => typeof one === 'string')
    // Without a type nothing tells the digits of a number from a text.
    const others = type === null || type === 'string' ? [] : options.filter((one) => typeof one !== 'string')
    return [
      ...(words.length > 0 ? [{ kind: 'words' as const, words }] : []),
      ...others.map((one) => ({ kind: 'json' as const, of: values.literal(one), inline: typeof one !== 'object' })),
    ]
  }
  switch (type) {
    case null:
      return [{ kind: 'text', min: 0, max: Infinity }]
    case 'string': {
      const shape = values.shape(schema)
      return [shape ? { kind: 'shape', of: shape } : { kind: 'text', ...values.length(schema, key) }]
    }
    case 'array':
      return [{ kind: 'json', of: values.of(schema, key), inline: false, isList: true }]
    case 'object':
      return [{ kind: 'json', of: values.of(schema, key), inline: false }]
    default:
      return [{ kind: 'json', of: values.of(schema, key), inline: true }]
  }
}
