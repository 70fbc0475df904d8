import type { JsonValue, JsonObject } from '@/lib/base/json'
import type { ToolSpec } from '../types/tool-context-def'
import { alt, lit, many, meaning, optional, seq, type Grammar, chars, type TextNode } from './grammar'
import type { JsonTextForm } from './json-text'
import { ValueGrammars, type Widening } from './json-value'
import { type GrammarOfTools, eachCallOf } from './reply-grammar'
import { propertiesOf, resolveSchema } from '../arguments/schema'
import { isUnsafeKey } from '../json-repair/node'
import { proseAutomaton, type PatternState } from './prose-automaton'

/** A value in a form that has only text, where the tool's schema determines its type. */
export type FieldForm =
  /** Any text with this many characters. */
  | { readonly kind: 'text'; readonly min: number; readonly max: number }
  /** One of these texts. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** A text of a fixed shape, without any character that a form could treat specially. */
  | { readonly kind: 'shape'; readonly of: Grammar }
  /** JSON. `inline`: a number, a boolean or null. */
  | { readonly kind: 'json'; readonly of: Grammar; readonly inline: boolean }

interface FieldOfTool {
  readonly key: string
  readonly required: boolean
  readonly forms: readonly FieldForm[]
}

/**
 * The parameters of a tool one by one. Null if this is impossible: the arguments are one of several objects, or a value
 * can't be written as text. `open`: keys that the schema does not name are kept, too.
 */
function fieldsOf(values: ValueGrammars): { readonly fields: readonly FieldOfTool[]; readonly open: boolean } | null {
  const alternatives = values.alternatives(values.root, '')
  const schema = alternatives.length === 1 ? alternatives[0] : undefined
  const properties = schema ? propertiesOf(schema) : null
  if (!schema || schema['enum'] !== undefined || schema['const'] !== undefined) return null
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  // Such a key is always removed, so the JSON reader would report it as missing.
  if (required.some((key) => typeof key === 'string' && isUnsafeKey(key))) return null
  const fields = Object.entries(properties ?? {}).flatMap(([key, value]) =>
    isUnsafeKey(key) || value === false
      ? []
      : // The reader does not treat a combined schema as a type: it would keep the value as text.
        isOfSeveral(value, values.root)
        ? [{ key, required: true, forms: [] }]
        : [{ key, required: required.includes(key), forms: fieldForms(values, value, key) }],
  )
  if (fields.some(({ forms }) => forms.length === 0)) return null
  return { fields, open: values.isOpen(schema) }
}

/**
 * How the value may be written. A schema that accepts any text accepts nothing else: the written text is the value. A
 * text with a format accepts any text too, since the reader does not check more.
 */
function fieldForms(values: ValueGrammars, raw: JsonValue, key: string): readonly FieldForm[] {
  const all = values.alternatives(raw, key).flatMap((schema) => formsOf(values, schema, key))
  const texts = all.filter(({ kind }) => kind === 'text' || kind === 'shape')
  if (texts.length > 0) return texts
  // A value that is not a list becomes a list with one item if a list comes first.
  const list = all.findIndex((form) => form.kind === 'json' && !form.inline && form.isList)
  const kept = list < 0 ? all : all.filter((form, i) => i <= list || (form.kind === 'json' && !form.inline))
  // A text that also reads as a number is read as the text, so no number can be written this way.
  const alike = kept.some((form) => form.kind === 'words' && form.words.some((word) => SCALAR.test(word)))
  return kept.filter((form) => !(alike && form.kind === 'json' && form.inline))
}

/** Whether the schema, or one of its alternatives, is combined by `allOf`. */
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
    // Without a type, digits of a number can't be distinguished from text.
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

/** One way to write a parameter: the text around its value, and the meaning of the text between. */
export interface FieldText {
  readonly before: string
  readonly of: Grammar
  readonly after: string
  readonly read: (text: string) => JsonValue
}

