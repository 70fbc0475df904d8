import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import { type Source, isSpace } from '../text/source'
import { isKeyUnit, readFieldOpener, readMarker, type FieldOpener } from './markers'
import { normaliseKey, propertiesOf } from '../arguments/schema'
import type { ToolIndex } from '../arguments/tool-index'

export interface Field {
  readonly key: string
  readonly value: string
  readonly start: number
  readonly end: number
  /** Written in an ESCAPE or exp field: everything in it is literal. */
  readonly escaped: boolean
}

const PLAIN_CLOSER = '「末」'
const MAX_NESTED = 8

/**
 * Skips white space, commas and `//` comments between fields; text that ends in the closer of a field is the rest of
 * one.
 */
export function skipBetween(source: Source, from: number, repairs: Set<RepairCode>): number {
  for (let i = from; ;) {
    const unit = source.at(i)
    if (isSpace(unit) || unit === Char.COMMA) i++
    else if (unit === Char.FULL_WIDTH_COMMA) {
      repairs.add('full-width-punctuation')
      i++
    } else if (unit === Char.SLASH && source.at(i + 1) === Char.SLASH) {
      repairs.add('comment')
      const continues = () =>
        source.at(i) !== Char.LINE_FEED && readMarker(source, i) === null && !source.has(i, PLAIN_CLOSER)
      while (source.at(i) >= 0 && continues()) i++
    } else return i
  }
}

/** A value that nothing in the block closes; `candidate` is the end of the last `「末」` that might have closed it. */
export interface OpenField {
  readonly candidate: number | null
}

export function readField(source: Source, start: number, opener: FieldOpener): Field | OpenField {
  const { escaped } = opener
  const found = escaped
    ? { close: source.find(opener.closer, opener.value), candidate: null }
    : findCloser(source, opener.value)
  const { close } = found
  if (close < 0) return found
  const written = source.text.slice(opener.value, close)
  if (
    endsInHalfMark(written) ||
    (escaped && holdsMark(written, opener.closer.slice(2, -1))) ||
    (found.candidate !== null && DAMAGED_FIELD.test(written))
  )
    return { candidate: null }
  const raw = restoreMarkers(trimNewlines(written))
  return { key: opener.key, value: raw, start, end: close + opener.closer.length, escaped }
}

