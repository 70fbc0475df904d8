import { isCutCloser, readTag } from '../scan/tags'
import { braceBefore, peekKey } from '../json-repair/characters'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import { ARGUMENT_KEYS, NAME_KEYS, type ToolIndex } from '../arguments/tool-index'
import { entryFor, objectNode, textNode, type ObjectNode } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import type { RepairCode } from '../types/segment'

export const TAG = 'tool_code'
export const RESULT_TAG = 'tool_result'

/** Whether the object at `i` begins with a key of a call. */
export const opensCall = (source: Source, i: number): boolean =>
  /^(name|tool|tool_name|function|arguments|parameters|id|type)$/.test(peekKey(source, i) ?? '')

export function afterQuote(source: Source, i: number): boolean {
  while (i > 0 && source.text.charCodeAt(i - 1) <= Char.SPACE) i--
  return source.text.charCodeAt(i - 1) === Char.QUOTE
}

/** Whether the tag that opened before `from` is an example inside a text: then two closing tags follow in a row. */
export function isExample(source: Source, from: number): boolean {
  for (let i = from; ; i++) {
    i = source.find('<', i)
    if (i < 0 || readTag(source, i, TAG, false)) return false
    const closer = readTag(source, i, TAG, true)
    if (closer) return closesAgain(source, closer.end)
  }
}

/** Right after a quote, a closing tag may be part of a string: then the real one comes before the next opener. */
export function closesAgain(source: Source, from: number): boolean {
  for (let i = from; ; i++) {
    i = source.find('<', i)
    if (i < 0 || readTag(source, i, TAG, false)) return false
    if (readTag(source, i, TAG, true) || isCutCloser(source, i, TAG)) return true
  }
}

/** Whether a quote or a bracket follows the tag at `i`, before the next tag: then the tag was inside a value. */
export function valueContinues(source: Source, i: number): boolean {
  for (let at = i + 1; ; at++) {
    const unit = source.at(at)
    if (unit < 0 || unit === Char.LESS) return false
    if (unit === Char.QUOTE || unit === Char.CLOSE_BRACE || unit === Char.CLOSE_BRACKET) return true
  }
}

/** The tag before `{"` whose quote is inside a string: the string was cut off and a new call begins. */
export function tagBefore(source: Source, quote: number): number {
  let i = braceBefore(source, quote)
  if (i-- < 0) return -1
  while (i >= 0 && (source.text.charCodeAt(i) <= Char.SPACE || source.text[i] === '[')) i--
  if (source.text[i] !== '>') return -1
  const open = source.text.lastIndexOf('<', i)
  if (open < 0 || i - open > 300 || readTag(source, open, TAG, false)?.end !== i + 1) return -1
  return isExample(source, i + 1) ? -1 : open
}

interface ChildElements {
  readonly name: string | null
  readonly node: ObjectNode
  readonly repairs: readonly RepairCode[]
  /** Null while the elements are incomplete. */
  readonly end: number | null
}

/**
 * `<name>read_file</name><arguments>{"path":"/a"}</arguments>`, or arguments that are elements themselves
 * (`<arguments><path>/a</path></arguments>`). Null if there is no name element at `start`.
 */
export function readChildElements(source: Source, start: number, tools: ToolIndex): ChildElements | null {
  const node = objectNode([], start)
  const repairs: RepairCode[] = []
  const name = textElement(source, start, NAME_KEYS)
  if (!name) return null
  const text = name.text.trim()
  node.entries.push(entryFor('name', textNode(text, start, name.end)))
  const i = source.skipSpace(name.end)
  for (const key of ARGUMENT_KEYS) {
    const tag = readTag(source, i, key, false)
    if (!tag) continue
    const body = source.skipSpace(tag.end)
    const closer = readTag(source, body, key, true)
    if (closer) return { name: text, node: { ...node, end: closer.end }, repairs, end: closer.end }
    if (source.at(body) === Char.OPEN_BRACE) {
      const reading = readJson(source, body, {
        isStop: (at) => readTag(source, at, key, true) !== null,
        mayFollow: (at) => source.at(at) === Char.LESS,
        shape: tools.callShape.child('arguments', text),
      })
      const after = reading.failure ? null : readTag(source, source.skipSpace(reading.end), key, true)
      if (!reading.node || !after) return { name: text, node, repairs, end: null }
      node.entries.push(entryFor('arguments', reading.node))
      repairs.push(...reading.repairs.map((repair) => repair.code))
      return { name: text, node: { ...node, end: after.end }, repairs, end: after.end }
    }
    return { name: text, node, repairs, end: elementArguments(source, body, key, node) }
  }
  return { name: text, node: { ...node, end: name.end }, repairs, end: name.end }
}

/** `<path>/a</path><content>…</content>` up to the closer of `outer`. */
function elementArguments(source: Source, from: number, outer: string, node: ObjectNode): number | null {
  const args = objectNode([], from)
  let i = from
  for (;;) {
    const closer = readTag(source, i, outer, true)
    if (closer) {
      node.entries.push(entryFor('arguments', args))
      return closer.end
    }
    const open = /<([\w.-]{1,64})>/y
    const found = source.match(open, i, 70)
    const key = found?.[1]
    if (!found || key === undefined) return null
    const start = i + found[0].length
    const end = source.find(`</${key}>`, start)
    if (end < 0) return null
    const value = source.text
      .slice(start, end)
      .replace(/^\r?\n/, '')
      .replace(/\r?\n$/, '')
    args.entries.push(entryFor(key, textNode(value, start, end)))
    i = source.skipSpace(end + key.length + 3)
  }
}

function textElement(source: Source, i: number, names: readonly string[]): { text: string; end: number } | null {
  for (const name of names) {
    const open = readTag(source, i, name, false)
    if (!open) continue
    const end = source.find('</', open.end)
    if (end < 0 || end - open.end > 200) return null
    const closer = readTag(source, end, name, true)
    return closer ? { text: source.text.slice(open.end, end), end: closer.end } : null
  }
  return null
}
