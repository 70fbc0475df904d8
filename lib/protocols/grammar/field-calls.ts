import type { JsonValue } from '@/lib/base/json'
import type { ToolSpec } from '../types/tool-context-def'
import { fieldsOf } from './field-forms'
import type { FieldForm } from './field-forms'
import { alt, lit, many, meaning, optional, seq } from './grammar'
import type { Grammar } from './grammar'
import { eachCallOf } from './json-call'
import type { JsonTextForm } from './json-text'
import { ValueGrammars } from './json-value'
import type { Widening } from './json-value'
import type { GrammarOfTools } from './reply-grammar'

/** One way to write a parameter: what stands around its value, and what the text between says. */
export interface FieldText {
  readonly before: string
  readonly of: Grammar
  readonly after: string
  readonly read: (text: string) => JsonValue
}

/** How a form writes calls whose parameters stand one by one, as texts. */
export interface FieldCalls {
  /** What begins each call, the same for all tools. */
  readonly begin: string
  /** Texts inside of JSON values. */
  readonly json: JsonTextForm
  /** Free prose with calls in it, given what follows `begin`. */
  readonly prose: (bodies: readonly Grammar[]) => Grammar
  /** The ways in which a value of the schema's may be written; [] where the form can't say it. */
  readonly texts: (key: string, form: FieldForm) => readonly FieldText[]
  /** A parameter with what parts it from the others. */
  readonly apart: (field: Grammar) => Grammar
  /** What follows `begin` where the parameters are told one by one; [] where the form can't. `bare`: none need be there. */
  readonly inFields: (tool: ToolSpec, fields: readonly Grammar[], bare: boolean) => readonly Grammar[]
  /** The same with all arguments as one JSON object; null where the form can't name the tool. */
  readonly inJson: (
    tool: ToolSpec,
    values: ValueGrammars,
    widened: (all: readonly Widening[]) => void,
  ) => Grammar | null
}

/** One element, or block, a call; its parameters in the schema's order, and as JSON where they can't be told one by one. */
export function callsInFields(form: FieldCalls): GrammarOfTools {
  return (tools) => {
    const { one, ...said } = eachCallOf(tools, (tool, widened) => callOf(form, tool, widened))
    if (!one) return null
    const call = seq(lit(form.begin), one)
    return {
      call: seq(call, many(seq(lit('\n'), call))),
      reply: form.prose([one]),
      jsonSchema: null,
      whole: null,
      ...said,
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
  const told = all ? form.inFields(tool, fields, !found.fields.some(({ required }) => required)) : []
  // Keys that the schema does not name can be told in JSON only.
  const inJson = told.length === 0 || found?.open === true ? form.inJson(tool, values, widened) : null
  if (told.length > 0) widened(values.widened)
  const ways = inJson ? [...told, inJson] : told
  return ways.length === 0 ? null : alt(...ways)
}

const fieldText = (key: string, { before, of, after, read }: FieldText): Grammar =>
  meaning(
    { as: 'argument', key, read: (text) => read(text.slice(before.length, text.length - after.length)) },
    seq(lit(before), of, lit(after)),
  )

export const asJson = (text: string): JsonValue => JSON.parse(text) as JsonValue
