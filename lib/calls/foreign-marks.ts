import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { TextKind } from '@/lib/base/foreign-text/mark'
import { heldWords, type MarkedText } from '@/lib/base/foreign-text/mark-words'
import { marksOf } from '@/lib/base/foreign-text/marks-of'
import { readingOfFile } from '@/lib/base/foreign-text/reading-of-file'
import type { CallToWrite } from '@/lib/strategies/tool-context-def'

/*
 * What of a call does not show what it is. Pure, from the arguments alone, and the same on both sides: the card says it, the
 * browser asks by it, the server refuses by it. Keys and paths are read as names; a text as code, but where it is for
 * people: the content of a file that by its name holds prose, and texts of a call that names no file.
 */

/** Keys whose values are paths or addresses. */
const nameKeys =
  /^(?:.*_)?(?:path|paths|from|to|file|files|filename|folder|dir|directory|name|url|source|target|destination|glob|include|exclude)$/i
const codeKeys = /^(?:.*_)?(?:code|script|command|expression|pattern|regex|query_code)$/i

/** Enough to be named; more is more of the same. */
const MAX_MARKS = 1_000

const known = new WeakMap<JsonObject, readonly MarkedText[]>()

/** The marks in the name, the keys and the texts of a call; the first thousand. */
export function marksOfCall({ name, arguments: args }: CallToWrite): readonly MarkedText[] {
  const found = known.get(args)
  if (found) return found
  const marked: MarkedText[] = []
  const texts: TextKind = namesOf(args).every((path) => readingOfFile(path) === 'prose') ? 'prose' : 'code'
  const add = (text: string, reading: TextKind) => {
    for (const mark of marksOf(text, reading)) {
      if (marked.length >= MAX_MARKS) return
      marked.push({ mark, text: text.slice(mark.start, mark.end) })
    }
  }
  const walk = (value: JsonValue, reading: TextKind) => {
    if (typeof value === 'string') add(value, isPath(value) ? 'name' : reading)
    else if (Array.isArray(value)) for (const item of value) walk(item, reading)
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        add(key, 'name')
        walk(member, nameKeys.test(key) ? 'name' : codeKeys.test(key) ? 'code' : reading)
      }
    }
  }
  add(name, 'name')
  walk(args, texts)
  known.set(args, marked)
  return marked
}

const isPath = (text: string): boolean => /^\.{0,2}\/[^\n]*$/.test(text)

/** The values under keys for paths, wherever they stand. */
function namesOf(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesOf)
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, member]) =>
    nameKeys.test(key) && typeof member === 'string' ? [member] : namesOf(member),
  )
}

export const holdsMarks = (call: CallToWrite): boolean => marksOfCall(call).length > 0

/** "It holds 3 invisible characters."; '' where everything shows. */
export const marksSentence = (call: CallToWrite): string => heldWords(marksOfCall(call))