/** How a form writes calls whose parameters are separate text fields. */
export interface FieldCalls {
  /** The beginning of each call, the same for all tools. */
  readonly begin: string
  /** How texts inside JSON values are written. */
  readonly json: JsonTextForm
  /** Free prose with calls in it, given what follows `begin`. */
  readonly prose: (bodies: readonly Grammar[]) => Grammar
  /** The ways to write a value of the schema; [] if the form can't express it. */
  readonly texts: (key: string, form: FieldForm) => readonly FieldText[]
  /** A parameter with the separator between it and the others. */
  readonly apart: (field: Grammar) => Grammar
  /**
   * The text after `begin` if the parameters are separate fields; [] if the form can't express that. `bare`: all of
   * them are optional.
   */
  readonly inFields: (tool: ToolSpec, fields: readonly Grammar[], bare: boolean) => readonly Grammar[]
  /** The same with all arguments as one JSON object; null if the form can't name the tool. */
  readonly inJson: (
    tool: ToolSpec,
    values: ValueGrammars,
    widened: (all: readonly Widening[]) => void,
  ) => Grammar | null
}

/**
 * One element or block per call. Its parameters are in the schema's order, or in JSON if they can't be separate fields.
 */
export function callsInFields(form: FieldCalls): GrammarOfTools {
  return (tools) => {
    const { one, ...limits } = eachCallOf(tools, (tool, widened) => callOf(form, tool, widened))
    if (!one) return null
    const call = seq(lit(form.begin), one)
    return {
      call: seq(call, many(seq(lit('\n'), call))),
      reply: form.prose([one]),
      jsonSchema: null,
      whole: null,
      ...limits,
    }
  }
}

function callOf(form: FieldCalls, tool: ToolSpec, widened: (all: readonly Widening[]) => void): Grammar | null {
  const values = new ValueGrammars(tool.parameters, form.json)
  const found = fieldsOf(values)
  const fields = (found?.fields ?? []).flatMap(({ key, required, forms }) => {
    const ways = forms.flatMap((one) => form.texts(key, one))
    if (ways.length === 0) return []
    const field = form.apart(alt(...ways.map((way) => fieldText(key, way))))
    return [required ? field : optional(field)]
  })
  const all = found !== null && fields.length === found.fields.length
  const fieldNames = all ? form.inFields(tool, fields, !found.fields.some(({ required }) => required)) : []
  // Keys that the schema does not name can only be written in JSON.
  const inJson = fieldNames.length === 0 || found?.open === true ? form.inJson(tool, values, widened) : null
  if (fieldNames.length > 0) widened(values.widened)
  const ways = inJson ? [...fieldNames, inJson] : fieldNames
  return ways.length === 0 ? null : alt(...ways)
}

const fieldText = (key: string, { before, of, after, read }: FieldText): Grammar =>
  meaning(
    { as: 'argument', key, read: (text) => read(text.slice(before.length, text.length - after.length)) },
    seq(lit(before), of, lit(after)),
  )

export const asJson = (text: string): JsonValue => JSON.parse(text) as JsonValue

/**
 * Any text that contains none of these words and does not end in one of `noEnd`. `found` checks whether a text contains
 * one of them.
 */
export function textWithout(
  words: readonly (readonly PatternState[])[],
  found: RegExp,
  noEnd: string,
): Grammar & TextNode {
  const modes = {
    text: {
      words: [
        ...words.map((pattern) => ({ pattern, enters: null })),
        ...noEnd.split('').map((char) => ({ pattern: [{ of: chars(char), loop: false }], enters: { mode: char } })),
      ],
    },
    ...Object.fromEntries(
      noEnd
        .split('')
        .map((char) => [char, { ends: false as const, anchored: true as const, words: [], rest: { mode: 'text' } }]),
    ),
  }
  return {
    kind: 'text',
    of: { kind: 'prose', prose: proseAutomaton(modes, { mode: 'text' }, []) },
    min: 0,
    max: Infinity,
    write: (text) => (found.test(text) || noEnd.includes(text.at(-1) ?? ' ') || !text.isWellFormed() ? null : text),
  }
}
