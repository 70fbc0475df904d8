import { readTag } from '../scan/tags'
import * as Char from '../text/source'
import { type Source, isSpace, isWordPart } from '../text/source'
import { type Neutraliser, elementFrames } from '../neutralise/neutralise'
import type { CallToWrite, FramedResults, ResultToWrite } from '../types/tool-context-def'
import { writeJson, isPlaceholder } from '../arguments/write-json'

export const TAG = 'tool_action'
export const RESULT_TAG = 'tool_action_result'

export interface Value {
  readonly text: string
  /** Written with an entity or in CDATA: `...` or `$PARAM` was then meant literally. */
  readonly literal: boolean
}

export interface OpeningTag {
  readonly end: number
  readonly selfClosing: boolean
  readonly otherCase: boolean
  readonly attributes: ReadonlyMap<string, Value>
}

const MAX_TAG = 2000

/** Whether an opening tag with something in it begins at `i`; a bare tag is a mention. */
export const opensAction = (source: Source, i: number): boolean =>
  source.has(i, `<${TAG}`, true) && isSpace(source.at(i + TAG.length + 1))

/** `<tool_action name="x" …>` at `i`; null if it is anything else or the tag does not end. */
export function readOpeningTag(source: Source, start: number): OpeningTag | null {
  if (!opensAction(source, start)) return null
  const attributes = new Map<string, Value>()
  const otherCase = !source.has(start + 1, TAG)
  for (let i = source.skipSpace(start + TAG.length + 1); i - start <= MAX_TAG;) {
    const unit = source.at(i)
    if (unit === Char.GREATER) return { end: i + 1, selfClosing: false, otherCase, attributes }
    if (unit === Char.SLASH && source.at(i + 1) === Char.GREATER)
      return { end: i + 2, selfClosing: true, otherCase, attributes }
    const name = readAttributeName(source, i)
    if (!name?.assigned) return null
    const quote = source.at(name.end)
    const quoted = quote === Char.QUOTE || quote === Char.APOSTROPHE
    let end = quoted ? name.end + 1 : name.end
    while (!(quoted ? source.at(end) === quote : endsBareValue(source, end))) {
      if (source.at(end) < 0 || end - start > MAX_TAG) return null
      end++
    }
    attributes.set(name.name, decoded(source.text.slice(quoted ? name.end + 1 : name.end, end)))
    i = source.skipSpace(quoted ? end + 1 : end)
  }
  return null
}

/** The start of the call before its name's quote at `quote`, inside a JSON string: the string was cut off. */
export function elementBefore(source: Source, quote: number): number {
  const from = Math.max(0, quote - 40)
  const found = /<tool_action\s+name\s*=\s*$/i.exec(source.text.slice(from, quote))
  return found ? from + found.index : -1
}

const WRONG = ['tool_call', 'tool_code', 'tool_use', 'tool', 'action', 'function_call', 'function', 'invoke'] as const

/** The end of a closing tag at `i` that other dialects use here, or null. */
export function readWrongCloser(source: Source, i: number): number | null {
  for (const name of WRONG) {
    const closer = readTag(source, i, name, true)
    if (closer) return closer.end
  }
  return null
}

/** `name =` at `i`, with the offset of its value; `assigned` is false for a name alone. */
export function readAttributeName(
  source: Source,
  i: number,
): { readonly name: string; readonly end: number; readonly assigned: boolean } | null {
  const end = wordEnd(source, i)
  if (end === i) return null
  const name = source.text.slice(i, end).toLowerCase()
  const equals = source.skipSpace(end)
  if (source.at(equals) !== Char.EQUALS) return { name, end: equals, assigned: false }
  return { name, end: source.skipSpace(equals + 1), assigned: true }
}

/** Whether a value without quotes ends here: at white space, `>` or `/>`. */
export const endsBareValue = (source: Source, i: number): boolean => {
  const unit = source.at(i)
  return (
    unit < 0 || unit === Char.GREATER || isSpace(unit) || (unit === Char.SLASH && source.at(i + 1) === Char.GREATER)
  )
}

