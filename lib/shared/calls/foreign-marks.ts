import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { heldWords, type MarkedText } from '@/lib/i18n/invisible-text'
import { marksOf } from '@/lib/base/untrusted-text/foreign-text'
import { markContext, type TextKind, readingOfFile } from '@/lib/base/untrusted-text/mark'
import type { Coercion } from '@/lib/protocols/types/segment'
import type { CallToWrite } from '@/lib/protocols/types/tool-context-def'

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

const known = new WeakMap<JsonObject, readonly MarkedInCall[]>()

export interface MarkedInCall extends MarkedText {
  /** The argument that holds it, as a dotted path; '' for the tool’s name and what was dropped. */
  readonly at: string
  /** It, with some letters on both sides. */
  readonly around: string
  readonly reading: TextKind
}

/** A call, with what was changed in it before it came to be judged. */
export type CallToJudge = CallToWrite & { readonly coercions?: readonly Coercion[] }

/** The marks in the name, the keys, the texts of a call, and in what was dropped from it; the first thousand. */
export function marksOfCall({ name, arguments: args, coercions = [] }: CallToJudge): readonly MarkedInCall[] {
  const found = known.get(args)
  if (found) return found
  const marked: MarkedInCall[] = []
  const texts: TextKind = namesOf(args).every((path) => readingOfFile(path) === 'prose') ? 'prose' : 'code'
  const add = (text: string, reading: TextKind, at: string) => {
    for (const mark of marksOf(text, reading)) {
      if (marked.length >= MAX_MARKS) return
      marked.push({ mark, text: text.slice(mark.start, mark.end), at, around: markContext(text, mark), reading })
    }
  }
  const walk = (value: JsonValue, reading: TextKind, at: string) => {
    if (typeof value === 'string') add(value, isPath(value) ? 'name' : reading, at)
    else if (Array.isArray(value)) for (const item of value) walk(item, reading, at)
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        const inner = at === '' ? key : `${at}.${key}`
        add(key, 'name', inner)
        walk(member, nameKeys.test(key) ? 'name' : codeKeys.test(key) ? 'code' : reading, inner)
      }
    }
  }
  add(name, 'name', '')
  walk(args, texts, '')
  for (const coercion of coercions) {
    if ('key' in coercion && coercion.kind !== 'default-dropped') add(coercion.key, 'name', '')
    if (coercion.kind === 'key-dropped' && coercion.unseen !== undefined) add(coercion.unseen, 'prose', '')
  }
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

/** The first mark of each part of a call: the card may show that part nowhere else. */
export function markedPlaces(call: CallToJudge): readonly MarkedInCall[] {
  const places = new Map<string, MarkedInCall>()
  for (const marked of marksOfCall(call)) if (!places.has(marked.at)) places.set(marked.at, marked)
  return [...places.values()]
}

export const holdsMarks = (call: CallToJudge): boolean => marksOfCall(call).length > 0

/** "It holds 3 invisible characters."; '' where everything shows. */
export const marksSentence = (call: CallToJudge): string => heldWords(marksOfCall(call))
