import type { JsonValue } from '@/lib/base/json'
import { isUnsafeKey } from '../json-repair/node'
import * as Char from '../text/source'
import { type Source, isDigit, isWordPart } from '../text/source'
import { PYTHON, readLiteral } from './literal'
import { type Outcome, type Part, type ReadContext, finishCall } from '../arguments/dialect'
import { isLineStart } from '../scan/fences'

const MAX_NAME = 90
const KEY = /([\p{L}_][\p{L}\p{N}_]{0,63})\s*=(?!=)\s*/uy

export interface PythonCall {
  readonly start: number
  readonly end: number
  readonly name: string
  readonly args: Record<string, JsonValue>
}

/** The name before a bracket, without the prefix that Gemini writes. */
export const calledName = (written: string): string => written.replace(/^default_api\./, '')

/** `name(` at `start`: the offset of the bracket. Most text in square brackets is ruled out as a call here. */
export function bracketAfterName(source: Source, start: number): number | null {
  let end = start
  while ((isWordPart(source.at(end)) || source.at(end) === Char.DOT) && end - start < MAX_NAME) end++
  return end > start && !isDigit(source.at(start)) && source.at(end) === Char.OPEN_PAREN ? end : null
}

export function readCall(source: Source, start: number): PythonCall | null {
  const bracket = bracketAfterName(source, start)
  if (bracket === null) return null
  const name = calledName(source.text.slice(start, bracket))
  const args = Object.create(null) as Record<string, JsonValue>
  let i = source.skipSpace(bracket + 1)
  while (source.at(i) !== Char.CLOSE_PAREN) {
    const key = source.match(KEY, i, 90)
    if (!key?.[1] || Object.hasOwn(args, key[1])) return null
    const literal = readLiteral(source, i + key[0].length, PYTHON)
    if (!literal) return null
    if (!isUnsafeKey(key[1])) args[key[1]] = literal.value
    i = source.skipSpace(literal.end)
    if (source.at(i) === Char.COMMA) i = source.skipSpace(i + 1)
    else if (source.at(i) !== Char.CLOSE_PAREN) return null
  }
  return { start, end: i + 1, name, args }
}

/*
 * Calls of known tools whose arguments are Python that would have to run first:
 *
 *   [read_file(path=home)]   [read_file({"path": "/a"})]   [area(radius=4*3.14)]
 *
 * Nothing is computed here, so such a call is shown as unusable, with the reason.
 */

/** Longer calls are not followed to their closing bracket. */
const MAX_CALL = 20_000
const DETAIL = 'each argument must be written as name=value, and each value must be a literal'

/** A list of calls, at least one of which contains non-literals, alone on its line. */
export function readNonLiterals(source: Source, start: number, context: ReadContext): Outcome | null {
  if (context.quoted || !isLineStart(source, start)) return null
  const parts = readParts(source, start, start + 1, context, (i) => source.at(i) === Char.CLOSE_BRACKET)
  const last = parts?.at(-1)
  if (!parts || !last) return null
  const close = source.skipSpace(last.end)
  const end = (source.at(close) === Char.COMMA ? source.skipSpace(close + 1) : close) + 1
  if (!endsLine(source, end)) return null
  last.end = end
  return { kind: 'parts', end, parts }
}

/** The calls from `from` until `isEnd` matches; null unless all are calls of known tools. */
export function readParts(
  source: Source,
  start: number,
  from: number,
  context: ReadContext,
  isEnd: (i: number) => boolean,
): Part[] | null {
  const parts: Part[] = []
  for (let i = source.skipSpace(from); !isEnd(i);) {
    const part = readPart(source, parts.at(-1)?.end ?? start, i, context)
    if (!part) return null
    parts.push(part)
    i = source.skipSpace(part.end)
    if (isEnd(i)) break
    const unit = source.at(i)
    if (unit === Char.COMMA || unit === Char.SEMICOLON) i = source.skipSpace(i + 1)
    else if (source.text.slice(part.end, i).includes('\n')) continue
    else return null
  }
  return parts.length > 0 ? parts : null
}

function readPart(source: Source, start: number, at: number, context: ReadContext): Part | null {
  const bracket = bracketAfterName(source, at)
  if (bracket === null) return null
  const name = calledName(source.text.slice(at, bracket))
  if (!context.tools.match(name)) return null
  const call = readCall(source, at)
  if (call) {
    const read = finishCall({ ownId: null, name, arguments: call.args, repairs: [] }, context.tools)
    return { kind: 'call', start, end: call.end, call: read }
  }
  const end = closingParen(source, bracket)
  if (end === null || !/[="'{\d]/.test(source.text.slice(bracket, end))) return null
  return { kind: 'broken', start, end, breakage: { reason: 'not-a-literal', name, at: bracket + 1, detail: DETAIL } }
}

/** The end of the brackets that open at `bracket`; strings in quotes are skipped. */
function closingParen(source: Source, bracket: number): number | null {
  const open: number[] = []
  for (let i = bracket; i - bracket < MAX_CALL; i++) {
    const unit = source.at(i)
    if (unit < 0) return null
    if (unit === Char.QUOTE || unit === Char.APOSTROPHE) {
      const end = textEnd(source, i)
      if (end === null) return null
      i = end - 1
    } else if (unit === Char.OPEN_PAREN) open.push(Char.CLOSE_PAREN)
    else if (unit === Char.OPEN_BRACKET) open.push(Char.CLOSE_BRACKET)
    else if (unit === Char.OPEN_BRACE) open.push(Char.CLOSE_BRACE)
    else if (unit === Char.CLOSE_PAREN || unit === Char.CLOSE_BRACKET || unit === Char.CLOSE_BRACE) {
      if (open.pop() !== unit) return null
      if (open.length === 0) return i + 1
    }
  }
  return null
}

function textEnd(source: Source, start: number): number | null {
  const quote = source.at(start)
  for (let i = start + 1; i - start < MAX_CALL; i++) {
    const unit = source.at(i)
    if (unit < 0 || unit === Char.LINE_FEED) return null
    if (unit === Char.BACKSLASH) i++
    else if (unit === quote) return i + 1
  }
  return null
}

/** Whether only blanks are between `i` and the end of its line. */
function endsLine(source: Source, i: number): boolean {
  const unit = source.at(source.skipBlanks(i))
  return unit < 0 || unit === Char.LINE_FEED || unit === Char.CARRIAGE_RETURN || unit === Char.LESS
}
