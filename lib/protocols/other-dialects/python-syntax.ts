import type { JsonValue } from '@/lib/base/json'
import { isUnsafeKey } from '../json-repair/node'
import * as Char from '../text/char'
import { isDigit, isWordPart } from '../text/characters'
import type { Source } from '../text/source'
import { PYTHON, readLiteral } from './literal'

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

/** `name(` at `start`: where the bracket stands. Most of what stands in square brackets is told from a call here. */
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
