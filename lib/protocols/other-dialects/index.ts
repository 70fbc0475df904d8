import { type Dialect, type Part, type Outcome, type ReadContext, finishCall } from '../arguments/dialect'
import { invokeDialect } from './invoke'
import { jsonMarkedDialects, withoutForm, bareJsonDialect } from './json-marked'
import { minimaxDialect } from './minimax'
import { gemmaPythonDialect, lfmDialect, pythonicDialect, pythonReplyDialect } from './python-call'
import { qwenDialect } from './qwen'
import { reactDialect, ACTION_LABEL, onlyParameter } from './action-input'
import { decode } from '../arguments/change-type'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { readTag } from '../scan/tags'
import { valueUntil, type OwnTags, completeCall, type Arguments, glmDialect } from './elements'
import { resolveCallObject } from '../arguments/call-object'
import { readJson } from '../json-repair/read-json'
import { isLineStart, runEnd } from '../scan/fences'
import * as Char from '../text/source'
import { nodeValue } from '../json-repair/node'
import { type Source, isWordPart } from '../text/source'
import { readMap, type LiteralSyntax } from './literal'

/*
 * Gemma's own calls, with strings between tokens in which nothing is escaped:
 *
 *   <|tool_call>call:read_file{path:<|"|>/a<|"|>,limit:3}<tool_call|>                              Gemma 4
 *   <start_function_call>call:read_file{path:<escape>/a<escape>}<end_function_call>               FunctionGemma
 *   call:read_file{path:<|"|>/a<|"|>}      of a known tool at the start of a line, if a server removed the tokens
 */

const SYNTAX: LiteralSyntax = { quotes: ['<|"|>', '<escape>'], bareKeys: true }
const TOKENS: readonly (readonly [open: string, close: string])[] = [
  ['<|tool_call>', '<tool_call|>'],
  ['<start_function_call>', '<end_function_call>'],
]
const CALL = 'call:'
const MAX_NAME = 90

const gemmaDialect: Dialect = {
  id: 'gemma',
  triggers: '<',
  starts: [...TOKENS.map(([open]) => open), CALL],
  lineTriggers: 'c',
  fences: ['tool_code'],
  read(source, start, context) {
    const tokens = TOKENS.find(([open]) => source.has(start, open))
    const at = tokens ? source.skipSpace(start + tokens[0].length) : start
    if (!source.has(at, CALL) || (!tokens && !isLineStart(source, at))) return null
    const brace = braceAfterName(source, at + CALL.length)
    if (brace === null) return null
    const name = source.text.slice(at + CALL.length, brace).trim()
    if (!tokens && !context.tools.match(name)) return null
    source.certain = { start, name }
    const map = readMap(source, brace, SYNTAX)
    if (!map) return null
    const closer = tokens ? source.skipSpace(map.end) : map.end
    if (tokens && !source.has(closer, tokens[1])) return null
    const end = tokens ? closer + tokens[1].length : map.end
    const call = finishCall({ ownId: null, name, arguments: map.value, repairs: [] }, context.tools)
    return { kind: 'parts', end, parts: [{ kind: 'call', start, end, call }] }
  },
}

function braceAfterName(source: Source, from: number): number | null {
  let end = from
  while (
    (isWordPart(source.at(end)) || source.at(end) === Char.DOT || source.at(end) === Char.COLON) &&
    end - from < MAX_NAME
  )
    end++
  return end > from && source.at(end) === Char.OPEN_BRACE ? end : null
}

/**
 * LangChain's structured chat, `from` after the label:
 *
 *   Action:
 *   ```json
 *   {"action": "read_file", "action_input": {"path": "/a"}}
 *   ```
 *
 * Known tools only. An input that is not an object is the value of the only parameter.
 */
const actionJsonDialect: Dialect = {
  ...reactDialect,
  readBy: 'JSON_Action',
  read(source, start, context) {
    const label = isLineStart(source, start) ? source.match(ACTION_LABEL, start, 40) : null
    return label ? readActionJson(source, start, start + label[0].length, context) : null
  },
}

