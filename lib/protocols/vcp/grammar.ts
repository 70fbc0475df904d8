import { isPlaceholder } from '../arguments/write-json'
import { asJson, callsInFields, type FieldForm, textWithout, type FieldText } from '../grammar/field-calls'
import { alt, charsBut, lit, many, meaning, seq, type CharsNode, type Grammar, type TextNode } from '../grammar/grammar'
import { jsonCallOf } from '../grammar/reply-grammar'
import { jsonTextForm } from '../grammar/json-text'
import { anyCase, plain } from '../grammar/prose-objects'
import { proseWithCalls } from '../grammar/prose-with-calls'
import { isControlKey } from './block'
import { isNameKey } from './fields'
import { DEFINITION_START, END, START } from './markers'
import { vcpDialect } from './read'

/** JSON in a block, without field marks and without the beginning of a marker. */
const jsonForm = jsonTextForm(charsBut('"\\<「」', ['\u0000', '\u001f'], '\u007f'), /[<「」]/g)

const prose = proseWithCalls({
  triggers: [[...plain('<<['), ...anyCase('TOOL_REQUEST')]],
  carriers: [],
  // Such a mark opens text that extends to its end, whatever is in it.
  never: [anyCase(DEFINITION_START.slice(1, -4)), anyCase(END.slice(1, -4))],
  neverFences: vcpDialect.fences,
  shown: ['<<<[TOOL_REQUEST', '\n<<<[TOOL_REQUEST', `\`${START}\``, `\n> ${START}\n`, 'path:「始」'],
})

const block = (...lines: readonly Grammar[]): Grammar => seq(lit(']>>>\n'), ...lines, lit(`\n${END}`))

/** One block per call, its fields in the schema's order; as JSON if fields can't express the call. */
export const grammarOfTools = callsInFields({
  begin: '<<<[TOOL_REQUEST',
  json: jsonForm,
  prose,
  texts: fieldsFor,
  apart: (field) => seq(lit(',\n'), field),
  inFields: ({ name }, fields) =>
    isExpressible(name) ? [block(meaning({ as: 'name', name }, lit(`tool_name:「始」${name}「末」`)), ...fields)] : [],
  inJson: (tool, _, widened) => block(jsonCallOf(tool, jsonForm, widened)),
})

const isExpressible = (name: string): boolean => !/[「」<\r\n]/.test(name) && name.isWellFormed()

/**
 * Keys that a field can have, and that are reserved neither by the block nor by servers (for tools with alternatives).
 */
const isFieldKey = (key: string): boolean =>
  /^[\p{L}\p{N}_.-]{1,64}$/u.test(key) && !isNameKey(key) && !isOwner(key) && !isControlKey(key)

const isOwner = (key: string): boolean => /^(?:tool[_-]?id|command)$/i.test(key) && key !== 'command'

/** The fields that can express a value of a parameter. */
function fieldsFor(key: string, form: FieldForm): readonly FieldText[] {
  if (!isFieldKey(key)) return []
  const field = (of: Grammar, read: FieldText['read'], mark = '', line = ''): FieldText => ({
    before: `${key}:「始${mark}」${line}`,
    of,
    after: `${line}「末${mark}」`,
    read,
  })
  const asText = (text: string): string => text
  switch (form.kind) {
    case 'words': {
      const words = form.words.filter((word) => isExpressible(word) && word !== '' && !isPlaceholder(word))
      return words.length === 0 ? [] : [field(alt(...words.map((word) => lit(word))), asText)]
    }
    case 'shape':
      return [field(form.of, asText)]
    case 'json':
      return [field(form.of, asJson)]
    case 'text':
      if (form.min > 0 || form.max < Infinity) return [field(counted(form.min, form.max), asText)]
      return [
        field(LINE, asText),
        field(LINES, asText, '', '\n'),
        ...LITERALS.map(({ kind, of }) => field(of, asText, kind, '\n')),
      ]
  }
}

const MARKERS = [
  [...plain('<<['), ...anyCase('TOOL_REQUEST')],
  [...plain('<<['), ...anyCase('END_TOOL_REQUEST')],
]
const MARKS = /[「」]|<<\[(?:end_)?tool_request/i

/** A value on one line. */
const LINE = textWithout(
  [plain('「'), plain('」'), plain('\n'), plain('\r'), ...MARKERS],
  /[\r\n]|[「」]|<<\[(?:end_)?tool_request/i,
  '',
)
/** A value of several lines, between line ends that are not part of it. */
const LINES = textWithout([plain('「'), plain('」'), ...MARKERS], MARKS, '\r')
/**
 * The same with all marks except those of its own kind, and those that represent others: it never contains the kind's
 * name. Characters beyond ASCII then need not be excluded; excluding them would make XGrammar exclude others (0.1.27:
 * `+` for `末`).
 */
const literalText = (kind: string): Grammar & TextNode =>
  textWithout(
    [plain(kind), ...['<<[TOOL_REQUEST_', '<<[END_TOOL_REQUEST_'].map(anyCase)],
    new RegExp(String.raw`${kind}|<<\[(?:end_)?tool_request_`, 'i'),
    '\r',
  )
const LITERALS = ['ESCAPE', 'exp'].map((kind) => ({ kind, of: literalText(kind) }))

/** This many characters on a line, with either `<` or `[`, since both together could be a marker. */
function counted(min: number, max: number): TextNode {
  const line = (but: string): CharsNode => charsBut(`「」\r\n${but}`)
  return {
    kind: 'text',
    of: alt(many(line('<'), min, max), many(line('['), min, max)),
    min,
    max,
    write: (text) =>
      /[「」\r\n]/.test(text) || (text.includes('<') && text.includes('[')) || !text.isWellFormed() ? null : text,
  }
}
