import type { JsonObject, JsonValue } from '@/lib/base/json'
import type { ToolMatch } from '../arguments/tool-index'
import { isPlaceholder } from '../arguments/write-json'
import type { Dialect, Outcome, ReadContext } from '../arguments/dialect'
import { nodeValue, isUnsafeKey } from '../json-repair/node'
import { readJson } from '../json-repair/read-json'
import { isLineStart, runEnd } from '../scan/fences'
import type { RepairCode } from '../types/segment'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import { PYTHON, readLiteral, readMap } from './literal'
import { readCall } from './python-syntax'
import { noArguments, completeCall, type Arguments } from './elements'
import { propertiesOf } from '../arguments/schema'

/*
 * ReAct, the format for agents before models had calls of their own:
 *
 *   Thought: I need the file.
 *   Action: read_file
 *   Action Input: {"path": "/a"}
 *
 * The name may be in backticks, quotes or brackets, the labels in bold or as headings. The input is an object (JSON or
 * Python, also in a code block), or the value of the only parameter of a known tool. `Action: read_file(path="/a")`
 * works for known tools, and so does, on the last line, a tool that needs no arguments. Two labels in neighbouring
 * lines are rare in prose, but an unknown name counts only with an object. Chinese labels are read too: 行动, 行动输入.
 */

/** The mark of a list item, then marks of emphasis or of a heading. */
const BEFORE = String.raw`(?:(?:[-+*]|\d{1,2}[.)])[ \t]{1,4})?[#*_]{0,4}[ \t]?`
const BEHIND = String.raw`(?:[ \t]\d{1,3})?[*_]{0,2}[ \t]?[:：][*_]{0,2}`
/** A heading needs no colon; its text is on the next line. */
const BELOW = String.raw`#{1,6}[ \t][*_]{0,2}`
const LINES = String.raw`[*_]{0,2}[ \t]{0,8}(?=\r?\n)[ \t\r\n]{0,8}`
const INPUT = 'Action[ _-]?Inputs?|(?:行动|动作|操作)(?:输入|参数)'

