import { finishCall } from '../arguments/finish-call'
import type { Dialect } from '../dialect'
import { isLineStart } from '../scan/fences'
import * as Char from '../text/char'
import { isWordPart } from '../text/characters'
import type { Source } from '../text/source'
import { readMap } from './literal'
import type { LiteralSyntax } from './literal'

/*
 * Gemma's own calls, with texts between tokens in which nothing is escaped:
 *   <|tool_call>call:read_file{path:<|"|>/a<|"|>,limit:3}<tool_call|>                              Gemma 4
 *   <start_function_call>call:read_file{path:<escape>/a<escape>}<end_function_call>               FunctionGemma
 *   call:read_file{path:<|"|>/a<|"|>}      of a known tool at the start of a line, where a server took the tokens out
 */

const SYNTAX: LiteralSyntax = { quotes: ['<|"|>', '<escape>'], bareKeys: true }
const TOKENS: readonly (readonly [open: string, close: string])[] = [
  ['<|tool_call>', '<tool_call|>'],
  ['<start_function_call>', '<end_function_call>'],
]
const CALL = 'call:'
const MAX_NAME = 90

export const gemmaDialect: Dialect = {
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