function readActionJson(source: Source, start: number, from: number, context: ReadContext): Outcome | null {
  const fence = source.skipSpace(from)
  const open = source.at(fence) === Char.BACKTICK ? runEnd(source, fence) : fence
  if (open - fence < 3) return null
  const language = source.match(/[ \t]{0,4}(?:jsonc?|json5)?[ \t]{0,4}\r?\n/iy, open, 20)
  const object = language ? source.skipSpace(open + language[0].length) : fence
  if (source.at(object) !== Char.OPEN_BRACE) return null
  const reading = readJson(source, object, { guess: false, shape: null })
  const close = source.skipSpace(reading.end)
  if (reading.failure || reading.node?.kind !== 'object' || source.at(close) !== Char.BACKTICK) return null
  const end = runEnd(source, close)
  const value = nodeValue(reading.node)
  if (end - close < open - fence || !isJsonObject(value)) return null
  const { action, action_input: input = {}, ...others } = value
  const tool = typeof action === 'string' ? context.tools.match(action) : null
  if (tool === null || typeof action !== 'string' || Object.keys(others).length > 0) return null
  const args = isJsonObject(input) ? input : wrapped(onlyParameter(tool.spec.parameters), input)
  if (args === null) return null
  const repairs = [
    ...reading.repairs.map(({ code }) => code),
    ...(isJsonObject(input) ? [] : ['flattened-arguments' as const]),
  ]
  return completeCall(source, start, end, { name: action, arguments: args, repairs }, context)
}

const wrapped = (key: string | null, value: JsonValue) => (key === null || value === null ? null : { [key]: value })

/*
 * gpt-oss, in OpenAI's Harmony:
 *
 *   <|start|>assistant<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path":"/a"}<|call|>
 *
 * The recipient may be before the channel. If a server removed the tokens, only known tools count, at the start of a
 * line:
 *
 *   commentary to=functions.read_file json{"path":"/a"}
 *
 * Text on the analysis channel is reasoning.
 */