export const ACTION_LABEL = new RegExp(
  `${BEFORE}(?:Action|行动|动作|操作)${BEHIND}[ \\t]{0,8}|${BELOW}(?:Action|行动|动作|操作)${LINES}`,
  'iy',
)
/** The last names are those of any text: they count only before the object of a known tool. */
const INPUT_LABEL = new RegExp(
  `${BEFORE}(?:${INPUT}|(Inputs?|Arg(?:ument)?s|Param(?:eter)?s|输入|参数))${BEHIND}|${BELOW}(?:${INPUT})${LINES}`,
  'iy',
)
const NAME =
  /(?:\[|`{1,2}|["'“<]|\*\*)?([\p{L}_][\p{L}\p{N}_.:/ -]{0,63}?)(?:\(\))?(?:\]|`{1,2}|["'”>]|\*\*)?(?:\(\))?[.,;]?[ \t]{0,8}(?:\r?\n[ \t\r\n]{0,8}|$)/uy
/** Names that mean "no action". */
const NO_TOOL = /^(?:none|null|nil|n\/?a|no[ _]?(?:action|tool)|finish|final[ _]?answer|answer|respond|done|stop)$/i
/** Names of examples in documentation. */
const EXAMPLE =
  /^(?:(?:the|my|your|some|a|any|example|sample)[ _-].*|(?:tool|action|function|method|api|command)(?:[ _-]?(?:name|call|id|here))?)$/i
const NO_INPUT = /^(?:none|null|n\/?a|no input|empty|-)\.?$/i
/** What may follow an input on its line. */
const NEXT = /(?:Observation|Thought|Final Answer)\b|观察|思考|最终答案/y
/** The line below a plain input, where the input could continue. */
const NEXT_LINE =
  /[#*_]{0,4}[ \t]?(?:(?:Observation|Thought|Action|Final Answer|Question)\b|观察|思考|行动|最终答案)|[ \t\r]*\n|<\||<\/s>/iy
const OBSERVATION = /[#*_]{0,4}(?:Observation\b|观察)/y
const MAX_LINE = 2000

interface Input {
  readonly args: Arguments
  readonly end: number
  readonly repairs: readonly RepairCode[]
}

const codes = (characters: string): ReadonlySet<number> => new Set(Array.from(characters, (one) => one.charCodeAt(0)))
const LEADING = codes('-+*#_ \t.)0123456789')
const LABEL_STARTS = codes('行动操')

/** The first characters after the marks decide for most lists, without a pattern. */
function mayBeLabel(source: Source, start: number): boolean {
  let i = start
  while (i - start < 16 && LEADING.has(source.at(i))) i += 1
  return source.has(i, 'ac', true) || LABEL_STARTS.has(source.at(i))
}

export const reactDialect: Dialect = {
  id: 'react',
  triggers: '',
  lineTriggers: 'Aa*#_-+行动操0123456789',
  fences: [],
  read(source, start, context) {
    if (!isLineStart(source, start) || !mayBeLabel(source, start)) return null
    const label = source.match(ACTION_LABEL, start, 40)
    if (!label) return null
    const from = start + label[0].length
    const named = source.match(NAME, from, 110)
    const written = named?.[1]
    if (!named || written === undefined) return readPythonAction(source, start, from, context)
    const input = source.match(INPUT_LABEL, from + named[0].length, 40)
    const name = written.trim()
    const tool = context.tools.match(name)
    if (!input) {
      const next = from + named[0].length
      const ends = source.at(next) < 0 || source.match(OBSERVATION, next, 16) !== null
      if (!tool || tool.normalised || !ends || isAsked(tool.spec.parameters)) return null
      return completeCall(source, start, from + named[0].trimEnd().length, { name, arguments: {} }, context)
    }
    if (!tool && (context.quoted || !/^[\w.:/-]+$/.test(name) || NO_TOOL.test(name) || EXAMPLE.test(name))) return null
    const opens = source.at(source.skipSpace(from + named[0].length + input[0].length))
    if (input[1] !== undefined && (!tool || (opens !== Char.OPEN_BRACE && opens !== Char.BACKTICK))) return null
    source.certain = { start, name: tool?.spec.name ?? name }
    const value = readInput(source, from + named[0].length + input[0].length, tool, context)
    return value
      ? completeCall(source, start, value.end, { name, arguments: value.args, repairs: value.repairs }, context)
      : null
  },
}

/** Reads `Action: read_file(path="/a")` of a known tool. */
function readPythonAction(source: Source, start: number, from: number, context: ReadContext): Outcome | null {
  const call = readCall(source, source.at(from) === Char.BACKTICK ? from + 1 : from)
  if (!call || !context.tools.match(call.name)) return null
  const end = source.at(call.end) === Char.BACKTICK ? call.end + 1 : call.end
  return endsInput(source, end)
    ? completeCall(source, start, end, { name: call.name, arguments: call.args }, context)
    : null
}

function readInput(source: Source, from: number, tool: ToolMatch | null, context: ReadContext): Input | null {
  const same = source.skipBlanks(from)
  const first = source.skipSpace(from)
  const unit = source.at(first)
  if (unit === Char.BACKTICK) return readMarked(source, first, tool, context)
  if (unit === Char.OPEN_BRACE) {
    const object = readObject(source, first, tool, context)
    return object && endsInput(source, object.end) ? object : null
  }
  if (!tool) return null
  // A plain value below its label could be anything; without one there may be no input at all.
  if (first !== same)
    return source.at(first) >= 0 && stepFollows(source, first) ? { args: noArguments(), end: from, repairs: [] } : null
  return readPlain(source, first, tool)
}

/** Reads an input in backticks: on the line, or a code block. */
function readMarked(source: Source, i: number, tool: ToolMatch | null, context: ReadContext): Input | null {
  const open = runEnd(source, i)
  const language =
    open - i >= 3 ? source.match(/[ \t]{0,4}(?:json|json5|jsonc|python|py|text)?[ \t]{0,4}\r?\n/iy, open, 20) : null
  const at = source.skipSpace(language ? open + language[0].length : open)
  if (source.at(at) !== Char.OPEN_BRACE) return null
  const object = readObject(source, at, tool, context)
  const close = object ? source.skipSpace(object.end) : at
  if (!object || source.at(close) !== Char.BACKTICK) return null
  const end = runEnd(source, close)
  return end - close >= open - i && endsInput(source, end) ? { ...object, end } : null
}

function readObject(source: Source, i: number, tool: ToolMatch | null, context: ReadContext): Input | null {
  const shape = tool ? context.tools.callShape.child('arguments', tool.spec.name) : null
  const reading = readJson(source, i, { guess: false, shape })
  if (!reading.failure && reading.node?.kind === 'object') {
    const repairs = reading.repairs.map(({ code }) => code)
    return { args: nodeValue(reading.node) as Arguments, end: reading.end, repairs }
  }
  const map = readMap(source, i, PYTHON)
  return map ? { args: map.value, end: map.end, repairs: ['single-quotes'] } : null
}

/** Reads the rest of the line: a literal or plain words, as the value of the only parameter. */
function readPlain(source: Source, i: number, { spec }: ToolMatch): Input | null {
  const lineEnd = endOfLine(source, i)
  if (lineEnd === null) return null
  const text = source.text.slice(i, lineEnd).trim()
  const end = i + source.text.slice(i, lineEnd).trimEnd().length
  if (NO_INPUT.test(text)) return { args: noArguments(), end, repairs: [] }
  const key = onlyParameter(spec.parameters)
  if (key === null || !/[^*_]/.test(text) || isPlaceholder(text) || /^<[^>]*>$/.test(text)) return null
  const literal = readLiteral(source, i, PYTHON)
  if (literal && source.skipBlanks(literal.end) >= end) return wrapped(key, literal.value, literal.end)
  // Half a literal, or words that continue below.
  if (/^["'[({]|["'\])}]$/.test(text) || !stepFollows(source, lineEnd + 1)) return null
  return wrapped(key, text, end)
}

const wrapped = (key: string, value: JsonValue, end: number): Input => ({
  args: Object.assign(noArguments(), { [key]: value }),
  end,
  repairs: ['flattened-arguments'],
})

/** Whether a call needs any argument. */
const isAsked = ({ required }: JsonObject): boolean => Array.isArray(required) && required.length > 0

/** Whether only the next step follows the input on its line. */
function endsInput(source: Source, i: number): boolean {
  const stop = source.at(i) === Char.DOT || source.at(i) === Char.SEMICOLON ? 1 : 0
  const at = source.skipBlanks(i + stop)
  const unit = source.at(at)
  if (unit < 0 || unit === Char.LINE_FEED || unit === Char.CARRIAGE_RETURN || unit === Char.LESS) return true
  return source.match(NEXT, at, 16) !== null
}

const stepFollows = (source: Source, i: number): boolean => source.at(i) < 0 || source.match(NEXT_LINE, i, 24) !== null

function endOfLine(source: Source, i: number): number | null {
  for (let at = i; at - i <= MAX_LINE; at++) {
    const unit = source.at(at)
    if (unit < 0 || unit === Char.LINE_FEED) return at
  }
  return null
}

/** The name of the tool's only parameter, else of its only required one. */
export function onlyParameter(schema: JsonObject): string | null {
  const names = Object.keys(propertiesOf(schema) ?? {})
  const required: readonly JsonValue[] = Array.isArray(schema['required']) ? schema['required'] : []
  const [name, other] = names.length === 1 ? names : names.filter((one) => required.includes(one))
  return name === undefined || other !== undefined || isUnsafeKey(name) ? null : name
}
