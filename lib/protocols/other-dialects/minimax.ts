import type { JsonValue } from '@/lib/base/json'
import { type Dialect, type Outcome, type ReadContext, finishCall } from '../arguments/dialect'
import { isUnsafeKey } from '../json-repair/node'
import { readTag } from '../scan/tags'
import * as Char from '../text/source'
import type { Source } from '../text/source'
import { attributeOf, valueUntil, type OwnTags } from './elements'
import { PYTHON, readLiteral, readMap } from './literal'

/*
 * MiniMax's brackets:
 *
 *   [TOOL_CALL]
 *   {tool => "read_file", args => {
 *     --path "/a"
 *   }}
 *   [/TOOL_CALL]
 *
 * The arguments may also be JSON. And the tokens of M3, whose elements are named after the parameters:
 *
 *   ]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>/a]<]minimax[>[</path>
 *   ]<]minimax[>[</invoke>]<]minimax[>[</tool_call>
 */

const OPEN = '[TOOL_CALL]'
const CLOSE = '[/TOOL_CALL]'
const TOKEN = ']<]minimax[>['
const TOOL = /\{\s{0,20}tool\s{0,9}=>\s{0,9}["']([^"'\n]{1,90})["']\s{0,9},?\s{0,20}args\s{0,9}=>\s{0,20}(?=\{)/y
const OPTION = /--([\p{L}_][\p{L}\p{N}_-]{0,63})(?:\s{0,9}[:=])?\s{1,20}/uy
const TAGS: OwnTags = {
  openers: /\]<\]minimax\[>\[<([\p{L}_][\p{L}\p{N}_.-]{0,63})[^<>]{0,200}>/gu,
  closers: /\]<\]minimax\[>\[<\/([\p{L}_][\p{L}\p{N}_.-]{0,63})>/gu,
}
const ELEMENT = /<([\p{L}_][\p{L}\p{N}_.-]{0,63})>/uy

type Arguments = Record<string, JsonValue>

export const minimaxDialect: Dialect = {
  id: 'minimax',
  triggers: '[]',
  starts: [OPEN.toLowerCase(), TOKEN],
  fences: [],
  read: (source, start, context) =>
    source.at(start) === Char.OPEN_BRACKET ? readBrackets(source, start, context) : readTokens(source, start, context),
}

function readBrackets(source: Source, start: number, context: ReadContext): Outcome | null {
  if (!source.has(start, OPEN)) return null
  const from = source.skipSpace(start + OPEN.length)
  const head = source.at(from) === Char.OPEN_BRACE ? source.match(TOOL, from, 220) : null
  const name = head?.[1]
  if (!head || name === undefined) return null
  source.certain = { start, name }
  const brace = from + head[0].length
  const args = readOptions(source, brace) ?? readMap(source, brace, PYTHON)
  const outer = args ? source.skipSpace(args.end) : -1
  if (!args || source.at(outer) !== Char.CLOSE_BRACE) return null
  let closer = source.skipSpace(outer + 1)
  // The model often ends it with one brace too many.
  if (source.at(closer) === Char.CLOSE_BRACE) closer = source.skipSpace(closer + 1)
  return source.has(closer, CLOSE) ? callOf(start, closer + CLOSE.length, name, args.value, context) : null
}

/** `{ --key "value" --other 3 }` */
function readOptions(source: Source, brace: number): { readonly value: Arguments; readonly end: number } | null {
  const value = Object.create(null) as Arguments
  let i = source.skipSpace(brace + 1)
  while (source.at(i) === Char.MINUS) {
    const option = source.match(OPTION, i, 110)
    const key = option?.[1]
    const literal = option && key !== undefined ? readLiteral(source, i + option[0].length, PYTHON) : null
    if (!literal || key === undefined || Object.hasOwn(value, key)) return null
    if (!isUnsafeKey(key)) value[key] = literal.value
    i = source.skipSpace(literal.end)
    if (source.at(i) === Char.COMMA) i = source.skipSpace(i + 1)
  }
  return source.at(i) === Char.CLOSE_BRACE ? { value, end: i + 1 } : null
}

function readTokens(source: Source, start: number, context: ReadContext): Outcome | null {
  const afterTokens = (i: number): number => {
    let at = source.skipSpace(i)
    while (source.has(at, TOKEN)) at = source.skipSpace(at + TOKEN.length)
    return at
  }
  if (!source.has(start, TOKEN)) return null
  let i = afterTokens(start)
  const group = readTag(source, i, 'tool_call', false)
  if (group) i = afterTokens(group.end)
  const open = readTag(source, i, 'invoke', false)
  const name = open ? attributeOf(open.attributes, 'name') : null
  if (!open || name === null) return null
  source.certain = { start, name }
  const args = Object.create(null) as Arguments
  i = afterTokens(open.end)
  while (source.at(i) === Char.LESS && source.at(i + 1) !== Char.SLASH) {
    const element = source.match(ELEMENT, i, 70)
    const key = element?.[1]
    if (!element || key === undefined || Object.hasOwn(args, key)) return null
    const value = valueUntil(source, i + element[0].length, `${TOKEN}</${key}>`, (at) => source.has(at, TOKEN), TAGS)
    if (!value) return null
    if (!isUnsafeKey(key)) args[key] = value.text
    i = afterTokens(value.end)
  }
  const closer = readTag(source, i, 'invoke', true)
  if (!closer) return null
  const outer = readTag(source, afterTokens(closer.end), 'tool_call', true)
  return callOf(start, outer?.end ?? closer.end, name, args, context)
}

function callOf(start: number, end: number, name: string, args: Arguments, context: ReadContext): Outcome {
  const call = finishCall({ ownId: null, name, arguments: args, repairs: [] }, context.tools)
  return { kind: 'parts', end, parts: [{ kind: 'call', start, end, call }] }
}