const HEADER =
  /(?:<\|start\|>assistant)?(?:\s{0,3}to=([\w.-]{1,90}))?\s{0,3}<\|channel\|>\s{0,3}(?:commentary|final)(?:\s{1,3}to=([\w.-]{1,90}))?\s{0,3}(?:<\|constrain\|>)?\s{0,3}(?:json|code)?\s{0,3}<\|message\|>\s{0,9}(?=\{)/y
const STRIPPED =
  /(?:assistant)?(?:commentary\s{0,3})?to=functions\.([\w.-]{1,80})\s{0,3}(?:<\|channel\|>)?(?:commentary)?\s{0,3}(?:<\|constrain\|>)?(?:json|code)?\s{0,3}(?:<\|message\|>)?\s{0,3}(?=\{)/y
const STARTS = ['<|start|>assistant', '<|channel|>']
const CLOSERS = ['<|call|>', '<|end|>']

const harmonyDialect: Dialect = {
  id: 'harmony',
  triggers: '<',
  starts: [...STARTS, 'assistant', 'commentary', 'to='],
  lineTriggers: 'act',
  fences: [],
  read(source, start, context) {
    const token = source.at(start) === Char.LESS
    if (token ? !STARTS.some((one) => source.has(start, one)) : !isLineStart(source, start)) return null
    const head = source.match(token ? HEADER : STRIPPED, start, 320)
    const written = (head?.[1] ?? head?.[2])?.replace(/^functions\./, '')
    const name = written === undefined ? '' : withoutForm(written, context.tools)
    if (!head || name === '' || (!token && !context.tools.match(name))) return null
    source.certain = { start, name }
    const reading = readJson(source, start + head[0].length, {
      guess: false,
      shape: context.tools.callShape.child('arguments', name),
    })
    if (reading.failure || reading.node?.kind !== 'object') return null
    const after = source.skipSpace(reading.end)
    const closer = CLOSERS.find((one) => source.has(after, one))
    const end = closer === undefined ? reading.end : after + closer.length
    const repairs = reading.repairs.map((repair) => repair.code)
    if (name !== written) repairs.push('name-normalised')
    return completeCall(source, start, end, { name, arguments: nodeValue(reading.node) as Arguments, repairs }, context)
  },
}

/*
 * Kimi, if a server removed its tokens: functions.read_file:0{"path":"/a"}, for known tools at the start of a line.
 */

const CALL_ID = /functions\.([\w.-]{1,80}):\d{1,4}\s{0,3}(?=\{)/y

const kimiIdDialect: Dialect = {
  id: 'kimi',
  triggers: '',
  starts: ['functions.'],
  lineTriggers: 'f',
  fences: [],
  read(source, start, context) {
    const head = isLineStart(source, start) ? source.match(CALL_ID, start, 100) : null
    const name = head?.[1]
    if (!head || name === undefined || !context.tools.match(name)) return null
    source.certain = { start, name }
    const shape = context.tools.callShape.child('arguments', name)
    const reading = readJson(source, start + head[0].length, { guess: false, shape })
    if (reading.failure || reading.node?.kind !== 'object') return null
    const repairs = reading.repairs.map((repair) => repair.code)
    return completeCall(
      source,
      start,
      reading.end,
      { name, arguments: nodeValue(reading.node) as Arguments, repairs },
      context,
    )
  },
}

/*
 * Command R without its tokens:
 *
 *   Action: ```json
 *   [{"tool_name": "read_file", "parameters": {"path": "/a"}}]
 *   ```
 *
 * Known tools only: `directly-answer` in such a list is not a call.
 */

const WORD = 'Action:'

const cohereDialect: Dialect = {
  id: 'cohere',
  triggers: '',
  starts: [WORD.toLowerCase()],
  lineTriggers: 'A',
  fences: [],
  read(source, start, context) {
    if (!source.has(start, WORD) || !isLineStart(source, start)) return null
    const fence = source.skipSpace(start + WORD.length)
    const language = source.at(fence) === Char.BACKTICK ? runEnd(source, fence) : fence
    if (language - fence < 3) return null
    const list = source.skipSpace(source.has(language, 'json') ? language + 4 : language)
    if (source.at(list) !== Char.OPEN_BRACKET) return null
    const reading = readJson(source, list, { guess: false, shape: context.tools.callShape })
    const close = source.skipSpace(reading.end)
    if (reading.failure || reading.node?.kind !== 'array' || source.at(close) !== Char.BACKTICK) return null
    const end = runEnd(source, close)
    if (end - close < language - fence) return null
    const parts: Part[] = []
    const { items } = reading.node
    for (const [i, item] of items.entries()) {
      const codes = new Set(reading.repairs.map((repair) => repair.code))
      const resolved = item.kind === 'object' ? resolveCallObject(item, context.tools, codes, false) : null
      if (!resolved?.ok || resolved.call.problem?.code === 'unknown-tool') return null
      const from = parts.at(-1)?.end ?? start
      parts.push({ kind: 'call', start: from, end: i === items.length - 1 ? end : item.end, call: resolved.call })
    }
    return parts.length > 0 ? { kind: 'parts', end, parts } : null
  },
}

const TAGS: OwnTags = { openers: /<(tool_use|arguments)\b[^<>]*>/gi, closers: /<\/(tool_use|arguments)\s*>/gi }

/* Cherry Studio: <tool_use><name>x</name><arguments>{…}</arguments></tool_use> */
const cherryDialect: Dialect = {
  id: 'cherry',
  triggers: '<',
  starts: ['<tool_use'],
  fences: [],
  read(source, start, context) {
    const open = readTag(source, start, 'tool_use', false)
    if (!open) return null
    const nameTag = readTag(source, source.skipSpace(open.end), 'name', false)
    const named = nameTag ? valueUntil(source, nameTag.end, '</name>', () => true) : null
    const argsTag = named ? readTag(source, source.skipSpace(named.end), 'arguments', false) : null
    if (!named || !argsTag || named.text.length > 128 || named.text.includes('<')) return null
    const name = named.text.trim()
    source.certain = { start, name }
    const body = valueUntil(
      source,
      argsTag.end,
      '</arguments>',
      (i) => readTag(source, i, 'tool_use', true) !== null,
      TAGS,
    )
    const value = body ? decode(body.text.trim() || '{}') : undefined
    const closer = body ? readTag(source, source.skipSpace(body.end), 'tool_use', true) : null
    return closer && isJsonObject(value)
      ? completeCall(source, start, closer.end, { name, arguments: value }, context)
      : null
  },
}

/**
 * Dialects that models were trained on and fall back to. Their calls are recognised so that they are shown as a card
 * rather than as raw text; they are foreign under every strategy. The bare object comes last, because any markup around
 * it is more specific.
 */
export const foreignDialects: readonly Dialect[] = [
  qwenDialect,
  glmDialect,
  ...jsonMarkedDialects,
  invokeDialect,
  cherryDialect,
  gemmaDialect,
  gemmaPythonDialect,
  lfmDialect,
  minimaxDialect,
  harmonyDialect,
  kimiIdDialect,
  cohereDialect,
  reactDialect,
  actionJsonDialect,
  pythonicDialect,
  pythonReplyDialect,
  bareJsonDialect,
]