/** A field with a damaged opener or colon, after a `「末」` that was read as part of the value. */
const DAMAGED_FIELD =
  /「末」[\s,，:;「」始末<>[\]{}"]{0,64}[\p{L}\p{N}_.-]{1,64}(?:(?:[^\p{L}\p{N}\n]{0,3}|\s{1,8}|\s{0,8}[:：]\s{0,8}[^\n]?)[「」始末]|\s{0,8}[:：]\s{0,8}$)/u

/**
 * Whether the value contains a mark of the field's own kind, whole or damaged: an ESCAPE field ran on to the closer of
 * another one.
 */
export const holdsMark = (value: string, kind: string): boolean =>
  value.includes(`${kind}」`) || ['「', '始', '末'].some((sign) => value.includes(`${sign}${kind}`))

/** `「始」」tea「「末」`: half a mark at the edge of the value may be part of the mark, written twice. */
const endsInHalfMark = (value: string): boolean => value.endsWith('「') || value.startsWith('」')

/**
 * The `「末」` that ends the value: one that is followed by a new field, END or the end of the block. Whole fields inside
 * the value (an example of a call) are data with their own `「末」`. A field that opens inside and swallows ours means
 * that ours is missing, and the value is not closed.
 */
function findCloser(source: Source, from: number): { readonly close: number; readonly candidate: number | null } {
  let nested = 0
  let candidate: number | null = null
  for (let i = from; ;) {
    const mark = source.find('「', i)
    if (mark < 0) return { close: -1, candidate }
    if (source.has(mark, PLAIN_CLOSER)) {
      const end = mark + PLAIN_CLOSER.length
      if (nested > 0) nested--
      else if (mayFollow(source, end)) return { close: mark, candidate }
      else candidate = end
      i = end
    } else {
      if (opensField(source, mark, from) && ++nested > MAX_NESTED) return { close: -1, candidate }
      i = mark + 1
    }
  }
}

/** Whether `key:` is before the `「始…」` at `mark`. */
function opensField(source: Source, mark: number, from: number): boolean {
  if (!source.has(mark, '「始')) return false
  const before = (i: number): number => {
    while (i > from && (source.text[i - 1] === ' ' || source.text[i - 1] === '\t')) i--
    return i
  }
  let i = before(mark)
  const colon = source.text[i - 1]
  if (i <= from || (colon !== ':' && colon !== '：')) return false
  i = before(i - 1)
  return i > from && (isKeyUnit(source.text.charCodeAt(i - 1)) || /["'`]/.test(source.text[i - 1] ?? ''))
}

/** Whether the text at `i` continues the block: a new field, a marker, or its closing fence. */
function mayFollow(source: Source, from: number): boolean {
  const i = skipBetween(source, from, new Set())
  const unit = source.at(i)
  if (unit < 0) return source.final
  if (unit === Char.LESS) return readMarker(source, i) !== null
  if (unit === Char.BACKTICK) return source.has(i, '```')
  return readFieldOpener(source, i) !== null
}

/** Removes exactly one newline at each end. */
function trimNewlines(text: string): string {
  const start = text.startsWith('\r\n') ? 2 : text.startsWith('\n') ? 1 : 0
  const rest = text.slice(start)
  return rest.endsWith('\r\n') ? rest.slice(0, -2) : rest.endsWith('\n') ? rest.slice(0, -1) : rest
}

/** `<<<[TOOL_REQUEST_ESCAPE]>>>` and its END represent the literal markers. */
const restoreMarkers = (text: string): string =>
  text.includes('TOOL_REQUEST_')
    ? text.replaceAll(/<<<\[(END_)?TOOL_REQUEST_(?:ESCAPE|EXP)\]>>>/g, '<<<[$1TOOL_REQUEST]>>>')
    : text

const NAME = 'toolname'
const METHOD_OWNER = 'toolid'

export const isNameKey = (key: string): boolean => normaliseKey(key) === NAME

/**
 * `tool_name`, or `toolId` and `command` together as `toolId_command`. A name that is not one of our tools is a
 * plugin's, and its `command` is the tool: matched as `name_command`, by the command alone, or as either's
 * `vcpCommand`. A tool that has a `command` parameter itself keeps it.
 */
export function nameOfBlock(
  fields: readonly Field[],
  tools: ToolIndex,
  repairs: Set<RepairCode>,
): { readonly name: string; readonly used: readonly Field[] } | null {
  const all = (key: string) => fields.filter((field) => normaliseKey(field.key) === key)
  const names = all(NAME)
  const name = names.at(-1)
  const commands = all('command')
  const command = commands.at(-1)
  if (name && name.value.trim() !== '') {
    if (name.key !== 'tool_name') repairs.add('alias-key')
    if (names.length > 1) repairs.add('duplicate-key')
    const text = name.value.trim()
    const method = command?.value.trim() ?? ''
    const own = tools.match(text, { commands: true })
    const takesCommand = Object.hasOwn(propertiesOf(own?.spec.parameters ?? {}) ?? {}, 'command')
    if (method === '' || takesCommand) return { name: text, used: names }
    const longer = `${text}_${method}`
    const found = [longer, ...(own ? [] : [method])].find((one) => tools.match(one, { commands: true }))
    return found === undefined ? { name: text, used: names } : { name: found, used: [...names, ...commands] }
  }
  const owners = all(METHOD_OWNER)
  const owner = owners.at(-1)
  if (!owner || !command || owner.value.trim() === '') return null
  return { name: `${owner.value.trim()}_${command.value.trim()}`, used: [...owners, ...commands] }
}

export interface FieldGroup {
  readonly fields: readonly Field[]
  /** Where the group's first own field begins. */
  readonly start: number
}

const NUMBERED = /^(.*?)[_-]?(\d{1,2})$/

/**
 * Splits `command1`, `path1`, `command2`, … into one group per number, in order; unnumbered fields belong to all
 * groups.
 * A key that is itself one of the tool's `parameters` (`line2`) is not numbered.
 */
export function splitNumbered(fields: readonly Field[], parameters: readonly string[]): readonly FieldGroup[] {
  const has = (key: string) => parameters.some((one) => normaliseKey(one) === normaliseKey(key))
  const numbers = new Map<Field, { key: string; number: number }>()
  for (const field of fields) {
    const found = NUMBERED.exec(field.key)
    const key = found?.[1] ?? ''
    if (found && key !== '' && !has(field.key)) numbers.set(field, { key, number: Number(found[2]) })
  }
  const entries = [...numbers.values()]
  const commands = entries.some(({ key }) => normaliseKey(key) === 'command')
  const known = entries.length > 0 && entries.every(({ key }) => has(key))
  const whole = [{ fields, start: fields[0]?.start ?? 0 }]
  if (!commands && !known) return whole
  const order = [...new Set(entries.map(({ number }) => number))].toSorted((a, b) => a - b)
  if (order[0] !== 1) return whole
  let floor = 0
  return order.map((wanted) => {
    const own = fields.flatMap((field) => {
      const numbered = numbers.get(field)
      if (!numbered) return [field]
      return numbered.number === wanted ? [{ ...field, key: numbered.key }] : []
    })
    const first = fields.find((field) => numbers.get(field)?.number === wanted)
    floor = Math.max(first?.start ?? 0, floor + 1)
    return { fields: own, start: floor }
  })
}