/** The end of the name of an element or attribute: any script, `_`, `-`, `.`, `:`. */
export function wordEnd(source: Source, i: number): number {
  let end = i
  while ((isWordPart(source.at(end)) || source.at(end) === Char.COLON) && end - i < 128) end++
  return end
}

/** The same, for a search. */
export const wordPattern = (): RegExp => /[\p{L}\p{N}_.$-]{1,128}/gu

const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }
const ENTITY = /&(?:(quot|apos|lt|gt|amp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi

/** Entities are decoded once. */
export function decoded(raw: string): Value {
  if (!raw.includes('&')) return { text: raw, literal: false }
  const text = raw.replaceAll(ENTITY, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal)
    return code <= Char.LAST_CODE_POINT ? String.fromCodePoint(code) : whole
  })
  return { text, literal: text !== raw }
}

/** Removes at most one newline at each end. */
export const trimNewlines = (text: string): string => text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')

/** Longer texts are written between tags. */
const MAX_ATTRIBUTE = 200
const PLAIN_KEY = /^[\p{L}_][\p{L}\p{N}_.-]{0,63}$/u
/** Element names that are reserved by the block itself. */
const RESERVED = /^(param|parameter|tool_action.*)$/i

/**
 * One element per call, one element per parameter: `<tool_action name="read_file"><path value="/a" /></tool_action>`.
 */
export function formatCalls(calls: readonly CallToWrite[]): string {
  return calls
    .map(({ name, arguments: args }) => {
      const open = `<${TAG} name="${encoded(name)}"`
      const elements = Object.entries(args).map(([key, value]) =>
        elementOf(key, typeof value === 'string' ? value : writeJson(value), typeof value === 'string'),
      )
      return elements.length === 0 ? `${open} />` : `${open}>\n${elements.join('\n')}\n</${TAG}>`
    })
    .join('\n')
}

/** The element of a parameter: `open` is its opening tag up to where the value may follow. */
export function elementFor(key: string): { readonly tag: string; readonly open: string } {
  const plain = PLAIN_KEY.test(key) && !RESERVED.test(key)
  return plain ? { tag: key, open: `<${key}` } : { tag: 'param', open: `<param name="${encoded(key)}"` }
}

function elementOf(key: string, value: string, isText: boolean): string {
  const { tag, open } = elementFor(key)
  if (isText && isPlaceholder(value)) return `${open} value="&#${value.charCodeAt(0)};${value.slice(1)}" />`
  const inline = isText ? value.length <= MAX_ATTRIBUTE && !value.includes('\n') : !/["<&]/.test(value)
  if (inline) return `${open} value="${encoded(value)}" />`
  return `${open}>${contentOf(value)}</${tag}>`
}

/** Adds a newline at each end if needed: between tags, one at each end is not part of a value. */
function contentOf(value: string): string {
  // A bracket at the edge would look like one of the section's marks.
  const lines = /[\r\n]|^\[|\]$/.test(value)
  const padded = `${lines ? '\n' : ''}${value}${lines && !value.endsWith('\r') ? '\n' : ''}`
  if (!/[<&]/.test(value) && !padded.startsWith('>')) return padded
  // With a section mark inside a section, the end would be ambiguous.
  return /\]\]>|<!\[CDATA\[/.test(value) ? encoded(padded) : `<![CDATA[${padded}]]>`
}

const NAMES: Readonly<Record<string, string>> = { '&': 'amp', '"': 'quot', '<': 'lt', '>': 'gt' }
export const encoded = (text: string): string => text.replaceAll(/[&"<>]/g, (char) => `&${NAMES[char] ?? ''};`)

export const formatResults = (
  results: readonly ResultToWrite[],
  boundary: string,
  neutralise: Neutraliser,
): FramedResults => elementFrames(RESULT_TAG, results, boundary, neutralise)
