import { isPlaceholder } from '../arguments/write-json'
import { asJson, callsInFields, type FieldForm, textWithout, type FieldText } from '../grammar/field-calls'
import { alt, charsBut, lit, many, meaning, seq, type Grammar, type TextNode } from '../grammar/grammar'
import { jsonArguments } from '../grammar/reply-grammar'
import { jsonTextForm } from '../grammar/json-text'
import { plain } from '../grammar/prose-objects'
import { proseWithCalls } from '../grammar/prose-with-calls'
import { elementFor, encoded, TAG } from './markup'

/** JSON between tags, without markup characters. */
const jsonForm = jsonTextForm(charsBut('"\\<>&', ['\u0000', '\u001f'], '\u007f'), /[<>&]/g)

const prose = proseWithCalls({
  triggers: [plain(`<${TAG}`)],
  carriers: [],
  shown: [`<${TAG}`, `\n<${TAG}`, `\`<${TAG}>\``, `\n> <${TAG} name="x">\n`],
})

/** Null if no attribute can contain the name. */
function opening(name: string): Grammar | null {
  const written = encoded(name)
  if (written.length > 1000 || !written.isWellFormed()) return null
  return meaning({ as: 'name', name }, lit(` name="${written}"`))
}

const close = lit(`</${TAG}>`)

/** One element per call, its parameters in the schema's order; as JSON if the schema leaves the parameters open. */
export const grammarOfTools = callsInFields({
  begin: `<${TAG}`,
  json: jsonForm,
  prose,
  texts: elementsFor,
  apart: (element) => seq(element, lit('\n')),
  inFields({ name }, elements, bare) {
    const open = opening(name)
    if (!open) return []
    return [
      ...(bare ? [seq(open, lit(' />'))] : []),
      ...(elements.length > 0 ? [seq(open, lit('>\n'), ...elements, close)] : []),
    ]
  },
  inJson({ name }, values, widened) {
    const open = opening(name)
    if (!open) return null
    const body = jsonArguments(values)
    widened(values.widened)
    return seq(open, lit('>\n'), body, lit('\n'), close)
  },
})

/** The elements that can express a value of a parameter. */
function elementsFor(key: string, form: FieldForm): readonly FieldText[] {
  if (!key.isWellFormed() || encoded(key).length >= 256) return []
  const { tag, open } = elementFor(key)
  const inline = (of: Grammar, read: FieldText['read']): FieldText => ({
    before: `${open} value="`,
    of,
    after: '" />',
    read,
  })
  const between = (before: string, of: Grammar, after: string, read: FieldText['read']): FieldText => ({
    before: `${open}>${before}`,
    of,
    after: `${after}</${tag}>`,
    read,
  })
  switch (form.kind) {
    case 'words': {
      const words = form.words.filter((word) => word.isWellFormed() && !hasControl(word) && !isPlaceholder(word))
      return words.length === 0 ? [] : [inline(alt(...words.map((word) => lit(attributeOf(word)))), decoded)]
    }
    case 'shape':
      return [inline(form.of, decoded)]
    case 'json':
      return [form.inline ? inline(form.of, asJson) : between('', form.of, '', asJson)]
    case 'text': {
      const free = form.min === 0 && form.max === Infinity
      // The text of the element `param` must show whether it ran on into another one.
      const section = free && tag !== 'param' ? [between('<![CDATA[\n', SECTION, '\n]]>', (text) => text)] : []
      return [inline(attribute(form.min, form.max), decoded), ...section]
    }
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '"': 'quot',
  '<': 'lt',
  '>': 'gt',
  '\n': '#10',
  '\t': '#9',
}
const attributeOf = (text: string): string => text.replaceAll(/[&"<>\n\t]/g, (char) => `&${ENTITIES[char] ?? ''};`)

const decoded = (text: string): string =>
  text.replaceAll(
    /&(?:amp|quot|lt|gt|#10|#9);/g,
    (entity) => Object.keys(ENTITIES).find((char) => `&${ENTITIES[char] ?? ''};` === entity) ?? entity,
  )

/** A control character that is neither a tab nor a line end. */
const hasControl = (text: string): boolean =>
  Array.from(text).some((char) => char < ' ' && char !== '\t' && char !== '\n')

const attribute = (min: number, max: number): TextNode => ({
  kind: 'text',
  of: many(
    alt(charsBut('"<>&', ['\u0000', '\u001f']), ...Object.values(ENTITIES).map((name) => lit(`&${name};`))),
    min,
    max,
  ),
  min,
  max,
  write: (text) => (hasControl(text) || !text.isWellFormed() ? null : attributeOf(text)),
})

/** The text that a CDATA section holds unchanged, with a line end at each side. */
const SECTION = textWithout([plain(']]>')], /\]\]>/, ']\r')
